"""The questions frames ask: what is denied, how much, how strictly."""

import pytest

from assay.annotations.rubric.changes import KnownNames
from assay.annotations.rubric.lexicon import tokenize
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.rubric.sentence import RuleSentence


def sentence(text: str) -> RuleSentence:
    return RuleSentence(tokenize(text, KnownNames(("car",), ("color",))), Rubric())


@pytest.mark.parametrize(
    ("text", "off", "contradictory"),
    [
        ("ignore color", True, False),
        ("do not count color", True, False),
        ("color counts for nothing", True, False),
        ("color counts", False, False),
        ("never ignore color", False, True),
        ("color does not count for nothing", False, True),
    ],
)
def test_what_is_off(text: str, off: bool, contradictory: bool) -> None:
    assert (sentence(text).off, sentence(text).contradictory) == (off, contradictory)


@pytest.mark.parametrize(
    ("text", "degree"),
    [
        ("color counts twice", 2),
        ("color counts more", 2),
        ("color counts less", 0.5),
        ("color counts 20 percent more", 1.2),
        ("reduce color by half", 0.5),
        ("do not be strict", 0.5),
        ("color counts", None),
        ("color counts 80", None),
    ],
)
def test_how_much(text: str, degree: float | None) -> None:
    assert sentence(text).degree() == (None if degree is None else pytest.approx(degree))
