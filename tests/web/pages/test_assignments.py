"""A teacher's pages of an assignment: what they refuse, and whose draft they give out."""

from pathlib import Path

import pytest

from assay.web.pages.assignments import local_text, moment_of
from assay.web.problems import FieldErrors
from tests.web.classroom.classes import TEXTS, Class


def test_times_are_read_as_forms_send_them() -> None:
    moment = moment_of("2026-11-20T23:59", "due")

    assert local_text(moment) == "2026-11-20T23:59"
    assert (moment_of(" ", "due"), local_text(None)) == (None, "")
    with pytest.raises(FieldErrors, match="date and a time"):
        moment_of("tomorrow", "due")


def test_assignments_are_made_listed_and_their_drafts_read_by_staff_only(tmp_path: Path) -> None:
    course = Class(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path)
    home = f"/courses/{course.course}/assignments"
    refused = course.post("teacher", home, name=" ", status=422).text
    wrong = course.post("teacher", home, name="Letter", due="soon", status=422).text
    workspace = course.assignment()
    course.hand_in("amara", workspace)
    page = course.get("teacher", f"{home}/{workspace}").text
    draft = page.partition(f"{home}/{workspace}/drafts/")[2].partition('"')[0]
    content = course.get("teacher", f"{home}/{workspace}/drafts/{draft}").content
    course.get("amara", f"{home}/{workspace}/drafts/{draft}", status=403)
    course.get("teacher", f"{home}/{workspace}/drafts/999999", status=404)
    listed = course.get("teacher", home).text
    course.get("amara", home, status=403)
    course.close()

    assert "Give the assignment a name" in refused
    assert "date and a time" in wrong
    assert content.decode() == TEXTS["amara"]
    assert "Persuasive letter" in listed
    assert "30" in page
