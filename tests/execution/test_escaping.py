"""Control characters are shown, in any text and on any stream."""

import io
import json

import pytest

from assay.execution.escaping import EscapingStream, escaped


@pytest.mark.parametrize("code", [*range(0x20), *range(0x7F, 0xA0)])
def test_every_control_character_but_tab_and_line_end_is_shown(code: int) -> None:
    text = escaped(f"a{chr(code)}b")
    assert text == (f"a{chr(code)}b" if chr(code) in "\t\n" else text.encode("ascii").decode())
    assert (chr(code) in text) == (chr(code) in "\t\n")


def test_letters_of_any_script_stay() -> None:
    assert escaped("é 漢字 עברית 🙂") == "é 漢字 עברית 🙂"


def test_json_stays_what_it_was() -> None:
    content = {"name": "\x1b[31m\x7f\x9b\n"}
    assert json.loads(escaped(json.dumps(content, ensure_ascii=False))) == content


def test_a_stream_that_cannot_write_a_letter_shows_its_number() -> None:
    raw = io.BytesIO()
    stream = EscapingStream(io.TextIOWrapper(raw, encoding="ascii"))
    stream.writelines(["\x1b", "é", "\udcff"])
    stream.flush()
    assert raw.getvalue() == rb"\x1b\xe9\udcff"


def test_a_table_for_a_file_is_not_touched() -> None:
    raw = io.StringIO()
    EscapingStream(raw).for_data.write("a\x1b")
    assert raw.getvalue() == "a\x1b"
