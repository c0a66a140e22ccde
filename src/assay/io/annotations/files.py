"""The front door for annotations on disk: one file, a folder, or a ZIP of one or many students."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from assay.annotations.shapes.annotation_set import AnnotationSet, FileProblem
from assay.errors import AssayError, InputError, MissingExtra
from assay.io import archive
from assay.io.annotations.coco.reader import read_plain_coco
from assay.io.annotations.columns import Prefer
from assay.io.annotations.detect import YOLO, Format, FormatReading, detect, format_of
from assay.io.annotations.joining import joined
from assay.io.annotations.label_studio_tasks import HEAD, annotators_of, may_hold_several, student_of
from assay.io.annotations.yolo_dataset import ENDINGS as YOLO_ENDINGS
from assay.io.annotations.yolo_dataset import yolo_members
from assay.io.archive import Member, named_by, student_of_path
from assay.io.image_files import ImageFiles, images_among
from assay.io.json_text import as_utf8

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
    limits: archive.Limits = archive.LIMITS,
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


def each_submission(paths: Sequence[Path], reading: FormatReading) -> Iterator[Submission]:
    """What each student handed in: files, folders, and ZIPs with one or many students' files or ZIPs.

    Each is read when it is asked for. A file that cannot be read becomes a submission with its error, and does not stop
    the others. Students are named after the file, or the folder or ZIP it lies in when a tool named the file; no two
    have the same name: the second alice is alice (2).
    """
    seen: Counter[str] = Counter()
    for path in paths:
        for student, read in _or_failing(path, replace(reading, annotators_apart=True)):
            seen[student] += 1
            name = student if seen[student] == 1 else f"{student} ({seen[student]})"
            try:
                yield Submission(name, read())
            except MissingExtra:
                raise
            except AssayError as problem:
                yield Submission(name, None, str(problem))


def _or_failing(path: Path, reading: FormatReading) -> Iterator[Pending]:
    """Every student of a path; one that cannot be opened is one whose work cannot be read."""
    try:
        yield from _submissions(path, reading)
    except MissingExtra:
        raise
    except AssayError as problem:
        yield Path(path).stem, partial(_fail, problem)


def _fail(problem: AssayError) -> AnnotationSet:
    raise problem


def list_submissions(
    path: Path, *, like: AnnotationSet | None = None, images: ImageFiles | None = None, name: str = ""
) -> list[Pending]:
    """Each student of a file, folder or ZIP with how to read what they handed in; names may repeat."""
    return list(_submissions(path, FormatReading(like, images=images, annotators_apart=True), name))


def _submissions(path: Path, reading: FormatReading, name: str = "") -> Iterator[Pending]:
    """Student and how to read what they handed in, for all of a path; `name` is what it is called."""
    path = Path(path)
    members = archive.list_members(path, limits=reading.limits, name=name)
    called = Path(name) if name else path
    if path.is_file() and not archive.is_zip(path):
        try:
            with path.open("rb") as stream:
                likely = may_hold_several(stream.read(HEAD))
        except OSError:  # reading it will tell
            likely = False
        yield from _each_annotator(named_by(called), members[0], partial(_read_one, path, members[0]), reading, likely)
        return
    submissions = _in_folder(members, named_by(called), called.name, reading, depth=1 if path.is_file() else 0)
    first = next(submissions, None)
    if first is None:
        problem = f"it holds no annotations, but {len(members)} other files"
        raise InputError(problem, source=name or path, remedy="Hand in .json or .xml files, or labels of YOLO.")
    yield first
    yield from submissions


def _in_folder(
    members: Sequence[Member], owner: str, place: str, reading: FormatReading, *, depth: int
) -> Iterator[Pending]:
    texts = [SubmissionFile(m, owner, f"{place}/{m.name}", of_one_image=True) for m in yolo_members(members)]
    if texts and reading.images is None:
        reading = replace(reading, images=images_among(members))
    yield from _by_student([*_marked(members, owner, place), *texts], reading)
    for zipped in members:
        if zipped.name.lower().endswith(".zip"):
            yield from _in_zip(zipped, f"{place}/{zipped.name}", reading, depth=depth + 1)


def _marked(members: Sequence[Member], owner: str, place: str) -> list[SubmissionFile]:
    """The files that may be annotations, those of one image known; a broken one belongs to the others of its folder."""
    per_image: dict[SubmissionFile, bool | None] = {}
    paths = {member: PurePosixPath(member.name) for member in members}
    for member, path in paths.items():
        if path.suffix.lower() in archive.ENDINGS:
            file = SubmissionFile(member, owner, f"{place}/{member.name}")
            try:
                per_image[file] = format_of(detect(file.place, member.read())).per_image
            except InputError:  # reading it will tell
                per_image[file] = None
    folder = {file: (paths[file.member].parent, paths[file.member].suffix.lower()) for file in per_image}
    with_images = {folder[file] for file, known in per_image.items() if known}
    return [
        replace(file, of_one_image=bool(known) or (known is None and folder[file] in with_images))
        for file, known in per_image.items()
    ]


def _in_zip(zipped: Member, place: str, reading: FormatReading, *, depth: int) -> Iterator[Pending]:
    student = PurePosixPath(zipped.name).stem
    try:
        members = archive.nested_members(zipped, depth=depth, limits=reading.limits)
        inside = list(_in_folder(members, student, place, reading, depth=depth))
        if not inside:
            raise InputError("it holds no annotations", source=place, remedy="Hand in .json or .xml files.")
    except MissingExtra:
        raise
    except AssayError as problem:
        yield student, partial(_fail, problem)
        return
    if len(inside) == 1 and not any(m.name.lower().endswith(".zip") for m in members):
        yield student, inside[0][1]  # the only file is the student's, whatever the tool called it
    else:
        yield from inside


def _by_student(handed_in: Sequence[SubmissionFile], reading: FormatReading) -> Iterator[Pending]:
    """One submission per file; but files named by a tool, or after images, are parts of the student's submission."""
    submissions: dict[tuple[str, str], list[SubmissionFile]] = {}
    for file in handed_in:
        path = PurePosixPath(file.member.name)
        inside = str(path.parent / "annotations") if file.of_one_image else file.member.name
        student = student_of_path(inside, file.owner)
        own_name = student == path.stem and not file.of_one_image
        submissions.setdefault((student, file.member.name if own_name else ""), []).append(file)
    for (student, _), files in submissions.items():
        if len(files) == 1 and not files[0].of_one_image:
            likely = files[0].member.name.lower().endswith(".json")
            yield from _each_annotator(student, files[0].member, partial(_read_all, files), reading, likely)
        else:
            yield student, partial(_read_all, files, reading)


def _each_annotator(
    student: str, member: Member, read: Callable[[FormatReading], AnnotationSet], reading: FormatReading, likely: bool
) -> Iterator[Pending]:
    """One submission, or as many as annotators worked on the same tasks of what is `likely` Label Studio's."""
    names = annotators_of(member.read(), member.name) if likely and reading.annotators_apart else ()
    if not names:
        yield student, partial(read, reading)
    for name in names:
        yield student_of(name), partial(read, replace(reading, annotator=name))


def _read_all(files: Sequence[SubmissionFile], reading: FormatReading) -> AnnotationSet:
    per_image: dict[Format, list[tuple[str, bytes]]] = {}
    sets: list[AnnotationSet] = []
    broken: list[FileProblem] = []
    for file in files:
        try:
            content = file.member.read()
            if file.of_one_image and PurePosixPath(file.member.name).suffix.lower() in YOLO_ENDINGS:
                # an empty one is an image without objects, and YOLO's reader tells of one that holds no rows
                text, form = as_utf8(content), YOLO
            else:
                detected = detect(file.place, content)
                text, form = detected.content, format_of(detected)
        except InputError as problem:
            if not file.of_one_image or len(files) == 1:
                raise
            broken.append(FileProblem(file.place, f"a file cannot be read: {problem}", lost=True))
            continue
        if form.per_image:
            per_image.setdefault(form, []).append((file.place, text))
        else:
            sets.append(form.read([(file.place, text)], file.place, reading))
    place = str(PurePosixPath(files[0].place).parent)
    sets += [form.read(same, place, reading) for form, same in per_image.items()]
    whole = joined(sets, source=place)
    return replace(whole, problems=(*whole.problems, *broken)) if broken else whole


def _read_one(path: Path, member: Member, reading: FormatReading) -> AnnotationSet:
    if member.size <= reading.limits.member_bytes:
        try:
            with path.open("rb", buffering=0) as stream:
                plain = read_plain_coco(stream, source=member.name, like=reading.like, prefer=reading.prefer)
        except OSError as problem:
            raise archive.unreadable(Path(member.name), problem) from None
        if plain is not None:
            return plain
    detected = detect(member.name, member.read())
    return format_of(detected).read([(member.name, detected.content)], member.name, reading)
