"""What lists show of an essay workspace: how many are reviewed, and how often people agreed with the system."""

from datetime import datetime

from assay.report.document.phrases import counted
from assay.store.database import Connection
from assay.store.item_listing import totals
from assay.store.jobs import latest_job
from assay.store.overrides import fill_in_system_scores
from assay.store.reviews import review_agreement
from assay.store.schema import Json
from assay.store.workspaces import Workspace
from assay.web.workspaces.stored_settings import EssaySettings


def essays_summary(connection: Connection, workspace: Workspace, now: datetime) -> Json:
    """State, count and trust, in words."""
    engine = workspace.engine
    fill_in_system_scores(connection, workspace.id, engine)
    told = totals(connection, workspace.id, engine)
    count = (
        f"{counted(told.submissions, 'essay')} · model “{EssaySettings.of(workspace).scoring_model.name}”"
        if engine
        else ""
    )
    if not engine or not told.submissions:
        return _summary("columns not chosen yet" if not engine else "no essays yet", "idle", count)
    job = latest_job(connection, workspace.id, now=now)
    left = told.submissions - told.scored if job is None or not job.is_open else 0
    state = f"{told.reviewed:,} of {told.submissions - left:,} reviewed" + (f", {left:,} not scored" if left else "")
    verdict = "doubt" if left else "met" if told.reviewed == told.submissions else "idle"
    agreed = review_agreement(connection, workspace.id, engine)
    if not agreed.pairs:
        return _summary(state, verdict, count, "n/a: nothing reviewed yet")
    trust = f"same score as people in {agreed.same:,} of {agreed.pairs:,}"
    return _summary(state, verdict, count, trust, f"{agreed.mean_gap:.2f} points apart on average")


def _summary(state: str, verdict: str, count: str, trust: str = "n/a: not yet scored", detail: str = "") -> Json:
    return {"state": state, "verdict": verdict, "count": count, "trust": trust, "trust_detail": detail}
