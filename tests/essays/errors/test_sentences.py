"""Every type of error is found in the wrong sentences of our own, and not in the right ones."""

import pytest

from assay.essays.errors.catalogue import CATALOGUE
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
