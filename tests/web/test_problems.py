"""What is wrong with a form stands beside the field it is about."""

import pytest

from assay.errors import AssayError, Field, InputError
from assay.web.problems import FieldErrors, page_words, storage_problem

FIELDS = ("id", "text")


@pytest.mark.parametrize(
    ("error", "beside"),
    [
        (InputError("repeats ids", field="id"), {"id": "repeats ids"}),
        (InputError("the text --id of another field", field="scale"), {"essays": "the text --id of another field"}),
        (InputError("no field"), {"essays": "no field"}),
        (AssayError("stopped"), {"essays": "stopped"}),
        (FieldErrors({"id": "a", "model": "b", "scale": "c"}), {"id": "a", "essays": "b c"}),
    ],
)
def test_an_error_stands_beside_its_field_and_never_by_its_words(error: AssayError, beside: dict[str, str]) -> None:
    assert FieldErrors.of(error, fields=FIELDS, otherwise="essays").errors == beside


def test_pages_name_fields_in_words() -> None:
    problem = InputError("two raters needed", source="a.csv", remedy=("Choose ", Field("second_human"), "."))

    assert page_words(problem) == "a.csv: two raters needed. Choose second human."


def test_an_error_that_is_none_of_the_storage_is_not_blamed_on_it() -> None:
    assert storage_problem(ValueError("full")) is None
    assert storage_problem(OSError(2, "No such file")) is None
