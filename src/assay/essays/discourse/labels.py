"""The discourse labels of a sentence, and the finer states the model tells apart."""

LABELS = ("background", "thesis", "main point", "supporting idea", "conclusion", "other")
"""The categories of Criterion (Burstein, Marcu & Knight 2003), and none of them."""

BACKGROUND, THESIS, MAIN_POINT, SUPPORT, CONCLUSION, OTHER = range(6)

STATES = ("Lead", "Position", "Claim", "Counterclaim", "Rebuttal", "Evidence", "Concluding Statement", "Other")
"""The element types of the PERSUADE corpus, which the model is trained to tell apart."""

LABEL_OF_STATE = (BACKGROUND, THESIS, MAIN_POINT, MAIN_POINT, MAIN_POINT, SUPPORT, CONCLUSION, OTHER)
"""The label of each state. A rebuttal is a point of its own, as a claim is. Read as support, rebuttals would make human
and system labels agree a little better, and development and human scores a little worse."""
