"""JSON with comments."""

import json
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.io.rsm.configuration.settings import read_json_object, without_comments


def test_slashes_inside_a_text_are_no_comment() -> None:
    text = '{"a": "x//y", "b": "/* z */", "c": "say \\"//\\"", "d": 1} // end'

    found = json.loads(without_comments(text))

    assert found == {"a": "x//y", "b": "/* z */", "c": 'say "//"', "d": 1}


def test_comments_over_several_lines_keep_the_line_numbers(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text('/* one\ntwo */\n{\n"a": 1\n"b": 2}', encoding="utf-8")

    with pytest.raises(InputError, match=r"config\.json, row 5: Expecting ',' delimiter"):
        read_json_object(path)


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}')

    assert read_json_object(path) == {"a": 1}


@pytest.mark.parametrize(
    ("text", "said"),
    [('{"a": 1, "a": 2}', "sets 'a' more than once"), ("[1]", "it holds no object"), ("", "row 1: ")],
)
def test_what_is_no_object_with_distinct_names_is_refused(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(InputError, match=said):
        read_json_object(path)


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "latin.json").write_bytes(b'{"a": "\xe9"}')

    with pytest.raises(InputError, match="does not exist"):
        read_json_object(tmp_path / "none.json")
    with pytest.raises(InputError, match="cannot be read"):
        read_json_object(tmp_path / "latin.json")
