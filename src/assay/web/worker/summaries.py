"""What lists show of a workspace: its state, how much is in it, how far it can be trusted."""

from collections.abc import Callable, Mapping
from datetime import datetime

from assay.report.document.phrases import counted
from assay.store.database import Connection
from assay.store.item_listing import totals
from assay.store.items import find_result, workspace_items
from assay.store.jobs import latest_job
from assay.store.schema import Json
from assay.store.workspaces import Workspace, change_workspace, find_workspace
from assay.web.workspaces.essays.summary import essays_summary
from assay.web.workspaces.stored_settings import AnnotationSettings, EvaluationTask


def refresh_summary(connection: Connection, workspace_id: str, *, now: datetime) -> None:
    """Work out the summary again, after results or decisions have changed."""
    workspace = find_workspace(connection, workspace_id)
    if workspace is not None and workspace.kind in SUMMARIES:
        summary = SUMMARIES[workspace.kind](connection, workspace, now)
        change_workspace(connection, workspace_id, now=now, summary=summary)


def summary(*, state: str, verdict: str, count: str, trust: str, trust_detail: str = "") -> Json:
    """A summary; the verdict is met, unsure, doubt, not or idle."""
    return {"state": state, "verdict": verdict, "count": count, "trust": trust, "trust_detail": trust_detail}


def evaluation_summary(connection: Connection, workspace: Workspace, now: datetime) -> Json:
    """The report's verdict, and the QWK of the first engine."""
    engine = workspace.engine
    made = [(i, find_result(connection, i.id, engine)) for i in workspace_items(connection, workspace.id)]
    first = next((r for i, r in made if r is not None and EvaluationTask.from_json(i.detail).what == "engine"), None)
    if first is None:
        job = latest_job(connection, workspace.id, now=now)
        failed = job is not None and job.failed
        words = ("the table could not be evaluated", "not") if failed else ("columns not chosen yet", "idle")
        return summary(state=words[0], verdict=words[1], count="", trust="n/a: not yet evaluated")
    told = first.payload
    return summary(
        state=told["state"], verdict=told["verdict"], count=told["count"], trust=told["trust"], trust_detail=told["why"]
    )


def annotations_summary(connection: Connection, workspace: Workspace, now: datetime) -> Json:
    """How many submissions a person has reviewed, and how far the system was from them."""
    facts = AnnotationSettings.of(workspace).truth
    told = totals(connection, workspace.id, workspace.engine)
    parts = [(told.submissions, "submission")]
    parts += [(facts.images, "image"), (facts.objects, "object")] if facts else []
    count = " · ".join(counted(number, noun) for number, noun in parts if number)
    if not told.submissions:
        words = "waiting for submissions" if facts else "waiting for the ground truth"
        return summary(state=words, verdict="idle", count=count, trust="n/a: not yet scored")
    job = latest_job(connection, workspace.id, now=now)
    left = told.submissions - told.scored if job is None or not job.is_open else 0
    state = f"{told.reviewed:,} of {told.submissions - left:,} reviewed" + (f", {left:,} not scored" if left else "")
    verdict = "doubt" if left else "met" if told.reviewed == told.submissions else "idle"
    if not told.reviewed:
        return summary(state=state, verdict=verdict, count=count, trust="n/a: nothing reviewed yet")
    trust = f"system and people {told.mean_gap or 0:.1f} points apart"
    why = f"on average over {counted(told.reviewed, 'reviewed submission')}"
    return summary(state=state, verdict=verdict, count=count, trust=trust, trust_detail=why)


SUMMARIES: Mapping[str, Callable[[Connection, Workspace, datetime], Json]] = {
    "evaluation": evaluation_summary,
    "annotations": annotations_summary,
    "essays": essays_summary,
}
