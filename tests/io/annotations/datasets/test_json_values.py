"""Parts of JSON that may hold anything."""

import pytest

from assay.errors import InputError
from assay.io.annotations.datasets.json_values import attribute_value, document_of, numbers_in, objects_in, size_in


def test_objects_are_those_of_a_list_or_of_values() -> None:
    assert list(objects_in([{"a": 1}, 2, None])) == [{"a": 1}]
    assert list(objects_in({"x": {"a": 1}, "y": 3})) == [{"a": 1}]
    assert list(objects_in("abc")) == []


def test_attributes_are_plain_values() -> None:
    said: list[str] = []
    assert attribute_value(" red ", said.append) == "red"
    assert attribute_value("", said.append) is None
    assert attribute_value(float("inf"), said.append) == "inf"
    assert attribute_value([1], said.append) == "[1]"
    assert len(said) == 1


def test_what_is_no_size_list_or_document_is_refused() -> None:
    assert size_in(None) == (0, 0)
    for refused in (
        lambda: size_in({"width": -1, "height": 2}),
        lambda: numbers_in([1], "bbox", 4),
        lambda: document_of(b"[]", "a", "Datumaro"),
    ):
        with pytest.raises(InputError):
            refused()
