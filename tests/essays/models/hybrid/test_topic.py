"""The words of a prompt, reckoned by hand."""

from dataclasses import replace
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
    assert TOPIC.parts({"dog": 4, "cat": 3}).tolist() == [True, True, False]
    assert TOPIC.parts({"dog": 1}).tolist() == [True, False, True]
    assert TOPIC.parts({"dog": 3}).tolist() == [True, False, False]
    assert TOPIC.parts({"dog": 5}).tolist() == [True, False, False]


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


def test_measures_of_a_topic_are_reckoned_by_hand() -> None:
    topic = Topic(
        words=("bark", "dog", "leash"),
        essays_with=np.array([10, 100, 3]),
        keyness=np.array([0.4, 0.9, 0.01]),
        essays=200,
        quarters=(2.0, 6.0),
        sums=np.array([[3.0, 4.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]),
    )

    counts = {"bark": 2, "dog": 1, "leash": 1, "odd": 5}
    found = dict(zip(TOPIC_TITLES, topic_measures(counts, topic, among=False), strict=True))

    bark, dog, leash = (1 + log(2)) * log(201 / 10), log(201 / 100), log(201 / 3)
    size = sqrt(bark**2 + dog**2 + leash**2)
    assert topic.rank.tolist() == [1, 0, 2]
    assert found["topic_30"] == found["topic_100"] == found["topic_300"] == pytest.approx(sqrt(3))
    assert found["topic_share"] == pytest.approx(4 / 9)
    # bark stands in 5 % of the essays and is key; dog in half; leash in 1.5 %
    assert (found["specific_words"], found["specific_density"]) == pytest.approx((log(2), 1 / 3))
    assert found["unusual_words"] == pytest.approx(log(2))
    assert found["like_all"] == pytest.approx((3 * bark + 4 * dog) / size / 5)
    assert found["like_long"] == pytest.approx(bark / size)
    assert found["long_not_short"] == pytest.approx(bark / size - dog / size)


def test_an_essay_of_the_topic_is_taken_out_of_counts_and_sums() -> None:
    counts = {"bark": 1, "dog": 2}
    topic = replace(TOPIC, essays_with=np.array([1, 5]), sums=np.array([[1.0, 2.0], [0.5, 0.5], [0.3, 0.9]]))

    own = dict(zip(TOPIC_TITLES, topic_measures(counts, topic, among=True), strict=True))

    _, _, x = topic.vector(counts)
    # three words: neither short nor long, so that it stands in the sum of all alone
    others = topic.sums[0] - x
    assert own["like_all"] == pytest.approx(float(others @ x / np.linalg.norm(others)))
    assert own["like_long"] == pytest.approx(float(topic.sums[1] @ x / np.linalg.norm(topic.sums[1])))
    assert own["unusual_words"] == 0  # no other essay has `bark`


def test_a_topic_is_learned_from_the_essays_without_their_scores() -> None:
    essays = [{"dog": 1}, {"dog": 2, "cat": 1}, {"dog": 1, "cat": 1, "one": 3}, {"cat": 4, "bird": 4}]

    topic = learn_topic(essays)

    assert (topic.words, topic.essays_with.tolist(), topic.essays) == (("cat", "dog"), [3, 3], 4)
    assert topic.quarters == (2.5, 5.75)  # of 1, 3, 5 and 8 words
    vectors = np.array([_dense(topic, essay) for essay in essays])
    assert topic.sums[0] == pytest.approx(vectors.sum(axis=0))
    assert topic.sums[1] == pytest.approx(vectors[3])
    assert topic.sums[2] == pytest.approx(vectors[0])
    assert topic.squares == pytest.approx((topic.sums**2).sum(axis=1))


def test_keyness_is_reckoned_with_the_median_length_and_a_word_nobody_knows() -> None:
    essays = [{"dog": 1}, {"dog": 2, "zqxv": 1}, {"dog": 1, "zqxv": 4}, {"cat": 9}]

    topic = learn_topic(essays)

    # lengths 1, 3, 5 and 9: the median is 4; `dog` stands in 3 of 4 essays, `zqxv` in 2 and in no list of words
    expected = 1 - exp(-(10 ** (frequency_index()["dog"] / 10 - 10)) * 4)
    assert "zqxv" not in frequency_index()
    assert topic.words == ("dog", "zqxv")
    assert topic.keyness == pytest.approx([0.75 * log(0.755 / (expected + 0.005)), 0.5 * log(0.505 / 0.005)], abs=1e-12)


def test_the_first_thirty_hundred_and_three_hundred_words_count() -> None:
    names = tuple(f"w{number:03}" for number in range(302))
    topic = Topic(names, np.full(302, 50), -np.arange(302.0), 100, (2.0, 6.0), np.zeros((3, 302)))

    all_words = topic_measures(dict.fromkeys(names, 1), topic, among=False)
    late = topic_measures({"w029": 1, "w030": 2, "w099": 4, "w100": 8, "w299": 1, "w300": 1}, topic, among=False)

    assert all_words[:4] == pytest.approx([sqrt(30), sqrt(100), sqrt(300), 100 / 302], abs=1e-12)
    assert late[:4] == pytest.approx([1, sqrt(3), sqrt(5), 7 / 17], abs=1e-12)
    assert topic_measures({"w000": 1}, topic, among=False)[3] == 1  # a single word
    assert topic_measures({}, topic, among=False)[:4].tolist() == [0, 0, 0, 0]
    assert all_words[7:].tolist() == [0, 0, 0]  # like none where no sums are known


@pytest.mark.parametrize(
    ("essays_with", "keyness", "specific", "unusual"),
    [
        (1, 9.0, 0, 0),
        (2, 9.0, 0, 1),
        (3, 9.0, 0, 1),
        (4, 9.0, 1, 0),  # 2 % of 200
        (29, 9.0, 1, 0),
        (30, 9.0, 0, 0),  # 15 %
        (20, 0.1, 0, 0),  # as key as it is frequent: not enough
        (20, 0.11, 1, 0),
    ],
)
@pytest.mark.parametrize("among", [False, True])
def test_words_of_few_essays_are_unusual_and_those_of_some_specific(
    essays_with: int, keyness: float, specific: int, unusual: int, among: bool
) -> None:
    own = int(among)
    topic = Topic(("dog",), np.array([essays_with + own]), np.array([keyness]), 200 + own, (2.0, 6.0), np.ones((3, 1)))

    found = dict(zip(TOPIC_TITLES, topic_measures({"dog": 3, "odd": 1}, topic, among=among), strict=True))

    assert found["specific_words"] == pytest.approx(log(1 + specific), abs=1e-12)
    assert found["specific_density"] == pytest.approx(specific / 2, abs=1e-12)
    assert found["unusual_words"] == pytest.approx(log(1 + unusual), abs=1e-12)


def test_a_long_essay_of_the_topic_is_taken_out_of_the_long_ones_too() -> None:
    topic = replace(TOPIC, sums=np.array([[3.0, 4.0], [2.0, 1.0], [0.3, 0.9]]))

    own = dict(zip(TOPIC_TITLES, topic_measures({"bark": 4, "dog": 3}, topic, among=True), strict=True))

    _, _, x = topic.vector({"bark": 4, "dog": 3})
    others = topic.sums - np.array([[1.0], [1.0], [0.0]]) * x
    cosines = others @ x / np.linalg.norm(others, axis=1)
    assert own["like_all"] == pytest.approx(cosines[0], abs=1e-12)
    assert own["like_long"] == pytest.approx(cosines[1], abs=1e-12)
    assert own["long_not_short"] == pytest.approx(cosines[1] - cosines[2], abs=1e-12)


def test_nothing_of_a_topic_can_be_written_to() -> None:
    for column in (TOPIC.essays_with, TOPIC.keyness, TOPIC.sums, TOPIC.rank, TOPIC.squares):
        assert not column.flags.writeable
