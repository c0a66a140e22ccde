"""Whether the app answers."""

import pytest
from sqlalchemy.exc import OperationalError

from assay.store.database import Database
from assay.web.pages import health
from tests.web.visits import Visit


def test_anybody_hears_that_it_works_and_nothing_else(visit_on_both: Visit) -> None:
    answer = visit_on_both.client.get("/health")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert [route.path for route in health.router.routes] == ["/health"]  # type: ignore[attr-defined]


def test_a_database_that_is_away_is_a_failure(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise OperationalError("SELECT", {}, Exception("gone"))

    monkeypatch.setattr(Database, "read", away)
    assert visit.client.get("/health").status_code == 503
