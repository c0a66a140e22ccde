"""What would raise a score: every aim is valued by the model, and so are all of them together."""

from collections.abc import Mapping
from math import nan
from typing import NamedTuple

import pytest

from assay.essays.feedback.advice import Advice
from assay.essays.feedback.feedback import Raising, first_advice, what_would_raise

SHORT = {"length": 110.0, "element_length": 10.0}
GRAMMAR = Advice("verbs", "reading", "Mend it", "3 places.", "Look.", change={"grammar": -0.05}, notes=(1, 2, 5))
WORDS = Advice("exact_words", "polish", "Choose more exact words", "Most are common.", "Name it.")
LENGTH = Advice("depth", "development", "Say more", "You wrote 90 words.", "Ask why.", change=SHORT)
SPELLING = Advice("spelling", "polish", "Proofread", "1 place.", "Read.", change={"mechanics": -0.1}, notes=(3,))
VALUES = {"grammar": 0.05, "mechanics": 0.0, "length": 90.0, "element_length": 20.0, "vocabulary": 60.0}


class Given(NamedTuple):
    raw: float
    score: float


def by_errors_and_length(values: Mapping[str, float]) -> Given:
    raw = 4 - 20 * values["grammar"] - 20 * values["mechanics"] + (values["length"] - 400) / 200
    return Given(raw, float(round(raw)))


RAW = by_errors_and_length(VALUES).raw


def test_aims_keep_their_order_and_each_is_worth_what_the_model_gives_for_it() -> None:
    raising = what_would_raise([GRAMMAR, LENGTH], VALUES, RAW, by_errors_and_length)

    assert [item.title for item in raising.advice] == [GRAMMAR.title, LENGTH.title]
    assert [item.gain for item in raising.advice] == [1.0, pytest.approx(110 / 200)]
    assert raising.raw == pytest.approx(RAW + 1 + 110 / 200)
    assert raising.score == round(raising.raw or 0)
    assert raising.advice[0].notes == (1, 2, 5)


def test_aims_that_change_no_score_stay_and_promise_nothing() -> None:
    raising = what_would_raise([SPELLING, WORDS], VALUES, RAW, by_errors_and_length)

    assert [item.gain for item in raising.advice] == [0.0, 0.0]
    assert (raising.raw, raising.score) == (None, None)
    assert what_would_raise([], VALUES, RAW, by_errors_and_length) == Raising()


def test_features_change_by_what_the_aims_say_within_what_they_can_be() -> None:
    asked: list[Mapping[str, float]] = []

    def seen(values: Mapping[str, float]) -> Given:
        asked.append(values)
        return Given(0.0, 0.0)

    developed = Advice("reasons", "development", "More", "", "", change={"development": 4.0, "grammar": -9.0})
    what_would_raise([developed, LENGTH], {**VALUES, "development": -3.0, "element_length": nan}, 0.0, seen)

    assert (asked[0]["development"], asked[0]["grammar"]) == (0.0, 0.0)
    assert asked[1]["length"] == 200.0
    assert asked[1]["element_length"] != asked[1]["element_length"]  # undefined stays undefined
    assert (asked[2]["development"], asked[2]["length"]) == (0.0, 200.0)


def test_a_score_that_the_model_cannot_give_is_none() -> None:
    raising = what_would_raise([GRAMMAR], VALUES, RAW, lambda values: Given(by_errors_and_length(values).raw, nan))

    assert raising.score is None
    assert raising.raw is not None


def test_without_such_a_model_the_aims_have_no_points() -> None:
    raising = what_would_raise([GRAMMAR, LENGTH, WORDS], VALUES, RAW, lambda _: None)

    assert raising == first_advice([GRAMMAR, LENGTH, WORDS])
    assert [item.gain for item in raising.advice] == [None] * 3
    assert raising.raw is None
    assert raising.advice[0].sentence() == "Mend it: 3 places."
