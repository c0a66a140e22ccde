"""Which annotation of a submission is which of the ground truth: alignment, candidates, keys, assignment."""
