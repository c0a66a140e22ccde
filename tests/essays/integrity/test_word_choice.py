"""How words go together: what tells essays from nonsense."""

from math import isnan

import numpy as np
import pytest

from assay.essays.integrity.word_choice import (
    COMMON,
    NEIGHBOR_CELLS,
    association_table,
    content_from,
    expected_reuse,
    reuse_of,
    word_choice,
)
from assay.essays.text.reader import read_text
from tests.essays.integrity.texts import ESSAY, babble, shuffled


def test_the_words_before_tell_much_of_the_next_in_an_essay_and_nothing_in_random_order() -> None:
    essay, salad = word_choice(read_text(ESSAY)), word_choice(read_text(shuffled()))

    assert essay.order > 0.4
    assert salad.order < -0.2
    assert essay.words > 150


def test_content_words_of_an_essay_go_together_and_those_of_babble_do_not() -> None:
    essay, nonsense = word_choice(read_text(ESSAY)), word_choice(read_text(babble()))

    assert essay.association > 0.4
    assert nonsense.association < 0.2
    assert nonsense.rarity < essay.rarity - 0.5


def test_a_list_of_words_makes_one_part_weak() -> None:
    words = ("lesson bell rule teacher picture practice spring ride brother fair week bag " * 5).split()
    text = read_text(f"{ESSAY} {', '.join(words)}.")

    choice = word_choice(text)

    assert choice.weakest < word_choice(read_text(ESSAY)).weakest - 0.5
    assert set(content_from(text, choice.weakest_place).split()) <= set(words)


def test_words_taken_up_in_other_sentences_count_as_used_again() -> None:
    about = [["dogs", "bark", "loudly"], ["dogs", "sleep"]]
    apart = [["dogs", "bark", "loudly"], ["trains", "arrive"]]

    assert reuse_of(about) == pytest.approx((2 + 5) / 5)
    assert reuse_of(apart) == pytest.approx(5 / 5)
    assert isnan(reuse_of([["word"] * 60]))  # one endless sentence
    assert isnan(reuse_of([]))
    assert expected_reuse(300) > expected_reuse(150) == pytest.approx(0.878)


def test_no_words_are_no_evidence() -> None:
    choice = word_choice(read_text(""))

    assert (choice.words, choice.content) == (0, 0)
    assert all(map(isnan, (choice.order, choice.association, choice.weakest)))


def test_the_table_has_a_cell_for_every_word_and_neighbors_and_cannot_be_changed() -> None:
    table = association_table()

    assert table.shape == ((len(COMMON) + 1) * NEIGHBOR_CELLS**2,)
    assert np.abs(table).max() <= 2
    assert not table.flags.writeable
