"""What a misspelled word may have meant, alone and in a sentence."""

import pytest

from assay.essays.errors.suggestions import GREAT, NEAR, candidates, cost, in_context, likeliest, swapped_cost


@pytest.mark.parametrize(
    ("written", "before", "after", "meant"),
    [
        ("stor", ["to", "the"], ["to", "buy"], "store"),
        ("stor", ["told", "a"], ["about", "his"], "story"),
        ("pleace", ["a", "good"], ["to", "live"], "place"),
    ],
)
def test_the_sentence_decides_between_candidates(written: str, before: list[str], after: list[str], meant: str) -> None:
    assert likeliest(written, before, after) == meant


def test_two_words_without_a_blank_are_a_candidate() -> None:
    assert "light years" in [meant for meant, _ in candidates("lightyears")]
    assert likeliest("eachother", ["help"], []) == "each other"


def test_letters_that_lie_side_by_side_on_the_keyboard_cost_less() -> None:
    assert swapped_cost("g", "h") == NEAR < swapped_cost("g", "p") == GREAT


def test_a_letter_left_out_costs_less_than_one_too_many() -> None:
    assert cost("plateu", "plateau") < cost("plateu", "plate")


def test_without_a_context_the_order_is_that_of_frequency_and_nearness() -> None:
    known = candidates("wich")

    assert tuple(in_context(known, [], [])) == known
    assert known[0][0] == "which"


def test_what_is_too_far_from_any_word_gets_no_suggestion() -> None:
    assert likeliest("zorblattification") is None
