"""A roster names who should hand in; whatever is wrong in it is said with its row."""

from pathlib import Path

import pytest

from assay.errors import InputError
from assay.io.annotations.roster_file import RosterLine, parse_roster, read_roster


def test_students_may_have_a_file_of_another_name() -> None:
    roster = parse_roster("student,file\nAda Lovelace,al.xml\nBen,\n\n", source="r.csv")
    assert roster.lines == (RosterLine("Ada Lovelace", "al.xml"), RosterLine("Ben"))
    assert roster.student_of("al") == "Ada Lovelace"
    assert roster.student_of("x", "class/AL.XML") == "Ada Lovelace"
    assert roster.student_of("ben") == "Ben"
    assert roster.student_of("eva") == ""


@pytest.mark.parametrize("text", ["Student;Name\nAda;a\n", "student\tsubmission\nAda\ta\n", "name,student\na,Ada\n"])
def test_other_separators_and_names_of_columns_are_understood(text: str) -> None:
    assert parse_roster(text, source="r.csv").lines == (RosterLine("Ada", "a"),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no column 'student'"),
        ("who\nAda\n", "has no column 'student'"),
        ("student\n\n", "lists no students"),
        ("student,file\nAda,a\nAda,b\n", "r.csv, row 3, column 'student': 'Ada' is listed twice"),
        ("student,file\n,b.xml\n", "r.csv, row 2, column 'student': the student is empty"),
        ('student\n"Ada\n', "is no CSV"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_roster(text, source="r.csv")
    assert said in str(caught.value)
    assert caught.value.field == "roster"


def test_a_file_is_read_with_a_byte_order_mark_and_in_utf_16(tmp_path: Path) -> None:
    for encoding in ("utf-8-sig", "utf-16"):
        (tmp_path / "r.csv").write_text("student\nZoë\n", encoding=encoding)
        assert read_roster(tmp_path / "r.csv").lines == (RosterLine("Zoë"),)


def test_a_file_that_is_not_there_or_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_roster(tmp_path / "none.csv")
    (tmp_path / "r.csv").write_bytes(b"student\n\xff\xfe\xfa\n")
    with pytest.raises(InputError, match="not text in UTF-8"):
        read_roster(tmp_path / "r.csv")
