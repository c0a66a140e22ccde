"""Preferences as a TOML file: written, read back, and every mistake named."""

from pathlib import Path

import pytest

from assay.errors import InputError
from assay.essays.feedback.preferences import CoursePreferences, Dismissed
from assay.io.essays.preferences_file import read_preferences, write_preferences

DECIDED = CoursePreferences(
    ("Wakanda", 'say "hi"'), ("repetition",), (Dismissed("run_on", "bad,\nthey\x7f"),), "grade6"
)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    write_preferences(DECIDED, tmp_path / "course.toml")

    assert read_preferences(tmp_path / "course.toml") == DECIDED


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("accept = 3", "'accept' holds something else than texts"),
        ("accept = [3]", "'accept' holds something else than texts"),
        ("dismissed = [3]", "no list of tables"),
        ("[[dismissed]]\ntype = 'comma'", "'dismissed' holds something else than texts"),
        ("off = ['repeats']", "no rule is called 'repeats'"),
        ("level = 'grade7'", "no level is called 'grade7'"),
        ("words = []", "unknown key 'words'; there are: accept, off, level, dismissed"),
        ("accept = [", "is not valid TOML"),
    ],
)
def test_a_mistake_is_named_with_its_file(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "course.toml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(InputError, match=why) as refused:
        read_preferences(path)
    assert (refused.value.source, refused.value.field) == (str(path), "preferences")


def test_a_file_that_is_not_there_and_one_that_is_no_text_are_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_preferences(tmp_path / "none.toml")
    (tmp_path / "old.toml").write_bytes(b"accept = ['caf\xe9']")
    with pytest.raises(InputError, match="is not UTF-8"):
        read_preferences(tmp_path / "old.toml")
