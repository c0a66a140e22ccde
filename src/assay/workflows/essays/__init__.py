"""Verbs on essays: score, train, calibrate, refit and what they share."""
