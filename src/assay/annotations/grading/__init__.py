"""Scores of submissions: what was matched, missed and extra, with intervals, explanations and people's changes."""
