"""The routes of the REST API."""

from typing import Annotated, Literal

from fastapi import APIRouter, File, Query, Response, UploadFile

from assay.store.audit import note
from assay.store.items import count_scored, find_result, scored_items
from assay.store.jobs import cancel, failures, progress, resume, workspace_jobs
from assay.store.overrides import find_decision, history, item_decisions, reviewed
from assay.store.uploads import workspace_uploads
from assay.store.workspace_deletion import remove_workspaces
from assay.store.workspaces import (
    change_workspace,
    create_workspace,
    find_workspace,
    recent_workspaces,
)
from assay.web.api.common import PROBLEMS, Changeable, ItemHere, Readable
from assay.web.api.shapes import (
    DecisionList,
    DecisionShape,
    ExportList,
    ExportShape,
    FailureShape,
    JobDetail,
    JobList,
    JobShape,
    KindName,
    NewDecision,
    NewWorkspace,
    ResultList,
    ResultShape,
    StartedShape,
    StartJob,
    UploadList,
    UploadShape,
    WorkspaceChange,
    WorkspaceList,
    WorkspaceShape,
)
from assay.web.pages.exports import export_answer
from assay.web.problems import FieldErrors, NotFound
from assay.web.site import SiteHere
from assay.web.uploads import given_files, keep_files
from assay.web.visitors import Trainer
from assay.web.workspaces.decisions import consequence_of, record_decision, undo_decision
from assay.web.workspaces.workspace_page import Number

router = APIRouter(prefix="/api/v1", responses=PROBLEMS)


@router.get("/workspaces", tags=["workspaces"])
def list_workspaces(
    site: SiteHere, _who: Trainer, kind: KindName | None = None, limit: Annotated[int, Query(ge=1, le=1000)] = 100
) -> WorkspaceList:
    """Workspaces, last changed first."""
    with site.database.reading() as connection:
        workspaces = recent_workspaces(connection, kind=kind, most=limit)
    return WorkspaceList(workspaces=[WorkspaceShape.model_validate(workspace) for workspace in workspaces])


@router.post("/workspaces", status_code=201, tags=["workspaces"])
def new_workspace(site: SiteHere, who: Trainer, new: NewWorkspace) -> WorkspaceShape:
    """Make an empty workspace."""
    if new.kind not in site.handlers:
        raise FieldErrors({"kind": f"Workspaces of the kind {new.kind!r} cannot be made here."})
    with site.database.writing() as connection:
        made = create_workspace(connection, new.kind, new.name, author=who.name, now=site.now())
        note(connection, "create workspace", author=who.name, now=site.now(), workspace_id=made.id)
    return WorkspaceShape.model_validate(made)


@router.get("/workspaces/{workspace_id}", tags=["workspaces"])
def get_workspace(context: Changeable) -> WorkspaceShape:
    """One workspace."""
    return WorkspaceShape.model_validate(context.workspace)


@router.patch("/workspaces/{workspace_id}", tags=["workspaces"])
def rename_workspace(context: Changeable, change: WorkspaceChange) -> WorkspaceShape:
    """Give a workspace another name."""
    with context.site.database.writing() as connection:
        change_workspace(connection, context.workspace.id, now=context.site.now(), name=change.name)
        renamed = find_workspace(connection, context.workspace.id)
    if renamed is None:
        raise NotFound("There is no such workspace.")
    return WorkspaceShape.model_validate(renamed)


@router.delete("/workspaces/{workspace_id}", status_code=204, tags=["workspaces"])
def remove_workspace(context: Changeable) -> None:
    """Take a workspace out of sight; the pages can bring it back."""
    now, author = context.site.now(), context.visitor.name
    with context.site.database.writing() as connection:
        remove_workspaces(connection, [context.workspace.id], author=author, now=now)


@router.get("/workspaces/{workspace_id}/uploads", tags=["uploads"])
def list_uploads(context: Changeable) -> UploadList:
    """The files of a workspace."""
    with context.site.database.reading() as connection:
        uploads = workspace_uploads(connection, context.workspace.id)
    return UploadList(uploads=[UploadShape.model_validate(upload) for upload in uploads])


@router.post("/workspaces/{workspace_id}/uploads/{role}", status_code=201, tags=["uploads"])
def upload(context: Changeable, role: str, files: Annotated[list[UploadFile], File()]) -> UploadList:
    """Give a workspace files under a role.

    Evaluation: `scores`, `engine` (a further engine, joined by id). Annotations: `truth`, `submissions`, `images`.
    Essays: `essays`, `training`, `model`.
    """
    handlers = context.site.handlers[context.workspace.kind]
    if role not in handlers.roles:
        raise FieldErrors({"role": f"There is no role {role!r} here. There are: {', '.join(handlers.roles)}."})
    given = given_files(files)
    if not given:
        raise FieldErrors({"files": "Send at least one file, with its name."})
    with context.site.database.writing() as connection:
        kept = keep_files(connection, context.site, context.workspace, role, given, context.visitor)
        handlers.received(connection, context.site, context.workspace, kept)
    return UploadList(uploads=[UploadShape.model_validate(upload) for upload in kept])


@router.post("/workspaces/{workspace_id}/jobs", status_code=202, tags=["jobs"])
def start_job(context: Changeable, new: StartJob) -> StartedShape:
    """Score everything that has no result under these settings yet."""
    job_id = context.site.handlers[context.workspace.kind].start(context, new.settings)
    with context.site.database.reading() as connection:
        job = progress(connection, job_id, now=context.site.now()) if job_id else None
    return StartedShape(job=JobShape.model_validate(job) if job else None)


@router.get("/workspaces/{workspace_id}/jobs", tags=["jobs"])
def list_jobs(context: Changeable) -> JobList:
    """The jobs of a workspace, newest first."""
    with context.site.database.reading() as connection:
        jobs = workspace_jobs(connection, context.workspace.id, now=context.site.now())
    return JobList(jobs=[JobShape.model_validate(job) for job in jobs])


@router.get("/jobs/{job_id}", tags=["jobs"])
def get_job(site: SiteHere, _who: Trainer, job_id: str) -> JobDetail:
    """How far a job is: poll it."""
    with site.database.reading() as connection:
        job = progress(connection, job_id, now=site.now())
        if job is None:
            raise NotFound("There is no such job.")
        failed = failures(connection, job_id)
    return JobDetail(job=JobShape.model_validate(job), failures=[FailureShape(item_id=i, message=m) for i, m in failed])


@router.post("/jobs/{job_id}/{action}", tags=["jobs"])
def steer_job(site: SiteHere, _who: Trainer, job_id: str, action: Literal["cancel", "resume"]) -> JobShape:
    """Stop a job, or go on with one that was stopped."""
    with site.database.writing() as connection:
        (cancel if action == "cancel" else resume)(connection, job_id, now=site.now())
        job = progress(connection, job_id, now=site.now())
    if job is None:
        raise NotFound("There is no such job.")
    return JobShape.model_validate(job)


@router.get("/workspaces/{workspace_id}/results", tags=["results"])
def list_results(
    context: Readable,
    sort: Literal["position", "name", "score"] = "position",
    descending: bool = False,
    containing: Annotated[str, Query(max_length=200)] = "",
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> ResultList:
    """Items with their results and final scores, page by page; students get their own."""
    engine, only = context.workspace.engine, context.visitor.only_student
    with context.site.database.reading() as connection:
        page = scored_items(
            connection,
            context.workspace.id,
            engine,
            order=sort,
            descending=descending,
            containing=containing,
            student=only,
            offset=offset,
            most=limit,
        )
        total = count_scored(connection, context.workspace.id, containing=containing, student=only)
        decided = reviewed(connection, context.workspace.id, engine)
    return ResultList(total=total, results=[ResultShape.of(i, r, decided.get(i.id, [])) for i, r in page])


@router.get("/workspaces/{workspace_id}/results/{item_id}", tags=["results"])
def get_result(context: Readable, item: ItemHere) -> ResultShape:
    """One item with its result."""
    engine = context.workspace.engine
    with context.site.database.reading() as connection:
        return ResultShape.of(item, find_result(connection, item.id, engine), item_decisions(connection, item, engine))


@router.get("/workspaces/{workspace_id}/decisions", tags=["decisions"])
def list_decisions(context: Changeable) -> DecisionList:
    """Every override and confirmation ever made, those that were undone too, oldest first."""
    with context.site.database.reading() as connection:
        made = history(connection, context.workspace.id)
    return DecisionList(decisions=[DecisionShape.model_validate(decision) for decision in made])


@router.post("/workspaces/{workspace_id}/results/{item_id}/decisions", status_code=201, tags=["decisions"])
def decide(context: Changeable, item: ItemHere, new: NewDecision) -> DecisionShape:
    """Override a result, or confirm it."""
    with context.site.database.reading() as connection:  # what takes long is done before others have to wait
        consequence_of(connection, context.site, context.workspace, item, target=new.target, value=new.value)
    with context.site.database.writing() as connection:
        made = record_decision(
            connection,
            context.site,
            context.workspace,
            item,
            kind=new.kind,
            target=new.target,
            value=new.value,
            reason=new.reason,
            who=context.visitor,
        )
        kept = find_decision(connection, context.workspace.id, made)
    if kept is None:
        raise NotFound("There is no such decision.")
    return DecisionShape.model_validate(kept)


@router.delete("/workspaces/{workspace_id}/decisions/{decision_id}", status_code=204, tags=["decisions"])
def undo(context: Changeable, decision_id: Number) -> None:
    """Take a decision back; it stays in the history."""
    with context.site.database.writing() as connection:
        undo_decision(connection, context.site, context.workspace, decision_id, context.visitor)


@router.get("/workspaces/{workspace_id}/exports", tags=["exports"])
def list_exports(context: Changeable) -> ExportList:
    """The files that can be taken away."""
    files = context.site.handlers[context.workspace.kind].exports(context.site, context.workspace)
    return ExportList(exports=[ExportShape(path=f.path, group=f.group, title=f.title) for f in files])


@router.get("/workspaces/{workspace_id}/exports/{group}/{name}", tags=["exports"], response_class=Response)
def get_export(context: Changeable, group: str, name: str) -> Response:
    """The bytes of one file."""
    return export_answer(context.site, context.workspace, f"{group}/{name}")
