"""Panels: people and judges on the same items."""
