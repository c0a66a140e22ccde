"""What the files of all models share."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.io.models.model_json import (
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
