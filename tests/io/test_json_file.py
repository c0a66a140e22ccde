"""JSON that is read back: bounded, and of the shape it should have."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.io.json_file import json_of, read_json, record_of


@dataclass(frozen=True)
class Sample:
    name: str
    mean: float
    low: float | None = None
    on: bool = True


def test_what_a_file_holds_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"a": [1, null]}', encoding="utf-8")
    assert read_json(tmp_path / "a.json") == {"a": [1, None]}


def test_a_file_over_the_limit_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.json").write_text("[1, 2, 3]", encoding="utf-8")
    monkeypatch.setenv("ASSAY_LIMIT_JSON_BYTES", "8")
    with pytest.raises(InputError, match=r"a\.json: it has 9 bytes; at most 8"):
        read_json(tmp_path / "a.json")


@pytest.mark.parametrize("content", [b"[" * 100_000, b"{", b"\xff", b"9" * 5000])
def test_what_is_no_json_is_an_input_error(content: bytes) -> None:
    with pytest.raises(InputError, match=r"a\.json: (is not JSON|nests)"):
        json_of(content, source="a.json")


def test_a_record_is_made_of_values_of_its_kinds() -> None:
    assert record_of(Sample, {"name": "a", "mean": 1, "low": None}) == Sample("a", 1, None)


@pytest.mark.parametrize(
    "content",
    [
        7,
        None,
        [],
        {"name": "a", "mean": "1"},
        {"name": "a", "mean": True},
        {"name": "a", "mean": None},
        {"name": "a", "mean": float("inf")},
        {"name": 3, "mean": 1},
        {"name": "a", "mean": [1]},
        {"name": "a", "mean": 1, "on": 1},
        {"name": "a", "mean": 1, "more": 1},
    ],
)
def test_a_record_of_other_values_is_refused(content: Any) -> None:
    with pytest.raises(ValueError, match=r"is|no object"):
        record_of(Sample, content)


@dataclass(frozen=True)
class Kinds:
    """A field of each kind."""

    number: float
    count: int
    text: str
    flag: bool
    maybe: float | None = None


GOOD: dict[str, Any] = {"number": 1.5, "count": 2, "text": "x", "flag": True}


def test_a_record_has_values_of_its_kinds() -> None:
    assert record_of(Kinds, GOOD) == Kinds(1.5, 2, "x", True)
    assert record_of(Kinds, {**GOOD, "number": 3, "maybe": 0.5}) == Kinds(3, 2, "x", True, 0.5)
    assert record_of(Kinds, {**GOOD, "maybe": None}).maybe is None


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"number": "1"}, "number is '1'"),
        ({"number": True}, "number is 'True'"),
        ({"number": None}, "number is 'None'"),
        ({"number": float("inf")}, "number is 'inf'"),
        ({"number": [1]}, r"number is '\[1\]'"),
        ({"text": 1}, "text is '1'"),
        ({"text": None}, "text is 'None'"),
        ({"flag": 1}, "flag is '1'"),
        ({"flag": "x" * 50}, f"flag is '{'x' * 40}'$"),
        ({"zeta": 1, "other": 1}, "'other' is unknown"),
    ],
)
def test_a_record_with_another_kind_of_value_is_refused(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        record_of(Kinds, {**GOOD, **changed})


def test_a_record_is_made_of_an_object() -> None:
    with pytest.raises(ValueError, match="Kinds is no object"):
        record_of(Kinds, [1])


def test_a_file_that_cannot_be_opened_is_named_with_its_field_and_remedy(tmp_path: Path) -> None:
    for path, why in ((tmp_path / "none.json", "No such file or directory"), (tmp_path, "Is a directory")):
        with pytest.raises(InputError, match=f"cannot be read: {why}") as refused:
            read_json(path, field="model", remedy="Train it again.")
        assert (refused.value.source, refused.value.field, refused.value.remedy) == (
            str(path),
            "model",
            "Train it again.",
        )
