"""Runs of characters and words."""

import numpy as np

from assay.essays.models.hybrid.ngrams import WordStatistics, character_runs, learn_words, run_matrix, word_runs
from assay.essays.models.hybrid.parts import gram


def test_every_run_up_to_the_longest_has_its_bucket_once() -> None:
    # " ab " has the runs " ", "a", "b", " a", "ab", "b "; the blank occurs twice and counts once
    assert len(character_runs("ab", 2, bits=30)) == 6


def test_white_space_of_any_kind_is_one_blank() -> None:
    assert character_runs("a  cat\n\nsat", 4).tolist() == character_runs(" a cat sat ", 4).tolist()


def test_buckets_are_the_same_on_every_machine() -> None:
    # fixed by the polynomial in ngrams.py, not by any library
    assert character_runs("assay", 3, bits=19).tolist() == FIXED
    assert character_runs("assay", 3).tolist() == FIXED


def test_the_gram_matrix_equals_the_plain_product() -> None:
    texts = ["the dog saw the cat", "a dog ran", "the cat sat on the mat", "nothing alike here", "zzz"]
    rows = run_matrix([character_runs(text, 5) for text in texts], 2**19)
    dense = rows.toarray()
    assert np.allclose(gram(rows), dense @ dense.T)
    assert np.allclose(np.diag(gram(rows)), 1)


def test_words_of_few_essays_are_not_kept() -> None:
    words = learn_words(["the dog", "the dog", "the dog", "the cat", "the cat"])
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


def test_words_weigh_by_how_often_and_how_rarely_they_are_used() -> None:
    words = learn_words(["a dog", "a dog", "a dog", "a cat", "a"])

    assert words.runs == ("a", "a dog", "dog")
    assert words.rarity.tolist() == [np.log(6 / 6) + 1, np.log(6 / 4) + 1, np.log(6 / 4) + 1]
    places, weights = words.vector("dog dog a")
    raw = np.array([words.rarity[0], (1 + np.log(2)) * words.rarity[2]])
    assert places.tolist() == [0, 2]
    assert np.allclose(weights, raw / np.linalg.norm(raw))
    dense = words.matrix(["dog dog a", "zebra", "a"]).toarray()
    assert np.allclose(dense, [[weights[0], 0, weights[1]], [0, 0, 0], [1, 0, 0]])
    assert not words.rarity.flags.writeable


def test_rows_of_a_matrix_have_length_1_and_a_text_without_runs_none() -> None:
    dense = run_matrix([np.array([0, 2], dtype=np.int32), np.empty(0, dtype=np.int32)], 4).toarray()

    assert np.allclose(dense, [[0.5**0.5, 0, 0.5**0.5, 0], [0, 0, 0, 0]])


def test_words_keep_their_apostrophe_and_marks_count_as_words() -> None:
    assert word_runs("Don\u2019t @CAPS1!") == ["don't", "@caps1", "!", "don't @caps1", "@caps1 !"]


def test_runs_are_no_longer_than_the_text() -> None:
    assert character_runs("a", 9).tolist() == character_runs("a", 3).tolist()
    assert len(character_runs("", 3)) == 2  # two blanks: one by itself, and both


def test_a_single_run_has_the_whole_length() -> None:
    dense = run_matrix([np.array([1], dtype=np.int32), np.array([0, 1, 2], dtype=np.int32)], 3).toarray()

    assert np.allclose(dense, np.array([[0.0, 1.0, 0.0], [3**-0.5] * 3]), rtol=0, atol=1e-12)


def test_light_words_make_a_vector_of_length_1_too() -> None:
    places, weights = WordStatistics(("a", "b"), np.array([0.3, 0.4])).vector("b a")

    assert places.tolist() == [0, 1]
    assert np.allclose(weights, [0.6, 0.8], rtol=0, atol=1e-12)
