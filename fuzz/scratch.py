"""Where inputs lie while they are read: a folder of this process, in memory where the system has such a place."""

import io
import os
import shutil
import tempfile
import zipfile
import zlib
from atexit import register
from collections.abc import Callable
from functools import lru_cache, wraps
from pathlib import Path, PurePosixPath

MEMORY = Path("/dev/shm")
Target = Callable[[bytes], object]


@lru_cache(maxsize=1)
def _folder_of(process: int) -> Path:
    # inherited by a fork, which must not share it: hence the argument
    folder = Path(tempfile.mkdtemp(prefix=f"assay-fuzz-{process}-", dir=MEMORY if os.access(MEMORY, os.W_OK) else None))
    register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def scratch() -> Path:
    """The folder of this process; gone when it ends."""
    return _folder_of(os.getpid())


def in_file(name: str) -> Callable[[Callable[[Path], object]], Target]:
    """A target that takes the bytes of a file, of a function that takes its path."""

    def target_of(read: Callable[[Path], object]) -> Target:
        @wraps(read)
        def target(content: bytes) -> object:
            path = scratch() / name
            path.write_bytes(content)
            return read(path)

        return target

    return target_of


def in_folder(name: str) -> Callable[[Callable[[Path], object]], Target]:
    """A target that takes the bytes of a ZIP, of a function that takes the path of the folder it was unpacked to."""

    def target_of(read: Callable[[Path], object]) -> Target:
        @wraps(read)
        def target(content: bytes) -> object:
            folder = scratch() / name
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            for member, data in _members(content):
                (folder / member).write_bytes(data)
            return read(folder)

        return target

    return target_of


def _members(content: bytes) -> list[tuple[str, bytes]]:
    """The files of a ZIP by names that any disk takes; of one that is broken, those before the break."""
    files: list[tuple[str, bytes]] = []
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for info in archive.infolist()[:50]:
                name = "".join(c for c in PurePosixPath(info.filename).name if c.isprintable() and c not in "/\\")[:80]
                if name.strip(".") and info.file_size < 1 << 20:
                    files.append((name, archive.read(info)))
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, zlib.error, EOFError):
        pass
    return files
