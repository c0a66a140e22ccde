"""What would raise a score: advice is valued by the model, and only what raises the score is named."""

from collections.abc import Mapping
from math import nan
from typing import NamedTuple

import pytest

from assay.essays.feedback.advice import Advice
from assay.essays.feedback.feedback import Raising, first_advice, what_would_raise
from assay.essays.feedback.norms import reference_norms

GRAMMAR = Advice("grammar", "Mend the grammar", "3 notes on grammar.", "Read aloud.", 0.3, notes=(1, 2, 5))
WORDS = Advice("vocabulary", "Choose more exact words", "Most are common.", "Name what you mean.", 0.2)
LENGTH = Advice("length", "Say more about each point", "You wrote 90 words.", "Ask why.", 0.4)
SPELLING = Advice("mechanics", "Proofread", "1 note on mechanics.", "Read once more.", 0.1, notes=(3,))
VALUES = {"grammar": 0.05, "mechanics": 0.0, "length": 90.0, "element_length": 20.0, "vocabulary": 60.0}


class Given(NamedTuple):
    raw: float
    score: float


def by_errors_and_length(values: Mapping[str, float]) -> Given:
    raw = 4 - 20 * values["grammar"] - 20 * values["mechanics"] + (values["length"] - 400) / 200
    return Given(raw, float(round(raw)))


RAW = by_errors_and_length(VALUES).raw


def test_advice_is_worth_what_the_model_gives_for_it_and_the_most_comes_first() -> None:
    raising = what_would_raise([GRAMMAR, LENGTH], VALUES, RAW, by_errors_and_length)

    typical = reference_norms().norms["length"].mean
    assert [item.title for item in raising.advice] == [LENGTH.title, GRAMMAR.title]
    assert [item.gain for item in raising.advice] == [pytest.approx((typical - 90) / 200, abs=0.005), 1.0]
    assert raising.raw == pytest.approx(RAW + 1 + (typical - 90) / 200, abs=0.005)
    assert raising.score == round(raising.raw or 0)
    assert raising.advice[1].notes == (1, 2, 5)


def test_advice_that_changes_no_score_is_not_named() -> None:
    assert what_would_raise([SPELLING, WORDS], VALUES, RAW, by_errors_and_length) == Raising()


def test_one_act_changes_what_goes_together() -> None:
    asked: list[Mapping[str, float]] = []

    def seen(values: Mapping[str, float]) -> Given:
        asked.append(values)
        return Given(0.0, 0.0)

    what_would_raise([LENGTH, WORDS], {**VALUES, "word_length": nan}, 0.0, seen)

    norms = reference_norms().norms
    assert asked[0]["element_length"] == norms["element_length"].mean
    assert asked[1]["vocabulary"] == norms["vocabulary"].mean
    assert asked[1]["word_length"] != asked[1]["word_length"]  # undefined stays undefined


def test_a_value_better_than_typical_is_left_as_it_is() -> None:
    long = {**VALUES, "length": 900.0}

    assert what_would_raise([LENGTH], long, by_errors_and_length(long).raw, by_errors_and_length) == Raising()


def test_a_score_that_the_model_cannot_give_is_none() -> None:
    raising = what_would_raise([GRAMMAR], VALUES, RAW, lambda values: Given(by_errors_and_length(values).raw, nan))

    assert raising.score is None
    assert raising.raw is not None


def test_without_such_a_model_the_first_advice_has_no_points() -> None:
    raising = what_would_raise([GRAMMAR, LENGTH, WORDS, SPELLING], VALUES, RAW, lambda _: None)

    assert raising == first_advice([GRAMMAR, LENGTH, WORDS, SPELLING])
    assert [item.gain for item in raising.advice] == [None] * 3
    assert raising.raw is None
    assert raising.advice[0].sentence() == "Mend the grammar: 3 notes on grammar."
