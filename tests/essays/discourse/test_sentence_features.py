"""What the model sees of a sentence."""

import pytest

from assay.essays.discourse.sentence_features import places, sentence_features
from tests.essays.essay_texts import UNIFORMS, written

COMMON = frozenset({"in", "conclusion", ",", ".", "first", "of", "all", "my", "is", "?"})


def test_a_word_outside_the_common_vocabulary_is_seen_only_by_its_part_of_speech() -> None:
    names = {name for sentence in sentence_features(written(UNIFORMS), COMMON) for name in sentence}

    assert {"has:conclusion", "has:NN", "opens:in conclusion NN"} <= names
    assert not any("uniform" in name or "money" in name for name in names)


def test_no_feature_is_named_twice_in_a_sentence() -> None:
    for sentence in sentence_features(written(UNIFORMS), COMMON):
        assert len(sentence) == len(set(sentence))


def test_a_sentence_knows_its_place_in_essay_and_paragraph() -> None:
    third = places(written(UNIFORMS))[3]

    assert (third.from_start, third.from_end, third.sentences) == (3, 7, 11)
    assert (third.paragraph, third.paragraph_from_end, third.paragraphs) == (1, 3, 5)
    assert (third.within, third.within_from_end) == (1, 1)
    assert third.zone == "body"


def test_zones_go_by_paragraph_or_by_fifths_of_the_text() -> None:
    in_one = written([[f"Here stands sentence number {i} ." for i in range(10)]])

    assert [place.zone for place in places(written(UNIFORMS))[::2]] == [
        "first",
        "opener",
        "body",
        "body",
        "body",
        "last",
    ]
    assert [place.zone for place in places(in_one)] == ["first"] * 2 + ["body"] * 6 + ["last"] * 2


def test_content_said_before_is_repetition() -> None:
    text = written([["Uniforms save money ."], ["Money matters ."], ["Uniforms save money ."]])

    last = sentence_features(text, COMMON)[2]

    assert {"first=5", "once=0", "previous=2", "next=0"} <= set(last)


@pytest.mark.parametrize("sentence", [".", ", ,", "?"])
def test_a_sentence_without_words_has_features_too(sentence: str) -> None:
    (names,) = sentence_features(written([[sentence]]), COMMON)

    assert "words=0" in names
    assert "repeats: nothing" in names
