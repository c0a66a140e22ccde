"""FRONT DOOR `GRADEBOOKS`: grades as the gradebooks of learning platforms read them.

Canvas imports Student, ID, SIS User ID, SIS Login ID and Section, then a column for each assignment, with a line of
points possible below the head (gradebook CSV, Instructor guide). Moodle imports any columns, and finds people by ID
number or e-mail address (Grade import, CSV file). Google Classroom reads no file of grades; the columns are those of
its own export, which its Sheets add-ons read back.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from assay.io.tables.output import csv_lines


@dataclass(frozen=True, slots=True)
class Grade:
    """One student's grade; None leaves the cell empty, which changes nothing where it is imported."""

    name: str
    email: str
    number: str
    score: float | None

    @property
    def cell(self) -> str:
        return "" if self.score is None else f"{self.score:g}"


def family_and_given(name: str) -> tuple[str, str]:
    """The last word of a name, and the others.

    >>> family_and_given("Amara Nana Osei"), family_and_given("Plato")
    (('Osei', 'Amara Nana'), ('', 'Plato'))
    """
    given, _, family = name.rpartition(" ")
    return (family, given) if given else ("", family)


def canvas(title: str, highest: float, grades: Sequence[Grade]) -> str:
    """Canvas: people are found by SIS user id, or else by their login."""
    rows: list[tuple[str, ...]] = [("    Points Possible", "", "", "", "", f"{highest:g}")]
    for grade in grades:
        family, given = family_and_given(grade.name)
        name = f"{family}, {given}" if family else given
        rows.append((name, "", grade.number, grade.email, "", grade.cell))
    return "".join(csv_lines(("Student", "ID", "SIS User ID", "SIS Login ID", "Section", title), rows))


def moodle(title: str, highest: float, grades: Sequence[Grade]) -> str:  # noqa: ARG001
    """Moodle: people are found by ID number or e-mail address."""
    rows = []
    for grade in grades:
        family, given = family_and_given(grade.name)
        rows.append((given, family, grade.number, grade.email, grade.cell))
    return "".join(csv_lines(("First name", "Last name", "ID number", "Email address", title), rows))


def classroom(title: str, highest: float, grades: Sequence[Grade]) -> str:
    """Google Classroom: as its own export, people by e-mail address."""
    rows: list[tuple[str, ...]] = [("", "", "Points", f"{highest:g}")]
    for grade in grades:
        family, given = family_and_given(grade.name)
        rows.append((family, given, grade.email, grade.cell))
    return "".join(csv_lines(("Last Name", "First Name", "Email Address", title), rows))


def plain(title: str, highest: float, grades: Sequence[Grade]) -> str:
    """A row for each student, for anything else."""
    rows = [(grade.name, grade.email, grade.number, grade.cell, f"{highest:g}") for grade in grades]
    return "".join(csv_lines(("name", "email", "id", title, "highest"), rows))


GRADEBOOKS: Mapping[str, tuple[str, Callable[[str, float, Sequence[Grade]], str]]] = {
    "canvas": ("Canvas", canvas),
    "moodle": ("Moodle", moodle),
    "classroom": ("Google Classroom", classroom),
    "csv": ("CSV", plain),
}
"""Format -> its name, and how it is written."""
