"""Annotations in a workspace: files come in, rules are inferred, scoring starts, people decide."""

import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from io import BytesIO
from pathlib import PurePath
from shlex import quote
from typing import BinaryIO

import numpy as np

from assay import __version__
from assay.annotations.rubric.rubric import Rubric
from assay.annotations.shapes.annotation_set import AnnotationSet, image_sizes
from assay.errors import InputError
from assay.io.annotations.rubric_toml import read_rubric, rubric_toml
from assay.io.tables.output import zip_entry
from assay.store.blobs import Upload, workspace_uploads
from assay.store.items import Item, NewItem, find_item_id
from assay.store.jobs import JobPiece
from assay.store.overrides import reviewed
from assay.store.schema import Connection, Json, content_digest
from assay.store.workspaces import Workspace, hold_workspace
from assay.web.problems import FieldErrors
from assay.web.site import Site
from assay.web.visitors import Visitor
from assay.web.workspaces import scoring
from assay.web.workspaces.annotations import scores
from assay.web.workspaces.annotations.review import carry_to_scored
from assay.web.workspaces.annotations.view import as_json
from assay.web.workspaces.export_files import file_of
from assay.web.workspaces.scoring import WorkspaceContext
from assay.web.workspaces.stored_settings import AnnotationSettings, RulesRequest, StoredFile
from assay.workflows.annotations.rules import rules as infer_rules

TOGETHER = "annotations-together"
"""The kind of a job that only makes the report of all."""
ROLES = ("truth", "submissions", "images")
Files = scoring.NamedFiles


def new_annotations(
    site: Site, files: Mapping[str, Files], who: Visitor, *, title: str = "", example: bool = False
) -> WorkspaceContext:
    """A workspace from what was given under each role; scoring starts when there is enough to score."""
    names = [name for role in ROLES for name, _ in files.get(role, ())]
    title = title.strip() or (PurePath(names[0]).stem.replace("_", " ") if names else "Annotations")
    take = partial(take_all, files=files)
    context = scoring.new_context(site, "annotations", title, who, take, example=example)
    score_if_ready(context)
    return context


def take_all(connection: Connection, context: WorkspaceContext, files: Mapping[str, Files]) -> None:
    """Keep files under their roles; images first, since a ground truth may need their sizes. FieldErrors by role."""
    for role in ("images", "truth", "submissions"):
        given = files.get(role, ())
        if not given:
            continue
        if role == "truth" and len(given) > 1:
            given = [zipped(given)]
        try:
            scoring.take_files(connection, context, role, given)
        except InputError as problem:
            raise FieldErrors.of(problem, otherwise=role) from None


def zipped(files: Files) -> tuple[str, BinaryIO]:
    """Several files that are one ground truth (a file for each image), as one."""
    content = BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for number, (name, stream) in enumerate(files):
            stream.seek(0)
            inside = PurePath(name.replace("\\", "/")).name.lstrip(".") or f"file{number}"
            archive.writestr(zip_entry(inside), stream.read())
    content.seek(0)
    return "ground truth.zip", content


def received(connection: Connection, context: WorkspaceContext, uploads: Sequence[Upload]) -> None:
    """Look at what came in: infer the rules from a ground truth, open images; submissions are read by workers."""
    role, site, workspace_id = uploads[-1].role, context.site, context.workspace.id
    if role == "images" and scores.workspace_images(site, workspace_id, connection) is None:
        remedy = "Give JPEG, PNG, GIF or WebP, loose or in a ZIP."
        raise InputError("it holds no images", source=uploads[-1].name, field="images", remedy=remedy)
    if role == "truth":
        truth = scores.workspace_truth(site, workspace_id, connection)
        inferred, crowd = infer_rules(truth).toml(), truth.crowd
        facts = {
            "objects": len(truth) if crowd is None else int(np.count_nonzero(~crowd)),
            "images": len(truth.images),
            "format": truth.format,
            "kinds": truth.counts(),
            "labels": len(truth.labels),
            "problems": [asdict(problem) for problem in truth.problems][:20],
        }
        context.change_settings(connection, {"rules": inferred, "inferred": inferred, "truth": facts})


def start(context: WorkspaceContext, settings: Json) -> str | None:
    """Score with the rules a program gives as TOML, or with those that hold."""
    takes = {"rules": "TOML text, as `assay annotations rules` writes it"}
    given = scoring.requested(RulesRequest, settings, takes).rules
    if given is None:
        return score_with(context, None)
    try:
        return score_with(context, read_rubric(given, source="rules"))
    except InputError as problem:
        raise FieldErrors.of(problem, otherwise="rules") from None


def score_if_ready(context: WorkspaceContext) -> str | None:
    """Score as soon as there is a ground truth and a submission."""
    site, workspace_id = context.site, context.workspace.id
    is_ready = scores.truth_upload(site, workspace_id) is not None and scores.submission_uploads(site, workspace_id)
    return score_with(context, None) if is_ready else None


def score_with(context: WorkspaceContext, rubric: Rubric | None, *, report: bool = True) -> str | None:
    """Make these rules (or those that hold) the ones that count, and score what has no score by them.

    The workspace remembers the rules of before, and a change is noted. Without `report` the report of all is left for
    later: who tries out rules wants the scores.
    """
    site, workspace_id = context.site, context.workspace.id
    truth_file, uploads = scores.truth_upload(site, workspace_id), scores.submission_uploads(site, workspace_id)
    if truth_file is None:
        raise FieldErrors({"truth": "Give the ground truth first: the file that shows how it should be."})
    truth, items = scores.workspace_truth(site, workspace_id), submission_items(site, workspace_id, uploads)
    staged = scoring.stage(site, workspace_id, items)
    with site.database.writing() as connection:
        # as it is now: a request may have inferred its rules a moment ago
        workspace = hold_workspace(connection, workspace_id) or context.workspace
        before = AnnotationSettings.of(workspace).rules
        rules = rubric_toml(rubric) if rubric is not None else before
        engine = engine_of(truth_file, truth, rules)
        is_other = workspace.engine not in ("", engine)
        changed = {"rules": rules} | ({"previous_engine": workspace.engine} if is_other else {})
        workspace = context.change_settings(connection, changed)
        if rules != before:
            context.note(connection, "change rules", {"name": "rules.toml", "rules": rules})
        together = together_item(connection, workspace, uploads, engine)
        settings = job_settings(connection, site, workspace, truth_file, uploads)
        scored = [*items, *([together] if report else [])] if items else None
        new: Json = {"engine": engine, "settings": settings, "staged": staged}
        own = {"together": hide_together(connection, context, together).id}
        workspace = replace(workspace, settings={**workspace.settings, **own})
        job = scoring.start_scoring(connection, context, workspace, scored, **new)
    if is_other:
        carry_to_scored(context, replace(workspace, settings={**workspace.settings, "engine": engine}))
    return job


def submission_items(site: Site, workspace_id: str, uploads: Sequence[Upload]) -> list[NewItem]:
    """Everything that was handed in, as items with names of their own."""
    truth, images = scores.files_beside(site, workspace_id)
    opened = [
        (upload, work)
        for upload in uploads
        for work in scores.open_submissions(StoredFile.of(upload), file_of(site), truth, images)
    ]
    ids = {work.digest: upload.id for upload, work in opened}
    named = scores.with_unique_names(work for _, work in opened)
    return [work.item(name, ids[work.digest]) for name, work in named.items()]


def engine_of(upload: Upload, truth: AnnotationSet, rules: str) -> str:
    """What stands for all that bears on a score: the ground truth, the sizes of its images, the rules, the version."""
    return content_digest("annotations", __version__, upload.digest, image_sizes(truth.images).tobytes(), rules)


def _stored(uploads: Sequence[Upload]) -> list[Json]:
    return [StoredFile.of(upload).to_json() for upload in uploads]


def job_settings(
    connection: Connection, site: Site, workspace: Workspace, truth: Upload, uploads: Sequence[Upload]
) -> Json:
    """What a worker needs to know."""
    names = [quote(upload.name) for upload in uploads[:3]] + (["..."] if len(uploads) > 3 else [])
    return {
        "truth": StoredFile.of(truth).to_json(),
        "images": _stored(workspace_uploads(connection, workspace.id, "images")),
        "rules": AnnotationSettings.of(workspace).rules,
        "made": site.now().astimezone().isoformat(timespec="seconds"),
        "command": f"assay annotations score --truth {quote(truth.name)} {' '.join(names)} --rules rules.toml",
        "inputs": {upload.name: upload.digest for upload in (truth, *uploads)},
    }


def together_item(connection: Connection, workspace: Workspace, uploads: Sequence[Upload], engine: str) -> NewItem:
    """The report of all submissions with the decisions that stand: an item that no list shows."""
    decided = reviewed(connection, workspace.id, engine)
    changes = {own[0].item_digest: as_json(d for d in own if d.kind == "override") for own in decided.values()}
    decisions = {digest: own for digest, own in changes.items() if own}
    images = _stored(workspace_uploads(connection, workspace.id, "images"))
    detail: Json = {"is": "batch", "uploads": _stored(uploads), "decisions": decisions}
    detail["counted"] = False  # who watches counts submissions
    digest = content_digest("batch", json.dumps([detail["uploads"], images, decisions], sort_keys=True))
    return NewItem(digest, "All submissions", detail)


def is_together_current(context: WorkspaceContext) -> bool:
    """Whether the report of all knows of every file and every override there is."""
    workspace, uploads = context.workspace, scores.submission_uploads(context.site, context.workspace.id)
    with context.site.database.reading() as connection:
        current = together_item(connection, workspace, uploads, workspace.engine)
        known = find_item_id(connection, workspace.id, current.digest)
        return known is not None and known == AnnotationSettings.of(workspace).together


def hide_together(connection: Connection, context: WorkspaceContext, together: NewItem) -> Item:
    """Take the report of all out of the lists; the workspace remembers where it is."""
    (item,) = scoring.hidden_items(connection, context, [together])
    context.change_settings(connection, {"together": item.id})
    return item


def put_together(context: WorkspaceContext) -> str:
    """Make the report of all again, with every decision so far; the id of the job."""
    site, workspace = context.site, context.workspace
    truth, uploads = scores.truth_upload(site, workspace.id), scores.submission_uploads(site, workspace.id)
    if truth is None or not uploads or "engine" not in workspace.settings:
        raise InputError("There is nothing to put together yet: score some submissions first.")
    with site.database.writing() as connection:
        hold_workspace(connection, workspace.id)
        item = hide_together(connection, context, together_item(connection, workspace, uploads, workspace.engine))
        settings = job_settings(connection, site, workspace, truth, uploads)
        pieces = [JobPiece(item.detail, item.id)]
        return scoring.enqueue_again(connection, context, TOGETHER, pieces, engine=workspace.engine, settings=settings)
