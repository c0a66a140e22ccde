"""Ratings of a judge as scores: shares add up, what was not rated is said to be so."""

from math import isnan

import pytest

from assay.essays.models.judged import JudgedEssays
from assay.essays.text.text import Essay
from assay.scale import ScoreScale

MODEL = JudgedEssays(
    scale=ScoreScale(1, 6),
    weights={"ideas": 2, "style": 1},
    ratings={"a": {"ideas": 5, "style": 2}, "b": {"ideas": 3}},
    problems={"b": "answer not usable: it is not JSON"},
    judge="A judge.",
)


def test_the_raw_score_is_the_weighted_mean_and_shares_add_up() -> None:
    score = MODEL.score(Essay("a", "Text."))
    assert (score.raw, score.score) == (4.0, 4.0)
    assert score.average + sum(score.shares.values()) == pytest.approx(score.raw)
    assert score.features == {"judge_ideas": 5, "judge_style": 2}
    assert all(map(isnan, (score.low, score.high, score.percentile)))


@pytest.mark.parametrize(("essay", "advisory"), [("b", "no_rating"), ("z", "no_rating")])
def test_an_essay_without_all_its_ratings_has_no_score(essay: str, advisory: str) -> None:
    score = MODEL.score(Essay(essay, "Text."))
    assert not score.scored
    assert [doubt.name for doubt in score.advisories] == [advisory]


def test_an_empty_essay_is_called_empty() -> None:
    assert [doubt.name for doubt in MODEL.score(Essay("a", " ")).advisories] == ["empty"]
