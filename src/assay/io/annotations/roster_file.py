"""A roster of students as CSV: who should hand in, and perhaps under which name of a file."""

import csv
from dataclasses import dataclass
from io import StringIO
from pathlib import Path, PurePosixPath

from assay.annotations.matching.text_similarity import normalised
from assay.errors import InputError, reader
from assay.execution.limits import value_of
from assay.io.json_text import as_utf8

MOST_STUDENTS = 100_000
FILE_COLUMNS = ("file", "name", "submission")


@dataclass(frozen=True, slots=True)
class RosterLine:
    """A student, and what the submission is called where that differs."""

    student: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class Roster:
    """The students of a roster."""

    lines: tuple[RosterLine, ...]

    def student_of(self, *names: str) -> str:
        """The student to whom one of these names of a submission belongs, with or without ending; empty if none."""
        known = {key: line.student for line in self.lines for key in _keys(line.student)}
        known |= {key: line.student for line in self.lines if line.file for key in _keys(line.file)}
        return next((known[key] for name in names for key in _keys(name) if key in known), "")


def _keys(name: str) -> tuple[str, ...]:
    """A name as it is, and as the last part of a path without its ending.

    >>> _keys("Class 7/Ada Lovelace.XML")
    ('class 7/ada lovelace.xml', 'ada lovelace.xml', 'ada lovelace')
    """
    path = PurePosixPath(name.replace("\\", "/"))
    return tuple(dict.fromkeys(normalised(one) for one in (name, path.name, path.stem) if one))


@reader
def read_roster(path: Path) -> Roster:
    """The roster of a CSV file with a column `student`, and perhaps `file` or `name`."""
    try:
        if path.stat().st_size > value_of("file_bytes"):
            raise InputError("is too large for a roster", source=path, field="roster")
        text = as_utf8(path.read_bytes()).decode("utf-8")
    except OSError as problem:
        raise InputError(f"cannot be read: {problem.strerror}", source=path, field="roster") from None
    except UnicodeDecodeError:
        raise InputError("is not text in UTF-8", source=path, field="roster", remedy="Save it as CSV UTF-8.") from None
    return parse_roster(text, source=path.name)


def parse_roster(text: str, *, source: str) -> Roster:
    """The same of its text."""
    head = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=head.count)
    try:
        rows = list(csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as problem:
        raise InputError(f"is no CSV: {problem}", source=source, field="roster", remedy="Save it as CSV.") from None
    columns = [normalised(name) for name in rows[0]] if rows else []
    if "student" not in columns:
        remedy = "Name the columns in the first row: student, and file if it differs."
        raise InputError("has no column 'student'", source=source, field="roster", remedy=remedy)
    if len(rows) > MOST_STUDENTS:
        raise InputError(f"has more than {MOST_STUDENTS:,} rows", source=source, field="roster")
    whose = columns.index("student")
    which = next((columns.index(name) for name in FILE_COLUMNS if name in columns), -1)
    lines: dict[str, RosterLine] = {}
    for number, row in enumerate(rows[1:], start=2):
        student = row[whose].strip() if whose < len(row) else ""
        if not student:
            if any(cell.strip() for cell in row):
                raise InputError("the student is empty", source=source, row=number, column="student", field="roster")
            continue
        if student in lines:
            twice = f"{student!r} is listed twice"
            raise InputError(twice, source=source, row=number, column="student", field="roster")
        lines[student] = RosterLine(student, row[which].strip() if 0 <= which < len(row) else "")
    if not lines:
        raise InputError("lists no students", source=source, field="roster")
    return Roster(tuple(lines.values()))
