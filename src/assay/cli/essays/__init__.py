"""Commands on essays."""
