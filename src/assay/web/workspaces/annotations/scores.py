"""Uploaded annotations as the engine reads them, and the ground truth, images and scores of a workspace, remembered."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath

from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import grade_submission
from assay.annotations.matching.prepared_truth import PreparedTruth, prepare_truth
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.errors import AssayError, InputError, MissingExtra
from assay.io.annotations.rubric_toml import read_rubric
from assay.io.annotations.uploads import (
    Place,
    images_of,
    read_uploaded_submission,
    read_uploaded_truth,
    uploaded_students,
)
from assay.io.image_files import ImageFiles
from assay.store.blobs import Upload, workspace_uploads
from assay.store.items import Item, NewItem
from assay.store.schema import Connection, content_digest
from assay.store.workspaces import Workspace
from assay.web.site import Site, ThreadSafeCache
from assay.web.workspaces.export_files import FileOf, file_of
from assay.web.workspaces.stored_settings import AnnotationSettings, AnnotationTask, StoredFile

LONGEST_STUDENT = 80


@dataclass(frozen=True, slots=True)
class SubmissionUpload:
    """One student's work in an upload, and how to read it."""

    student: str
    stored: StoredFile
    place: int
    """Which of the submissions in the upload."""
    read: Callable[[], AnnotationSet]

    @property
    def digest(self) -> str:
        """Stands for the bytes, the place in them and the student: two who hand in one file are still two."""
        return content_digest("submission", self.stored.digest, str(self.place), self.student)

    def item(self, name: str, upload_id: int | None = None) -> NewItem:
        """What a workspace scores, under a name that no other has there."""
        detail = {"is": "submission", "place": self.place, **self.stored.to_json()}
        return NewItem(self.digest, name, detail, name[:LONGEST_STUDENT], upload_id)


def place_of(stored: StoredFile, file_of: FileOf) -> Place:
    """Where an upload lies, and its name."""
    return file_of(stored.digest, stored.suffix), stored.file_name


def open_truth(stored: StoredFile, file_of: FileOf, images: Sequence[StoredFile]) -> AnnotationSet:
    """The ground truth; InputError when it cannot be read or holds nothing to score by."""
    try:
        truth = read_uploaded_truth(place_of(stored, file_of), tuple(place_of(image, file_of) for image in images))
    except MissingExtra as problem:
        raise InputError(str(problem), source=stored.name) from None
    if not len(truth):
        raise InputError("holds no annotations, so there is nothing to score by", source=stored.name, field="truth")
    return truth


def open_images(stored: Sequence[StoredFile], file_of: FileOf) -> ImageFiles | None:
    """The images of all uploads, loose or in ZIPs; none is read yet. None when there are none."""
    return images_of(tuple(place_of(one, file_of) for one in stored))


def open_submissions(
    stored: StoredFile, file_of: FileOf, truth: StoredFile, images: Sequence[StoredFile]
) -> list[SubmissionUpload]:
    """Every student's work in one upload; a file that cannot be opened is one that fails when it is read."""
    file, like = place_of(stored, file_of), place_of(truth, file_of)
    photos = tuple(place_of(image, file_of) for image in images)

    def read_or_fail(number: int, problem: AssayError | None = None) -> AnnotationSet:
        try:
            if problem is None:
                return read_uploaded_submission(file, number, like, photos)
        except MissingExtra as missing:
            problem = missing
        raise problem if isinstance(problem, InputError) else InputError(str(problem), source=stored.name)

    try:
        students = uploaded_students(file, like, photos)
    except AssayError as problem:
        title = PurePath(stored.name).stem or stored.name  # whose file it is: nothing else says so
        return [SubmissionUpload(title, stored, 0, partial(read_or_fail, 0, problem))]
    return [SubmissionUpload(name, stored, place, partial(read_or_fail, place)) for place, name in enumerate(students)]


def with_unique_names(uploads: Iterable[SubmissionUpload]) -> dict[str, SubmissionUpload]:
    """Everything handed in by a name of its own: the same work twice counts once, a second alice is alice (2)."""
    seen: dict[str, int] = {}
    named: dict[str, SubmissionUpload] = {}
    for one in {upload.digest: upload for upload in uploads}.values():
        seen[one.student] = times = seen.get(one.student, 0) + 1
        named[one.student if times == 1 else f"{one.student} ({times})"] = one
    return named


_TRUTHS: ThreadSafeCache[AnnotationSet] = ThreadSafeCache(8)
_PREPARED: ThreadSafeCache[PreparedTruth] = ThreadSafeCache(8)
_IMAGES: ThreadSafeCache[ImageFiles | None] = ThreadSafeCache(8)
_OPENED: ThreadSafeCache[list[SubmissionUpload]] = ThreadSafeCache(16)
_SCORES: ThreadSafeCache[SubmissionScore] = ThreadSafeCache(48)


def _uploads(site: Site, workspace_id: str, role: str, connection: Connection | None) -> list[Upload]:
    if connection is not None:
        return workspace_uploads(connection, workspace_id, role)
    return site.database.read(workspace_uploads, workspace_id, role)


def _key(uploads: Iterable[Upload]) -> str:
    return content_digest(*(words for upload in uploads for words in (upload.digest, upload.name)))


def workspace_images(site: Site, workspace_id: str, connection: Connection | None = None) -> ImageFiles | None:
    """The images of a workspace, found by name."""
    uploads = _uploads(site, workspace_id, "images", connection)
    stored = [StoredFile.of(upload) for upload in uploads]
    return _IMAGES.get(_key(uploads), lambda: open_images(stored, file_of(site, connection)))


def truth_upload(site: Site, workspace_id: str, connection: Connection | None = None) -> Upload | None:
    """The ground truth that counts: the last one given."""
    uploads = _uploads(site, workspace_id, "truth", connection)
    return uploads[-1] if uploads else None


def files_beside(site: Site, workspace_id: str) -> tuple[StoredFile, list[StoredFile]]:
    """The ground truth and the images of a workspace, as they are stored."""
    truth = truth_upload(site, workspace_id)
    if truth is None:
        raise InputError("This workspace has no ground truth yet. Upload it first.")
    return StoredFile.of(truth), [StoredFile.of(image) for image in _uploads(site, workspace_id, "images", None)]


def submission_uploads(site: Site, workspace_id: str) -> list[Upload]:
    """The uploads that count: a file of the same name takes the place of the earlier one."""
    uploads = _uploads(site, workspace_id, "submissions", None)
    return list({upload.name: upload for upload in uploads}.values())


def workspace_truth(site: Site, workspace_id: str, connection: Connection | None = None) -> AnnotationSet:
    """The ground truth of a workspace."""
    upload = truth_upload(site, workspace_id, connection)
    if upload is None:
        raise InputError("This workspace has no ground truth yet. Upload it first.")
    images = _uploads(site, workspace_id, "images", connection)
    stored = [StoredFile.of(image) for image in images]
    key = _key([upload, *images])
    return _TRUTHS.get(key, lambda: open_truth(StoredFile.of(upload), file_of(site, connection), stored))


def rules_of(workspace: Workspace) -> Rubric:
    """The rules that hold."""
    return read_rubric(AnnotationSettings.of(workspace).rules)


def original_score(site: Site, workspace: Workspace, item: Item) -> SubmissionScore:
    """A submission's score by the rules alone, as the worker made it: from the same bytes, by the same code."""
    engine = workspace.engine

    def grade() -> SubmissionScore:
        truth, task = workspace_truth(site, workspace.id), AnnotationTask.from_json(item.detail)
        prepared = _PREPARED.get(engine, lambda: prepare_truth(truth, rules_of(workspace)))
        stored, beside = StoredFile.of(task), files_beside(site, workspace.id)
        key = f"{engine} {stored.digest} {stored.name}"
        works = _OPENED.get(key, lambda: open_submissions(stored, file_of(site), *beside))
        if task.place >= len(works):
            raise InputError(f"{stored.name} no longer holds this submission. Upload it again.")
        return grade_submission(prepared, works[task.place].read())

    return _SCORES.get(f"{engine} {item.digest}", grade)
