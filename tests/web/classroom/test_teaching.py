"""Settings, extensions, releases and answers refuse what cannot be."""

from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path

import pytest
from fastapi import UploadFile

from assay.errors import InputError
from assay.web.classroom.teaching import grant_extension, read_roster, release_chosen, save_answer, save_settings
from assay.web.problems import FieldErrors, NotFound
from tests.web.classroom.classes import Class

NOW = datetime(2026, 11, 18, tzinfo=UTC)


def test_what_cannot_be_is_said_beside_its_field(tmp_path: Path) -> None:
    course = Class(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path)
    workspace = course.assignment()
    course.hand_in("amara", workspace)
    context = course.visit.context(f"/essays/{workspace}")
    with pytest.raises(FieldErrors, match="after the opening"):
        save_settings(context, NOW, NOW - timedelta(1), "", False, True, 7)
    with pytest.raises(FieldErrors, match="handed in already"):
        save_settings(context, None, None, "", True, True, 7)
    with pytest.raises(FieldErrors, match="student of this course"):
        grant_extension(context, 999_999, NOW)
    with pytest.raises(FieldErrors, match="no such grade"):
        release_chosen(context, "some", [], ["score"], None, withdraws=False)
    with pytest.raises(FieldErrors, match="Choose what students see"):
        release_chosen(context, "all", [], ["everything"], None, withdraws=False)
    with pytest.raises(NotFound):
        save_answer(context, 999, "Yes.")
    with pytest.raises(FieldErrors, match="Write an answer"):
        save_answer(context, 1, " ")
    changed = save_settings(context, None, None, "Write.", False, False, 3)
    course.close()

    assert (changed.due, changed.takes_late, changed.appeal_days) == (None, False, 3)


def test_a_roster_is_read_by_its_columns() -> None:
    with pytest.raises(InputError, match="Choose a CSV"):
        read_roster(None, "")
    lines = read_roster(UploadFile(BytesIO(b"Name,ID\nAmara Osei,7\n"), filename="class.csv"), "")

    assert [(one.name, one.number) for one in lines] == [("Amara Osei", "7")]
