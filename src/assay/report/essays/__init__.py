"""Feedback and scores of essays as documents."""
