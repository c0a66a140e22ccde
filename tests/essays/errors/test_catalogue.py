"""Every type of error is found in the wrong sentences of our own, and not in the right ones."""

from math import isnan

import pytest

from assay.essays.errors.catalogue import CATALOGUE, CATEGORIES, QUESTION_BELOW, ErrorType, Finding
from assay.essays.errors.merge import findings
from assay.essays.text.reader import read_text
from tests.essays.errors import grammar_sentences, mechanics_sentences, style_sentences, usage_sentences

SENTENCES = (grammar_sentences, usage_sentences, mechanics_sentences, style_sentences)
WRONG = [case for kept in SENTENCES for case in kept.WRONG]
RIGHT = [case for kept in SENTENCES for case in kept.RIGHT]


def test_every_type_has_wrong_and_right_sentences() -> None:
    assert {case[0] for case in WRONG} == {case[0] for case in RIGHT} == set(CATALOGUE)


@pytest.mark.parametrize(("kind", "text", "words"), WRONG)
def test_the_error_is_found_at_its_words(kind: str, text: str, words: str) -> None:
    found = findings(read_text(text), types=frozenset([kind]))

    assert words in [finding.words for finding in found]


@pytest.mark.parametrize(("kind", "text"), RIGHT)
def test_a_right_text_has_no_such_finding(kind: str, text: str) -> None:
    found = findings(read_text(text), types=frozenset([kind]))

    assert found == ()


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("writting", "writing"),
        ("wich", "which"),
        ("definetly", "definitely"),
        ("becuase", "because"),
        ("reson", "reason"),
        ("shelfs", "shelves"),
    ],
)
def test_a_misspelled_word_gets_the_likeliest_suggestion(written: str, meant: str) -> None:
    found = findings(read_text(f"They said {written} it is."), types=frozenset(["spelling"]))

    assert [(f.words, f.suggestion) for f in found] == [(written, meant)]


def test_words_of_grammar_and_names_may_come_back() -> None:
    text = (
        "You know that you should ask Rosalinda, because you said you would. Rosalinda thinks you may forget Rosalinda."
    )

    found = findings(read_text(text), types=frozenset(["repetition"]))

    assert found == ()


def test_the_catalogue_holds_at_least_33_types_in_four_categories() -> None:
    assert len(CATALOGUE) >= 33
    assert {kind.category for kind in CATALOGUE.values()} == set(CATEGORIES)


def test_precision_is_the_share_of_findings_that_were_right() -> None:
    kind = ErrorType("x", "usage", "X", "An x.", 15, 20)

    assert kind.precision == 0.75
    assert not kind.sentence
    assert isnan(ErrorType("x", "usage", "X", "An x.", 0, 0).precision)


def test_a_row_of_the_catalogue_has_its_title_and_says_whether_it_is_about_a_sentence() -> None:
    assert (CATALOGUE["fragment"].title, CATALOGUE["fragment"].category) == ("Fragment", "grammar")
    assert CATALOGUE["fragment"].sentence
    assert not CATALOGUE["spelling"].sentence
    assert all(name == kind.name and kind.explanation.endswith(".") for name, kind in CATALOGUE.items())


def test_every_type_has_a_question_and_a_confidence() -> None:
    assert all(kind.question.endswith("?") for kind in CATALOGUE.values())
    assert all(0 < kind.confidence <= 1 for kind in CATALOGUE.values())


def test_a_finding_below_the_threshold_is_a_question() -> None:
    sure = Finding("comma", "mechanics", 0, 4, "then", "A comma.", confidence=QUESTION_BELOW)
    unsure = Finding("comma", "mechanics", 0, 4, "then", "A comma.", confidence=QUESTION_BELOW - 0.01)

    assert not sure.is_question
    assert unsure.is_question


def test_a_finding_has_the_confidence_of_its_type_or_its_own() -> None:
    found = findings(read_text("They was happy, and my freind dont care."))

    assert {f.type for f in found} >= {"agreement", "apostrophe"}
    assert all(0 < f.confidence <= 1 for f in found)
