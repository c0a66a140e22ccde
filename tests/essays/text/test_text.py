"""Words as people count them."""

from assay.essays.text.reader import read_text
from assay.essays.text.text import is_placeholder, word_form, written_words


def test_a_contraction_is_one_word_and_a_hyphen_separates_two() -> None:
    assert written_words(read_text("We don't like well-known cannot-do people's rules.")) == [
        "We",
        "don't",
        "like",
        "well",
        "known",
        "cannot",
        "do",
        "people's",
        "rules",
    ]


def test_punctuation_symbols_and_emoji_are_no_words() -> None:
    assert written_words(read_text("Yes!!! $5 -- 😀 & 20% ...")) == ["Yes", "5", "20"]


def test_words_on_both_sides_of_a_tag_stay_apart() -> None:
    assert written_words(read_text("one<b>two</b>")) == ["one", "two"]


def test_capitals_and_curly_apostrophes_make_no_difference() -> None:
    assert word_form("DON’T") == word_form("don't") == "don't"


def test_a_name_taken_out_is_a_placeholder() -> None:
    assert is_placeholder("@CAPS1")
    assert not is_placeholder("CAPS1")
