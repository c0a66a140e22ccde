"""Figures from arrays or tallies, each with its formula and source; knows nothing of tables, reports or screens."""
