"""Runs of characters and words."""

import numpy as np

from assay.essays.models.hybrid.ngrams import character_runs, learn_words, run_matrix, word_runs
from assay.essays.models.hybrid.parts import gram


def test_every_run_up_to_the_longest_has_its_bucket_once() -> None:
    # " ab " has the runs " ", "a", "b", " a", "ab", "b "; the blank occurs twice and counts once
    assert len(character_runs("ab", 2, bits=30)) == 6


def test_white_space_of_any_kind_is_one_blank() -> None:
    assert character_runs("a  cat\n\nsat", 4).tolist() == character_runs(" a cat sat ", 4).tolist()


def test_buckets_are_the_same_on_every_machine() -> None:
    # fixed by the polynomial in ngrams.py, not by any library
    assert character_runs("assay", 3, bits=19).tolist() == FIXED


def test_the_gram_matrix_equals_the_plain_product() -> None:
    texts = ["the dog saw the cat", "a dog ran", "the cat sat on the mat", "nothing alike here", "zzz"]
    rows = run_matrix([character_runs(text, 5) for text in texts], 2**19)
    dense = rows.toarray()
    assert np.allclose(gram(rows), dense @ dense.T)
    assert np.allclose(np.diag(gram(rows)), 1)


def test_words_of_few_essays_are_not_kept() -> None:
    words = learn_words(["the dog", "the dog", "the dog", "the cat"])
    assert words.runs == ("dog", "the", "the dog")
    places, weights = words.vector("The dog and the cat")
    assert [words.runs[place] for place in places] == ["dog", "the", "the dog"]
    assert np.isclose(weights @ weights, 1)


def test_a_text_without_known_words_has_an_empty_vector() -> None:
    places, weights = learn_words(["the dog"] * 3).vector("")
    assert len(places) == len(weights) == 0


def test_pairs_cross_no_gap_between_texts() -> None:
    assert word_runs("") == []


FIXED = [
    67587, 106111, 141763, 152897, 169065, 252880, 276449, 284504, 369824, 414168,
    430776, 438693, 482964, 491076, 497607,
]  # fmt: skip
