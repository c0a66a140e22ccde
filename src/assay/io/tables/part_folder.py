"""`PartFolder`: results as Parquet parts, each there whole or not at all, and gone on with after a crash."""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path, PurePosixPath
from typing import Any

from assay.errors import Field, InputError
from assay.io.tables.output import address_of

SCHEMA = "assay.parts/1"
MANIFEST = "_manifest.json"
"""What the parts were made from; its name begins so that readers of Parquet pass it over."""


@dataclass(frozen=True, slots=True)
class RowChunk:
    """A stretch of the input, and the file its results go to."""

    number: int
    first: int
    """Its first row in the input, counted from 0."""
    rows: int

    @property
    def file(self) -> str:
        return f"part-{self.number:05}.parquet"


@dataclass(frozen=True, slots=True)
class Origin:
    """What results are made from: when any of it differs, they are other results."""

    assay: str
    command: str
    options: Mapping[str, str | None]
    model: str | None
    """SHA-256 of the model file."""
    inputs: Mapping[str, str]
    """SHA-256 of each file that is read, by name."""
    parts: tuple[int, ...]
    """Rows of each part."""


def parts_of(sizes: Sequence[int]) -> list[RowChunk]:
    """Parts with so many rows each.

    >>> [part.first for part in parts_of([3, 4, 2])]
    [0, 3, 7]
    """
    firsts = accumulate(sizes, initial=0)
    return [RowChunk(number, first, rows) for number, (first, rows) in enumerate(zip(firsts, sizes, strict=False))]


class PartFolder:
    """A folder of results that grows part by part.

    A folder that was begun from the same inputs with the same options is gone on with; one that was begun otherwise is
    an InputError, unless it is forced to begin anew.
    """

    def __init__(self, path: Path, origin: Origin, *, force: bool = False) -> None:
        address = address_of(path)
        self.path = path
        self.place: LocalFolder | RemoteFolder = RemoteFolder(address) if address else LocalFolder(path)
        self.parts = parts_of(origin.parts)
        names = self.place.names()
        if force:
            for name in filter(_ours, names):
                self.place.remove(name)
            names = [name for name in names if not _ours(name)]
        self._check(names, origin)
        self.done = {part.number for part in self.parts if part.file in names}
        for name in names:
            if name.startswith(".part-"):  # left by a crash
                self.place.remove(name)
        if MANIFEST not in names:
            self._put(MANIFEST, lambda file: file.write_text(_document(origin), encoding="utf-8"))

    def left(self) -> list[RowChunk]:
        """The parts that are still to be made."""
        return [part for part in self.parts if part.number not in self.done]

    def write(self, part: RowChunk, writing: Callable[[Path], object]) -> None:
        """A part, written by a function into a file beside it and then moved there."""
        self._put(part.file, writing)
        self.done.add(part.number)

    def remove(self, part: RowChunk) -> None:
        """Take a part back."""
        self.place.remove(part.file)
        self.done.discard(part.number)

    def _put(self, name: str, writing: Callable[[Path], object]) -> None:
        with self.place.staged() as folder:
            writing(Path(folder) / name)
            self.place.put(Path(folder) / name, name)

    def _check(self, names: Sequence[str], origin: Origin) -> None:
        others = [name for name in names if not _ours(name)]
        if MANIFEST not in names:
            if others or any(name.endswith(".parquet") for name in names):
                remedy = "Choose another folder."
                raise InputError("it holds other files already", source=self.path, field="out", remedy=remedy)
            return
        try:
            content = json.loads(self.place.read(MANIFEST))
        except (ValueError, RecursionError):
            content = None
        begun = content if isinstance(content, dict) else {}
        stated = json.loads(_document(origin))
        differing = [name for name in stated if begun.get(name) != stated[name]]
        if differing:
            what = "; ".join(_difference(name, begun.get(name), stated[name]) for name in differing)
            how = "Go on with what it was begun with, choose another folder, or begin anew with "
            remedies = (how, Field("force"), ".")
            raise InputError(f"it was begun otherwise: {what}", source=self.path, field="out", remedy=remedies)


class LocalFolder:
    """A folder of this machine."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            problem = f"it cannot be written: {error.strerror}"
            raise InputError(problem, source=path, field="out", remedy="Choose another folder.") from None

    def staged(self) -> "tempfile.TemporaryDirectory[str]":
        """Where a file is written before it gets its place: on the same disk, so that moving it is one act."""
        return tempfile.TemporaryDirectory(prefix=".part-", dir=self.path)

    def names(self) -> list[str]:
        return sorted(entry.name for entry in self.path.iterdir())

    def read(self, name: str) -> bytes:
        return (self.path / name).read_bytes()

    def put(self, file: Path, name: str) -> None:
        with file.open("rb") as stream:
            os.fsync(stream.fileno())
        file.replace(self.path / name)

    def remove(self, name: str) -> None:
        entry = self.path / name
        if entry.is_dir():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            entry.unlink(missing_ok=True)


def stretches(parts: Sequence[RowChunk]) -> list[tuple[int, int]]:
    """First row and number of rows of each run of parts that follow each other.

    >>> stretches([RowChunk(1, 3, 4), RowChunk(2, 7, 2), RowChunk(4, 12, 1)])
    [(3, 6), (12, 1)]
    """
    runs: list[tuple[int, int]] = []
    for part in parts:
        if runs and sum(runs[-1]) == part.first:
            runs[-1] = (runs[-1][0], runs[-1][1] + part.rows)
        else:
            runs.append((part.first, part.rows))
    return runs


def _ours(name: str) -> bool:
    return name == MANIFEST or name.startswith((".part-", "part-"))


def _document(origin: Origin) -> str:
    return json.dumps({"schema": SCHEMA, **asdict(origin)}, indent=1, sort_keys=True)


def _difference(name: str, begun: Any, stated: Any) -> str:
    if isinstance(begun, dict) and isinstance(stated, dict):
        keys = sorted(key for key in {*begun, *stated} if begun.get(key) != stated.get(key))
        shown = ", ".join(keys[:3]) + (f" and {len(keys) - 3} more" if len(keys) > 3 else "")
        return f"{name} differ ({shown})"
    if name == "model":
        return "the model is another"
    return f"{name} was {begun}, is {stated}" if not isinstance(stated, list) else f"the {name} are others"


@cache
def local_copy(address: str) -> Path:
    """A copy on this machine, of one file or of the Parquet parts of a folder or pattern; it is gone at the end."""
    with _reaching(address):
        store, place = _store(address)
        if "*" not in place and store.isfile(place):
            parts = [place]
        else:
            matches = store.glob(place) if "*" in place else store.find(place) if store.exists(place) else []
            parts = sorted(m for m in matches if m.endswith(".parquet") and PurePosixPath(m).name[0] not in "._")
        if not parts:
            raise InputError("it holds no .parquet files, or is not there", source=address, remedy="Check the address.")
        root = place if store.isdir(place) else str(PurePosixPath(place.partition("*")[0] + "x").parent)
        copies = Path(_temporary_folder().name)
        folder = copies / str(len(list(copies.iterdir())))
        for part in parts:
            target = folder / PurePosixPath(part).relative_to(PurePosixPath(root))
            target.parent.mkdir(parents=True, exist_ok=True)
            store.get_file(part, str(target))
    return folder / PurePosixPath(place).name if parts == [place] else folder


class RemoteFolder:
    """A folder of an object store, as far as results need one."""

    def __init__(self, address: str) -> None:
        self.address = address
        with _reaching(address):
            self._store, self._root = _store(address)

    def names(self) -> list[str]:
        """The files that lie in it."""
        with _reaching(self.address):
            files = self._store.find(self._root, maxdepth=1) if self._store.exists(self._root) else []
        return sorted(PurePosixPath(name).name for name in files)

    def read(self, name: str) -> bytes:
        with _reaching(self.address):
            return bytes(self._store.cat_file(f"{self._root}/{name}"))

    def staged(self) -> "tempfile.TemporaryDirectory[str]":
        """Where a file is written before it is put there."""
        return tempfile.TemporaryDirectory(prefix="assay-part-", ignore_cleanup_errors=True)

    def put(self, file: Path, name: str) -> None:
        """A file of this machine, put there whole: it appears when the last byte is there."""
        with _reaching(self.address):
            self._store.makedirs(self._root, exist_ok=True)
            beside = f"{self._root}/.part-{name}"
            self._store.put_file(str(file), beside)
            self._store.mv(beside, f"{self._root}/{name}")

    def remove(self, name: str) -> None:
        with _reaching(self.address):
            self._store.rm_file(f"{self._root}/{name}")


def _store(address: str) -> tuple[Any, str]:
    """The file system of an address and the place in it. `Any`: fsspec is optional and has no types."""
    import fsspec.core  # type: ignore[import-not-found, import-untyped, unused-ignore] # noqa: PLC0415 - optional

    store, place = fsspec.core.url_to_fs(address)
    return store, str(place).rstrip("/")


@cache
def _temporary_folder() -> "tempfile.TemporaryDirectory[str]":
    return tempfile.TemporaryDirectory(prefix="assay-remote-", ignore_cleanup_errors=True)


@contextmanager
def _reaching(address: str) -> Iterator[None]:
    """Whatever keeps us from an object store as an InputError with its remedy."""
    scheme = address.partition(":")[0]
    try:
        yield
    except ImportError as missing:
        what = "fsspec" if getattr(missing, "name", None) == "fsspec" else str(missing).rstrip(".")
        package = {"s3": " s3fs", "gs": " gcsfs", "gcs": " gcsfs"}.get(scheme, "")
        remedy = f"Install what reads {scheme}: pip install fsspec{package}, or copy the files to this machine."
        problem = f"it cannot be reached without further packages ({what})"
        raise InputError(problem, source=address, remedy=remedy) from None
    except InputError:
        raise
    except (OSError, ValueError) as error:
        remedy = "Check the address and your credentials."
        raise InputError(f"it cannot be reached: {error}", source=address, remedy=remedy) from None
