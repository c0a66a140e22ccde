"""How far an engine can be trusted, from what people reviewed: figures, precision, what to review next, drift."""
