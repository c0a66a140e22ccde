"""Gradebooks have the columns that the platforms document, and empty cells where there is no grade."""

import csv
from io import StringIO

import pytest

from assay.io.gradebook import GRADEBOOKS, Grade, family_and_given

GRADES = (Grade("Amara Nana Osei", "amara@school.example", "s1", 4.0), Grade("Plato", "", "", None))


def table(name: str, title: str = "Letter, final") -> list[list[str]]:
    return list(csv.reader(StringIO(GRADEBOOKS[name][1](title, 6, GRADES))))


def test_canvas_reads_names_ids_and_points_possible() -> None:
    assert table("canvas") == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Letter, final"],
        ["    Points Possible", "", "", "", "", "6"],
        ["Osei, Amara Nana", "", "s1", "amara@school.example", "", "4"],
        ["Plato", "", "", "", "", ""],
    ]


def test_moodle_finds_people_by_number_or_address() -> None:
    assert table("moodle")[:2] == [
        ["First name", "Last name", "ID number", "Email address", "Letter, final"],
        ["Amara Nana", "Osei", "s1", "amara@school.example", "4"],
    ]


def test_classroom_has_the_columns_of_its_own_export() -> None:
    assert table("classroom")[:3] == [
        ["Last Name", "First Name", "Email Address", "Letter, final"],
        ["", "", "Points", "6"],
        ["Osei", "Amara Nana", "amara@school.example", "4"],
    ]


@pytest.mark.parametrize("name", GRADEBOOKS)
def test_every_student_is_in_every_format_and_no_grade_is_made_up(name: str) -> None:
    last = table(name)[-1]

    assert "Plato" in last
    assert {cell for cell in last if cell not in ("Plato", "6")} == {""}


def test_a_cell_that_a_spreadsheet_would_run_is_text() -> None:
    written = GRADEBOOKS["csv"][1]("t", 6, [Grade("=HYPERLINK(1)", "", "", 1)])

    assert "\n=HYPERLINK" not in written


def test_a_name_of_one_word_has_no_family() -> None:
    assert family_and_given("Plato") == ("", "Plato")
