"""The essay in pieces, and its strengths, errors and outline in words."""

from dataclasses import replace
from math import nan

import pytest

from assay.essays.feedback.advice import AimExample
from assay.essays.feedback.feedback import Raising
from assay.essays.models.scoring_model import EssayScore
from assay.report.essays.words import (
    certainty_hint,
    counts,
    doubt,
    essay_note,
    essay_paragraphs,
    label_words,
    quoted_example,
    raised_words,
    reasons,
    score_words,
    where_it_stands,
    written,
)
from tests.report.essays.commented import HOSTILE, example, feedback_of


@pytest.mark.parametrize("text", [example("phones"), example("later-start"), HOSTILE, "Hi.", "  \n\n Yes. \n"])
def test_the_pieces_joined_are_the_essay_as_written(text: str) -> None:
    paragraphs = essay_paragraphs(feedback_of(text))

    joined = "".join(piece.text for p in paragraphs for stretch in p.stretches for piece in stretch.pieces)
    assert joined == text


SCORE = EssayScore("1", "", 4.0, 4.0, 3.0, 5.0, 60, {}, {"length": 0.42, "grammar": -0.1, "style": 0.001}, 3.68, ())


def test_a_score_is_told_with_how_sure_it_is_and_what_moves_it() -> None:
    assert score_words(SCORE) == (
        "Score 4 (raw 4.00; people gave nine in ten such essays 3.0 to 5.0). "
        "What moves it most: length +0.42, grammar −0.10."
    )
    assert reasons(SCORE, most=1) == "length +0.42"


def test_notes_that_are_often_wrong_carry_a_warning() -> None:
    note = feedback_of(example("phones")).notes[0]

    often, seldom, unknown = (
        replace(note, right=right, judged=judged) for right, judged in ((70, 100), (95, 100), (0, 0))
    )

    assert doubt(often) == "Look twice: about 7 in 10 notes of this kind are right."
    assert doubt(seldom) == doubt(unknown) == ""
    assert essay_note(note).words == note.words


def test_what_is_not_certain_is_asked_and_not_stated() -> None:
    note = replace(feedback_of(example("phones")).notes[0], right=10, judged=20, question="Is this one sentence?")

    assert essay_note(note).says == "Is this one sentence?"
    assert doubt(note) == ""


def test_an_example_shows_its_words_with_what_stands_around_them() -> None:
    feedback = feedback_of(example("phones"))
    note = next(note for note in feedback.notes if note.words == "usefull")
    start = feedback.text.raw.index("i think")
    end = feedback.text.raw.index(".") + 1

    quoted = quoted_example(feedback, AimExample((start, end), note.places[0], "useful"))

    assert (
        quoted.line() == "“…phones should be allowed in class because they are [usefull] and kids like them.” → useful"
    )
    whole = quoted_example(feedback, AimExample((start, end), (start, end)))
    assert (whole.before, whole.after, whole.line()[0], whole.line()[-1]) == ("", "", "“", "”")
    assert quoted_example(feedback, AimExample((0, 400), (0, 7), question="Who?")).line().endswith("…” Who?")


def test_what_would_raise_a_score_promises_no_more_than_the_model_does() -> None:
    assert (
        raised_words(Raising((), 4.6, 5.0), SCORE) == "By this model the work above would bring the score to about 5."
    )
    assert "not yet change the score" in raised_words(Raising((), 4.2, 4.0), SCORE)
    assert "raw score to about 4.20" in raised_words(Raising((), 4.2, None), SCORE)
    assert raised_words(Raising(), SCORE) == ""


def test_a_label_the_model_is_not_sure_of_has_a_question_mark() -> None:
    part = feedback_of(example("phones")).outline[0]

    assert label_words(replace(part, certainty=0.5)) == f"{part.name.capitalize()}?"
    assert label_words(replace(part, certainty=0.9)) == part.name.capitalize()
    assert "50% sure" in certainty_hint(replace(part, certainty=0.5))
    assert "rules" in certainty_hint(replace(part, certainty=nan))


def test_values_of_features_have_their_unit() -> None:
    assert written("grammar", 0.031) == "3.1 in 100 words"
    assert written("length", 1200) == "1,200 words"
    assert written("unknown", -0.25) == "−0.25"


def test_a_feature_is_placed_among_other_essays() -> None:
    level = next(one for one in feedback_of(example("phones")).levels if one.feature == "grammar")
    placed = [where_it_stands(replace(level, beaten=beaten, undefined="")) for beaten in (80.0, 50.0, 20.0, nan)]

    assert placed == ["a strength", "about typical", "room to grow", "n/a: no reference"]
    assert where_it_stands(replace(level, undefined="one word")) == "n/a: one word"


def test_every_note_is_counted_under_its_kind() -> None:
    feedback = feedback_of(example("phones"))

    assert sum(count for _, count in counts(feedback)) == len(feedback.notes)
    assert [kind for kind, _ in counts(feedback)] == ["grammar", "usage", "mechanics", "style"]
