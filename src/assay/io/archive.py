"""What people upload: a file, a folder or a ZIP (with ZIPs inside), listed and read within bounds; and whose it is.

Nothing is unpacked to disk, and a ZIP that would have to be is refused all the same: names that lead out of it,
symbolic links and passwords have no place in a hand-in.
"""

import io
import re
import stat
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from assay.errors import InputError, refuse_pipe
from assay.execution.limits import check, over, value_of

NOT_HANDED_IN = frozenset({"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"})
DRIVE = re.compile(r"^[A-Za-z]:")
ENDINGS = frozenset({".json", ".xml"})
"""Files of a folder or ZIP that may be annotations; others (images, notes) are passed over."""

SAID_BY_TOOLS = frozenset(
    {"annotations", "annotation", "instances", "keypoints", "person_keypoints", "_annotations.coco", "default", "train"}
    | {"val", "valid", "validation", "test", "images", "labels", "result", "results", "export", "data", "coco", "cvat"}
    | {"obj_train_data", "obj_valid_data", "obj_test_data", "yolo", "vocdevkit", "voc2007", "voc2012", "voc", "labelme"}
    | {"ann", "panoptic", "label_2", "gt", "det", "via", "supervisely", "datumaro", "kitti", "open_images"}
)
"""Names that tools give to files and folders, which say nothing about the student."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Which limits (`execution.limits`) hold for an upload."""

    members: str = "archive_members"
    member_bytes: str = "file_bytes"
    total_bytes: str = "archive_bytes"
    ratio: str = "archive_ratio"
    ratio_from: str = "archive_ratio_from"
    """Smaller members may be packed as tightly as they like."""
    nesting: str = "archive_nesting"
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
    return head_of(path, 4) in {b"PK\x03\x04", b"PK\x05\x06"}


def head_of(path: Path, size: int) -> bytes:
    """The first bytes of a file; InputError when the system does not let us read it."""
    refuse_pipe(path)
    try:
        with path.open("rb") as stream:
            return stream.read(size)
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
        members = _in_folder(path, limits)
    elif is_zip(path):
        members = _in_zip(path, name or path.name, limits)
    else:
        return [Member(name or path.name, path.stat().st_size, lambda: _file_bytes(path, limits, name))]
    return sorted(members, key=lambda member: member.name)


def nested_members(member: Member, *, depth: int, limits: Limits = LIMITS) -> list[Member]:
    """The files of a ZIP that lies in a folder (depth 1) or in another ZIP (depth 2), whose own ZIPs are refused."""
    inside = _in_zip(io.BytesIO(member.read()), member.name, limits)
    deeper = next((m for m in inside if m.name.lower().endswith(".zip")), None)
    if deeper is not None and depth >= (most := value_of(limits.nesting)):
        problem = f"it holds a further ZIP, {deeper.name}: more than {most} ZIPs one in another are not opened"
        raise InputError(problem, source=member.name, remedy="Unpack the outer one first.")
    return sorted(inside, key=lambda m: m.name)


def _in_folder(folder: Path, limits: Limits) -> list[Member]:
    root, listed, most = folder.resolve(), [], value_of(limits.members)
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).as_posix()
        if _left_out(inside) or path.is_dir():
            continue
        if not path.resolve().is_relative_to(root):
            remedy = f"Copy the file itself into {folder}."
            raise InputError("it is a link that leads out of the folder", source=path, remedy=remedy)
        listed.append(Member(inside, path.stat().st_size, lambda path=path: _file_bytes(path, limits)))  # type: ignore[misc]
        if len(listed) > most:
            raise over(limits.members, None, folder)
    return listed


def _file_bytes(path: Path, limits: Limits, name: str = "") -> bytes:
    try:
        check(limits.member_bytes, path.stat().st_size, name or path)
        return path.read_bytes()
    except OSError as error:
        raise unreadable(Path(name) if name else path, error) from None


def _in_zip(file: Path | io.BytesIO, name: str, limits: Limits) -> list[Member]:
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, OSError, NotImplementedError, ValueError) as error:
        problem = f"it is not a complete ZIP: {error}"
        raise InputError(problem, source=name, remedy="Make or download it again.") from None
    infos = [info for info in archive.infolist() if not info.filename.endswith(("/", "\\"))]
    check(limits.members, len(infos), name)
    sizes = value_of(limits.member_bytes), value_of(limits.ratio_from), value_of(limits.ratio)
    for info in infos:
        _check(info, name, limits, *sizes)
    check(limits.total_bytes, sum(info.file_size for info in infos), name)
    return [  # some packers of Windows part folders by backslashes
        Member(inside, info.file_size, lambda info=info: _unpacked(archive, info, name))  # type: ignore[misc]
        for info in infos
        if not _left_out(inside := info.filename.replace("\\", "/"))
    ]


def _check(info: zipfile.ZipInfo, archive: str, limits: Limits, most: int, ratio_from: int, most_ratio: int) -> None:
    """InputError for a member no honest upload holds."""
    name = info.orig_filename.replace("\\", "/")
    size, ratio = info.file_size, info.file_size // max(info.compress_size, 1)
    problem = remedy = ""
    if name.startswith("/") or DRIVE.match(name):
        problem, remedy = "has an absolute path", "Pack the files with paths relative to their folder."
    elif ".." in PurePosixPath(name).parts or "\0" in name:
        problem, remedy = "has a path that leads out of the ZIP", "Pack it again."
    elif stat.S_ISLNK(info.external_attr >> 16):
        problem, remedy = "is a symbolic link", "Pack the file it points to."
    elif info.flag_bits & 1:
        problem, remedy = "is protected by a password", "Pack the files without one."
    elif size > most:
        raise over(limits.member_bytes, size, archive, what=f"the member {info.filename!r}")
    elif size > ratio_from and ratio > most_ratio:
        problem = f"is packed {ratio}:1, as only a ZIP bomb is (at most {most_ratio}:1, the limit {limits.ratio})"
        remedy = "Hand it in unpacked."
    if problem:
        raise InputError(f"the member {info.filename!r} {problem}", source=archive, remedy=remedy)


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> bytes:
    # zipfile gives no more than the size the directory states, so what _check allowed is the bound
    try:
        return archive.read(info)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError) as error:
        problem = f"the member {info.filename!r} cannot be unpacked: {error}"
        raise InputError(problem, source=name, remedy="Make or download the ZIP again.") from None


def _left_out(inside: str) -> bool:
    """Hidden files and what operating systems add."""
    return any(part in NOT_HANDED_IN or part.startswith(".") for part in PurePosixPath(inside).parts)


def named_by(path: Path) -> str:
    """Whose a path is: by its own name, or that of the folder it lies in if a tool named it.

    >>> named_by(Path("class/alice/annotations.xml")), named_by(Path("bob.v2.json")), named_by(Path("export.zip"))
    ('alice', 'bob.v2', 'export')
    """
    own = path.name if path.is_dir() else path.stem
    above = [part for part in path.parent.parts if part not in {path.anchor, ".", ".."}]
    return student_of_path("/".join([*above, own]), own)


def student_of_path(name: str, owner: str) -> str:
    """Whose file it is: the first name from the file upwards that no tool gives, else the folder's or ZIP's.

    >>> student_of_path("alice/annotations/instances_default.json", "batch")
    'alice'
    >>> student_of_path("annotations.xml", "bob"), student_of_path("carol.json", "batch")
    ('bob', 'carol')
    """
    path = PurePosixPath(name)
    stem = path.name.removesuffix(path.suffix) if path.suffix.lower() in ENDINGS else path.name
    for part in (stem, *reversed(path.parts[:-1])):
        words = part.lower()
        if words not in SAID_BY_TOOLS and not words.startswith(("instances_", "person_keypoints_", "annotations_")):
            return part
    return owner
