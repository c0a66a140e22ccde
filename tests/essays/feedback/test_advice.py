"""What a writer should work on next: at most three aims, first things first, each with an example."""

from dataclasses import replace
from math import nan
from typing import Any

import pytest

from assay.essays.discourse.model import CONCLUSION, MAIN_POINT, THESIS
from assay.essays.errors.catalogue import CATALOGUE
from assay.essays.feedback.advice import Advice, AdviceEvidence, advice
from assay.essays.feedback.levels import USUAL, Level
from assay.essays.feedback.norms import FeatureNorms, Norm
from assay.essays.feedback.notes import Candidate, OutlinePart, OutlineSkeleton, Place, WritingNote
from tests.essays.essay_texts import UNIFORMS, written

NORMS = FeatureNorms(
    {
        "development": Norm(-2, 2),
        "length": Norm(300, 100),
        "element_length": Norm(40, 10),
        "vocabulary": Norm(50, 5),
        "word_length": Norm(4.5, 0.5),
        "grammar": Norm(0.02, 0.01),
        "mechanics": Norm(0.02, 0.01),
    },
    {"development": 0.2, "length": 0.2, "element_length": 0.1, "vocabulary": 0.1, "word_length": 0.1, "grammar": 0.1},
    "a test",
)
TYPICAL = {
    "development": -2.0, "length": 300.0, "element_length": 40.0, "vocabulary": 50.0, "word_length": 4.5,
    "grammar": 0.0, "usage": 0.0, "mechanics": 0.0, "style": 0.0,
}  # fmt: skip
TEXT = written(UNIFORMS)


def sentence(begins: str) -> Place:
    """The sentence of the essay that begins with these words."""
    start = TEXT.raw.index(begins)
    return start, TEXT.raw.index(" .", start) + 2


def part(label: int, begins: str) -> OutlinePart:
    return OutlinePart(label, 0, 0, 1, sentence(begins), nan, continues=False)


THREE = tuple(part(MAIN_POINT, begins) for begins in ("First of all", "Another reason", "Also"))
WHOLE = OutlineSkeleton((part(THESIS, "I think"),), THREE, (), (part(CONCLUSION, "In conclusion"),))
EMPTY = OutlineSkeleton((), (), (), ())


def evidence_of(
    skeleton: OutlineSkeleton = WHOLE,
    notes: tuple[WritingNote, ...] = (),
    level: Level = USUAL,
    *,
    words: int = 120,
    norms: FeatureNorms = NORMS,
    **values: float,
) -> AdviceEvidence:
    return AdviceEvidence(TEXT, words, {**TYPICAL, **values}, notes, skeleton, norms, level)


def given(*args: Any, **values: Any) -> list[Advice]:
    return list(advice(evidence_of(*args, **values)))


def kinds(*args: Any, **values: Any) -> list[str]:
    return [aim.kind for aim in given(*args, **values)]


def note(number: int, kind: str, word: str = "uniforms", **more: Any) -> WritingNote:
    start = TEXT.raw.index(word)
    return WritingNote(number, kind, CATALOGUE[kind].category, "", ((start, start + len(word)),), word, "", **more)


def notes_of(kind: str, count: int, **more: Any) -> tuple[WritingNote, ...]:
    return tuple(note(number, kind, **more) for number in range(1, count + 1))


def test_a_typical_essay_with_all_its_parts_gets_no_advice() -> None:
    assert given() == []


def test_a_missing_position_is_asked_for_and_the_opening_is_shown() -> None:
    (aim,) = given(replace(WHOLE, theses=()))

    assert (aim.kind, aim.stage) == ("position", "development")
    assert aim.gain == pytest.approx(0.2 / 2)
    assert aim.example is not None
    assert TEXT.raw[slice(*aim.example.place)] == UNIFORMS[0][0]


def test_a_sentence_that_may_be_the_position_is_asked_about_and_never_corrected() -> None:
    near = Candidate(sentence("They save"), 0.2)
    (aim,) = given(replace(WHOLE, theses=(), near_thesis=near))

    assert aim.title == "Is this your main idea?"
    assert aim.example is not None
    assert aim.example.place == near.place
    assert kinds(replace(WHOLE, theses=(), near_thesis=replace(near, probability=0.19))) == ["position"]


def test_a_missing_conclusion_is_asked_for_unless_one_was_nearly_read() -> None:
    (aim,) = given(replace(WHOLE, conclusions=()))

    assert aim.kind == "conclusion"
    assert aim.example is not None
    assert TEXT.raw[slice(*aim.example.place)] == UNIFORMS[-1][-1]
    assert given(replace(WHOLE, conclusions=(), near_conclusion=Candidate((3, 7), 0.2))) == []


@pytest.mark.parametrize(
    ("points", "why"), [(2, "Two main reasons were found."), (1, "One main reason was found."), (0, "No main reason")]
)
def test_main_points_short_of_three_are_asked_for(points: int, why: str) -> None:
    (aim,) = given(replace(WHOLE, points=THREE[:points]))

    assert aim.kind == "reasons"
    assert aim.why.startswith(why)
    assert aim.change == {"development": 2.0 * (3 - points)}
    assert kinds(replace(WHOLE, points=THREE[:2]), level="grade6") == []


def test_a_point_without_support_is_shown() -> None:
    (aim,) = given(replace(WHOLE, bare_points=THREE[1:]))

    assert aim.kind == "support"
    assert aim.example is not None
    assert TEXT.raw[slice(*aim.example.place)].startswith("Another reason")
    assert aim.places == tuple(point.place for point in THREE[1:])


def test_a_thin_point_of_a_short_essay_asks_for_more_and_says_how_much_there_is() -> None:
    (aim,) = given(length=200.0, element_length=30.0)

    assert (aim.kind, aim.why) == ("depth", "You give this point 13 words.")
    assert aim.change == {"length": 100.0, "element_length": 10.0}
    assert given(length=400.0) == []
    assert kinds(length=200.0, level="grade6") == ["depth"]  # 13 words are fewer than 15


def test_general_words_are_quoted_where_the_vocabulary_is_common() -> None:
    common = replace(evidence_of(vocabulary=55.0), text=written([["We get good things and get a lot of stuff ."]]))

    (aim,) = advice(replace(common, skeleton=replace(WHOLE, points=()), level="adult"))[1:]
    assert aim.kind == "exact_words"
    assert "“get”, “good”, “things”" in aim.why
    assert given(vocabulary=55.0) == []  # no general word stands in the essay
    assert advice(replace(common, values=TYPICAL, skeleton=WHOLE)) == ()


def test_errors_that_block_reading_come_before_development_and_development_before_polish() -> None:
    spelled, comma = notes_of("spelling", 4), (note(9, "comma"),)

    heavy = given(replace(WHOLE, theses=()), (*spelled, *comma))
    light = given(replace(WHOLE, theses=()), (*spelled[:1], *comma))

    assert [(aim.kind, aim.stage) for aim in heavy] == [
        ("spelling", "reading"),
        ("position", "development"),
        ("commas", "polish"),
    ]
    assert [aim.kind for aim in light] == ["position", "spelling", "commas"]


def test_an_essay_with_everything_wrong_gets_three_aims_of_which_one_is_about_what_it_says() -> None:
    everything = tuple(
        note(number, kind)
        for number, kind in enumerate([*["spelling"] * 9, *["run_on"] * 6, *["agreement"] * 9, "comma", "informal"], 1)
    )

    aims = given(EMPTY, everything)

    assert [aim.stage for aim in aims] == ["reading", "reading", "development"]
    assert len(given(EMPTY, everything, "grade6")) == 2


def test_at_most_two_aims_are_about_development_where_something_can_be_polished() -> None:
    assert kinds(EMPTY, (note(1, "comma"),)) == ["position", "reasons", "commas"]
    assert kinds(EMPTY) == ["position", "reasons", "conclusion"]


def test_an_example_is_a_correction_where_there_is_one_with_what_could_stand_there() -> None:
    asked = note(1, "agreement", "save", question="Do they agree?")
    plain = note(2, "verb_form", "dress", suggestion="dressed")

    (aim,) = given(WHOLE, (asked, plain))

    assert aim.example is not None
    assert (aim.example.instead, aim.example.question) == ("dressed", "")
    assert TEXT.raw[slice(*aim.example.words)] == "dress"
    assert TEXT.raw[slice(*aim.example.place)] == UNIFORMS[2][1]
    assert aim.notes == (1, 2)
    assert aim.why == "2 places are marked."


def test_one_question_alone_is_no_aim_and_two_are_asked() -> None:
    asked = note(1, "run_on", question="Is this one sentence or two?")

    assert given(WHOLE, (asked,)) == []
    (aim,) = given(WHOLE, (asked, replace(asked, number=2)))
    assert aim.example is not None
    assert aim.example.question == "Is this one sentence or two?"


def test_what_would_change_is_what_the_marks_count_for() -> None:
    (aim,) = given(WHOLE, (note(1, "agreement"), note(2, "verb_form")))

    assert aim.change == {"grammar": pytest.approx(-2 / 120)}
    assert aim.gain == pytest.approx(0.1 * (2 / 120) / 0.01)


def test_a_repeated_word_is_named_with_its_number_and_waits_for_learners() -> None:
    again = replace(note(1, "repetition"), places=((0, 5), (9, 12), (20, 25)))

    (aim,) = given(WHOLE, (again,))
    assert aim.why == "“uniforms” stands 3 times."
    assert given(WHOLE, (again,), "learner") == []
