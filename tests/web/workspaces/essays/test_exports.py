"""Scores and findings of a class to take away."""

import pytest

from assay.store.item_listing import ListQuery, rows
from assay.web.workspaces.essays.exports import class_report, error_types
from tests.web.reviews import ENGINE, reviewed_essays
from tests.web.visits import Visit
from tests.web.workspaces.essays.test_view import keep_results


@pytest.fixture
def url(visit: Visit) -> str:
    return f"/essays/{reviewed_essays(visit.site.database, items=12, reviewed=4)}"


def test_the_report_of_the_class_counts_its_essays(visit: Visit, url: str) -> None:
    document = class_report(visit.site, visit.context(url).workspace)

    assert "12" in document.subtitle + document.verdict_lead + document.verdict_rest
    assert document.sections


def test_errors_are_counted_by_essays_and_by_times(visit: Visit, url: str) -> None:
    with visit.site.database.writing() as connection:
        keep_results(connection, url.split("/")[2], "0123")
        listed = rows(connection, url.split("/")[2], ENGINE, ListQuery())

    assert [(name, essays, times) for name, _, _, essays, times in error_types(listed)] == [("spelling", 3, 6)]
