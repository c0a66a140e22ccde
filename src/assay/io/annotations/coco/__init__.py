"""COCO: datasets and results in JSON."""
