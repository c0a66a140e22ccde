"""What the files of all models share."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.io.models.model_json import (
    LINES,
    floats,
    nullable,
    number,
    packed,
    packed_rows,
    undamaged,
    unpacked,
    unpacked_rows,
)
from assay.io.models.scoring_models import scoring_model_of


def test_an_array_comes_back_to_the_last_bit_with_type_and_shape() -> None:
    array = np.array([[0.1, -2.5], [1e-300, 7.0]])
    back = unpacked(packed(array))
    assert back.tolist() == array.tolist()
    assert unpacked(packed(np.array([1, 2]), "int64")).dtype == np.int64


def test_rows_in_two_bytes_are_whole_multiples_of_a_step_of_their_own() -> None:
    rows = np.array([[1.0, 0.5, -1.0], [0.0, 0.0, 0.0]])
    back = unpacked_rows(packed_rows(rows))
    assert back == pytest.approx(rows, abs=1 / 32767)
    assert back[0, 0] == 1.0


@pytest.mark.parametrize("values", [[1.0, float("inf")], [[1.0]], [1.0, 2.0, 3.0]])
def test_a_list_that_is_not_two_finite_numbers_is_refused(values: list[float]) -> None:
    with pytest.raises(ValueError, match="not one"):
        floats(values, length=2)


def test_an_array_that_holds_infinity_is_refused() -> None:
    with pytest.raises(ValueError, match="number that is none"):
        unpacked(packed(np.array([np.inf])))


def test_undefined_is_null_in_json_and_nan_again() -> None:
    assert nullable(float("nan")) is None
    assert np.isnan(number(None))
    assert number(nullable(0.25)) == 0.25


def test_an_error_names_the_file_the_argument_and_the_remedy() -> None:
    with pytest.raises(InputError) as refused:
        scoring_model_of(b"{", name="mine.json")
    assert (refused.value.source, refused.value.field) == ("mine.json", "model")
    assert refused.value.remedy
    with pytest.raises(InputError, match="damaged"), undamaged("mine.json"):
        raise KeyError("scale")


@pytest.mark.parametrize("kind", ["float64", "float32", "int64", "int16"])
def test_arrays_of_each_type_come_back_in_the_order_of_this_machine(kind: str) -> None:
    back = unpacked(packed(np.array([[1, 2, 3]]), kind))
    assert (str(back.dtype), back.shape, back.tolist()) == (kind, (1, 3), [[1, 2, 3]])
    assert back.dtype.isnative


@pytest.mark.parametrize(
    ("changed", "said"),
    [({"shape": [-1, 3]}, "no possible size"), ({"shape": [2, 2]}, "reshape"), ({"base64": "###"}, "base64")],
)
def test_an_array_that_is_none_is_refused(changed: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=f"(?i){said}"):
        unpacked({**packed(np.array([[1.0, 2, 3]])), **changed})


@pytest.mark.parametrize(
    "changed", [{"step": [1.0]}, {"step": [1.0, float("inf")]}, {"counts": packed(np.zeros(2), "int16")}]
)
def test_rows_need_a_step_each(changed: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="without a step each"):
        unpacked_rows({**packed_rows(np.array([[1.0], [2.0]])), **changed})


def test_the_largest_weight_of_a_row_is_32767_steps() -> None:
    document = packed_rows(np.array([[0.5, -2.0], [0.0, 0.0]]))
    assert document["step"] == [2 / 32767, 1.0]
    assert unpacked(document["counts"]).tolist() == [[round(0.5 * 32767 / 2), -32767], [0, 0]]


def test_damage_is_told_with_its_file_and_remedy() -> None:
    for damage in (KeyError("x"), TypeError("x"), ValueError("x"), IndexError("x"), AttributeError("x")):
        with pytest.raises(InputError, match="is damaged") as caught, undamaged("m.json"):
            raise damage
        assert (caught.value.source, caught.value.field) == ("m.json", "model")
        assert caught.value.remedy == "Train the model again."


def test_lines_and_fields_come_back() -> None:
    write, read = LINES
    assert [read(write(lines)) for lines in (("a", "b c"), ())] == [("a", "b c"), ()]
    assert floats([1, 2]).tolist() == [1, 2]
    with pytest.raises(ValueError, match="not one"):
        floats([1.0], length=2)
