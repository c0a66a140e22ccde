"""Language models as judges: what they are asked by a rubric, what they may answer, and what misleads them."""
