"""A student's own pages show what is open to them, and take an essay typed in a form."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from assay.store.classroom.assignments import Assignment, StudentPlace
from assay.web.pages.student import appeal_until
from tests.web.classroom.classes import TEXTS, Class

NOW = datetime(2026, 11, 18, tzinfo=UTC)


def test_appeals_are_open_for_the_days_of_the_assignment() -> None:
    given = Assignment("w", "", None, None, True, False, 3, NOW)

    assert appeal_until(given, StudentPlace("w", 1, "c", released=NOW)) == NOW + timedelta(days=3)
    assert appeal_until(given, StudentPlace("w", 1, "c")) is None
    assert appeal_until(None, None) is None


def test_an_essay_is_typed_and_listed_and_nobody_appeals_before_release(tmp_path: Path) -> None:
    course = Class(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path)
    workspace = course.assignment(instructions="Write to the mayor.")
    opened = course.get("amara", "/mine").text
    empty = course.post("amara", f"/mine/{workspace}/hand-in", text=" ", status=422).text
    receipt = course.post("amara", f"/mine/{workspace}/hand-in", text=TEXTS["amara"]).text
    early = course.post("amara", f"/mine/{workspace}/appeals", text="Why?", status=422).text
    silent = course.post("amara", f"/mine/{workspace}/appeals", text=" ", status=422).text
    listed = course.get("amara", "/mine").text
    course.get("teacher", f"/mine/{workspace}", status=404)
    course.close()

    assert "Open" in opened
    assert "type your essay" in empty
    assert "Write to the mayor." in receipt
    assert "Typed essay.txt" in receipt
    assert "not released yet" in early
    assert "Say what looks wrong" in silent
    assert "Handed in" in listed
