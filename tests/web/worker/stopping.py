"""An observer that stops the work at a given moment, to see that nothing goes on behind it."""

from assay.errors import Cancelled
from assay.execution.observer import Observer
from assay.store.jobs import Leased
from assay.store.leases import lease
from assay.web.site import utc_now
from tests.web.visits import Visit


class StoppingObserver(Observer):
    """Counts how often it is asked, and stops the work at one of the times."""

    def __init__(self, at: int | None = None) -> None:
        self.at, self.asked = at, 0

    def check(self) -> None:
        self.asked += 1
        if self.asked == self.at:
            raise Cancelled("The job was cancelled.")


def leased_pieces(visit: Visit) -> list[Leased]:
    """Everything in the queue, as a worker takes it."""
    with visit.site.database.writing() as connection:
        return lease(connection, "test", now=utc_now(), most=1000)
