"""The words of a prompt, reckoned by hand."""

from math import exp, log, sqrt

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.models.hybrid.ngrams import TOPIC_TITLES, Topic, learn_topic, topic_measures
from assay.essays.text.text import frequency_index

TOPIC = Topic(
    words=("bark", "dog"),
    essays_with=np.array([2, 5]),
    keyness=np.array([0.4, 0.9]),
    essays=9,
    quarters=(2.0, 6.0),
    sums=np.zeros((3, 2)),
)


def test_a_vector_is_frequency_times_rarity_of_length_one() -> None:
    # (1 + log 3) log(10 / 2) and (1 + log 1) log(10 / 5): a rare word that is used often weighs most
    bark, dog = (1 + log(3)) * log(10 / 2), log(10 / 5)
    at, counts, weights = TOPIC.vector({"bark": 3, "dog": 1, "unknown": 7})

    assert (at.tolist(), counts.tolist()) == ([0, 1], [3.0, 1.0])
    assert weights.tolist() == pytest.approx([bark / sqrt(bark**2 + dog**2), dog / sqrt(bark**2 + dog**2)])
    assert weights == pytest.approx([0.97958, 0.20103], abs=1e-5)


def test_an_essay_without_known_words_has_no_vector() -> None:
    at, counts, weights = TOPIC.vector({"unknown": 2})
    assert (len(at), len(counts), len(weights)) == (0, 0, 0)


def test_an_essay_belongs_to_the_long_or_the_short_ones_by_its_words() -> None:
    assert TOPIC.parts({"dog": 6}).tolist() == [True, True, False]
    assert TOPIC.parts({"dog": 2}).tolist() == [True, False, True]


def test_keyness_sets_a_word_off_against_any_english_text() -> None:
    topic = learn_topic([{"dog": 1, "the": 1}, {"dog": 1, "the": 1}])
    frequency = 10 ** (frequency_index()["dog"] / 10 - 10)
    expected = 1 - exp(-frequency * 2)

    assert topic.words == ("dog", "the")
    assert topic.keyness[0] == pytest.approx(log(1.005 / (expected + 0.005)))
    assert topic.keyness[0] > topic.keyness[1]


def test_an_essay_among_those_learned_from_is_compared_with_the_others_only() -> None:
    essays = [{"dog": 2, "bark": 1}, {"dog": 1, "cat": 1}, {"cat": 1, "bark": 2}, {"dog": 1, "cat": 2}]
    topic = learn_topic(essays)
    names = list(TOPIC_TITLES)
    own = topic_measures(essays[0], topic, among=True)
    new = topic_measures(essays[0], topic, among=False)
    _, _, weights = topic.vector(essays[0])
    others = sum((_dense(topic, essay) for essay in essays[1:]), np.zeros(3))

    cosine = float(_dense(topic, essays[0]) @ others / np.linalg.norm(others))
    assert own[names.index("like_all")] == pytest.approx(cosine)
    assert new[names.index("like_all")] > own[names.index("like_all")]
    assert weights @ weights == pytest.approx(1)


def _dense(topic: Topic, essay: dict[str, int]) -> np.ndarray:
    at, _, weights = topic.vector(essay)
    vector = np.zeros(len(topic.words))
    vector[at] = weights
    return vector


def test_one_essay_makes_no_topic() -> None:
    with pytest.raises(InputError, match="at least 2 essays"):
        learn_topic([{"dog": 1}])
