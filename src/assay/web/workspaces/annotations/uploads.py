"""Uploaded annotations as the engine reads them: found by digest, told of by the names their owners gave them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TypeAlias

from assay.annotations.shapes.annotation_set import AnnotationSet, FileProblem
from assay.errors import AssayError, InputError
from assay.io.annotations.files import list_submissions, read_annotations
from assay.io.archives.archive import Member, is_zip, list_members
from assay.io.archives.image_files import LIMITS, ImageFiles, images_among
from assay.store.ids import content_digest
from assay.store.items import NewItem
from assay.store.schema import Json
from assay.store.uploads import Upload

FileOf: TypeAlias = Callable[[str, str], Path]
"""Digest and ending -> the file, in a cache whose names say nothing of their owners."""
LONGEST_STUDENT = 80


@dataclass(frozen=True, slots=True)
class Stored:
    """An upload as a job carries it."""

    digest: str
    suffix: str
    name: str

    @classmethod
    def of(cls, upload: Upload) -> "Stored":
        return cls(upload.digest, upload.suffix, upload.name)

    @classmethod
    def from_json(cls, content: Json) -> "Stored":
        return cls(content["digest"], content["suffix"], content["name"])

    def as_json(self) -> Json:
        return {"digest": self.digest, "suffix": self.suffix, "name": self.name}

    @property
    def title(self) -> str:
        """The name without its ending: whose file it is, when nothing else says so."""
        return PurePath(self.name).stem or self.name

    def told(self, text: str, path: Path) -> str:
        """A text about the file in our cache, with the name its owner knows."""
        return text.replace(str(path), self.name).replace(path.name, self.name).replace(path.stem, self.title)

    def named(self, annotations: AnnotationSet, path: Path) -> AnnotationSet:
        """The annotations of this file; messages call it by its own name."""
        problems = tuple(
            FileProblem(self.told(p.where, path), self.told(p.what, path), p.count, p.lost)
            for p in annotations.problems
        )
        return replace(annotations, source=self.told(annotations.source, path), problems=problems)


@dataclass(frozen=True, slots=True)
class SubmissionUpload:
    """One student's work in an upload, and how to read it."""

    student: str
    stored: Stored
    place: int
    """Which of the submissions in the upload."""
    read: Callable[[], AnnotationSet]

    @property
    def digest(self) -> str:
        """Stands for the bytes, the place in them and the student: two who hand in one file are still two."""
        return content_digest("submission", self.stored.digest, str(self.place), self.student)

    def item(self, name: str, upload_id: int | None = None) -> NewItem:
        """What a workspace scores, under a name that no other has there."""
        detail = {"is": "submission", "place": self.place, **self.stored.as_json()}
        return NewItem(self.digest, name, detail, name[:LONGEST_STUDENT], upload_id)


def open_truth(stored: Stored, file_of: FileOf, photos: ImageFiles | None) -> AnnotationSet:
    """The ground truth; InputError when it cannot be read or holds nothing to score by."""
    path = file_of(stored.digest, stored.suffix)
    try:
        truth = stored.named(read_annotations(path, images=photos), path)
    except AssayError as problem:
        raise InputError(stored.told(str(problem), path)) from None
    if not len(truth):
        raise InputError(f"{stored.name} holds no annotations, so there is nothing to score by.")
    return truth


def open_images(stored: Sequence[Stored], file_of: FileOf) -> ImageFiles | None:
    """The images of all uploads, loose or in ZIPs; none is read yet. None when there are none."""
    found: list[Member] = []
    for one in stored:
        path = file_of(one.digest, one.suffix)
        try:
            inside = list_members(path, limits=LIMITS)
        except AssayError as problem:
            raise InputError(one.told(str(problem), path)) from None
        found += inside if is_zip(path) else [replace(inside[0], name=PurePath(one.name).name)]
    images = images_among(found)
    return images if len(images) else None


def open_submissions(
    stored: Stored, file_of: FileOf, like: AnnotationSet | None, photos: ImageFiles | None
) -> list[SubmissionUpload]:
    """Every student's work in one upload; a file that cannot be opened is one that fails when it is read."""
    path = file_of(stored.digest, stored.suffix)
    try:
        found = list_submissions(path, like=like, images=photos)
    except AssayError as problem:
        return [SubmissionUpload(stored.title, stored, 0, _failing(stored.told(str(problem), path)))]
    return [
        SubmissionUpload(stored.told(student, path), stored, place, _reading(stored, path, read))
        for place, (student, read) in enumerate(found)
    ]


def _reading(stored: Stored, path: Path, read: Callable[[], AnnotationSet]) -> Callable[[], AnnotationSet]:
    def read_named() -> AnnotationSet:
        try:
            return stored.named(read(), path)
        except AssayError as problem:
            raise InputError(stored.told(str(problem), path)) from None

    return read_named


def _failing(message: str) -> Callable[[], AnnotationSet]:
    def fail() -> AnnotationSet:
        raise InputError(message)

    return fail


def latest(uploads: Sequence[Upload]) -> list[Upload]:
    """The uploads that count: a file of the same name takes the place of the earlier one."""
    return list({upload.name: upload for upload in uploads}.values())


def told_apart(found: Iterable[SubmissionUpload]) -> dict[str, SubmissionUpload]:
    """Everything handed in by a name of its own: the same work twice counts once, a second alice is alice (2)."""
    seen: dict[str, int] = {}
    apart: dict[str, SubmissionUpload] = {}
    for one in {handed_in.digest: handed_in for handed_in in found}.values():
        seen[one.student] = times = seen.get(one.student, 0) + 1
        apart[one.student if times == 1 else f"{one.student} ({times})"] = one
    return apart
