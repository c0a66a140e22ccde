"""What a workflow says while it works on a piece: the stage of the job, and whether to stop."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from time import monotonic

from assay.errors import Cancelled
from assay.execution.limits import value_of
from assay.execution.observer import Observer
from assay.store.database import Database
from assay.store.jobs import Leased, PieceStage
from assay.store.leases import is_leased, note_stage

SECONDS_BETWEEN = 0.5
"""How often the database is asked and told: a loop over ten thousand rows checks after each of them."""


class JobObserver(Observer):
    """Follows the piece in hand of one worker; outside of one it hears nothing and stops nothing.

    `set_alarm` hears with each sign of progress in how many seconds the worker counts as hung.
    """

    def __init__(
        self,
        database: Database,
        stop: Event,
        *,
        clock: Callable[[], float] = monotonic,
        set_alarm: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._database, self._stop, self._clock, self._set_alarm = database, stop, clock, set_alarm
        self._piece: Leased | None = None
        self._stages: list[PieceStage] = []
        self._checked = self._noted = float("-inf")

    @contextmanager
    def watching(self, piece: Leased) -> Iterator[None]:
        """What happens inside is about this piece."""
        self._piece, self._stages, self._checked, self._noted = piece, [], self._clock(), float("-inf")
        self._set_alarm(value_of("idle_seconds"))
        try:
            yield
        finally:
            self._piece, self._stages = None, []

    def begin(self, title: str, total: int | None) -> None:
        self._stages.append(PieceStage(title, 0, total))
        self._note()

    def advance(self, count: int) -> None:
        if self._stages:
            stage = self._stages.pop()
            self._stages.append(PieceStage(stage.title, stage.done + count, stage.total))
            self._note()

    def end(self) -> None:
        if self._stages:
            self._stages.pop()

    def check(self) -> None:
        """Cancelled when the job was cancelled, its workspace removed, or the worker told to stop."""
        if self._piece is None:
            return
        if self._stop.is_set():
            raise Cancelled("This worker was asked to stop.")
        if self._clock() - self._checked < SECONDS_BETWEEN:
            return
        self._checked = self._clock()
        self._set_alarm(value_of("idle_seconds"))
        with self._database.reading() as connection:
            if not is_leased(connection, self._piece):
                raise Cancelled("The job was cancelled.")

    def _note(self) -> None:
        if self._piece is None or self._clock() - self._noted < SECONDS_BETWEEN:
            return
        self._noted = self._clock()
        self._set_alarm(value_of("idle_seconds"))
        with self._database.writing() as connection:
            note_stage(connection, self._piece, self._stages[-1])
