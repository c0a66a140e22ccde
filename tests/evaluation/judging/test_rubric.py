"""A rubric that exists is sound; the scale of essays follows from it."""

from typing import Any

import pytest

from assay.errors import InputError
from assay.evaluation.judging.rubric import Criterion, Example, JudgeRubric, Prices, RubricLevel, essay_scale
from assay.scale import ScoreScale

QUALITY = Criterion("quality", tuple(RubricLevel(float(point)) for point in (1, 2, 3)))
TONE = Criterion("tone", (RubricLevel("rude"), RubricLevel("polite")))


def test_values_of_scores_ascend_and_labels_stay_in_order() -> None:
    turned = Criterion("quality", (RubricLevel(3.0), RubricLevel(1.0), RubricLevel(2.0)))
    assert turned.values == (1.0, 2.0, 3.0)
    assert TONE.values == ("rude", "polite")
    assert (QUALITY.is_score, TONE.is_score) == (True, False)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"criteria": ()}, "no criteria"),
        ({"criteria": (QUALITY, QUALITY)}, "'quality' is there twice"),
        ({"criteria": (Criterion("", QUALITY.levels),)}, "1 to 100 letters"),
        ({"criteria": (Criterion('a"b', QUALITY.levels),)}, "without quotes"),
        ({"criteria": (Criterion("a", (RubricLevel(1.0),)),)}, "has 1 levels"),
        ({"criteria": (Criterion("a", tuple(RubricLevel(float(n)) for n in range(200))),)}, "at most 101"),
        ({"criteria": (Criterion("a", (RubricLevel(1.0), RubricLevel("x"))),)}, "mixes scores and labels"),
        ({"criteria": (Criterion("a", (RubricLevel("x"), RubricLevel("X "))),)}, "the level 'x' twice"),
        ({"criteria": (Criterion("a", (RubricLevel("x"), RubricLevel("y\n"))),)}, "line breaks"),
        ({"criteria": (Criterion("a", (RubricLevel(1.0), RubricLevel(float("nan")))),)}, "no number"),
        ({"criteria": (Criterion("a", QUALITY.levels, weight=0),)}, "above 0"),
        ({"overall": "b"}, "no criterion 'b'"),
        ({"temperature": 3}, "between 0 and 2"),
        ({"most_tokens": 1}, "between 16"),
        ({"prices": Prices(-1, 0)}, "0 or more"),
        ({"examples": (Example("t", {"b": 1.0}),)}, "example 1: there is no criterion 'b'"),
        ({"examples": (Example("t", {"quality": 9.0}),)}, "9.0 is no level"),
    ],
)
def test_a_rubric_that_makes_no_sense_is_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        JudgeRubric(**{"criteria": (QUALITY,), **settings})


def test_criteria_are_asked_for_together_or_one_by_one() -> None:
    assert JudgeRubric((QUALITY, TONE)).groups == ((QUALITY, TONE),)
    assert JudgeRubric((QUALITY, TONE), separate=True).groups == ((QUALITY,), (TONE,))


def test_the_scale_of_essays_is_that_of_the_criteria() -> None:
    halves = Criterion("style", tuple(RubricLevel(point / 2) for point in range(2, 7)))
    assert essay_scale(JudgeRubric((QUALITY,))) == ScoreScale(1, 3, 1)
    assert essay_scale(JudgeRubric((QUALITY, halves), overall="style")) == ScoreScale(1, 3, 0.5)
    assert essay_scale(JudgeRubric((QUALITY, TONE), overall="quality")) == ScoreScale(1, 3, 1)
    with pytest.raises(InputError, match="different scales"):
        essay_scale(JudgeRubric((QUALITY, halves)))
    for levels in (TONE.levels, (RubricLevel(1.0), RubricLevel(2.0), RubricLevel(5.0))):
        with pytest.raises(InputError, match="evenly spaced"):
            essay_scale(JudgeRubric((Criterion("a", levels),)))


def test_a_price_is_for_a_million_tokens() -> None:
    assert Prices(2.5, 10).cost(1_000_000, 100_000) == 3.5
