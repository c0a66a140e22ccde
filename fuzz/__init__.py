"""Hostile inputs for every reader of what users hand in; `python -m fuzz`."""
