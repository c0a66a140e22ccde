"""The app put together: its files, and how it answers what goes wrong."""

from http import HTTPStatus

import pytest

from assay.errors import Field, InputError
from assay.web.app import problem_details, static_file, static_files
from assay.web.problems import FieldErrors
from tests.web.visits import Visit


def test_a_problem_names_the_upload_the_place_and_the_remedy() -> None:
    error = InputError(
        "'4,5' is not a number",
        source="scores.csv",
        row=7,
        column="rater",
        field="human",
        remedy=("Leave the cell empty, or choose another ", Field("human"), "."),
    )

    assert problem_details(error, 422, error.text()) == {
        "type": "about:blank",
        "title": HTTPStatus(422).phrase,
        "status": 422,
        "detail": "scores.csv, row 7, column 'rater': '4,5' is not a number. "
        "Leave the cell empty, or choose another human.",
        "field": "human",
        "source": "scores.csv",
        "row": 7,
        "column": "rater",
        "remedy": "Leave the cell empty, or choose another human.",
    }


def test_several_wrong_fields_are_named_each_with_its_words() -> None:
    answer = problem_details(FieldErrors({"human": "Choose one.", "scale": "Not a scale."}), 422, "Choose one.")

    assert answer["errors"] == {"human": "Choose one.", "scale": "Not a scale."}
    assert "field" not in answer


@pytest.mark.parametrize(("name", "status"), [("app.css", 200), ("document.css", 200), ("../app.py", 404)])
def test_only_the_files_of_the_look_are_served(name: str, status: int) -> None:
    assert static_file(name).status_code == status


def test_the_look_of_reports_holds_only_inside_a_document() -> None:
    assert static_files()["document.css"].startswith(b".doc {")


def test_a_failure_of_ours_is_a_page_that_hides_the_reason(visit: Visit) -> None:
    def broken() -> None:
        raise ZeroDivisionError("a secret")

    visit.app.add_api_route("/broken", broken)
    client = visit.another()
    client._transport.raise_server_exceptions = False  # type: ignore[attr-defined]
    answer = client.get("/broken")

    assert answer.status_code == 500
    assert "Assay failed on this request" in answer.text
    assert "a secret" not in answer.text
