"""Raw text cleaned for a parser, with places kept, and where its paragraphs begin and end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.essays.text.text_cleanup import LONGEST_PIECE, CleanText, clean_text, paragraph_spans, pieces, squeezed


def behind(raw: str, shown: CleanText, word: str) -> str:
    """What the writer wrote where the parser reads `word`."""
    start = shown.text.index(word)
    return raw[shown.begins[start] : shown.ends[start + len(word) - 1]]


@pytest.mark.parametrize(
    ("raw", "word", "written"),
    [
        ("I told @PERSON1 so.", "Jordan", "@PERSON1"),
        ("We flew to @LOCATION12!", "Boston", "@LOCATION12"),
        ("It took @NUM1 hours.", "20", "@NUM1"),
        ("Salt &amp; pepper", "&", "&amp;"),
        ("Don&#39;t go", "Don't", "Don&#39;t"),
        ("<p>First</p>", "First", "First"),
        ("He said “yes”", '"yes"', "“yes”"),
        ("soft\u00adhyphen and zero\u200bwidth", "softhyphen", "soft\u00adhyphen"),
        ("a\x00b", "b", "b"),
    ],
)
def test_a_repair_points_back_at_what_was_written(raw: str, word: str, written: str) -> None:
    assert behind(raw, clean_text(raw), word) == written


def test_an_e_mail_address_is_no_placeholder() -> None:
    assert clean_text("mail ann@SCHOOL.org or me@home").text == "mail ann@SCHOOL.org or me@home"


def test_less_than_and_greater_than_are_no_tags() -> None:
    raw = "if a < b and c > d then x<y"
    assert clean_text(raw).text == raw


def test_a_block_tag_breaks_the_line_and_an_inline_tag_does_not() -> None:
    assert "\n" in clean_text("One.<br/>Two.").text
    assert "\n" not in clean_text("One <b>big</b> two.").text


def test_a_lone_surrogate_becomes_a_blank() -> None:
    assert clean_text("broken \ud83d emoji").text == "broken   emoji"


@given(st.text(max_size=200))
def test_every_character_has_a_place_in_order(raw: str) -> None:
    shown = clean_text(raw)
    assert len(shown.text) == len(shown.begins) == len(shown.ends)
    assert (shown.begins < shown.ends).all()
    assert (shown.begins[1:] >= shown.begins[:-1]).all()


@given(st.text(alphabet="ab \t\n", max_size=60))
def test_squeezing_leaves_single_blanks_and_the_right_places(raw: str) -> None:
    start = len(raw) - len(raw.lstrip())
    end = len(raw.rstrip())
    part = squeezed(clean_text(raw), start, max(start, end))
    assert part.text == " ".join(raw.split())
    assert all(raw[place] == letter for place, letter in zip(part.begins, part.text, strict=True) if letter != " ")


def test_scripts_and_style_sheets_are_not_read() -> None:
    pasted = "<style>p {color: red}</style><p>Dogs bark.</p><SCRIPT type='a'>alert('cats')</script> They run."

    assert clean_text(pasted).text.split() == ["Dogs", "bark.", "They", "run."]


def paragraphs(text: str) -> list[str]:
    return [text[start:end] for start, end in paragraph_spans(text)]


def test_line_breaks_of_any_system_end_a_paragraph() -> None:
    assert paragraphs("One.\nTwo.\r\nThree.\rFour.") == ["One.", "Two.", "Three.", "Four."]


def test_empty_lines_and_blanks_around_are_no_paragraphs() -> None:
    assert paragraphs("\n\n  One.  \n \t \n\nTwo.\n") == ["One.", "Two."]


def test_four_blanks_end_a_paragraph_and_three_do_not() -> None:
    assert paragraphs("One.    Two.   Still two.") == ["One.", "Two.   Still two."]


def test_a_line_that_goes_on_in_lower_case_is_the_same_paragraph() -> None:
    assert paragraphs("Dogs are kind because\nthey wait for us.\nCats do not.") == [
        "Dogs are kind because\nthey wait for us.",
        "Cats do not.",
    ]


def test_a_sentence_that_starts_in_lower_case_after_a_full_stop_is_a_paragraph() -> None:
    assert len(paragraphs("Dogs are kind.\nthey wait for us.")) == 2


def test_lines_wrapped_at_a_margin_are_joined_up_to_an_empty_line() -> None:
    line = "Every line of this letter ends where the paper ended and so says Nothing"
    text = f"{line}\n{line}\n{line}\n{line}\n{line}\nthe end.\n\nA new thought."
    assert [p.split()[0] for p in paragraphs(text)] == ["Every", "A"]


def test_no_text_has_no_paragraph() -> None:
    assert paragraphs("") == paragraphs(" \n\t ") == []


def test_a_long_paragraph_is_cut_at_the_end_of_sentences() -> None:
    sentence = "The river rose for three days and nobody knew what to do. "
    text = sentence * 300
    cut = [text[start:end] for start, end in pieces(text, 0, len(text))]
    assert all(piece.endswith("do.") and len(piece) <= LONGEST_PIECE for piece in cut)
    assert " ".join(cut).split() == text.split()


def test_a_word_without_end_is_cut_anywhere() -> None:
    text = "a" * (2 * LONGEST_PIECE + 5)
    assert [end - start for start, end in pieces(text, 0, len(text))] == [LONGEST_PIECE, LONGEST_PIECE, 5]
