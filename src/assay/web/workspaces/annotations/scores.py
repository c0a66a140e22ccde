"""The ground truth, the images and the scores of a workspace, read when a page needs them and remembered."""

from collections.abc import Sequence
from pathlib import Path

from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import grade_submission
from assay.annotations.matching.prepared_truth import PreparedTruth, prepare_truth
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.errors import InputError
from assay.io.annotations.rubric_toml import read_rubric
from assay.io.image_files import ImageFiles
from assay.store.blobs import blob_file
from assay.store.database import Connection
from assay.store.ids import content_digest
from assay.store.items import Item
from assay.store.uploads import Upload, workspace_uploads
from assay.store.workspaces import Workspace
from assay.web.site import Site
from assay.web.thread_safe_cache import ThreadSafeCache
from assay.web.workspaces.annotations.uploads import (
    FileOf,
    Stored,
    SubmissionUpload,
    latest,
    open_images,
    open_submissions,
    open_truth,
)
from assay.web.workspaces.stored_settings import AnnotationSettings, AnnotationTask

_TRUTHS: ThreadSafeCache[AnnotationSet] = ThreadSafeCache(8)
_PREPARED: ThreadSafeCache[PreparedTruth] = ThreadSafeCache(8)
_IMAGES: ThreadSafeCache[ImageFiles | None] = ThreadSafeCache(8)
_OPENED: ThreadSafeCache[list[SubmissionUpload]] = ThreadSafeCache(16)
_SCORES: ThreadSafeCache[SubmissionScore] = ThreadSafeCache(48)


def file_of(site: Site, connection: Connection | None = None) -> FileOf:
    """How uploads become files; within a transaction that has just kept them, through its connection."""

    def find(digest: str, suffix: str) -> Path:
        if connection is not None:
            return blob_file(connection, digest, suffix, site.settings.cache)
        with site.database.reading() as reading:
            return blob_file(reading, digest, suffix, site.settings.cache)

    return find


def workspace_images(site: Site, workspace_id: str, connection: Connection | None = None) -> ImageFiles | None:
    """The images of a workspace, found by name."""
    stored = _stored_images(site, workspace_id, connection)
    return _IMAGES.get(_key(stored), lambda: open_images(stored, file_of(site, connection)))


def _stored_images(site: Site, workspace_id: str, connection: Connection | None) -> list[Stored]:
    return [Stored.of(upload) for upload in _uploads(site, workspace_id, "images", connection)]


def _key(stored: Sequence[Stored]) -> str:
    return content_digest(*(part for one in stored for part in (one.digest, one.name)))


def truth_upload(site: Site, workspace_id: str, connection: Connection | None = None) -> Upload | None:
    """The ground truth that counts: the last one given."""
    uploads = _uploads(site, workspace_id, "truth", connection)
    return uploads[-1] if uploads else None


def submission_uploads(site: Site, workspace_id: str, connection: Connection | None = None) -> list[Upload]:
    return latest(_uploads(site, workspace_id, "submissions", connection))


def _uploads(site: Site, workspace_id: str, role: str, connection: Connection | None) -> list[Upload]:
    if connection is not None:
        return workspace_uploads(connection, workspace_id, role)
    with site.database.reading() as reading:
        return workspace_uploads(reading, workspace_id, role)


def workspace_truth(site: Site, workspace_id: str, connection: Connection | None = None) -> AnnotationSet:
    """The ground truth of a workspace."""
    upload = truth_upload(site, workspace_id, connection)
    if upload is None:
        raise InputError("This workspace has no ground truth yet. Upload it first.")
    stored = Stored.of(upload)
    photos = workspace_images(site, workspace_id, connection)
    key = _key([stored, *_stored_images(site, workspace_id, connection)])
    return _TRUTHS.get(key, lambda: open_truth(stored, file_of(site, connection), photos))


def rules_of(workspace: Workspace) -> Rubric:
    """The rules that hold."""
    return read_rubric(AnnotationSettings.of(workspace).rules)


def original_score(site: Site, workspace: Workspace, item: Item) -> SubmissionScore:
    """A submission's score by the rules alone, as the worker made it: from the same bytes, by the same code."""
    engine = workspace.engine
    return _SCORES.get(f"{engine} {item.digest}", lambda: _scored(site, workspace, item, engine))


def _scored(site: Site, workspace: Workspace, item: Item, engine: str) -> SubmissionScore:
    truth = workspace_truth(site, workspace.id)
    prepared = _PREPARED.get(engine, lambda: prepare_truth(truth, rules_of(workspace)))
    photos = workspace_images(site, workspace.id)
    task = AnnotationTask.from_json(item.detail)
    stored = Stored.of(task)
    key = f"{engine} {stored.digest} {stored.name}"
    works = _OPENED.get(key, lambda: open_submissions(stored, file_of(site), truth, photos))
    if task.place >= len(works):
        raise InputError(f"{stored.name} no longer holds this submission. Upload it again.")
    return grade_submission(prepared, works[task.place].read())
