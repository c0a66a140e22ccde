"""What people pass to a verb about annotations: paths, or sets that were read already; rules; images."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from assay import __version__
from assay.annotations.rubric.infer import suggest_rubric
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.errors import Field, InputError, refuse_pipe
from assay.io.annotations.detect import FormatReading
from assay.io.annotations.files import Submission, each_submission, read_annotations
from assay.io.annotations.rubric_toml import read_rubric
from assay.io.annotations.servers import is_address, pulled
from assay.io.archive import is_zip, list_members
from assay.io.image_files import LIMITS, ImageFiles, images_among, read_images
from assay.provenance import Provenance, created

PathLikeStr: TypeAlias = str | PathLike[str]
AnnotationsLike: TypeAlias = PathLikeStr | AnnotationSet
"""A file, folder or ZIP in any format that is known, a project on a server, or a set that was read already."""
SubmissionsLike: TypeAlias = PathLikeStr | Sequence[PathLikeStr] | Mapping[str, AnnotationsLike]
"""A path of one or many students, several of them, or what each student handed in by name."""
RulesLike: TypeAlias = PathLikeStr | Rubric
"""A file of rules, or rules."""
PROFILE = "annotator-ai-1.0"


def annotations_of(annotations: AnnotationsLike, images: ImageFiles | None) -> AnnotationSet:
    """The annotations of a path or of a project on a server, or those that were given."""
    if isinstance(annotations, AnnotationSet):
        return annotations
    if is_address(annotations):
        with pulled(annotations) as path:
            return replace(read_annotations(path, images=images), source=str(annotations))
    return read_annotations(Path(annotations), images=images)


def submissions_of(
    submissions: SubmissionsLike, *, like: AnnotationSet | None, images: ImageFiles | None
) -> Iterator[Submission]:
    """What each student handed in, each read when it is asked for; a file that cannot be read has its error."""
    reading = FormatReading(like, images=images)
    if isinstance(submissions, str | PathLike):
        return _each_given([submissions], reading)
    if not isinstance(submissions, Mapping):
        return _each_given(submissions, reading)

    def submission_of(name: str, given: AnnotationsLike) -> Submission:
        if isinstance(given, AnnotationSet):
            return Submission(name, given)
        (first, *others) = each_submission([Path(given)], reading)
        if others:
            problem = "holds the work of several students"
            raise InputError(problem, source=given, field="submissions", remedy="Name one.")
        return Submission(name, first.annotations, first.error)

    return (submission_of(name, given) for name, given in submissions.items())


def _each_given(paths: Sequence[PathLikeStr], reading: FormatReading) -> Iterator[Submission]:
    """The submissions of paths, and of projects on servers, which come as a file for as long as they are read."""
    if not any(map(is_address, paths)):
        yield from each_submission([Path(path) for path in paths], reading)
        return
    with ExitStack() as files:
        opened = [files.enter_context(pulled(path)) if is_address(path) else Path(path) for path in paths]
        yield from each_submission(opened, reading)


def given_paths(*given: object) -> list[Path]:
    """Every path among some arguments, for the record of what a result was made from."""
    paths: list[Path] = []
    for one in given:
        if isinstance(one, str | PathLike):
            paths.append(Path(one))
        elif isinstance(one, Mapping):
            paths += given_paths(*one.values())
        elif isinstance(one, Sequence):
            paths += given_paths(*one)
    return paths


def opened_images(images: PathLikeStr | ImageFiles | None) -> ImageFiles | None:
    """The images of a folder or ZIP, if one was given."""
    return images if images is None or isinstance(images, ImageFiles) else read_images(Path(images))


def images_beside(truth: AnnotationsLike) -> Path | None:
    """The ground truth's own folder or ZIP, if images lie in it: then they need not be given apart."""
    if isinstance(truth, AnnotationSet) or not Path(truth).exists():
        return None
    path = Path(truth)
    holds_files = path.is_dir() or is_zip(path)
    return path if holds_files and len(images_among(list_members(path, limits=LIMITS))) else None


def rubric_of(truth: AnnotationSet, rules: RulesLike | None, profile: str | None = None) -> Rubric:
    """The rules that were given, or those that the ground truth suggests."""
    if rules is None:
        return suggest_rubric(truth, profile or PROFILE)
    if profile is not None:
        problem = ("Both ", Field("rules"), " and ", Field("profile"), " are given")
        remedy = ("Leave ", Field("profile"), " out: rules name their own profile.")
        raise InputError(problem, field="profile", remedy=remedy)
    return read_rules(rules)


def read_rules(rules: RulesLike) -> Rubric:
    """The rules of a file, or those that were given."""
    if isinstance(rules, Rubric):
        return rules
    path = Path(rules)
    refuse_pipe(path, field="rules")
    try:
        return read_rubric(path.read_text(encoding="utf-8"), source=path.name)
    except OSError as problem:
        raise InputError(f"cannot be read: {problem.strerror}", source=path, field="rules") from None
    except UnicodeDecodeError:
        raise InputError("is not text in UTF-8", source=path, field="rules", remedy="Save it as UTF-8.") from None


def provenance_of(command: str, paths: Sequence[Path]) -> Provenance:
    """What a result was made from, and when."""
    digests = {name: digest for path in paths for name, digest in _digests(path).items()}
    return Provenance(__version__, command, digests, 0, created())


MOST_DIGESTS = 2_000
"""Files of a folder that are listed one by one; a larger folder has one digest of all."""


def _digests(path: Path) -> dict[str, str]:
    """Path -> SHA-256, of every file of a folder."""
    files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else []
    return {str(file): _digest(file) for file in (files if 0 < len(files) <= MOST_DIGESTS else [path])}


def refuse_other_images(images: ImageFiles | None, truth: AnnotationSet) -> None:
    """InputError when none of the images that are given is one of the ground truth."""
    if images is None or not truth.images or any(images.member(image.name) for image in truth.images):
        return
    one, given = truth.images[0].name, next(iter(images.by_path), "")
    problem = f"none of the images belongs to the ground truth: it speaks of {one!r}, and the images are {given!r}"
    problem += " and others" if len(images) > 1 else ""
    raise InputError(problem, field="images", remedy="Give the images that were annotated, or none.")


def _digest(path: Path) -> str:
    """SHA-256 of a file; of a folder, over the names and contents of its files in order. Empty if it is not there."""
    digest = sha256()
    for file in sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]:
        if path.is_dir():
            digest.update(file.relative_to(path).as_posix().encode() + b"\0")
        try:
            with file.open("rb") as stream:
                while part := stream.read(1 << 20):
                    digest.update(part)
        except OSError:
            return ""
    return digest.hexdigest()
