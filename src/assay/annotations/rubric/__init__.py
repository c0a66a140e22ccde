"""The rules of scoring: inferred from a ground truth, changed by edits and plain English, told as pseudocode."""
