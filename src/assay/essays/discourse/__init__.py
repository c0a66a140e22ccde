"""The discourse elements of an essay: thesis, main points, support, conclusion, and what labels them."""
