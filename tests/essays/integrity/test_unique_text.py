"""What of an essay is scored."""

from hypothesis import given
from hypothesis import strategies as st

from assay.essays.integrity.unique_text import in_capitals, sentence_case, unique_text
from assay.essays.text.reader import read_text
from tests.essays.integrity.texts import ESSAY

PROMPT = "Should students be allowed to use their phones during lunch, or should schools take phones away for the day?"


def test_an_essay_that_says_each_thing_once_is_scored_as_it_is() -> None:
    unique = unique_text(read_text(ESSAY), PROMPT)

    assert unique.text == ESSAY
    assert not unique.differs
    assert unique.words_left_out == 0


def test_a_doubled_essay_is_scored_once() -> None:
    unique = unique_text(read_text(f"{ESSAY}\n\n{ESSAY}"))

    assert unique.text.split() == ESSAY.split()
    assert unique.left_out == {"repeated": unique.words_left_out}
    assert unique.words_left_out > 150


def test_a_copy_with_every_eighth_word_changed_is_still_a_copy() -> None:
    words = [word if place % 8 else "really" for place, word in enumerate(ESSAY.split())]

    unique = unique_text(read_text(f"{ESSAY} {' '.join(words)}"))

    assert unique.words_left_out > 130


def test_text_without_full_stops_is_looked_at_in_pieces() -> None:
    line = "we want our phones at lunch because that is when parents answer and when nobody has to listen to a teacher "

    unique = unique_text(read_text(line * 4))

    assert 0 < len(unique.text.split()) < 2 * len(line.split())


def test_the_prompt_pasted_into_an_essay_is_left_out_and_counted_apart() -> None:
    unique = unique_text(read_text(f"{PROMPT} {ESSAY[:600]}"), PROMPT)

    assert unique.left_out == {"copied": len(PROMPT.split())}
    assert unique.text.split() == ESSAY[:600].split()


def test_a_long_quotation_is_left_out_and_a_short_one_is_not() -> None:
    long = " ".join(f"word{number}" for number in range(40))

    quoted = unique_text(read_text(f'{ESSAY} The book says: "{long}." I agree.'))
    short = unique_text(read_text(f'{ESSAY} The book says: "phones ring at noon." I agree.'))

    assert quoted.left_out == {"quoted": 40}
    assert "word7" not in quoted.text
    assert not short.differs


def test_capitals_are_taken_back() -> None:
    unique = unique_text(read_text(ESSAY.upper()))

    assert unique.lowered
    assert unique.text.startswith("Schools should let students keep their phones")
    assert not in_capitals(ESSAY)
    assert not in_capitals("NASA")
    assert sentence_case("I SAY SO.\nSO DO I!") == "I say so.\nSo do I!"


@given(st.text(max_size=400))
def test_any_text_has_a_unique_part_no_longer_than_itself(raw: str) -> None:
    unique = unique_text(read_text(raw), raw[:50])

    assert unique.lowered or len(unique.text) <= len(raw)
    assert unique.differs or unique.text == raw
