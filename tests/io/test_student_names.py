"""Whose a file is."""

from pathlib import Path

import pytest

from assay.io.archive import named_by, student_of_path


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("alice.json", "alice"),
        ("bob.v2.xml", "bob.v2"),
        ("carol/annotations.xml", "carol"),
        ("dora/annotations/instances_default.json", "dora"),
        ("labels/train", "owner"),
        ("emil.txt", "emil.txt"),
    ],
)
def test_the_first_name_upwards_that_no_tool_gives_is_the_student_s(name: str, student: str) -> None:
    assert student_of_path(name, "owner") == student


def test_a_folder_goes_by_its_whole_name(tmp_path: Path) -> None:
    (tmp_path / "team.one").mkdir()
    assert named_by(tmp_path / "team.one") == "team.one"
