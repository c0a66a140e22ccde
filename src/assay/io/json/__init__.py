"""JSON that people write by hand or that is too large to read at once."""
