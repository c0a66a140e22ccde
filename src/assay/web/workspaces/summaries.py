"""What lists show of a workspace: its state, how much is in it, how far it can be trusted."""

from collections.abc import Callable, Mapping
from datetime import datetime

from assay.report.document.wording import counted
from assay.store.database import Connection
from assay.store.item_listing import Totals, totals
from assay.store.items import find_result, workspace_items
from assay.store.jobs import latest_job
from assay.store.overrides import fill_in_system_scores
from assay.store.reviews import review_agreement
from assay.store.schema import Json
from assay.store.workspaces import Workspace, change_workspace, find_workspace
from assay.web.workspaces.stored_settings import AnnotationSettings, EssaySettings, EvaluationTask

NOT_SCORED, NOT_REVIEWED = "n/a: not yet scored", "n/a: nothing reviewed yet"


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
    items = ((item.id, EvaluationTask.from_json(item.detail)) for item in workspace_items(connection, workspace.id))
    results = (find_result(connection, id_, workspace.engine) for id_, task in items if task.what == "engine")
    first = next((result.payload for result in results if result is not None), None)
    if first is None:
        job = latest_job(connection, workspace.id, now=now)
        failed = job is not None and job.failed
        state, verdict = ("the table could not be evaluated", "not") if failed else ("columns not chosen yet", "idle")
        return summary(state=state, verdict=verdict, count="", trust="n/a: not yet evaluated")
    words = {name: first[name] for name in ("state", "verdict", "count", "trust")}
    return summary(**words, trust_detail=first["why"])


def annotations_summary(connection: Connection, workspace: Workspace, now: datetime) -> Json:
    """How many submissions a person has reviewed, and how far the system was from them."""
    facts, total = AnnotationSettings.of(workspace).truth, totals(connection, workspace.id, workspace.engine)
    parts = [(total.submissions, "submission")]
    parts += [(facts.images, "image"), (facts.objects, "object")] if facts else []
    count = " · ".join(counted(number, noun) for number, noun in parts if number)
    if not total.submissions:
        words = "waiting for submissions" if facts else "waiting for the ground truth"
        return summary(state=words, verdict="idle", count=count, trust=NOT_SCORED)
    trust, why = NOT_REVIEWED, ""
    if total.reviewed:
        trust = f"system and people {total.mean_gap or 0:.1f} points apart"
        why = f"on average over {counted(total.reviewed, 'reviewed submission')}"
    return summary(**_reviewed(connection, workspace, total, now), count=count, trust=trust, trust_detail=why)


def essays_summary(connection: Connection, workspace: Workspace, now: datetime) -> Json:
    """How many essays a person has reviewed, and how often people gave the system's score."""
    if not workspace.engine:
        return summary(state="columns not chosen yet", verdict="idle", count="", trust=NOT_SCORED)
    fill_in_system_scores(connection, workspace.id, workspace.engine)
    total = totals(connection, workspace.id, workspace.engine)
    count = f"{counted(total.submissions, 'essay')} · model “{EssaySettings.of(workspace).scoring_model.name}”"
    if not total.submissions:
        return summary(state="no essays yet", verdict="idle", count=count, trust=NOT_SCORED)
    agreed = review_agreement(connection, workspace.id, workspace.engine)
    trust, why = NOT_REVIEWED, ""
    if agreed.pairs:
        trust = f"same score as people in {agreed.same:,} of {agreed.pairs:,}"
        why = f"{agreed.mean_gap:.2f} points apart on average"
    return summary(**_reviewed(connection, workspace, total, now), count=count, trust=trust, trust_detail=why)


def _reviewed(connection: Connection, workspace: Workspace, total: Totals, now: datetime) -> dict[str, str]:
    """State and verdict of a workspace whose items people review one by one."""
    job = latest_job(connection, workspace.id, now=now)
    left = total.submissions - total.scored if job is None or not job.is_open else 0
    state = f"{total.reviewed:,} of {total.submissions - left:,} reviewed" + (f", {left:,} not scored" if left else "")
    return {"state": state, "verdict": "doubt" if left else "met" if total.reviewed == total.submissions else "idle"}


SUMMARIES: Mapping[str, Callable[[Connection, Workspace, datetime], Json]] = {
    "evaluation": evaluation_summary,
    "annotations": annotations_summary,
    "essays": essays_summary,
}
