"""What students are shown is chosen by kind, and a gradebook holds only what counts."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from assay.store.classroom.assignments import SHOWN, StudentPlace
from assay.web.classroom.grades import BY_DEFAULT, OFFERED, gradebook, released_now, roster_of
from assay.web.problems import NotFound
from tests.web.classroom.classes import Class

NOW = datetime(2026, 11, 18, tzinfo=UTC)


def test_only_what_can_be_shown_is_offered() -> None:
    assert {part for parts in OFFERED.values() for part in parts} == set(SHOWN)
    assert set(BY_DEFAULT) <= set(OFFERED["essays"])


def test_a_release_by_date_comes_on_its_date() -> None:
    assert not released_now(None, NOW)
    assert not released_now(StudentPlace("w", 1, "c", released=NOW + timedelta(1)), NOW)
    assert released_now(StudentPlace("w", 1, "c", released=NOW), NOW)


def test_a_roster_has_every_student_and_an_unreviewed_score_stays_out_of_the_gradebook(tmp_path: Path) -> None:
    course = Class(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path)
    workspace = course.assignment()
    course.hand_in("amara", workspace)
    course.visit.work()
    context, now = course.visit.context(f"/essays/{workspace}"), course.visit.site.now()
    with course.visit.site.database.reading() as connection:
        lines = {line.name: line for line in roster_of(connection, context, now)}
        written = gradebook(connection, context, "csv").decode()
        with pytest.raises(NotFound):
            gradebook(connection, context, "excel")
    course.close()

    assert len(lines) == 30
    assert (lines["Amara Osei"].state, lines["Ben Carver"].state) == ("to review", "missing")
    assert "Amara Osei,amara@school.example,id-amara,,6" in written
