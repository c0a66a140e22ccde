"""The front door for annotations on disk: one file, a folder, or a ZIP of one or many students."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from assay.annotations.shapes.annotation_set import AnnotationSet, FileProblem
from assay.errors import AssayError, InputError, MissingExtra
from assay.io.annotations.coco.reader import read_plain_coco
from assay.io.annotations.columns import Prefer
from assay.io.annotations.detect import YOLO, DetectedFile, Format, FormatReading, detect, format_of
from assay.io.annotations.joining import joined
from assay.io.annotations.label_studio.tasks import HEAD, annotators_of, may_hold_several, student_of
from assay.io.annotations.yolo.dataset import ENDINGS as YOLO_ENDINGS
from assay.io.annotations.yolo.dataset import yolo_members
from assay.io.archives.archive import LIMITS, Limits, Member, is_zip, list_members, nested_members, unreadable
from assay.io.archives.image_files import ImageFiles, images_among, read_images
from assay.io.archives.student_names import ENDINGS, named_by, student_of_path
from assay.io.tables.text_encoding import as_utf8

__all__ = [
    "FormatReading",
    "ImageFiles",
    "Submission",
    "each_submission",
    "list_submissions",
    "read_annotations",
    "read_images",
    "read_submissions",
]

Pending: TypeAlias = tuple[str, Callable[[], AnnotationSet]]
"""A student, and how to read what they handed in."""


@dataclass(frozen=True, eq=False, slots=True)
class Submission:
    """What one student handed in, or why it cannot be read."""

    student: str
    annotations: AnnotationSet | None
    error: str = ""


@dataclass(frozen=True, slots=True)
class SubmissionFile:
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
    name: str = "",
) -> AnnotationSet:
    """The annotations of a file, or of a folder or ZIP that holds one set of them.

    `like` is the ground truth for a list of COCO results, which names images and categories by its numbers, and for
    YOLO, whose labels do not state the sizes of images; `images` gives these, too, as do images that lie beside the
    labels. `annotator` chooses whose work is read of a Label Studio export. `name` is what the file is called, where
    its path says nothing to whoever reads a message.
    """
    sets = list(_submissions(path, FormatReading(like, prefer, limits, annotator, images), name))
    if len(sets) > 1:
        students = ", ".join(student for student, _ in sets[:5])
        several = f"it holds {len(sets)} sets of annotations ({students} ...)"
        raise InputError(several, source=name or path, remedy="Name the one to be read.")
    return sets[0][1]()


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
    after the file, or the folder or ZIP it lies in when a tool named the file; no two have the same name: the second
    alice is alice (2).
    """
    return list(each_submission(paths, FormatReading(like, prefer, limits, images=images)))


def each_submission(paths: Sequence[Path], reading: FormatReading) -> Iterator[Submission]:
    """The same one at a time, each read when it is asked for."""
    seen: Counter[str] = Counter()
    for student, read in _all_of(paths, replace(reading, annotators_apart=True)):
        seen[student] += 1
        yield _attempt(student if seen[student] == 1 else f"{student} ({seen[student]})", read)


def _all_of(paths: Sequence[Path], reading: FormatReading) -> Iterator[Pending]:
    """Every student of some paths; a path that cannot be opened is one whose work cannot be read."""
    for path in paths:
        try:
            yield from _submissions(path, reading)
        except MissingExtra:
            raise
        except AssayError as problem:
            yield Path(path).stem, _failing(problem)


def list_submissions(
    path: Path, *, like: AnnotationSet | None = None, images: ImageFiles | None = None, name: str = ""
) -> list[Pending]:
    """Each student of a file, folder or ZIP with how to read what they handed in; names may repeat."""
    return list(_submissions(path, FormatReading(like, images=images, annotators_apart=True), name))


def _attempt(student: str, read: Callable[[], AnnotationSet]) -> Submission:
    try:
        return Submission(student, read())
    except MissingExtra:
        raise
    except AssayError as problem:
        return Submission(student, None, str(problem))


def _submissions(path: Path, reading: FormatReading, name: str = "") -> Iterator[Pending]:
    """Student and how to read what they handed in, for all of a path; `name` is what it is called."""
    path = Path(path)
    members = list_members(path, limits=reading.limits, name=name)
    called = Path(name) if name else path
    if path.is_file() and not is_zip(path):
        yield from _each_annotator(
            named_by(called), members[0], lambda chosen: _read_one(path, members[0], chosen), reading, _head(path)
        )
        return
    owner, depth = named_by(called), 1 if path.is_file() else 0
    submissions = _in_folder(members, owner, called.name, reading, depth=depth)
    first = next(submissions, None)
    if first is not None:
        yield first
        yield from submissions
    else:
        raise InputError(
            f"it holds no annotations, but {len(members)} other files",
            source=name or path,
            remedy="Hand in .json or .xml files, or labels of YOLO.",
        )


def _in_folder(
    members: Sequence[Member], owner: str, place: str, reading: FormatReading, *, depth: int
) -> Iterator[Pending]:
    files = [m for m in members if PurePosixPath(m.name).suffix.lower() in ENDINGS]
    handed_in = [SubmissionFile(m, owner, f"{place}/{m.name}") for m in files]
    texts = [SubmissionFile(m, owner, f"{place}/{m.name}", of_one_image=True) for m in yolo_members(members)]
    if texts and reading.images is None:
        reading = replace(reading, images=images_among(members))
    yield from _by_student([*_marked(handed_in), *texts], reading)
    for zipped in filter(_is_zip, members):
        yield from _in_zip(zipped, f"{place}/{zipped.name}", reading, depth=depth + 1)


def _marked(handed_in: Sequence[SubmissionFile]) -> list[SubmissionFile]:
    """The same files, with those of one image known; one that is broken belongs to the others of its folder."""
    per_image = {file: _is_of_one_image(file) for file in handed_in}
    folders = {_folder(file) for file, known in per_image.items() if known}
    return [
        replace(file, of_one_image=bool(known) or (known is None and _folder(file) in folders))
        for file, known in per_image.items()
    ]


def _folder(file: SubmissionFile) -> tuple[str, str]:
    path = PurePosixPath(file.member.name)
    return str(path.parent), path.suffix.lower()


def _in_zip(zipped: Member, place: str, reading: FormatReading, *, depth: int) -> Iterator[Pending]:
    """A student's ZIP within the ZIP or folder of all."""
    student = PurePosixPath(zipped.name).stem
    try:
        members = nested_members(zipped, depth=depth, limits=reading.limits)
        inside = list(_in_folder(members, student, place, reading, depth=depth))
    except MissingExtra:
        raise
    except AssayError as problem:
        yield student, _failing(problem)
        return
    if not inside:
        yield (
            student,
            _failing(InputError("it holds no annotations", source=place, remedy="Hand in .json or .xml files.")),
        )
    if len(inside) == 1 and not any(_is_zip(m) for m in members):
        yield student, inside[0][1]  # the only file is the student's, whatever the tool called it
    else:
        yield from inside


def _by_student(handed_in: Sequence[SubmissionFile], reading: FormatReading) -> Iterator[Pending]:
    """One submission per file; but files named by a tool, or after images, are parts of the student's submission."""
    submissions: dict[tuple[str, str], list[SubmissionFile]] = {}
    for file in handed_in:
        submissions.setdefault(_submission_of(file), []).append(file)
    for (student, _), files in submissions.items():

        def read(chosen: FormatReading, files: Sequence[SubmissionFile] = files) -> AnnotationSet:
            return _read_all(files, chosen)

        if len(files) == 1 and not files[0].of_one_image:
            yield from _each_annotator(student, files[0].member, read, reading)
        else:
            yield student, partial(read, reading)


def _each_annotator(
    student: str,
    member: Member,
    read: Callable[[FormatReading], AnnotationSet],
    reading: FormatReading,
    head: bytes | None = None,
) -> Iterator[Pending]:
    """One submission, or as many as annotators worked on the same tasks of a Label Studio export.

    `head` are the first bytes of the file, if they can be had without reading it.
    """
    likely = member.name.lower().endswith(".json") if head is None else may_hold_several(head)
    names = annotators_of(member.read(), member.name) if likely and reading.annotators_apart else ()
    if not names:
        yield student, partial(read, reading)
    for name in names:
        yield student_of(name), partial(read, replace(reading, annotator=name))


def _head(path: Path) -> bytes:
    """The first bytes of a file; none when it cannot be read, which reading it will tell."""
    try:
        with path.open("rb") as stream:
            return stream.read(HEAD)
    except OSError:
        return b""


def _submission_of(file: SubmissionFile) -> tuple[str, str]:
    """The student, and the file if it bears the student's name."""
    path = PurePosixPath(file.member.name)
    if file.of_one_image:
        return student_of_path(str(path.parent / "annotations"), file.owner), ""
    student = student_of_path(file.member.name, file.owner)
    return student, file.member.name if student == path.stem else ""


def _is_of_one_image(file: SubmissionFile) -> bool | None:
    """Whether its format has a file for each image; None when it cannot be read, which reading it will tell."""
    try:
        return format_of(detect(file.place, file.member.read())).per_image
    except InputError:
        return None


def _read_all(files: Sequence[SubmissionFile], reading: FormatReading) -> AnnotationSet:
    per_image: dict[Format, list[DetectedFile]] = {}
    sets: list[AnnotationSet] = []
    broken: list[FileProblem] = []
    for file in files:
        try:
            detected, form = _known(file)
        except InputError as problem:
            if not file.of_one_image or len(files) == 1:
                raise
            broken.append(FileProblem(file.place, f"a file cannot be read: {problem}", lost=True))
            continue
        if form.per_image:
            per_image.setdefault(form, []).append(detected)
        else:
            sets.append(form.read([detected], detected.name, reading))
    place = str(PurePosixPath(files[0].place).parent)
    sets += [form.read(same, place, reading) for form, same in per_image.items()]
    whole = joined(sets, source=place)
    return replace(whole, problems=(*whole.problems, *broken)) if broken else whole


def _known(file: SubmissionFile) -> tuple[DetectedFile, Format]:
    content = file.member.read()
    if file.of_one_image and PurePosixPath(file.member.name).suffix.lower() in YOLO_ENDINGS:
        # an empty one is an image without objects, and YOLO's reader tells of one that holds no rows
        return DetectedFile(file.place, as_utf8(content), "text"), YOLO
    detected = detect(file.place, content)
    return detected, format_of(detected)


def _read_one(path: Path, member: Member, reading: FormatReading) -> AnnotationSet:
    plain = _plain_coco(path, member.name, reading) if member.size <= reading.limits.member_bytes else None
    if plain is not None:
        return plain
    detected = detect(member.name, member.read())
    return format_of(detected).read([detected], member.name, reading)


def _plain_coco(path: Path, name: str, reading: FormatReading) -> AnnotationSet | None:
    try:
        with path.open("rb", buffering=0) as stream:
            return read_plain_coco(stream, source=name, like=reading.like, prefer=reading.prefer)
    except OSError as problem:
        raise unreadable(Path(name), problem) from None


def _is_zip(member: Member) -> bool:
    return member.name.lower().endswith(".zip")


def _failing(problem: AssayError) -> Callable[[], AnnotationSet]:
    def fail() -> AnnotationSet:
        raise problem

    return fail
