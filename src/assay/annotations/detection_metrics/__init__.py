"""What benchmarks report: average precision, tracking figures, conflicts; beside the score, never in it."""
