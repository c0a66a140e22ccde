"""What already works in an essay, best first, and nothing that is not true."""

from dataclasses import replace
from typing import Any

import pytest

from assay.essays.feedback.norms import FeatureNorms, Norm
from assay.essays.feedback.notes import OutlineSkeleton, WritingNote
from assay.essays.feedback.strengths import Strength, strengths
from tests.essays.essay_texts import written
from tests.essays.feedback.test_advice import EMPTY, NORMS, THREE, WHOLE, evidence_of, note, notes_of

pytest.importorskip("wordfreq", reason="how rare a word is needs the extra 'essays'")

DECILES = (1, 2, 3, 4, 5, 6, 7, 8, 9)
RANKED = FeatureNorms(
    {
        **NORMS.norms,
        "length": Norm(300, 100, tuple(60.0 * decile for decile in DECILES)),
        "vocabulary": Norm(50, 5, tuple(30 + 4.0 * decile for decile in DECILES)),
        "grammar": Norm(0.02, 0.01, tuple(decile / 200 for decile in DECILES)),
    },
    NORMS.weights,
    "a test",
)


def told(skeleton: OutlineSkeleton = EMPTY, words: int = 200, **values: float) -> tuple[Strength, ...]:
    measured: Any = {"grammar": 0.03, **values}
    return strengths(evidence_of(skeleton, words=words, norms=RANKED, **measured))


def test_an_essay_with_little_to_praise_is_told_one_thing_that_is_true_of_it() -> None:
    (linked,) = told()

    assert linked.fact == "You guide your reader with words such as “first”, “another”, “also”."


BARE = replace(evidence_of(EMPTY, norms=RANKED, grammar=0.03), text=written([["dogs ."]]), words=1)


def test_each_beginning_needs_its_own_evidence() -> None:
    def first(*sentences: str, marked: tuple[WritingNote, ...] = ()) -> Strength:
        return strengths(replace(BARE, text=written([sentences]), words=30, notes=marked))[0]

    assert strengths(BARE)[0].fact == "You have made a start: 1 word is on the page to build on."
    assert first("dogs .", "I like them because they wait .").places == ((7, 38),)
    clear = "My brother walks the dog each day ."
    assert first(clear).name == "a clear sentence"
    assert first(clear, marked=(note(1, "spelling", "hall"),)).name == "a beginning"
    assert "“veterinarian”" in first("my veterinarian knows").fact


def test_a_stated_position_supported_reasons_and_a_conclusion_are_structure() -> None:
    best, *others = told(WHOLE)

    assert (best.name, best.fact) == ("reasons with support", "You back up 3 of your 3 main points.")
    assert best.merit == pytest.approx(0.2 * 3 / 2)
    assert best.places == tuple(point.place for point in THREE)
    assert [own.name for own in others] == ["a stated position", "a conclusion"]
    assert [own.merit for own in others] == pytest.approx([0.1, 0.1])


def test_one_supported_point_is_no_strength_and_a_conclusion_needs_a_thesis() -> None:
    names = [own.name for own in told(replace(WHOLE, theses=(), bare_points=THREE[:2]))]

    assert names == ["linking words"]
    two = told(replace(WHOLE, theses=(), bare_points=THREE[:1]))
    assert [own.fact for own in two] == ["You back up 2 of your 3 main points."]


def test_care_is_told_with_what_is_marked_and_only_in_an_essay_of_some_length() -> None:
    (care,) = told(grammar=0.005)

    assert (care.name, care.fact) == ("sound sentences", "No errors in grammar marked in 200 words.")
    assert care.merit == pytest.approx(0.1 * 0.015 / 0.01)
    marked = evidence_of(EMPTY, notes_of("agreement", 2), words=200, norms=RANKED, grammar=0.01)
    assert strengths(marked)[0].fact == "Only 2 errors in grammar marked in 200 words."
    assert strengths(replace(marked, words=199))[0].name != "sound sentences"  # one in a hundred words is not few
    assert told(words=49, grammar=0.0)[0].name == "linking words"
    assert told(words=50, grammar=0.0)[0].name == "sound sentences"


def test_length_and_exact_words_are_told_where_they_beat_65_of_100() -> None:
    (long,) = told(words=1234, length=390.0)

    assert long.fact == "You wrote 1,234 words and kept going."
    assert told(length=350.0)[0].name == "linking words"
    named = written([["the veterinarian knows a thermometer ."]])
    (exact,) = strengths(replace(evidence_of(EMPTY, norms=RANKED, vocabulary=41.0, grammar=0.03), text=named))
    assert (exact.name, exact.fact) == ("exact words", "You name things exactly: “veterinarian”, “thermometer”.")
    assert told(vocabulary=41.0)[0].name != "exact words"  # none of its words is rare
    assert exact.merit == pytest.approx(0.1 * 9 / 5)


def test_at_most_three_are_told_and_two_of_them_about_structure() -> None:
    found = told(WHOLE, length=590.0, grammar=0.0)

    assert len(found) == 3
    structure = {"a stated position", "reasons with support", "a conclusion"}
    assert sum(own.name in structure for own in found) == 2
    assert [own.merit for own in found] == sorted((own.merit for own in found), reverse=True)
    assert len([own for own in told(WHOLE) if own.name in structure]) == 3  # where nothing else is good
