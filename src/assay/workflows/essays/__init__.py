"""Verbs on essays: features, train, score, calibrate, refit, feedback, study."""
