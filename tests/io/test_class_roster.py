"""Rosters as schools export them: headings of several programs, names in either order, OneRoster in a ZIP."""

import zipfile
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.io.class_roster import ClassMember, read_class_roster

USERS = """sourcedId,status,enabledUser,role,givenName,familyName,email,identifier
u1,active,true,student,Amara,Osei,amara@x.org,4711
u2,active,true,student,Ben,Carver,ben@x.org,
u3,tobedeleted,true,student,Gone,Away,,
u4,active,true,teacher,Nora,Bennett,nora@x.org,
"""
ENROLLMENTS = """sourcedId,classSourcedId,userSourcedId,role,status
e1,c1,u1,student,active
e2,c1,u2,student,active
e3,c1,u3,student,active
e4,c1,u4,teacher,active
e5,c2,u2,student,active
"""


def read(tmp_path: Path, content: bytes, class_id: str = "") -> list[ClassMember]:
    path = tmp_path / "upload"
    path.write_bytes(content)
    return read_class_roster(path, name="roster.csv", class_id=class_id)


@pytest.mark.parametrize(
    "text",
    [
        "Name,E-mail,ID\nAmara Osei,amara@x.org,4711\n",
        'Student,ID,SIS User ID,email\nPoints Possible,,,\n"Osei, Amara",4711,x,amara@x.org\n',
        "First name\tSurname\tID number\tEmail address\nAmara\tOsei\t4711\tamara@x.org\n",
        "last_name;first_name;student_id;mail\nOsei;Amara;4711;amara@x.org\nOsei;Amara;4711;amara@x.org\n",
    ],
)
def test_the_headings_of_several_programs_are_known(text: str, tmp_path: Path) -> None:
    expected = [ClassMember("Amara Osei", "amara@x.org", "4711")]
    assert read(tmp_path, text.encode()) == expected
    assert read(tmp_path, text.encode("utf-16")) == expected
    assert read(tmp_path, text.replace("Amara", "Chloé").encode("cp1252"))[0].name == "Chloé Osei"


@pytest.mark.parametrize(
    ("text", "words"),
    [("score\n4\n", "no column with names"), ("Name,ID\n,\n", "no students"), ("", "no column")],
)
def test_what_is_no_roster_says_so(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words) as caught:
        read(tmp_path, text.encode())
    assert caught.value.remedy


def one_roster(tmp_path: Path, **files: str) -> bytes:
    path = tmp_path / "made.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"{name}.csv", text)
    return path.read_bytes()


def test_one_class_of_a_one_roster_export_is_its_active_students(tmp_path: Path) -> None:
    classes = "sourcedId,title\nc1,English 9\nc2,History\n"
    content = one_roster(tmp_path, users=USERS, enrollments=ENROLLMENTS, classes=classes)

    assert read(tmp_path, content, "english 9") == [
        ClassMember("Amara Osei", "amara@x.org", "4711"),
        ClassMember("Ben Carver", "ben@x.org", "u2"),
    ]
    assert [one.name for one in read(tmp_path, content, "c2")] == ["Ben Carver"]
    for wrong in ("", "Art"):
        with pytest.raises(InputError, match="English 9, History") as caught:
            read(tmp_path, content, wrong)
        assert caught.value.field == "class_id"


def test_a_one_roster_export_needs_its_tables(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"lacks enrollments\.csv"):
        read(tmp_path, one_roster(tmp_path, users=USERS))
