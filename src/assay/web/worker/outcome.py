"""What a handler gets and gives."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from assay.execution.observer import SILENT, Observer
from assay.store.blobs import blob_file, read_blob
from assay.store.database import Database
from assay.store.jobs import Leased
from assay.store.schema import Json


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was made of one piece; `files` are kept as blobs beside the payload."""

    payload: Json
    score: float | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)


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
