"""The page of a data officer: people of the own organization, and the log as a table."""

import csv
import io
from pathlib import Path

from assay.web.pages.privacy import LOG_COLUMNS
from tests.web.classroom.classes import Class
from tests.web.visits import Visit


def test_people_are_found_and_the_log_is_a_table(tmp_path: Path) -> None:
    course = Class(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path)
    course.assignment()
    page = course.get("root", "/privacy?find=osei").text
    nobody = course.get("root", "/privacy?find=nobody").text
    rows = list(csv.reader(io.StringIO(course.get("root", "/audit.csv").text)))
    course.get("teacher", "/audit.csv", status=403)
    course.close()

    assert "Amara Osei" in page
    assert "Ben Carver" not in page
    assert "Nobody with that name" in nobody
    assert rows[0] == list(LOG_COLUMNS)
    assert {row[2] for row in rows[1:]} == {"create assignment"}


def test_on_ones_own_machine_nothing_of_classes_shows(tmp_path: Path) -> None:
    visit = Visit(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path / "cache")
    home = visit.page("/")
    for path in ("/privacy", "/courses", "/courses/default/assignments"):
        visit.page(path, status=404)
    visit.close()

    for words in ("/privacy", "/courses", "/mine", "ppeal"):
        assert words not in home
