"""Which proposed changes are worth a remark, and how certain it is."""

from dataclasses import replace

from assay.essays.errors.catalogue import CATALOGUE, QUESTION_BELOW
from assay.essays.errors.proposals import proposals
from assay.essays.errors.reading import read
from assay.essays.errors.weighing import (
    LEAST_LIKELY,
    TYPES,
    errors_per_hundred,
    features,
    new_tags,
    probability,
    type_of,
    unexpected_words,
    wording,
)
from assay.essays.text.reader import read_text

SENTENCE = read(read_text("He listen music every day and it all depends of the weather."))
OF = next(p for p in proposals(SENTENCE) if p.word == "of" and p.kind == "preposition")


def test_who_makes_more_errors_is_likelier_to_have_made_one_here() -> None:
    few, many = (probability(features(SENTENCE, OF, errors_per_hundred(SENTENCE, n))) for n in (0, 3))

    assert 0 < few < many < 1


def test_a_mark_has_a_type_of_the_catalogue_and_a_confidence_below_its_probability() -> None:
    marks = list(unexpected_words(SENTENCE, proposals(SENTENCE), 3))

    assert marks
    assert {mark.type for mark in marks} <= set(TYPES.values()) <= set(CATALOGUE)
    assert all(mark.confidence is not None and 0 < mark.confidence < 1 for mark in marks)
    assert all(mark.suggestion is None for mark in marks if (mark.confidence or 0) < QUESTION_BELOW)
    assert LEAST_LIKELY > 0.5


def test_what_is_dropped_decides_the_type() -> None:
    assert type_of(replace(OF, kind="drop")) == "preposition"
    assert type_of(replace(OF, kind="drop", word="the")) == "article"
    assert type_of(replace(OF, kind="drop", word="very")) == "wrong_word"


def test_the_wording_takes_the_words_on_both_sides_of_what_is_missing() -> None:
    between = replace(OF, kind="insert preposition", first=1, last=2, better="to")

    assert wording(SENTENCE, between) == "listen to music"
    assert wording(SENTENCE, OF) == "on"
    assert wording(SENTENCE, replace(OF, better="")) is None


def test_a_changed_noun_or_verb_has_another_tag() -> None:
    assert new_tags(replace(OF, kind="noun"), "NN") == ["NNS"]
    assert new_tags(replace(OF, kind="verb", better="listens"), "VB") == ["VBZ"]
    assert new_tags(OF, "IN") == ["IN"]
