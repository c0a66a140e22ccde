"""Start the scoring of a workspace: its items, and a job for those that have no result yet."""

from collections.abc import Sequence

from assay.store.database import Connection
from assay.store.items import NewItem, find_result, put_items, remove_items, workspace_items
from assay.store.jobs import JobPiece, cancel, enqueue, latest_job
from assay.store.schema import Json
from assay.store.workspaces import Workspace, change_workspace, hold_workspace
from assay.web.problems import Removed
from assay.web.site import Site
from assay.web.visitors import Visitor
from assay.web.workspaces.summaries import refresh_summary


def start_scoring(
    connection: Connection,
    site: Site,
    workspace: Workspace,
    items: Sequence[NewItem] | None,
    *,
    engine: str,
    kind: str,
    settings: Json,
    who: Visitor,
) -> str | None:
    """Make `engine` the one whose results count, and enqueue what it has not scored; the id of the job, if any.

    With items, they replace the ones there were; None keeps them (new rules for the same work). The task of a piece is
    the detail of its item; one whose `counted` is false is left out of what progress tells. Earlier work that is still
    going on is stopped.
    """
    now = site.now()
    if hold_workspace(connection, workspace.id) is None:
        raise Removed
    if (running := latest_job(connection, workspace.id, now=now)) is not None and running.is_open:
        cancel(connection, running.job_id, now=now)
    if items is not None:
        kept = {item.digest for item in items}
        gone = [old.id for old in workspace_items(connection, workspace.id) if old.digest not in kept]
        remove_items(connection, workspace.id, gone, now=now)
        put_items(connection, workspace.id, items, now=now)
    change_workspace(connection, workspace.id, now=now, settings={**workspace.settings, "engine": engine})
    waiting = [i for i in workspace_items(connection, workspace.id) if find_result(connection, i.id, engine) is None]
    job = None
    if waiting:
        pieces = [JobPiece(item.detail, item.id, counted=item.detail.get("counted", True)) for item in waiting]
        job = enqueue(
            connection, kind, workspace.id, pieces, author=who.name, now=now, engine=engine, settings=settings
        )
    refresh_summary(connection, workspace.id, now=now)
    return job
