"""How often each mark of punctuation is used."""

from collections import Counter
from math import log1p
from types import MappingProxyType

from assay.essays.features.analysis import Analysis

MARKS = MappingProxyType(
    {
        "commas": (",", "Commas"),
        "quotation_marks": ('"“”«»', "Quotation marks"),
        "question_marks": ("?", "Question marks"),
        "exclamation_marks": ("!", "Exclamation marks"),
        "colons": (":;", "Colons and semicolons"),
        "dashes": ("-–—()", "Dashes, hyphens and brackets"),
        "apostrophes": ("'’", "Apostrophes"),
        "digits": ("0123456789", "Digits"),
        "capitals": ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "Capital letters"),
    }
)
TITLES = MappingProxyType(
    {
        **{name: f"{title} per 100 words" for name, (_, title) in MARKS.items()},
        "comma_count": "Commas",
        "quotation_count": "Quotation marks",
        "kinds_of_marks": "Different marks of punctuation",
    }
)


def punctuation_measures(essay: Analysis) -> dict[str, float]:
    """Each measure by name: log(1 + uses per 100 words), and a few counts. Names taken out (@CAPS1) do not count."""
    tokens = [word for word in essay.text.words if not word.startswith("@")]
    signs = Counter("".join(tokens))
    words = max(1, len(essay.words))
    counts = {name: sum(signs[sign] for sign in signs_of) for name, (signs_of, _) in MARKS.items()}
    return {
        **{name: log1p(100 * count / words) for name, count in counts.items()},
        "comma_count": log1p(counts["commas"]),
        "quotation_count": log1p(counts["quotation_marks"]),
        "kinds_of_marks": float(sum(not (sign.isalnum() or sign.isspace()) for sign in signs)),
    }
