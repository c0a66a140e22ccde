"""What holds for findings of every type: places, order, silence where nothing can be said."""

from itertools import pairwise

import pytest

from assay.essays.errors.catalogue import CATALOGUE
from assay.essays.errors.merge import DEFAULT, DETECTORS, SENTENCE_TYPES, findings
from assay.essays.text.reader import read_text

ALL = frozenset(CATALOGUE)
CARELESS = (
    "However he go to school everyday. They was happy and alot of peoples lives is hard.\n\n"
    "My freind dont have many book, it is sad. me and my brother runs more faster then you"
)


def test_every_type_has_a_detector_and_a_hand_judged_precision() -> None:
    assert set(DETECTORS) | SENTENCE_TYPES | {"spelling"} == ALL
    assert all(0 <= kind.right <= kind.judged and kind.judged > 0 for kind in CATALOGUE.values())


def test_types_right_in_less_than_seven_of_ten_findings_are_off() -> None:
    assert frozenset(name for name, kind in CATALOGUE.items() if kind.right >= 0.7 * kind.judged) == DEFAULT


def test_the_words_of_a_finding_are_what_the_text_holds_at_its_place() -> None:
    text = read_text(CARELESS)

    found = findings(text, types=ALL)

    assert len(found) > 8
    assert all(text.raw[f.start : f.end] == f.words != "" for f in found)
    assert all(f.category == CATALOGUE[f.type].category for f in found)
    assert list(found) == sorted(found, key=lambda f: (f.start, f.end, f.type))


def test_the_same_text_has_the_same_findings_again() -> None:
    assert findings(read_text(CARELESS)) == findings(read_text(CARELESS))


def test_two_findings_on_words_share_no_letter() -> None:
    found = [
        f
        for f in findings(read_text(CARELESS), types=ALL)
        if f.category != "style" and not CATALOGUE[f.type].sentence and f.type not in ("comma", "run_on")
    ]

    assert all(a.end <= b.start for a, b in pairwise(found))


def test_only_the_types_asked_for_are_reported() -> None:
    found = findings(read_text(CARELESS), types=frozenset(["spelling"]))

    assert {f.type for f in found} == {"spelling"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n\n  ",
        "🙂🎉 👍",
        "Привет, как дела? Сегодня хорошая погода.",
        "今天天气很好。我们去公园。",
        "https://example.org/a/b?c=d www.example.org me@example.org",
        "3.14 + 2 = 5.14; 10%",
    ],
)
def test_what_is_not_english_prose_has_no_findings(text: str) -> None:
    assert findings(read_text(text)) == ()


@pytest.mark.parametrize(
    "text",
    [
        "I met @PERSON1 and @CAPS2 at @LOCATION1 in @MONTH1.",
        "My friend @PERSON1 lives in @CITY1 with his brother @PERSON2.",
        "At @TIME1 we paid @MONEY1 for @NUM1 tickets, and @ORGANIZATION1 sent them.",
        "@CAPS1 is a good friend of mine, and we laughed.",
    ],
)
def test_placeholders_of_anonymised_essays_are_names(text: str) -> None:
    assert findings(read_text(text)) == ()


def test_markup_is_passed_over_and_the_words_in_it_are_read() -> None:
    found = findings(read_text("<p>We <b>recieved</b> a letter &amp; a parcel.</p>"))

    assert [(f.type, f.words) for f in found] == [("spelling", "recieved")]


def test_curly_apostrophes_are_apostrophes() -> None:
    assert findings(read_text("I don’t know, but it’s John’s book, and we can’t read it.")) == ()


@pytest.mark.parametrize(
    "text",
    [
        "The town library opens at nine, and most visitors arrive before noon.",
        "When my grandmother was young, she walked to school through the forest every day.",
        "Scientists who study the ocean have found that many fish sleep with their eyes open.",
        "If I were the mayor, I would plant trees along the river and close the old road to cars.",
        "She asked whether the train had left, but nobody knew the answer.",
        "There are several reasons for this choice, and each of them deserves attention.",
    ],
)
def test_careful_prose_has_no_findings(text: str) -> None:
    assert findings(read_text(text)) == ()


def test_a_finding_covers_the_whole_of_a_contraction() -> None:
    found = findings(read_text("They like the song, they're sure of it. He don't care."))

    assert [(f.words, f.suggestion) for f in found] == [
        ("song, they're", "song. They're"),
        ("He don't", "He doesn't"),
    ]


def test_a_suggestion_does_not_repeat_a_misspelled_word() -> None:
    marks = {f.type: f.suggestion for f in findings(read_text("For exmple they left. becuase they had no food."))}

    assert marks["initial_capital"] == "Because"
