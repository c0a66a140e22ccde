"""Scores of people beside those of a system: judge an engine, compare engines, say how far one can be trusted."""
