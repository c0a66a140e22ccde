"""What a handler gets and gives, and `JobObserver`: progress goes to the job, and a cancelled job stops the work."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any, TypeAlias

from assay.errors import Cancelled
from assay.execution.observer import SILENT, Observer
from assay.store.blobs import blob_file, read_blob
from assay.store.database import Database
from assay.store.jobs import Leased, PieceStage, is_leased, note_stage
from assay.store.schema import Json

SECONDS_BETWEEN = 0.5
"""How often the database is asked and told: a loop over ten thousand rows checks after each of them."""


class JobObserver(Observer):
    """Follows the piece in hand of one worker; outside of one it hears nothing and stops nothing."""

    def __init__(self, database: Database, stop: Event, *, clock: Callable[[], float] = monotonic) -> None:
        self._database, self._stop, self._clock = database, stop, clock
        self._piece: Leased | None = None
        self._stages: list[PieceStage] = []
        self._checked = self._noted = float("-inf")

    @contextmanager
    def watching(self, piece: Leased) -> Iterator[None]:
        """What happens inside is about this piece."""
        self._piece, self._stages, self._checked, self._noted = piece, [], self._clock(), float("-inf")
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
        if not self._is_due(self._checked):
            return
        self._checked = self._clock()
        with self._database.reading() as connection:
            if not is_leased(connection, self._piece):
                raise Cancelled("The job was cancelled.")

    def _note(self) -> None:
        if self._piece is None or not self._is_due(self._noted):
            return
        self._noted = self._clock()
        with self._database.writing() as connection:
            note_stage(connection, self._piece, self._stages[-1])

    def _is_due(self, last: float) -> bool:
        return self._clock() - last >= SECONDS_BETWEEN


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was made of one piece; `files` are kept as blobs beside the payload."""

    payload: Json
    score: float | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)

    def to_keep(self) -> dict[str, Any]:
        return {"payload": self.payload, "score": self.score, "files": self.files}


@dataclass(frozen=True, eq=False, slots=True)
class Tools:
    """How a handler reaches the bytes it works on, and whom the workflows it calls tell how far they are."""

    database: Database
    cache: Path
    observer: Observer = SILENT
    """It follows the piece in hand: `check` raises Cancelled when the job is cancelled."""

    def file(self, digest: str, suffix: str) -> Path:
        """A blob as a file, for readers that need one."""
        with self.database.reading() as connection:
            return blob_file(connection, digest, suffix, self.cache)

    def read(self, digest: str) -> bytes:
        with self.database.reading() as connection:
            return read_blob(connection, digest)


Handle: TypeAlias = Callable[[Leased], Outcome]
Prepare: TypeAlias = Callable[[Leased, Tools], Handle]
"""Called with the first piece of a job that a worker meets."""
