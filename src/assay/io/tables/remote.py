"""Tables and folders in an object store, `s3://bucket/essays`, through fsspec where the user has it.

What is read is copied to a temporary folder first, once in each process; what is written is put there whole.
"""

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from assay.errors import InputError

_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]+):/+(.*)")
"""`pathlib` leaves one of the two slashes of an address."""


def address_of(path: Path) -> str | None:
    """The address that a path was written as; None for a path of this machine.

    >>> address_of(Path("s3://bucket/essays")), address_of(Path("essays.csv"))
    ('s3://bucket/essays', None)
    """
    found = _ADDRESS.fullmatch(path.as_posix())
    if found is None or path.exists():
        return None
    scheme, place = found.groups()
    return f"{scheme}:///{place}" if scheme in ("file", "local") else f"{scheme}://{place}"


@cache
def local_copy(address: str) -> Path:
    """A copy on this machine, of one file or of the Parquet parts of a folder or pattern; it is gone at the end."""
    with _reaching(address):
        store, place = _store(address)
        parts = _parts(store, place, address)
        root = place if store.isdir(place) else str(PurePosixPath(place.partition("*")[0] + "x").parent)
        folder = Path(_temporary_folder().name) / str(len(list(Path(_temporary_folder().name).iterdir())))
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
            found = self._store.find(self._root, maxdepth=1) if self._store.exists(self._root) else []
        return sorted(PurePosixPath(name).name for name in found)

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


def _parts(store: Any, place: str, address: str) -> list[str]:
    if "*" in place:
        found = [name for name in store.glob(place) if name.endswith(".parquet")]
    elif store.isfile(place):
        return [place]
    else:
        found = [name for name in store.find(place) if name.endswith(".parquet")] if store.exists(place) else []
    parts = sorted(name for name in found if not PurePosixPath(name).name.startswith((".", "_")))
    if not parts:
        raise InputError("it holds no .parquet files, or is not there", source=address, remedy="Check the address.")
    return parts


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
        raise InputError(
            f"it cannot be reached without further packages ({what})",
            source=address,
            remedy=f"Install what reads {scheme}: pip install fsspec"
            f"{' s3fs' if scheme == 's3' else ' gcsfs' if scheme in ('gs', 'gcs') else ''}, "
            "or copy the files to this machine.",
        ) from None
    except InputError:
        raise
    except (OSError, ValueError) as problem:
        remedy = "Check the address and your credentials."
        raise InputError(f"it cannot be reached: {problem}", source=address, remedy=remedy) from None
