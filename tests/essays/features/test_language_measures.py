"""Words, wordings and sentences measured on texts of our own."""

from math import isnan, log, log1p

import numpy as np
import pytest

from assay.essays.features.features import analyse
from assay.essays.features.language_measures import (
    GRAMMAR_TITLES,
    WORD_TITLES,
    WORDING_TITLES,
    grammar_measures,
    moving_variety,
    token_depths,
    word_measures,
    wording_measures,
)
from assay.essays.text.text import frequency_index
from tests.essays.essay_texts import written

TEXT = analyse(written([["The dog saw the magnificent dog .", "However , the dog slept ."]]))
EMPTY = analyse(written([]))


def test_every_measure_has_its_title_and_none_is_defined_without_words() -> None:
    for measures, titles in ((word_measures, WORD_TITLES), (grammar_measures, GRAMMAR_TITLES)):
        assert set(measures(TEXT)) == set(titles)
        assert all(map(isnan, measures(EMPTY).values()))
    assert set(wording_measures(TEXT)) == set(WORDING_TITLES)
    assert set(wording_measures(EMPTY).values()) == {0.0}


def test_words_are_measured_by_length_and_variety() -> None:
    found = word_measures(TEXT)
    # the dog saw the magnificent dog however the dog slept
    lengths = [3, 3, 3, 3, 11, 3, 7, 3, 3, 5]

    assert (found["word_length"], found["word_length_sd"]) == pytest.approx((np.mean(lengths), np.std(lengths)))
    assert (found["long_words"], found["very_long_words"]) == (0.2, 0.1)
    assert found["long_word_count"] == pytest.approx(log1p(2))
    assert found["herdan"] == pytest.approx(log(6) / log(10))
    assert found["guiraud"] == pytest.approx(6 / 10**0.5)
    assert found["local_variety"] == pytest.approx(6 / 10)
    assert found["once_share"] == pytest.approx(4 / 6)
    # of the content words dog (3), saw, magnificent and slept, all five commonest count
    assert found["repeated_content"] == 1.0


def test_rarity_is_that_of_the_frequency_index() -> None:
    found, index = word_measures(TEXT), frequency_index()
    types = [index[word] for word in ("the", "dog", "saw", "magnificent", "however", "slept")]

    assert found["mean_frequency"] == pytest.approx(np.mean(types))
    assert found["rarity_50"] == pytest.approx(np.median(types))
    assert found["rarity_5"] == pytest.approx(np.percentile(types, 5))
    tokens = [
        index[word] for word in ["the", "dog", "saw", "the", "magnificent", "dog", "however", "the", "dog", "slept"]
    ]
    assert found["token_frequency"] == pytest.approx(np.mean(tokens))
    for name, limit in (("rare", 45), ("uncommon", 55)):
        count = sum(value < limit for value in types)
        assert (found[f"{name}_words"], found[f"{name}_share"]) == pytest.approx((log1p(count), count / 6))


def test_variety_is_that_of_windows_in_a_row() -> None:
    assert moving_variety(["a", "b", "a", "a"], 2) == pytest.approx((1 + 1 + 0.5) / 3)
    assert moving_variety(["a", "b", "a"], 50) == pytest.approx(2 / 3)
    words = list(np.random.default_rng(1).choice(list("abcdefg"), 60))
    plain = [len(set(words[at : at + 10])) / 10 for at in range(51)]
    assert moving_variety(words, 10) == pytest.approx(np.mean(plain))


def test_wordings_are_counted_per_hundred_words_and_connectives_once() -> None:
    text = analyse(written([["However , it rained .", "However , for example , we left ."]]))

    found = wording_measures(text)

    assert found["wording_contrast"] == pytest.approx(log1p(100 * 2 / 8))
    # "example" as a word and "for example" as a phrase
    assert found["wording_example"] == pytest.approx(log1p(100 * 2 / 8))
    assert found["connective_kinds"] == pytest.approx(log1p(3))


def test_sentences_are_measured_by_their_trees() -> None:
    found = grammar_measures(TEXT)

    # every token hangs on the first of its sentence: depth 1; distances 1..6 and 1..5
    assert (found["tree_depth"], found["deepest_tree"]) == pytest.approx((1.0, log1p(1)))
    distances = [*range(1, 7), *range(1, 6)]
    assert found["head_distance"] == pytest.approx(log1p(np.mean(distances)))
    assert found["clauses_per_sentence"] == 0.0
    tags = TEXT.text.tags
    assert found["tag_variety"] == pytest.approx(len(set(zip(tags, tags[1:], tags[2:], strict=False))) / 13**0.5)
    assert found["grammar_surprise"] > 0


def test_depth_counts_the_heads_above_a_token() -> None:
    assert token_depths(np.array([1, 1, 1, 2, 3], dtype=np.int32)).tolist() == [1, 0, 1, 2, 3]
    assert token_depths(np.array([0, 0, 2, 2], dtype=np.int32)).tolist() == [0, 1, 0, 1]
