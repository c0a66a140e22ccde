"""The measures of the hybrid: named in plain words, defined for any text, and right on small ones."""

from math import isnan, log1p

import numpy as np
import pytest

from assay.essays.features.features import analyse
from assay.essays.features.measures import NAMES, TITLES, measures_of
from assay.essays.models.hybrid import ngrams
from assay.essays.models.hybrid.model import FAMILY
from assay.essays.models.hybrid.model import TITLES as FEATURE_TITLES
from assay.essays.models.hybrid.ngrams import learn_topic, topic_measures
from tests.essays.essay_texts import UNIFORMS, written

pytest.importorskip("spacy")


@pytest.fixture(scope="module")
def uniforms() -> dict[str, float]:
    return dict(zip(NAMES, measures_of(analyse(written(UNIFORMS))).tolist(), strict=True))


def test_every_measure_of_an_essay_is_defined(uniforms: dict[str, float]) -> None:
    assert [name for name, value in uniforms.items() if isnan(value)] == []


def test_every_measure_has_a_title_of_its_own_and_a_family() -> None:
    assert len(set(TITLES.values())) == len(TITLES)
    assert set(FEATURE_TITLES) <= set(FAMILY)


def test_sizes_count_words_sentences_and_paragraphs(uniforms: dict[str, float]) -> None:
    sentences = [sentence for paragraph in UNIFORMS for sentence in paragraph]
    words = [word for sentence in sentences for word in sentence.split() if word.isalpha()]
    assert uniforms["log_words"] == pytest.approx(log1p(len(words)))
    assert uniforms["log_sentences"] == pytest.approx(log1p(len(sentences)))
    assert uniforms["log_paragraphs"] == pytest.approx(np.log(5))


def test_wordings_and_marks_are_counted_per_hundred_words(uniforms: dict[str, float]) -> None:
    words = np.expm1(uniforms["log_words"])
    # "conclusion" as a word and "In conclusion" as a phrase
    assert np.expm1(uniforms["wording_conclusion"]) == pytest.approx(100 * 2 / words)
    assert np.expm1(uniforms["commas"]) == pytest.approx(100 * 4 / words)


def test_traits_lie_on_the_scale_of_their_raters(uniforms: dict[str, float]) -> None:
    traits = [value for name, value in uniforms.items() if name.startswith("trait_")]
    assert len(traits) == 6
    assert all(1 <= value <= 5 for value in traits)


@pytest.mark.parametrize("sentences", [(), ((".",),), (("a",),)])
def test_texts_of_next_to_nothing_break_nothing(sentences: tuple[tuple[str, ...], ...]) -> None:
    assert len(measures_of(analyse(written(sentences)))) == len(NAMES)


COUNTS = [
    {"dog": 3, "leash": 1, "walk": 1},
    {"dog": 1, "walk": 2, "park": 1},
    {"dog": 2, "bark": 1, "park": 2, "leash": 1},
    {"dog": 1},
]


def test_topics_keep_words_of_two_essays_and_rank_the_telling_first() -> None:
    found = learn_topic(COUNTS)
    assert set(found.words) == {"dog", "leash", "walk", "park"}
    assert found.words[int(found.keyness.argmax())] == "dog"


def test_an_essay_the_topic_was_learned_from_is_compared_with_the_others_only() -> None:
    found = learn_topic(COUNTS)
    among = dict(zip(ngrams.TOPIC_TITLES, topic_measures(COUNTS[0], found, among=True), strict=True))
    others = found.sums[0].copy()
    at, _, weights = found.vector(COUNTS[0])
    others[at] -= weights
    assert among["like_all"] == pytest.approx(others[at] @ weights / np.linalg.norm(others))
    as_new = topic_measures(COUNTS[0], found, among=False)
    assert as_new[list(ngrams.TOPIC_TITLES).index("like_all")] > among["like_all"]


def test_an_essay_off_the_topic_uses_none_of_its_words() -> None:
    measures = dict(
        zip(ngrams.TOPIC_TITLES, topic_measures({"bread": 4}, learn_topic(COUNTS), among=False), strict=True)
    )
    assert measures["topic_300"] == measures["topic_share"] == measures["like_all"] == 0
