"""A workspace and who asks for it: files come in, settings change, jobs score what has no result; its summary."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from time import monotonic, sleep
from typing import Any, BinaryIO, TypeVar

from fastapi import UploadFile
from pydantic import ValidationError

from assay.report.document.wording import counted
from assay.store.blobs import Upload, keep_upload
from assay.store.item_listing import Totals, totals
from assay.store.items import (
    Item,
    NewItem,
    batches,
    find_result,
    put_items,
    remove_items,
    stage_items,
    workspace_items,
)
from assay.store.jobs import JobPiece, cancel, enqueue, latest_job
from assay.store.overrides import fill_in_system_scores
from assay.store.reviews import review_agreement
from assay.store.schema import Connection, Json, new_id
from assay.store.staging import count_staged, enqueue_unscored
from assay.store.workspaces import Workspace, change_workspace, create_workspace, find_workspace, hold_workspace, note
from assay.web.problems import FieldErrors, Removed
from assay.web.site import Site
from assay.web.visitors import Visitor, course_of_new
from assay.web.workspaces.kinds import KINDS, WorkspaceKind
from assay.web.workspaces.stored_settings import AnnotationSettings, EssaySettings, EvaluationTask, StoredJson

Request = TypeVar("Request", bound=StoredJson)
NamedFiles = Sequence[tuple[str, BinaryIO]]
"""Files by the names their owner gave them."""
MOST_AT_ONCE = 1000
"""More items than this are written in several transactions: on SQLite others who write would wait for one."""
PAUSE = 0.02
"""Least seconds between two of them."""
NOT_SCORED, NOT_REVIEWED = "n/a: not yet scored", "n/a: nothing reviewed yet"


@dataclass(frozen=True, slots=True)
class WorkspaceContext:
    """A workspace, its kind, and who asks for it."""

    workspace: Workspace
    kind: WorkspaceKind
    visitor: Visitor
    site: Site

    @property
    def url(self) -> str:
        return f"/{self.kind.path}/{self.workspace.id}"

    def note(self, connection: Connection, action: str, detail: Mapping[str, object] | None = None) -> None:
        """Add a line to the history of the workspace."""
        author, now = self.visitor.name, self.site.now()
        note(connection, action, author=author, now=now, workspace_id=self.workspace.id, detail=detail)

    def change_settings(self, connection: Connection, changed: Json) -> Workspace:
        """The workspace as it is now, with these settings beside its others."""
        current = hold_workspace(connection, self.workspace.id) or self.workspace
        settings = {**current.settings, **changed}
        change_workspace(connection, current.id, now=self.site.now(), settings=settings)
        return replace(current, settings=settings)


def new_context(
    site: Site, kind: str, title: str, who: Visitor, take: Callable[[Connection, WorkspaceContext], object], **more: Any
) -> WorkspaceContext:
    """A new workspace with what `take` put into it; `more` is what else `create_workspace` takes."""
    with site.database.writing() as connection:
        course = course_of_new(connection, who, now=site.now())
        workspace = create_workspace(connection, kind, title, author=who.name, now=site.now(), course_id=course, **more)
        context = WorkspaceContext(workspace, KINDS[kind], replace(who, course_id=course), site)
        take(connection, context)
        return replace(context, workspace=find_workspace(connection, workspace.id) or workspace)


def requested(kind: type[Request], settings: Json, takes: Mapping[str, str]) -> Request:
    """The settings a program sent; FieldErrors for one there is not, and for one that `takes` something else."""
    known = sorted(kind.model_fields)
    unknown = sorted(set(settings) - set(known))
    if unknown:
        there = f"There {'is' if len(known) == 1 else 'are'}: {', '.join(known)}."
        raise FieldErrors({unknown[0]: f"There is no setting {unknown[0]!r}. {there if known else 'There are none.'}"})
    try:
        return kind.model_validate(settings, strict=True)
    except ValidationError as problem:
        wrong = dict.fromkeys(str(error["loc"][0]) for error in problem.errors())
        raise FieldErrors({name: f"{name} takes {takes.get(name, 'text')}." for name in wrong}) from None


def start_scoring(
    connection: Connection,
    context: WorkspaceContext,
    workspace: Workspace,
    items: Sequence[NewItem] | None,
    *,
    engine: str,
    settings: Json,
    staged: str = "",
) -> str | None:
    """Make `engine` the one whose results count, and enqueue what it has not scored; the id of the job, if any.

    With items, they replace the ones there were; None keeps them (new rules for the same work). The task of a piece is
    the detail of its item; one whose `counted` is false is left out of what progress tells. Earlier work that is still
    going on is stopped. `staged` is what `stage` gave for these items: then workers prepare the job.
    """
    now = context.site.now()
    if hold_workspace(connection, workspace.id) is None:
        raise Removed
    running = latest_job(connection, workspace.id, now=now)
    if running is not None and running.is_open:
        cancel(connection, running.job_id, now=now)
    stamp = None if items is None else staged or new_id()
    if items is not None and stamp is not None:
        rest = [item for item in items if not staged or not item.detail.get("counted", True)]
        stage_items(connection, workspace.id, rest, stamp, now=now)
        if staged and count_staged(connection, workspace.id, stamp) != len({item.digest for item in items}):
            stage_items(connection, workspace.id, items, stamp, now=now)  # somebody else staged the same meanwhile
    change_workspace(connection, workspace.id, now=now, settings={**workspace.settings, "engine": engine})
    new: Json = {"engine": engine, "settings": settings, "author": context.visitor.name, "now": now}
    job = enqueue_unscored(connection, workspace.kind, workspace.id, **new, stamp=stamp, at_once=not staged)
    refresh_summary(connection, workspace.id, now=now)
    return job


def stage(site: Site, workspace_id: str, items: Sequence[NewItem]) -> str:
    """Write many items down before they are scored, in short transactions; a stamp that stands for them.

    Empty, and nothing written, where there are so few that they fit into the transaction that shows them.
    """
    if len(items) <= MOST_AT_ONCE:
        return ""
    stamp = new_id()
    for batch in batches(items):
        begun = monotonic()
        with site.database.writing() as connection:
            if hold_workspace(connection, workspace_id) is None:
                raise Removed
            stage_items(connection, workspace_id, batch, stamp, now=site.now())
        sleep(pause_after(begun))
    return stamp


def pause_after(begun: float) -> float:
    """Seconds to wait after a transaction that began at this moment, so that others who write have their turn."""
    return max(PAUSE, 2 * (monotonic() - begun))


def hidden_items(connection: Connection, context: WorkspaceContext, new: Sequence[NewItem]) -> list[Item]:
    """Items that no list shows: they hold what work on a model, or on all items together, has made."""
    workspace_id, now = context.workspace.id, context.site.now()
    items = {item.digest: item for item in put_items(connection, workspace_id, new, now=now)}
    remove_items(connection, workspace_id, [item.id for item in items.values()], now=now)
    return [items[item.digest] for item in new]


def enqueue_again(
    connection: Connection, context: WorkspaceContext, kind: str, tasks: Sequence[JobPiece], engine: str, settings: Json
) -> str:
    """Enqueue work in place of that of its kind which is still going on; the id of the job."""
    workspace_id, now, who = context.workspace.id, context.site.now(), context.visitor.name
    running = latest_job(connection, workspace_id, now=now)
    if running is not None and running.is_open and running.kind == kind:
        cancel(connection, running.job_id, now=now)
    return enqueue(connection, kind, workspace_id, tasks, author=who, now=now, engine=engine, settings=settings)


def refresh_summary(connection: Connection, workspace_id: str, *, now: datetime) -> None:
    """Work out the summary again, after results or decisions have changed."""
    workspace = find_workspace(connection, workspace_id)
    if workspace is not None and workspace.kind in SUMMARIES:
        summary = SUMMARIES[workspace.kind](connection, workspace, now)
        change_workspace(connection, workspace_id, now=now, summary=summary)


def summary(*, state: str, verdict: str = "idle", count: str = "", trust: str = NOT_SCORED, why: str = "") -> Json:
    """A summary; the verdict is met, unsure, doubt, not or idle."""
    return {"state": state, "verdict": verdict, "count": count, "trust": trust, "trust_detail": why}


def evaluation_summary(connection: Connection, workspace: Workspace, now: datetime) -> Json:
    """The report's verdict, and the QWK of the first engine."""
    items = ((item.id, EvaluationTask.from_json(item.detail)) for item in workspace_items(connection, workspace.id))
    results = (find_result(connection, id_, workspace.engine) for id_, task in items if task.what == "engine")
    first = next((result.payload for result in results if result is not None), None)
    if first is None:
        job = latest_job(connection, workspace.id, now=now)
        failed = job is not None and job.failed
        state, verdict = ("the table could not be evaluated", "not") if failed else ("columns not chosen yet", "idle")
        return summary(state=state, verdict=verdict, trust="n/a: not yet evaluated")
    words = {name: first[name] for name in ("state", "verdict", "count", "trust")}
    return summary(**words, why=first["why"])


def panel_summary(connection: Connection, workspace: Workspace, now: datetime) -> Json:
    """How many judges can replace a rater."""
    items = workspace_items(connection, workspace.id)
    results = (find_result(connection, item.id, workspace.engine) for item in items)
    first = next((result.payload for result in results if result is not None), None)
    if first is None:
        job = latest_job(connection, workspace.id, now=now)
        failed = job is not None and job.failed
        state, verdict = ("the table could not be used", "not") if failed else ("columns not chosen yet", "idle")
        return summary(state=state, verdict=verdict, trust="n/a: not yet worked out")
    words = {name: first[name] for name in ("state", "verdict", "count")}
    return summary(**words, trust=first["state"], why=first["headline"])


def annotations_summary(connection: Connection, workspace: Workspace, now: datetime) -> Json:
    """How many submissions a person has reviewed, and how far the system was from them."""
    facts, total = AnnotationSettings.of(workspace).truth, totals(connection, workspace.id, workspace.engine)
    parts = [(total.submissions, "submission")]
    parts += [(facts.images, "image"), (facts.objects, "object")] if facts else []
    count = " · ".join(counted(number, noun) for number, noun in parts if number)
    if not total.submissions:
        return summary(state="waiting for submissions" if facts else "waiting for the ground truth", count=count)
    trust, why = NOT_REVIEWED, ""
    if total.reviewed:
        trust = f"system and people {total.mean_gap or 0:.1f} points apart"
        why = f"on average over {counted(total.reviewed, 'reviewed submission')}"
    return summary(**_reviewed(connection, workspace, total, now), count=count, trust=trust, why=why)


def essays_summary(connection: Connection, workspace: Workspace, now: datetime) -> Json:
    """How many essays a person has reviewed, and how often people gave the system's score."""
    if not workspace.engine:
        return summary(state="columns not chosen yet")
    fill_in_system_scores(connection, workspace.id, workspace.engine)
    total = totals(connection, workspace.id, workspace.engine)
    count = f"{counted(total.submissions, 'essay')} · model “{EssaySettings.of(workspace).scoring_model.name}”"
    if not total.submissions:
        return summary(state="no essays yet", count=count)
    agreed = review_agreement(connection, workspace.id, workspace.engine)
    trust, why = NOT_REVIEWED, ""
    if agreed.pairs:
        trust = f"same score as people in {agreed.same:,} of {agreed.pairs:,}"
        why = f"{agreed.mean_gap:.2f} points apart on average"
    return summary(**_reviewed(connection, workspace, total, now), count=count, trust=trust, why=why)


def _reviewed(connection: Connection, workspace: Workspace, total: Totals, now: datetime) -> dict[str, str]:
    """State and verdict of a workspace whose items people review one by one."""
    job = latest_job(connection, workspace.id, now=now)
    left = total.submissions - total.scored if job is None or not job.is_open else 0
    lost = job is not None and job.report_error is not None
    state = f"{total.reviewed:,} of {total.submissions - left:,} reviewed" + (f", {left:,} not scored" if left else "")
    state += ", class report failed" if lost else ""
    is_whole = total.reviewed == total.submissions
    return {"state": state, "verdict": "doubt" if left or lost else "met" if is_whole else "idle"}


SUMMARIES: Mapping[str, Callable[[Connection, Workspace, datetime], Json]] = {
    "evaluation": evaluation_summary,
    "panels": panel_summary,
    "annotations": annotations_summary,
    "essays": essays_summary,
}


def given_files(files: Sequence[UploadFile] | UploadFile | None) -> list[tuple[str, BinaryIO]]:
    """The files a form really holds, by name: a browser sends an empty one for a field left alone."""
    several = files if isinstance(files, Sequence) else [files]
    return [(file.filename, file.file) for file in several if file is not None and file.filename]


def keep_files(connection: Connection, context: WorkspaceContext, role: str, files: NamedFiles) -> list[Upload]:
    """Keep files under a role, and note it; others who change the workspace wait until that is done."""
    workspace_id, author, now = context.workspace.id, context.visitor.name, context.site.now()
    if hold_workspace(connection, workspace_id) is None:
        raise Removed
    uploads = []
    for name, content in files:
        upload = keep_upload(connection, workspace_id, role, name, content, author=author, now=now)
        detail = {"name": upload.name, "role": role, "sha256": upload.digest, "bytes": upload.size}
        context.note(connection, "upload", detail)
        uploads.append(upload)
    return uploads


def take_files(connection: Connection, context: WorkspaceContext, role: str, files: NamedFiles) -> list[Upload]:
    """Keep files, and look at them as the kind of workspace does; InputError when they cannot be used."""
    uploads = keep_files(connection, context, role, files)
    context.site.handlers[context.workspace.kind].received(connection, context, uploads)
    return uploads
