"""Raw text made readable for a parser, with places kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.essays.text.text_cleanup import Readable, readable, squeezed


def behind(raw: str, shown: Readable, word: str) -> str:
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
    assert behind(raw, readable(raw), word) == written


def test_an_e_mail_address_is_no_placeholder() -> None:
    assert readable("mail ann@SCHOOL.org or me@home").text == "mail ann@SCHOOL.org or me@home"


def test_less_than_and_greater_than_are_no_tags() -> None:
    raw = "if a < b and c > d then x<y"
    assert readable(raw).text == raw


def test_a_block_tag_breaks_the_line_and_an_inline_tag_does_not() -> None:
    assert "\n" in readable("One.<br/>Two.").text
    assert "\n" not in readable("One <b>big</b> two.").text


def test_a_lone_surrogate_becomes_a_blank() -> None:
    assert readable("broken \ud83d emoji").text == "broken   emoji"


@given(st.text(max_size=200))
def test_every_character_has_a_place_in_order(raw: str) -> None:
    shown = readable(raw)
    assert len(shown.text) == len(shown.begins) == len(shown.ends)
    assert (shown.begins < shown.ends).all()
    assert (shown.begins[1:] >= shown.begins[:-1]).all()


@given(st.text(alphabet="ab \t\n", max_size=60))
def test_squeezing_leaves_single_blanks_and_the_right_places(raw: str) -> None:
    start = len(raw) - len(raw.lstrip())
    end = len(raw.rstrip())
    part = squeezed(readable(raw), start, max(start, end))
    assert part.text == " ".join(raw.split())
    assert all(raw[place] == letter for place, letter in zip(part.begins, part.text, strict=True) if letter != " ")


def test_scripts_and_style_sheets_are_not_read() -> None:
    pasted = "<style>p {color: red}</style><p>Dogs bark.</p><SCRIPT type='a'>alert('cats')</script> They run."

    assert readable(pasted).text.split() == ["Dogs", "bark.", "They", "run."]
