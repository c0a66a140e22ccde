"""An engine judged by human scores: ratings, plan, every figure, comparisons, gates and thresholds; no files."""
