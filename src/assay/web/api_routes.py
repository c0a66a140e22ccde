"""The routes of the REST API."""

from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, File, Query, Response, UploadFile

from assay.errors import InputError
from assay.io.results.result_json import plain
from assay.report.evaluation.trust_report import precision_words, selection_words, why_words
from assay.store import workspaces as store
from assay.store.blobs import read_blob, workspace_uploads
from assay.store.items import count_scored, find_result, scored_items
from assay.store.jobs import cancel, failures, progress, resume, retry, workspace_jobs
from assay.store.overrides import find_decision, history, item_decisions, reviewed
from assay.store.workspaces import note
from assay.web import api_shapes as shapes
from assay.web.api_shapes import Changeable, ItemHere, Readable, Removable, Reviewable
from assay.web.classroom.visibility import released_enrollments, shown_of
from assay.web.pages.page_parts import Number, job_context
from assay.web.pages.shared_pages import draw_items, export_answer, trust_of
from assay.web.problems import FieldErrors, NotFound
from assay.web.site import SiteHere
from assay.web.visitors import Trainer, course_of_new
from assay.web.workspaces.decisions import consequence_of, save_decision, undo_decision
from assay.web.workspaces.essays.training import discard, go_live, waiting_model
from assay.web.workspaces.scoring import WorkspaceContext, given_files, take_files

router = APIRouter(prefix="/api/v1", responses=shapes.PROBLEMS)
Limit = Annotated[int, Query(ge=1, le=1000)]


@router.get("/workspaces", tags=["workspaces"])
def list_workspaces(
    site: SiteHere, who: Trainer, kind: shapes.KindName | None = None, limit: Limit = 100
) -> shapes.WorkspaceList:
    """The workspaces of your courses, last changed first."""
    listed = site.database.read(store.recent_workspaces, within=who.within(), kind=kind, most=limit)
    return shapes.WorkspaceList(workspaces=[shapes.WorkspaceShape.model_validate(one) for one in listed])


@router.post("/workspaces", status_code=201, tags=["workspaces"])
def new_workspace(site: SiteHere, who: Trainer, new: shapes.NewWorkspace) -> shapes.WorkspaceShape:
    """Make an empty workspace."""
    if new.kind not in site.handlers:
        raise FieldErrors({"kind": f"Workspaces of the kind {new.kind!r} cannot be made here."})
    with site.database.writing() as connection:
        course = course_of_new(connection, replace(who, course_id=new.course_id), now=site.now())
        workspace = store.create_workspace(
            connection, new.kind, new.name, author=who.name, now=site.now(), course_id=course
        )
        note(connection, "create workspace", author=who.name, now=site.now(), workspace_id=workspace.id)
    return shapes.WorkspaceShape.model_validate(workspace)


@router.get("/workspaces/{workspace_id}", tags=["workspaces"])
def get_workspace(context: Reviewable) -> shapes.WorkspaceShape:
    """One workspace."""
    return shapes.WorkspaceShape.model_validate(context.workspace)


@router.patch("/workspaces/{workspace_id}", tags=["workspaces"])
def rename_workspace(context: Changeable, change: shapes.WorkspaceChange) -> shapes.WorkspaceShape:
    """Give a workspace another name."""
    with context.site.database.writing() as connection:
        store.change_workspace(connection, context.workspace.id, now=context.site.now(), name=change.name)
        renamed = store.find_workspace(connection, context.workspace.id)
    if renamed is None:
        raise NotFound("There is no such workspace.")
    return shapes.WorkspaceShape.model_validate(renamed)


@router.delete("/workspaces/{workspace_id}", status_code=204, tags=["workspaces"])
def remove_workspace(context: Removable) -> None:
    """Take a workspace out of sight; the pages can bring it back."""
    now, author = context.site.now(), context.visitor.name
    with context.site.database.writing() as connection:
        store.remove_workspaces(connection, [context.workspace.id], author=author, now=now)


@router.get("/workspaces/{workspace_id}/uploads", tags=["uploads"])
def list_uploads(context: Changeable) -> shapes.UploadList:
    """The files of a workspace."""
    uploads = context.site.database.read(workspace_uploads, context.workspace.id)
    return shapes.UploadList(uploads=[shapes.UploadShape.model_validate(upload) for upload in uploads])


@router.post("/workspaces/{workspace_id}/uploads/{role}", status_code=201, tags=["uploads"])
def upload(context: Changeable, role: str, files: Annotated[list[UploadFile], File()]) -> shapes.UploadList:
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
        uploads = take_files(connection, context, role, given)
    return shapes.UploadList(uploads=[shapes.UploadShape.model_validate(upload) for upload in uploads])


@router.post("/workspaces/{workspace_id}/jobs", status_code=202, tags=["jobs"])
def start_job(context: Changeable, new: shapes.StartJob) -> shapes.StartedShape:
    """Score everything that has no result under these settings yet, or train or refit a model."""
    job_id = context.site.handlers[context.workspace.kind].task(new.task)(context, new.settings)
    return _started(context, job_id)


def _started(context: WorkspaceContext, job_id: str | None) -> shapes.StartedShape:
    with context.site.database.reading() as connection:
        job = progress(connection, job_id, now=context.site.now()) if job_id else None
    return shapes.StartedShape(job=shapes.JobShape.model_validate(job) if job else None)


@router.get("/workspaces/{workspace_id}/models/{what}", tags=["models"], response_class=Response)
def get_model(context: Changeable, what: shapes.NewModel) -> Response:
    """The file of a model that was trained or refitted and waits to be accepted."""
    return Response(context.site.database.read(read_blob, waiting_model(context, what)), media_type="application/json")


@router.post("/workspaces/{workspace_id}/models/{what}/{answer}", tags=["models"])
def answer_model(
    context: Changeable, what: shapes.NewModel, answer: Literal["accept", "discard"]
) -> shapes.StartedShape:
    """Score with the new model from now on, or forget it."""
    waiting_model(context, what)
    if answer == "accept":
        return _started(context, go_live(context, what))
    discard(context, what)
    return _started(context, None)


@router.get("/workspaces/{workspace_id}/jobs", tags=["jobs"])
def list_jobs(context: Changeable) -> shapes.JobList:
    """The jobs of a workspace, newest first."""
    jobs = context.site.database.read(workspace_jobs, context.workspace.id, now=context.site.now())
    return shapes.JobList(jobs=[shapes.JobShape.model_validate(job) for job in jobs])


@router.get("/jobs/{job_id}", tags=["jobs"])
def get_job(site: SiteHere, who: Trainer, job_id: str) -> shapes.JobDetail:
    """How far a job is: poll it."""
    _, job = job_context(job_id, site, who, role="reviewer")
    failed = site.database.read(failures, job_id)
    reasons = [shapes.FailureShape(item_id=item_id, message=message) for item_id, message in failed]
    return shapes.JobDetail(job=shapes.JobShape.model_validate(job), failures=reasons)


@router.post("/jobs/{job_id}/{action}", tags=["jobs"])
def steer_job(
    site: SiteHere, who: Trainer, job_id: str, action: Literal["cancel", "resume", "retry"]
) -> shapes.JobShape:
    """Stop a job, go on with one that was stopped, or try again what failed in one."""
    job_context(job_id, site, who, role="assistant")
    with site.database.writing() as connection:
        {"cancel": cancel, "resume": resume, "retry": retry}[action](connection, job_id, now=site.now())
        job = progress(connection, job_id, now=site.now())
    if job is None:
        raise NotFound("There is no such job.")
    return shapes.JobShape.model_validate(job)


@router.get("/workspaces/{workspace_id}/results", tags=["results"])
def list_results(
    context: Readable,
    sort: Literal["position", "name", "score"] = "position",
    descending: bool = False,
    containing: Annotated[str, Query(max_length=200)] = "",
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    limit: Limit = 100,
) -> shapes.ResultList:
    """Items with their results and final scores, page by page; students get their own once they are released."""
    workspace_id, engine = context.workspace.id, context.workspace.engine
    own = None if context.visitor.may_train else context.site.database.read(released_enrollments, context)
    chosen: Any = {"containing": containing, "of": own}
    pages: Any = {"order": sort, "descending": descending, "offset": offset, "most": limit}
    with context.site.database.reading() as connection:
        page = scored_items(connection, workspace_id, engine, **chosen, **pages)
        total = count_scored(connection, workspace_id, **chosen)
        decided = reviewed(connection, workspace_id, engine)
        shown = {item.id: shown_of(connection, context, item) for item, _ in page}
    results = [
        shapes.ResultShape.of(item, result, decided.get(item.id, [])).only(shown[item.id]) for item, result in page
    ]
    return shapes.ResultList(total=total, results=results)


@router.get("/workspaces/{workspace_id}/results/{item_id}", tags=["results"])
def get_result(context: Readable, item: ItemHere) -> shapes.ResultShape:
    """One item with its result."""
    engine = context.workspace.engine
    with context.site.database.reading() as connection:
        decisions = item_decisions(connection, item, engine)
        whole = shapes.ResultShape.of(item, find_result(connection, item.id, engine), decisions)
        return whole.only(shown_of(connection, context, item))


@router.get("/workspaces/{workspace_id}/decisions", tags=["decisions"])
def list_decisions(context: Reviewable) -> shapes.DecisionList:
    """Every override and confirmation ever made, those that were undone too, oldest first."""
    decisions = context.site.database.read(history, context.workspace.id)
    return shapes.DecisionList(decisions=[shapes.DecisionShape.model_validate(decision) for decision in decisions])


@router.post("/workspaces/{workspace_id}/results/{item_id}/decisions", status_code=201, tags=["decisions"])
def decide(context: Reviewable, item: ItemHere, new: shapes.NewDecision) -> shapes.DecisionShape:
    """Override a result, or confirm it."""
    # what takes long is done before others have to wait
    context.site.database.read(consequence_of, context, item, new.target, new.value)
    with context.site.database.writing() as connection:
        decision_id = save_decision(connection, context, item, new.kind, new.target, new.value, new.reason)
        decision = find_decision(connection, context.workspace.id, decision_id)
    if decision is None:
        raise NotFound("There is no such decision.")
    return shapes.DecisionShape.model_validate(decision)


@router.delete("/workspaces/{workspace_id}/decisions/{decision_id}", status_code=204, tags=["decisions"])
def undo(context: Reviewable, decision_id: Number) -> None:
    """Take a decision back; it stays in the history."""
    with context.site.database.writing() as connection:
        undo_decision(connection, context, decision_id)


@router.get("/workspaces/{workspace_id}/exports", tags=["exports"])
def list_exports(context: Changeable) -> shapes.ExportList:
    """The files that can be taken away."""
    files = context.site.handlers[context.workspace.kind].exports(context.site, context.workspace)
    return shapes.ExportList(exports=[shapes.ExportShape(path=f.path, group=f.group, title=f.title) for f in files])


@router.get("/workspaces/{workspace_id}/exports/{group}/{name}", tags=["exports"], response_class=Response)
def get_export(context: Changeable, group: str, name: str) -> Response:
    """The bytes of one file."""
    return export_answer(context.site, context.workspace, f"{group}/{name}")


@router.get("/workspaces/{workspace_id}/trust", tags=["trust"])
def get_trust(
    context: Reviewable,
    figure: shapes.Figure = "qwk",
    within: Annotated[float | None, Query(gt=0, le=1000, allow_inf_nan=False)] = None,
    of: Literal["", "all", "sample"] = "",
    engine: Annotated[str, Query(max_length=400)] = "",
) -> shapes.TrustShape:
    """System against human with intervals, reviews still needed, and what to review next."""
    if not context.workspace.engine:
        raise InputError("Nothing is scored here yet.")
    judgement, kind = trust_of(context, figure=figure, within=within, of=of, engine=engine), context.kind
    figures, precision = judgement.evaluation.figures() if judgement.evaluation else {}, judgement.precision
    return shapes.TrustShape(
        reviewed=len(judgement.pairs),
        waiting=len(judgement.evidence.names),
        sample=judgement.only_sample,
        selection=selection_words(judgement, kind),
        figures={name: shapes.FigureShape.of(name, estimate) for name, estimate in figures.items() if "." not in name},
        precision=shapes.PrecisionShape(
            figure=precision.figure,
            half_width=plain({"half_width": precision.now})["half_width"],
            within=precision.within,
            needed=precision.needed,
            more=precision.more,
            words=precision_words(precision, kind),
        ),
        drift=shapes.FigureShape.of("", judgement.drift),
        next=[shapes.NextShape(name=one.name, why=why_words(one, kind), address=one.link) for one in judgement.next],
    )


@router.post("/workspaces/{workspace_id}/trust/sample", status_code=201, tags=["trust"])
def new_sample(context: Changeable, new: shapes.NewSample) -> shapes.SampleShape:
    """Draw items at random, to be reviewed without choosing."""
    drawn = draw_items(context, new.size)
    return shapes.SampleShape.model_validate(drawn)
