"""Tables and folders in an object store, `s3://bucket/essays`, through fsspec where the user has it.

What is read is copied to a temporary folder first, once in each process; what is written is put there whole.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from assay.errors import InputError


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
            problem = "it holds no .parquet files, or is not there"
            raise InputError(problem, source=address, remedy="Check the address.")
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
        return tempfile.TemporaryDirectory(prefix="assay-part-")

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
    return tempfile.TemporaryDirectory(prefix="assay-remote-")


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
