"""`assay annotations`: options, and what is printed."""
