"""The front door for annotations on disk: one file, a folder, or a ZIP of one or many students."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from assay.annotations.annotation import AnnotationSet, Problem
from assay.errors import AssayError, InputError, MissingExtra
from assay.files.annotation_formats import ENDINGS, YOLO, Format, Reading, format_of
from assay.files.annotation_joining import joined
from assay.files.annotation_look import Look, look_at
from assay.files.archive import LIMITS, Limits, Member, is_zip, list_members, nested_members
from assay.files.coco import Prefer, read_plain_coco
from assay.files.image_files import ImageFiles, images_among, read_images
from assay.files.json_text import UTF8_MARK
from assay.files.yolo_parts import ENDINGS as YOLO_ENDINGS
from assay.files.yolo_parts import is_labels, part_of

__all__ = ["ImageFiles", "Submission", "list_submissions", "read_annotations", "read_images", "read_submissions"]

Pending: TypeAlias = tuple[str, Callable[[], AnnotationSet]]
"""A student, and how to read what they handed in."""

SAID_BY_TOOLS = frozenset(
    {"annotations", "annotation", "instances", "keypoints", "person_keypoints", "_annotations.coco", "default", "train"}
    | {"val", "valid", "validation", "test", "images", "labels", "result", "results", "export", "data", "coco", "cvat"}
    | {"obj_train_data", "obj_valid_data", "obj_test_data", "yolo", "vocdevkit", "voc2007", "voc2012", "voc", "labelme"}
)
"""Names that tools give to files and folders, which say nothing about the student."""


@dataclass(frozen=True, eq=False, slots=True)
class Submission:
    """What one student handed in, or why it cannot be read."""

    student: str
    annotations: AnnotationSet | None
    error: str = ""


@dataclass(frozen=True, slots=True)
class HandedIn:
    """A file of a student before it is read."""

    member: Member
    owner: str
    """The folder or ZIP it lies in."""
    place: str
    """The file, as messages name it."""
    of_one_image: bool = False
    """Whether it is, or should be, the file of one image: then all of a folder are one submission."""


def read_annotations(
    path: Path,
    *,
    like: AnnotationSet | None = None,
    prefer: Prefer = "shape",
    limits: Limits = LIMITS,
    annotator: str = "",
    images: ImageFiles | None = None,
) -> AnnotationSet:
    """The annotations of a file, or of a folder or ZIP that holds one set of them.

    `like` is the ground truth for a list of COCO results, which names images and categories by its numbers, and for
    YOLO, whose labels do not state the sizes of images; `images` gives these, too, as do images that lie beside the
    labels. `annotator` chooses whose work is read of a Label Studio export.
    """
    found = list(_submissions(path, Reading(like, prefer, limits, annotator, images)))
    if len(found) > 1:
        names = ", ".join(name for name, _ in found[:5])
        raise InputError(f"{path} holds {len(found)} sets of annotations ({names} ...). Name the one to be read.")
    return found[0][1]()


def read_submissions(
    paths: Sequence[Path],
    *,
    like: AnnotationSet | None = None,
    prefer: Prefer = "shape",
    limits: Limits = LIMITS,
    images: ImageFiles | None = None,
) -> list[Submission]:
    """What each student handed in: files, folders, and ZIPs with one or many students' files or ZIPs.

    A file that cannot be read becomes a submission with its error, and does not stop the others. Students are named
    after the file, or the folder or ZIP it lies in when a tool named the file; no two have the same name.
    """
    found: list[Submission] = []
    for path in paths:
        try:
            for student, read in _submissions(path, Reading(like, prefer, limits, images=images)):
                found.append(_attempt(student, read))
        except MissingExtra:
            raise
        except AssayError as problem:
            found.append(Submission(Path(path).stem, None, str(problem)))
    return _told_apart(found)


def list_submissions(
    path: Path, *, like: AnnotationSet | None = None, images: ImageFiles | None = None
) -> list[Pending]:
    """Each student of a file, folder or ZIP with how to read what they handed in; names may repeat."""
    return list(_submissions(path, Reading(like, images=images)))


def _attempt(student: str, read: Callable[[], AnnotationSet]) -> Submission:
    try:
        return Submission(student, read())
    except MissingExtra:
        raise
    except AssayError as problem:
        return Submission(student, None, str(problem))


def _submissions(path: Path, reading: Reading) -> Iterator[Pending]:
    """Student and how to read what they handed in, for all of a path."""
    path = Path(path)
    members = list_members(path, limits=reading.limits)
    if path.is_file() and not is_zip(path):
        yield path.stem, lambda: _read_one(path, members[0], reading)
        return
    found = False
    owner, depth = (path.stem, 1) if path.is_file() else (path.name, 0)
    for student, read in _in_folder(members, owner, path.name, reading, depth=depth):
        found = True
        yield student, read
    if not found:
        raise InputError(
            f"{path} holds no annotations: no .json or .xml file, and no labels of YOLO. "
            f"It has {len(members)} other files."
        )


def _in_folder(members: Sequence[Member], owner: str, place: str, reading: Reading, *, depth: int) -> Iterator[Pending]:
    files = [m for m in members if PurePosixPath(m.name).suffix.lower() in ENDINGS]
    handed_in = [HandedIn(m, owner, f"{place}/{m.name}") for m in files]
    texts = [HandedIn(m, owner, f"{place}/{m.name}", of_one_image=True) for m in _yolo_members(members)]
    if texts and reading.images is None:
        reading = replace(reading, images=images_among(members))
    yield from _by_student([*_marked(handed_in), *texts], reading)
    for zipped in filter(_is_zip, members):
        yield from _in_zip(zipped, f"{place}/{zipped.name}", reading, depth=depth + 1)


def _yolo_members(members: Sequence[Member]) -> list[Member]:
    """The texts of YOLO: rows of labels, whatever else lies in their folders, and names of classes anywhere.

    Texts of a hand-in without labels are notes and readmes.
    """
    texts = {m: m.read() for m in members if PurePosixPath(m.name).suffix.lower() in YOLO_ENDINGS}
    folders = {PurePosixPath(m.name).parent for m, content in texts.items() if is_labels(m.name, content)}
    if not folders:
        return []
    return [
        m
        for m, content in texts.items()
        if PurePosixPath(m.name).parent in folders or part_of(m.name, content) not in {"labels", "none"}
    ]


def _marked(handed_in: Sequence[HandedIn]) -> list[HandedIn]:
    """The same files, with those of one image known; one that is broken belongs to the others of its folder."""
    per_image = {file: _is_of_one_image(file) for file in handed_in}
    folders = {_folder(file) for file, known in per_image.items() if known}
    return [
        replace(file, of_one_image=bool(known) or (known is None and _folder(file) in folders))
        for file, known in per_image.items()
    ]


def _folder(file: HandedIn) -> tuple[str, str]:
    path = PurePosixPath(file.member.name)
    return str(path.parent), path.suffix.lower()


def _in_zip(zipped: Member, place: str, reading: Reading, *, depth: int) -> Iterator[Pending]:
    """A student's ZIP within the ZIP or folder of all."""
    student = PurePosixPath(zipped.name).stem
    try:
        members = nested_members(zipped, depth=depth, limits=reading.limits)
        inside = list(_in_folder(members, student, place, reading, depth=depth))
    except MissingExtra:
        raise
    except AssayError as problem:
        yield student, _failing(str(problem))
        return
    if not inside:
        yield student, _failing(f"{place} holds no annotations: no .json or .xml file.")
    if len(inside) == 1 and not any(_is_zip(m) for m in members):
        yield student, inside[0][1]  # the only file is the student's, whatever the tool called it
    else:
        yield from inside


def _by_student(handed_in: Sequence[HandedIn], reading: Reading) -> Iterator[Pending]:
    """One submission per file; but files named by a tool, or after images, are parts of the student's submission."""
    found: dict[tuple[str, str], list[HandedIn]] = {}
    for file in handed_in:
        found.setdefault(_submission_of(file), []).append(file)
    for (student, _), files in found.items():
        yield student, lambda files=files: _read_all(files, reading)  # type: ignore[misc]


def _submission_of(file: HandedIn) -> tuple[str, str]:
    """The student, and the file if it bears the student's name."""
    path = PurePosixPath(file.member.name)
    if file.of_one_image:
        return _student(str(path.parent / "annotations"), file.owner), ""
    student = _student(file.member.name, file.owner)
    return student, file.member.name if student == path.stem else ""


def _is_of_one_image(file: HandedIn) -> bool | None:
    """Whether its format has a file for each image; None when it cannot be read, which reading it will tell."""
    try:
        return format_of(look_at(file.place, file.member.read())).per_image
    except InputError:
        return None


def _read_all(files: Sequence[HandedIn], reading: Reading) -> AnnotationSet:
    per_image: dict[Format, list[Look]] = {}
    sets: list[AnnotationSet] = []
    broken: list[Problem] = []
    for file in files:
        try:
            look, form = _known(file)
        except InputError as problem:
            if not file.of_one_image or len(files) == 1:
                raise
            broken.append(Problem(file.place, f"a file cannot be read: {problem}", lost=True))
            continue
        if form.per_image:
            per_image.setdefault(form, []).append(look)
        else:
            sets.append(form.read([look], look.name, reading))
    place = str(PurePosixPath(files[0].place).parent)
    sets += [form.read(same, place, reading) for form, same in per_image.items()]
    found = joined(sets, source=place)
    return replace(found, problems=(*found.problems, *broken)) if broken else found


def _known(file: HandedIn) -> tuple[Look, Format]:
    content = file.member.read()
    if file.of_one_image and PurePosixPath(file.member.name).suffix.lower() in YOLO_ENDINGS:
        # an empty one is an image without objects, and YOLO's reader tells of one that holds no rows
        return Look(file.place, content.removeprefix(UTF8_MARK), "text"), YOLO
    look = look_at(file.place, content)
    return look, format_of(look)


def _read_one(path: Path, member: Member, reading: Reading) -> AnnotationSet:
    plain = _plain_coco(path, reading) if member.size <= reading.limits.member_bytes else None
    if plain is not None:
        return plain
    look = look_at(path.name, member.read())
    return format_of(look).read([look], path.name, reading)


def _plain_coco(path: Path, reading: Reading) -> AnnotationSet | None:
    try:
        with path.open("rb", buffering=0) as stream:
            return read_plain_coco(stream, source=path.name, like=reading.like, prefer=reading.prefer)
    except OSError as problem:
        raise InputError(f"{path} cannot be read: {problem.strerror}.") from None


def _is_zip(member: Member) -> bool:
    return member.name.lower().endswith(".zip")


def _failing(message: str) -> Callable[[], AnnotationSet]:
    def fail() -> AnnotationSet:
        raise InputError(message)

    return fail


def _student(name: str, owner: str) -> str:
    """Whose file it is: the first name from the file upwards that no tool gives, else the folder's or ZIP's.

    >>> _student("alice/annotations/instances_default.json", "batch")
    'alice'
    >>> _student("annotations.xml", "bob"), _student("carol.json", "batch")
    ('bob', 'carol')
    """
    path = PurePosixPath(name)
    stem = path.name.removesuffix(path.suffix) if path.suffix.lower() in ENDINGS else path.name
    for part in (stem, *reversed(path.parts[:-1])):
        words = part.lower()
        if words not in SAID_BY_TOOLS and not words.startswith(("instances_", "person_keypoints_", "annotations_")):
            return part
    return owner


def _told_apart(found: Sequence[Submission]) -> list[Submission]:
    """Students of the same name get a number: alice, alice (2)."""
    seen: dict[str, int] = {}
    apart = []
    for submission in found:
        seen[submission.student] = times = seen.get(submission.student, 0) + 1
        name = submission.student if times == 1 else f"{submission.student} ({times})"
        apart.append(Submission(name, submission.annotations, submission.error))
    return apart
