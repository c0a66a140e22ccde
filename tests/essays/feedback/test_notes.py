"""Findings as notes, and elements with their place."""

from dataclasses import replace
from math import isnan, nan

import pytest

from assay.essays.discourse.model import CONCLUSION, LABELS, MAIN_POINT, SUPPORT, THESIS
from assay.essays.errors.catalogue import CATALOGUE, Finding
from assay.essays.features.features import analyse
from assay.essays.feedback.notes import OutlinePart, WritingNote, candidate, numbered, parts, skeleton
from assay.essays.text.reader import read_text
from tests.essays.essay_texts import UNIFORMS, written


def test_a_repeated_word_is_one_note_with_all_its_places() -> None:
    found = [Finding("repetition", "style", at, at + 4, word, "Vary it.") for at, word in ((0, "Dogs"), (9, "dogs"))]
    slip = Finding("spelling", "mechanics", 5, 8, "teh", "No word.", "the")

    notes = numbered([found[0], slip, found[1]])

    assert [(note.type, note.places) for note in notes] == [
        ("repetition", ((0, 4), (9, 13))),
        ("spelling", ((5, 8),)),
    ]
    assert "2 times" in notes[0].explanation


def test_precision_is_told_only_where_enough_findings_were_read() -> None:
    few, many = (
        WritingNote(1, "comma", "mechanics", "", ((0, 1),), "", "", right=r, judged=j) for r, j in ((7, 7), (15, 20))
    )

    assert isnan(few.precision)
    assert many.precision == 0.75


def test_a_main_point_without_support_after_it_is_bare() -> None:
    text = read_text("One is here. Two is there. Three is so.")
    discourse = analyse(text).discourse
    outline = [
        OutlinePart(label, 0, i, i + 1, (i, i + 1), nan, False)
        for i, label in enumerate((MAIN_POINT, SUPPORT, MAIN_POINT))
    ]

    found = skeleton(outline, text, discourse)

    assert found.bare_points == (outline[2],)
    assert found.missing_points == 1


UNIFORM_TEXT = written(UNIFORMS)
SLIP = Finding("spelling", "mechanics", 5, 8, "teh", "No word.", "the")


def test_notes_are_numbered_in_reading_order_with_their_kind() -> None:
    first, second = numbered([SLIP, replace(SLIP, start=9, end=12, words="hte")])

    assert [(first.number, first.places), (second.number, second.places)] == [(1, ((5, 8),)), (2, ((9, 12),))]
    assert (first.title, first.suggestion, first.explanation) == (CATALOGUE["spelling"].title, "the", "No word.")
    assert (first.right, first.judged) == (CATALOGUE["spelling"].right, CATALOGUE["spelling"].judged)


def test_precision_needs_ten_findings_read_by_hand() -> None:
    nine, ten = (WritingNote(1, "comma", "mechanics", "", ((0, 1),), "", "", right=8, judged=j) for j in (9, 10))

    assert (isnan(nine.precision), ten.precision) == (True, 0.8)


def test_the_outline_is_cut_at_paragraphs_and_says_what_continues() -> None:
    discourse = analyse(UNIFORM_TEXT).discourse

    outline = parts(UNIFORM_TEXT, discourse, "rules")

    assert outline[0].first == 0
    assert outline[-1].stop == UNIFORM_TEXT.sentence_count
    for part in outline:
        paragraphs = set(UNIFORM_TEXT.sentence_paragraph[part.first : part.stop].tolist())
        assert paragraphs == {part.paragraph}
        assert isnan(part.certainty)
        words = UNIFORM_TEXT.raw[slice(*part.place)]
        assert words.split()[0] == UNIFORM_TEXT.words[UNIFORM_TEXT.sentence_starts[part.first]]
        assert part.is_key == (part.label in (THESIS, MAIN_POINT, CONCLUSION))
        assert part.name == LABELS[part.label]
    by_model = parts(UNIFORM_TEXT, discourse, "model")
    first = by_model[0]
    mean = discourse.posteriors[first.first : first.stop, first.label].mean()
    assert first.certainty == pytest.approx(mean)


def test_the_likeliest_sentence_for_a_label_is_named_with_its_probability() -> None:
    discourse = analyse(UNIFORM_TEXT).discourse

    found = candidate(UNIFORM_TEXT, discourse, THESIS)

    assert found is not None
    best = int(discourse.posteriors[:, THESIS].argmax())
    assert found.probability == discourse.posteriors[best, THESIS]
    start = UNIFORM_TEXT.starts[UNIFORM_TEXT.sentence_starts[best]]
    assert found.place[0] == start
    assert UNIFORM_TEXT.raw[slice(*found.place)].endswith(".")
    empty = written([])
    assert candidate(empty, analyse(empty).discourse, THESIS) is None


def test_a_part_that_continues_another_is_not_counted_again() -> None:
    discourse = analyse(UNIFORM_TEXT).discourse
    labels = (THESIS, MAIN_POINT, MAIN_POINT, SUPPORT, MAIN_POINT, MAIN_POINT, CONCLUSION)
    outline = [OutlinePart(label, 0, i, i + 1, (i, i + 1), nan, continues=i == 5) for i, label in enumerate(labels)]

    found = skeleton(outline, UNIFORM_TEXT, discourse)

    assert (found.theses, found.conclusions) == ((outline[0],), (outline[6],))
    assert found.points == (outline[1], outline[2], outline[4])
    assert found.bare_points == (outline[1], outline[4])
    assert found.missing_points == 0
    assert skeleton(outline[:2], UNIFORM_TEXT, discourse).missing_points == 2
