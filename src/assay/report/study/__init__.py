"""A study of a corpus as a document."""
