"""XML as a stream of elements, with nothing in it that could expand."""

import pytest

from assay.errors import InputError
from assay.execution.limits import value_of
from assay.io.annotations import xml_elements
from assay.io.annotations.xml_elements import children_of, root_and_children, text_of


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
        (b"<a>" * 65, 1, "more than 64 elements"),
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


def test_elements_may_be_nested_as_deep_as_is_allowed() -> None:
    deepest = value_of("xml_depth")
    assert tags(b"<a>" * deepest + b"</a>" * deepest) == ["a", "a"]
    with pytest.raises(InputError, match=r"s\.xml"):
        tags(b"<a>" * (deepest + 1) + b"</a>" * (deepest + 1))


def test_pieces_of_any_length_give_the_same_elements(monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"<a>x<b> one <c>two</c> three <d/> four </b>y<e>\n five</e>z</a>"
    for chunk in range(1, len(content) + 2):
        monkeypatch.setattr(xml_elements, "CHUNK", chunk)
        root, first, second = root_and_children(content, "s.xml")
        assert (root.text, first.text, first[0].text, first[0].tail, first[1].tail) == (
            *(None, " one ", "two", " three ", " four "),
        )
        assert (len(first), text_of(second), text_of(None), text_of(root)) == (2, "five", "", "")


def test_the_column_of_a_mistake_is_counted_from_one() -> None:
    with pytest.raises(InputError, match=r"^s\.xml, row 2: the XML is broken in column 3 \(not well-formed"):
        tags(b"<a>\n<b<</a>")


def test_another_root_is_named_in_at_most_forty_letters() -> None:
    with pytest.raises(InputError, match=f"its root is <{'r' * 40}> and not") as refused:
        children_of("annotations", "CVAT", f"<{'r' * 50}/>".encode(), "s.xml")
    assert refused.value.remedy == "Export it again."


def test_an_encoding_that_is_declared_but_not_used_is_told_or_passed_over() -> None:
    with pytest.raises(InputError, match="it says it is in gbk and is not") as refused:
        tags(b'<?xml version="1.0" encoding="GBK"?><a><b>\xff\xff</b></a>')
    assert refused.value.remedy == "Save it as UTF-8."
    wide = '<?xml version="1.0" encoding="UTF-16"?><a><b>\u4e2d</b></a>'
    for content in (wide.encode(), wide.encode("utf-8-sig"), wide.replace("UTF-16", "latin-1").encode("utf-16")):
        assert [element.text for element in root_and_children(content, "s.xml")][1] == "\u4e2d"
    latin = '<?xml version="1.0" encoding="iso-8859-1"?><a><b>\u00e9</b></a>'.encode("latin-1")
    assert [element.text for element in root_and_children(latin, "s.xml")][1] == "\u00e9"
