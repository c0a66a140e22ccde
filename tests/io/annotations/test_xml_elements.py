"""XML as a stream of elements, with nothing in it that could expand."""

import pytest

from assay.errors import InputError
from assay.io.annotations.xml_elements import MOST_NESTED, children_of, root_and_children


def tags(content: bytes) -> list[str]:
    return [element.tag for element in root_and_children(content, "s.xml")]


def test_the_root_comes_first_and_then_its_children_whole() -> None:
    root, first, second = root_and_children(b'<a x="1"><b>one<c/>two</b><d/></a>', "s.xml")
    assert (root.tag, root.get("x"), len(root)) == ("a", "1", 0)
    assert (first.text, first[0].tail, second.tag) == ("one", "two", "d")


def test_a_long_file_is_read_piece_by_piece() -> None:
    assert len(tags(b"<a>" + b"<b>text</b>" * 20_000 + b"</a>")) == 20_001


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "gbk"])
def test_text_is_read_in_the_encoding_it_is_in(encoding: str) -> None:
    content = f'<?xml version="1.0" encoding="{encoding}"?><a><b>\u4e2d</b></a>'.encode(encoding)
    assert [element.text for element in root_and_children(content, "s.xml")][1] == "\u4e2d"


@pytest.mark.parametrize(
    ("content", "row", "problem"),
    [
        (b"<a>\n<b></a>", 2, "the XML is broken in column"),
        (b"<a>\n", 2, "the XML is broken"),
        (b'<!DOCTYPE a [<!ENTITY x "y">]><a/>', 1, "a document type or entity is declared"),
        (b"<a>" * (MOST_NESTED + 1), 1, "nested more than"),
    ],
)
def test_what_is_wrong_names_file_row_and_remedy(content: bytes, row: int, problem: str) -> None:
    with pytest.raises(InputError) as refused:
        tags(content)
    assert (refused.value.source, refused.value.row) == ("s.xml", row)
    assert problem in str(refused.value.problem)
    assert refused.value.remedy


def test_an_unknown_encoding_is_refused() -> None:
    with pytest.raises(InputError, match=r"s\.xml"):
        tags(b'<?xml version="1.0" encoding="klingon"?><a/>')


def test_a_root_of_another_kind_is_named() -> None:
    with pytest.raises(InputError, match=r"^s\.xml: it is XML, but its root is <svg> and not CVAT's <annotations>"):
        children_of("annotations", "CVAT", b"<svg/>", "s.xml")
