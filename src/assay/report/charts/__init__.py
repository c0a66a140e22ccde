"""Charts as values, and where their marks go; `render` turns the drawings into SVG and PDF."""
