"""Label Studio's exports: JSON and JSON-MIN."""
