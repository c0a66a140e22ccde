"""Long lists read piece by piece: the same as at once, or not at all."""

import gc
import json
import math
from io import BytesIO
from typing import Any

import msgspec
import pytest

from assay.errors import InputError
from assay.io import json_text as json_pieces
from assay.io.json_text import (
    NotInPieces,
    as_utf8,
    broken_json_named,
    decoded,
    keys_of_object,
    no_garbage_collection,
    one_of,
    read_list,
    read_list_within,
    top_level,
)


class Item(msgspec.Struct):
    id: int
    parts: Any = None


class Around(msgspec.Struct):
    before: Any = None
    items: list[Item] | None = None
    after: Any = None


@pytest.fixture(params=[64, 300, 1 << 17])
def piece(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Pieces so small that a list falls into many."""
    monkeypatch.setattr(json_pieces, "PIECE", request.param)
    return int(request.param)


ITEMS: list[dict[str, Any]] = [
    {"id": i, "parts": [{"a": "}, {"}, {"b": [i] * (i % 7)}] if i % 5 == 0 else {"c": "x" * (i % 50)}}
    for i in range(200)
]


def taken(text: bytes) -> tuple[list[Item], Around, Around]:
    found: list[Item] = []
    head, tail = read_list_within(BytesIO(text), b"items", Item, Around, found.extend)
    return found + (tail.items or []), head, tail


@pytest.mark.usefixtures("piece")
@pytest.mark.parametrize("layout", [{}, {"separators": (",", ":")}, {"indent": 2}])
def test_a_list_in_pieces_is_the_list(layout: dict[str, Any]) -> None:
    found: list[Item] = []
    read_list(BytesIO(json.dumps(ITEMS, **layout).encode()), Item, found.extend)
    assert [msgspec.to_builtins(item) for item in found] == ITEMS


@pytest.mark.usefixtures("piece")
@pytest.mark.parametrize("layout", [{}, {"separators": (",", ":")}, {"indent": 2}])
def test_a_list_within_an_object_comes_with_what_is_around_it(layout: dict[str, Any]) -> None:
    whole = {"before": {"items": "no"}, "items": ITEMS, "after": [{"id": 1}, {"id": 2}] * 100}
    text = json.dumps({**whole, "before": "long " * 100}, **layout).encode()
    found, head, tail = taken(text)

    assert [msgspec.to_builtins(item) for item in found] == ITEMS
    assert (head.before, head.items, head.after) == ("long " * 100, [], None)
    assert (tail.before, tail.after) == (None, whole["after"])


@pytest.mark.usefixtures("piece")
def test_empty_lists_are_lists() -> None:
    found: list[Item] = []
    read_list(BytesIO(b"[]"), Item, found.extend)
    assert (found, taken(b'{"items": []}')[0]) == ([], [])


@pytest.mark.usefixtures("piece")
@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"x",
        b'{"items": 5}',
        b'{"other": []}',
        b'{"before": {"items": []}}',
        b'{"before": "items"}',
        b'{"items": [{"id": 1}], "items": [{"id": 2}]}',
        b'{"items": [{"id": 1}',
        b'{"items": [{"id": 1}, {"id": "2"}]}',
        b'{"items": [{"id": 1}, , {"id": 2}]}',
        b'{"items": [{"id": 1}]} x',
        json.dumps({"items": [*ITEMS, {"id": None}]}).encode(),
        json.dumps({"items": ITEMS}).encode()[:-1],
        json.dumps({"items": ITEMS}).encode()[:-700],
        json.dumps({"items": ITEMS}).encode().replace(b'{"id": 120', b'"id": 120'),
    ],
)
def test_what_is_not_such_a_list_is_refused(text: bytes) -> None:
    with pytest.raises(NotInPieces):
        taken(text)


def test_a_list_is_taken_from_where_it_stands() -> None:
    assert one_of([1], None) == one_of(None, [1]) == [1]
    for both in ((None, None), ([1], [1])):
        with pytest.raises(NotInPieces):
            one_of(*both)


# what is wrong with JSON, and where


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
def test_json_in_any_encoding_of_unicode_is_read(encoding: str) -> None:
    assert as_utf8('{"a": "ä"}'.encode(encoding)) == '{"a": "ä"}'.encode()


def test_bytes_that_are_no_text_stay_as_they_are() -> None:
    for content in (b"", b"\xff\xfe\x00", b"{\x00\x00\xd8", b"\x00\x00\x00\x00"):
        assert as_utf8(content) in (content, b"")
    assert as_utf8(b"{\x00\x00\xd8") == b"{\x00\x00\xd8"


@pytest.mark.parametrize(
    ("content", "row", "problem"),
    [
        (b'{"a": 1,\n "b": ]}', 2, "the JSON is broken in column 7 ("),
        (b'{"a": 1,\n "b": [1', 2, "it breaks off in column 9 (byte 17): the JSON is not complete"),
        (b'{"a": NaN,\n "b": x}', 1, "the JSON is broken in column 7 (invalid"),
        (b'{"\xff": 1}', None, "it holds text that is not UTF-8"),
        (b"[" * 100_000, None, "nested too deeply"),
        (b"3", None, "it is JSON, but neither an object nor a list: it holds no annotations"),
    ],
)
def test_broken_json_is_told_with_its_line_and_column(content: bytes, row: int | None, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        top_level(content, "a.json")
    assert (caught.value.source, caught.value.row) == ("a.json", row)
    assert problem in str(caught.value.problem)
    assert caught.value.remedy


def test_members_and_items_come_as_text_and_nan_as_null() -> None:
    text, members = top_level(b'\xef\xbb\xbf{"a": [1, 2], "b": {}}', "a.json")
    assert text == b'{"a": [1, 2], "b": {}}'
    assert isinstance(members, dict)
    assert {name: bytes(raw) for name, raw in members.items()} == {"a": b"[1, 2]", "b": b"{}"}
    text, items = top_level('[NaN, -Infinity, "ä"]'.encode(), "a.json")
    assert text == '[null, null, "ä"]'.encode()
    assert isinstance(items, list)
    assert [bytes(raw) for raw in items] == [b"null", b"null", '"ä"'.encode()]


def test_keys_are_those_of_objects() -> None:
    assert keys_of_object(msgspec.Raw(b'{"a": 1, "b": {"c": 2}}')) == {"a", "b"}
    assert [keys_of_object(msgspec.Raw(text)) for text in (b"[1]", b"3", b"{")] == [frozenset()] * 3


def test_what_is_not_as_expected_is_not_called_broken() -> None:
    with pytest.raises(msgspec.ValidationError), broken_json_named(b"[1]", "a.json"):
        msgspec.json.decode(b"[1]", type=dict)
    with pytest.raises(InputError, match=r"a\.json, row 2: it breaks off"), broken_json_named(b"[\n1", "a.json"):
        msgspec.json.decode(b"[\n1")


@pytest.mark.parametrize("on", [True, False])
def test_garbage_is_collected_again_if_it_was_before(on: bool) -> None:
    try:
        (gc.enable if on else gc.disable)()
        with no_garbage_collection():
            assert not gc.isenabled()
        assert gc.isenabled() == on
    finally:
        gc.enable()


def test_numbers_that_no_float_holds_are_infinite() -> None:
    assert decoded(b'{"a": [1e999, -1e999, 2]}', "a.json") == {"a": [math.inf, -math.inf, 2]}
    assert decoded(b"[1e999, " + b"1" * 5000 + b"]", "a.json") == [math.inf, math.inf]


def test_a_list_is_read_wherever_the_pieces_end(monkeypatch: pytest.MonkeyPatch) -> None:
    items = ITEMS[:12]
    for gap in ("", " ", "\n" + " " * 20):
        lines = ",".join(json.dumps(item) for item in items)
        text = f'{{"before": "x", "items"{gap}:{gap}[{lines}], "after": 7}}'.encode()
        for size in range(8, 130):
            monkeypatch.setattr(json_pieces, "PIECE", size)
            read, head, tail = taken(text)
            assert [msgspec.to_builtins(item) for item in read] == items, size
            assert (head.before, tail.after) == ("x", 7)
