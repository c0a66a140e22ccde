"""What people upload: a file, a folder or a ZIP (with ZIPs inside), listed and read within bounds.

Nothing is unpacked to disk, and a ZIP that would have to be is refused all the same: names that lead out of it,
symbolic links and passwords have no place in a hand-in.
"""

import io
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from assay.errors import InputError

NOT_HANDED_IN = frozenset({"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"})
DRIVE = re.compile(r"^[A-Za-z]:")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much an upload may hold. Deflate packs at most 1032:1; annotations seldom pass 60:1."""

    members: int = 200_000
    member_bytes: int = 2 << 30
    total_bytes: int = 8 << 30
    ratio: int = 250
    ratio_from: int = 16 << 20
    """Smaller members may be packed as tightly as they like."""
    nesting: int = 2
    """1 is a ZIP, 2 a ZIP in a ZIP, as CVAT writes when it exports several jobs."""


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Member:
    """A file in a folder or ZIP: its path there, with the ZIPs it lies in as if they were folders."""

    name: str
    size: int
    read: Callable[[], bytes]


def is_zip(path: Path) -> bool:
    """Whether a file begins as a ZIP does, whatever its ending."""
    try:
        with path.open("rb") as stream:
            return stream.read(4) in {b"PK\x03\x04", b"PK\x05\x06"}
    except OSError as problem:
        raise unreadable(path, problem) from None


def unreadable(path: Path, problem: OSError) -> InputError:
    """The error for a file that the system does not let us read."""
    return InputError(f"it cannot be read: {problem.strerror}", source=path, remedy="Check who may read it.")


def list_members(path: Path, *, limits: Limits = LIMITS, name: str = "") -> list[Member]:
    """Every file of a folder or a ZIP, by name; a file alone is its own only member.

    `name`: what the file is called, where its path says nothing to whoever reads a message.
    """
    if not path.exists():
        raise InputError("it does not exist", source=path, remedy="Check the name and the folder.")
    if path.is_dir():
        members = _bounded(_in_folder(path, limits), str(path), limits)
    elif is_zip(path):
        members = _in_zip(_opened(path, name or path.name), name or path.name, limits)
    else:
        return [Member(name or path.name, path.stat().st_size, lambda: _file_bytes(path, limits, name))]
    return sorted(members, key=lambda member: member.name)


def nested_members(member: Member, *, depth: int, limits: Limits = LIMITS) -> list[Member]:
    """The files of a ZIP that lies in a folder (depth 1) or in another ZIP (depth 2), whose own ZIPs are refused."""
    archive = _opened(io.BytesIO(member.read()), member.name)
    inside = _in_zip(archive, member.name, limits)
    deeper = next((m for m in inside if m.name.lower().endswith(".zip")), None)
    if deeper is not None and depth >= limits.nesting:
        raise InputError(
            f"it holds a further ZIP, {deeper.name}: more than {limits.nesting} ZIPs one in another are not opened",
            source=member.name,
            remedy="Unpack the outer one first.",
        )
    return sorted(inside, key=lambda m: m.name)


def _in_folder(folder: Path, limits: Limits) -> Iterator[Member]:
    root = folder.resolve()
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if _left_out(PurePosixPath(inside.as_posix())) or path.is_dir():
            continue
        if not path.resolve().is_relative_to(root):
            raise InputError(
                "it is a link that leads out of the folder", source=path, remedy=f"Copy the file itself into {folder}."
            )
        yield Member(inside.as_posix(), path.stat().st_size, lambda path=path: _file_bytes(path, limits))  # type: ignore[misc]


def _bounded(members: Iterator[Member], where: str, limits: Limits) -> list[Member]:
    listed = []
    for member in members:
        listed.append(member)
        if len(listed) > limits.members:
            raise InputError(
                f"it holds more than {limits.members:,} files", source=where, remedy="Hand in a part of them."
            )
    return listed


def _file_bytes(path: Path, limits: Limits, name: str = "") -> bytes:
    try:
        if (size := path.stat().st_size) > limits.member_bytes:
            raise InputError(
                f"it has {size:,} bytes; at most {limits.member_bytes:,} are read",
                source=name or path,
                remedy="Split it.",
            )
        return path.read_bytes()
    except OSError as problem:
        raise unreadable(Path(name) if name else path, problem) from None


def _opened(file: Path | io.BytesIO, name: str) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)
    except (zipfile.BadZipFile, OSError, NotImplementedError, ValueError) as problem:
        raise InputError(
            f"it is not a complete ZIP: {problem}", source=name, remedy="Make or download it again."
        ) from None


def _in_zip(archive: zipfile.ZipFile, name: str, limits: Limits) -> list[Member]:
    infos = [info for info in archive.infolist() if not info.filename.endswith(("/", "\\"))]
    if len(infos) > limits.members:
        raise InputError(
            f"it holds {len(infos):,} files; at most {limits.members:,} are read",
            source=name,
            remedy="Hand in a part of them.",
        )
    for info in infos:
        _check(info, name, limits)
    if (total := sum(info.file_size for info in infos)) > limits.total_bytes:
        raise InputError(
            f"it would unpack to {total:,} bytes; at most {limits.total_bytes:,} are read",
            source=name,
            remedy="Hand in a part of it.",
        )
    return [
        Member(_slashed(info.filename), info.file_size, lambda info=info: _unpacked(archive, info, name))  # type: ignore[misc]
        for info in infos
        if not _left_out(PurePosixPath(_slashed(info.filename)))
    ]


def _slashed(name: str) -> str:
    """The path of a member; some packers of Windows part folders by backslashes."""
    return name.replace("\\", "/")


def _check(info: zipfile.ZipInfo, archive: str, limits: Limits) -> None:
    """InputError for a member no honest upload holds."""
    if wrong := _wrong_with(info, limits):
        problem, remedy = wrong
        raise InputError(f"the member {info.filename!r} {problem}", source=archive, remedy=remedy)


def _wrong_with(info: zipfile.ZipInfo, limits: Limits) -> tuple[str, str] | None:
    """What is wrong with a member and what to do, if anything is."""
    name = info.orig_filename.replace("\\", "/")
    ratio = info.file_size // max(info.compress_size, 1)
    rules = (
        (
            name.startswith("/") or DRIVE.match(name) is not None,
            "has an absolute path",
            "Pack the files with paths relative to their folder.",
        ),
        (".." in PurePosixPath(name).parts or "\0" in name, "has a path that leads out of the ZIP", "Pack it again."),
        (stat.S_ISLNK(info.external_attr >> 16), "is a symbolic link", "Pack the file it points to."),
        (bool(info.flag_bits & 1), "is protected by a password", "Pack the files without one."),
        (
            info.file_size > limits.member_bytes,
            f"would unpack to {info.file_size:,} bytes; at most {limits.member_bytes:,} are read",
            "Split it.",
        ),
        (
            info.file_size > limits.ratio_from and ratio > limits.ratio,
            f"is packed {ratio}:1, as only a ZIP bomb is (at most {limits.ratio}:1)",
            "Hand it in unpacked.",
        ),
    )
    return next(((problem, remedy) for broken, problem, remedy in rules if broken), None)


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> bytes:
    # zipfile gives no more than the size the directory states, so what _check allowed is the bound
    try:
        return archive.read(info)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as problem:
        raise InputError(
            f"the member {info.filename!r} cannot be unpacked: {problem}",
            source=name,
            remedy="Make or download the ZIP again.",
        ) from None


def _left_out(inside: PurePosixPath) -> bool:
    """Hidden files and what operating systems add."""
    return any(part in NOT_HANDED_IN or part.startswith(".") for part in inside.parts)
