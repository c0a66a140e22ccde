"""The front door for annotations on disk: one file, a folder, or a ZIP of one or many students."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from assay.annotations.shapes.annotation_set import AnnotationSet, FileProblem
from assay.errors import AssayError, InputError, MissingExtra, input_errors, reader
from assay.execution.limits import check
from assay.io import archive
from assay.io.annotations.coco.reader import read_plain_coco
from assay.io.annotations.columns import Prefer
from assay.io.annotations.datasets.text_rows import row_members
from assay.io.annotations.detect import ROW_FORMATS, YOLO, Format, FormatReading, defines_classes, detect, format_of
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
    rows: str = ""
    """The data set whose rows it holds, for files that do not show it themselves."""
    of_owner: bool = False
    """Whether it is a part of everything that was handed in, whatever folder it lies in."""


@reader
def read_annotations(
    path: Path,
    *,
    like: AnnotationSet | None = None,
    prefer: Prefer = "shape",
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
    sets = list(_submissions(path, FormatReading(like, prefer, annotator, images), name))
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
                with input_errors(path):
                    annotations = read()
            except MissingExtra:
                raise
            except AssayError as problem:
                yield Submission(name, None, str(problem))
            else:
                yield Submission(name, annotations)


def _or_failing(path: Path, reading: FormatReading) -> Iterator[Pending]:
    """Every student of a path; one that cannot be opened is one whose work cannot be read."""
    try:
        with input_errors(path):
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
    members = archive.list_members(path, name=name)
    called = Path(name) if name else path
    if path.is_file() and not archive.is_zip(path):
        likely = may_hold_several(archive.head_of(path, HEAD))
        yield from _each_annotator(named_by(called), members[0], partial(_read_one, path, members[0]), reading, likely)
        return
    submissions = _in_folder(members, named_by(called), called.name, reading, depth=1 if path.is_file() else 0)
    first = next(submissions, None)
    if first is None:
        problem = f"it holds no annotations, but {len(members)} other files"
        raise InputError(
            problem, source=name or path, remedy="Hand in .json or .xml files, or labels of YOLO, KITTI or MOT."
        )
    yield first
    students = {first[0]}
    for student, read in submissions:
        students.add(student)
        yield student, read
    if reading.annotators_apart and students != {named_by(called)}:
        yield from _passed_over(members, called.name)


NOT_HANDED_IN = ("readme", "license", "licence", "thumbs.db", "desktop.ini", "__macosx", ".")
"""How names begin that nobody handed in: notes of tools, what a system leaves behind."""
PARTS_OF_TOOLS = (".yaml", ".yml", ".names", ".data")


def _passed_over(members: Sequence[Member], place: str) -> Iterator[Pending]:
    """Files and folders of a class that hold nothing like annotations: whoever handed them in should hear of it."""
    rows = {row.member.name for row in row_members(members)}
    annotations = rows | {member.name for member in yolo_members(members)}
    tops: dict[str, list[Member]] = {}
    for member in members:
        tops.setdefault(PurePosixPath(member.name).parts[0], []).append(member)
    for top, files in tops.items():
        names = [PurePosixPath(file.name) for file in files]
        alone = len(names) == 1 and len(names[0].parts) == 1
        if top.lower().startswith(NOT_HANDED_IN) or (alone and names[0].suffix.lower() in PARTS_OF_TOOLS):
            continue
        if any(n.suffix.lower() in {*archive.ENDINGS, ".zip"} or str(n) in annotations for n in names):
            continue
        images = len(images_among(files))
        if images == len(files) and (alone or top.lower() in archive.SAID_BY_TOOLS):
            continue
        if alone:
            problem = "it is no file of annotations"
        else:
            problem = f"it holds no annotations, but {len(files)} other file{'' if len(files) == 1 else 's'}"
        remedy = "Hand in .json or .xml files, or labels of YOLO."
        stem = names[0].stem if alone else top
        yield stem, partial(_fail, InputError(problem, source=f"{place}/{top}", remedy=remedy))


def _in_folder(
    members: Sequence[Member], owner: str, place: str, reading: FormatReading, *, depth: int
) -> Iterator[Pending]:
    rows = {row.member: row for row in row_members(members)}
    texts = [
        SubmissionFile(m, owner, f"{place}/{m.name}", row.of_one_image, row.format, row.of_owner)
        for m, row in rows.items()
    ]
    others = [member for member in members if member not in rows]
    texts += [SubmissionFile(m, owner, f"{place}/{m.name}", of_one_image=True) for m in yolo_members(others)]
    # labels of YOLO and Open Images state no sizes, and the segments of COCO panoptic are images
    if reading.images is None and (texts or any(m.name.lower().endswith(".png") for m in members)):
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
                with input_errors(file.place):
                    detected = detect(file.place, member.read())
                    if defines_classes(detected):
                        continue
                    per_image[file] = format_of(detected).per_image
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
        with input_errors(place):
            members = archive.nested_members(zipped, depth=depth)
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
        inside = (
            "annotations.json" if file.of_owner else str(PurePosixPath(inside).with_suffix("")) if file.rows else inside
        )
        student = student_of_path(inside, file.owner)
        own_name = student == path.stem and not file.of_one_image and not file.of_owner
        submissions.setdefault((student, file.member.name if own_name else ""), []).append(file)
    for (student, _), files in submissions.items():
        match files:
            case [file] if not file.of_one_image:
                likely = file.member.name.lower().endswith(".json")
                yield from _each_annotator(student, file.member, partial(_read_all, files), reading, likely)
            case _:
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
            with input_errors(file.place):
                text, form = _text_and_format(file)
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


def _text_and_format(file: SubmissionFile) -> tuple[bytes, Format]:
    check("annotation_bytes", file.member.size, file.place)
    content = file.member.read()
    if file.rows:
        return as_utf8(content), ROW_FORMATS[file.rows]
    if file.of_one_image and PurePosixPath(file.member.name).suffix.lower() in YOLO_ENDINGS:
        # an empty one is an image without objects, and YOLO's reader tells of one that holds no rows
        return as_utf8(content), YOLO
    detected = detect(file.place, content)
    return detected.content, format_of(detected)


def _read_one(path: Path, member: Member, reading: FormatReading) -> AnnotationSet:
    check("annotation_bytes", member.size, member.name)
    try:
        with path.open("rb", buffering=0) as stream:
            plain = read_plain_coco(stream, source=member.name, like=reading.like, prefer=reading.prefer)
    except OSError as problem:
        raise archive.unreadable(Path(member.name), problem) from None
    if plain is not None:
        return plain
    detected = detect(member.name, member.read())
    return format_of(detected).read([(member.name, detected.content)], member.name, reading)
