"""Uploaded annotations as the engine reads them: found by digest, named as their owners named them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath
from typing import TypeAlias

from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.errors import AssayError, InputError, MissingExtra
from assay.io.annotations.files import list_submissions, read_annotations
from assay.io.archive import Member, list_members
from assay.io.image_files import LIMITS, ImageFiles, images_among
from assay.store.ids import content_digest
from assay.store.items import NewItem
from assay.store.schema import Json
from assay.store.uploads import Upload
from assay.web.workspaces.stored_settings import AnnotationTask, StoredFile

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
    def of(cls, upload: Upload | StoredFile | AnnotationTask) -> "Stored":
        return cls(upload.digest, upload.suffix, upload.name)

    def as_json(self) -> Json:
        return {"digest": self.digest, "suffix": self.suffix, "name": self.name}

    @property
    def title(self) -> str:
        """The name without its ending: whose file it is, when nothing else says so."""
        return PurePath(self.name).stem or self.name

    @property
    def file_name(self) -> str:
        """What readers call the file in messages."""
        return PurePath(self.name).name or self.name


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
        truth = read_annotations(path, images=photos, name=stored.file_name)
    except MissingExtra as problem:
        raise InputError(str(problem), source=stored.name) from None
    if not len(truth):
        raise InputError("holds no annotations, so there is nothing to score by", source=stored.name, field="truth")
    return truth


def open_images(stored: Sequence[Stored], file_of: FileOf) -> ImageFiles | None:
    """The images of all uploads, loose or in ZIPs; none is read yet. None when there are none."""
    members: list[Member] = []
    for one in stored:
        path = file_of(one.digest, one.suffix)
        members += list_members(path, limits=LIMITS, name=one.file_name)
    images = images_among(members)
    return images if len(images) else None


def open_submissions(
    stored: Stored, file_of: FileOf, like: AnnotationSet | None, photos: ImageFiles | None
) -> list[SubmissionUpload]:
    """Every student's work in one upload; a file that cannot be opened is one that fails when it is read."""
    path = file_of(stored.digest, stored.suffix)
    try:
        students = list_submissions(path, like=like, images=photos, name=stored.file_name)
    except AssayError as problem:
        return [SubmissionUpload(stored.title, stored, 0, partial(_fail, problem, stored))]
    return [
        SubmissionUpload(student, stored, place, partial(_read, read, stored))
        for place, (student, read) in enumerate(students)
    ]


def _read(read: Callable[[], AnnotationSet], stored: Stored) -> AnnotationSet:
    try:
        return read()
    except MissingExtra as problem:
        return _fail(problem, stored)


def _fail(problem: AssayError, stored: Stored) -> AnnotationSet:
    raise problem if isinstance(problem, InputError) else InputError(str(problem), source=stored.name)


def latest(uploads: Sequence[Upload]) -> list[Upload]:
    """The uploads that count: a file of the same name takes the place of the earlier one."""
    return list({upload.name: upload for upload in uploads}.values())


def with_unique_names(uploads: Iterable[SubmissionUpload]) -> dict[str, SubmissionUpload]:
    """Everything handed in by a name of its own: the same work twice counts once, a second alice is alice (2)."""
    seen: dict[str, int] = {}
    named: dict[str, SubmissionUpload] = {}
    for one in {upload.digest: upload for upload in uploads}.values():
        seen[one.student] = times = seen.get(one.student, 0) + 1
        named[one.student if times == 1 else f"{one.student} ({times})"] = one
    return named
