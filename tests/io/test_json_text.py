"""Long lists read piece by piece: the same as at once, or not at all."""

import json
from io import BytesIO
from typing import Any

import msgspec
import pytest

from assay.io import json_text as json_pieces
from assay.io.json_text import NotInPieces, one_of, read_list, read_list_within


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
