"""The evaluation of a table goes on only while somebody wants it."""

from threading import Event

import pytest

from assay.errors import Cancelled
from assay.store.jobs import cancel
from assay.store.leases import lease
from assay.web.site import utc_now
from assay.web.worker.evaluation import prepare
from assay.web.worker.observer import SECONDS_BETWEEN, JobObserver
from assay.web.worker.worker import Tools
from tests.web.pages.test_evaluation import chosen, workspace_of
from tests.web.visits import Visit


class Clock:
    """Time for the observer to ask, whenever it looks."""

    time = 0.0

    def __call__(self) -> float:
        self.time += SECONDS_BETWEEN
        return self.time


@pytest.mark.parametrize("piece", [0, 1], ids=["engine", "comparison"])
@pytest.mark.parametrize("is_cancelled", [True, False])
def test_a_piece_stops_inside_once_its_job_is_cancelled(visit: Visit, piece: int, is_cancelled: bool) -> None:
    url = workspace_of(visit)
    visit.send(f"{url}/columns", **chosen(system=["engine", "other"]))
    database = visit.site.database
    with database.writing() as connection:
        pieces = lease(connection, "worker", now=utc_now(), most=3)
    leased = (pieces[0], pieces[-1])[piece]
    observer = JobObserver(database, Event(), clock=Clock())
    handle = prepare(leased, Tools(database, visit.settings.cache, observer))
    if is_cancelled:
        with database.writing() as connection:
            cancel(connection, leased.job_id, now=utc_now())

    with observer.watching(leased):
        if is_cancelled:
            with pytest.raises(Cancelled, match="The job was cancelled"):
                handle(leased)
        else:
            assert "report.html" in handle(leased).files
