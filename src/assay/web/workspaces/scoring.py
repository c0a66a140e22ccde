"""New workspaces, changed settings, and jobs for what has no result yet."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from assay.store.database import Connection
from assay.store.items import Item, NewItem, find_result, put_items, remove_items, workspace_items
from assay.store.jobs import JobPiece, cancel, enqueue, latest_job
from assay.store.schema import Json
from assay.store.workspaces import Workspace, change_workspace, create_workspace, find_workspace, hold_workspace
from assay.web.problems import FieldErrors, Removed
from assay.web.site import Site
from assay.web.visitors import Visitor
from assay.web.workspaces.kinds import KINDS
from assay.web.workspaces.summaries import refresh_summary
from assay.web.workspaces.workspace_page import WorkspaceContext


def new_context(
    site: Site, kind: str, title: str, who: Visitor, receive: Callable[[Connection, Workspace], None], **more: Any
) -> WorkspaceContext:
    """A new workspace with what `receive` put into it; `more` is what else `create_workspace` takes."""
    with site.database.writing() as connection:
        workspace = create_workspace(connection, kind, title, author=who.name, now=site.now(), **more)
        receive(connection, workspace)
        stored = find_workspace(connection, workspace.id)
    assert stored is not None  # created above
    return WorkspaceContext(stored, KINDS[kind], who, site)


def change_settings(connection: Connection, site: Site, workspace: Workspace, changed: Json) -> Workspace:
    """The workspace as it is now, with these settings beside its others."""
    current = hold_workspace(connection, workspace.id) or workspace
    settings = {**current.settings, **changed}
    change_workspace(connection, workspace.id, now=site.now(), settings=settings)
    return replace(current, settings=settings)


def check_setting_names(settings: Json, known: Sequence[str], words: str) -> None:
    """FieldErrors for a setting of a program that a kind does not have; `words` say which it has."""
    unknown = sorted(set(settings) - set(known))
    if unknown:
        raise FieldErrors({unknown[0]: f"There is no setting {unknown[0]!r}. {words}"})


def start_scoring(
    connection: Connection,
    context: WorkspaceContext,
    workspace: Workspace,
    items: Sequence[NewItem] | None,
    *,
    engine: str,
    settings: Json,
) -> str | None:
    """Make `engine` the one whose results count, and enqueue what it has not scored; the id of the job, if any.

    With items, they replace the ones there were; None keeps them (new rules for the same work). The task of a piece is
    the detail of its item; one whose `counted` is false is left out of what progress tells. Earlier work that is still
    going on is stopped.
    """
    now = context.site.now()
    if hold_workspace(connection, workspace.id) is None:
        raise Removed
    running = latest_job(connection, workspace.id, now=now)
    if running is not None and running.is_open:
        cancel(connection, running.job_id, now=now)
    if items is not None:
        digests = {item.digest for item in items}
        gone = [old.id for old in workspace_items(connection, workspace.id) if old.digest not in digests]
        remove_items(connection, workspace.id, gone, now=now)
        put_items(connection, workspace.id, items, now=now)
    change_workspace(connection, workspace.id, now=now, settings={**workspace.settings, "engine": engine})
    waiting = [i for i in workspace_items(connection, workspace.id) if find_result(connection, i.id, engine) is None]
    job = None
    if waiting:
        pieces = [JobPiece(item.detail, item.id, counted=item.detail.get("counted", True)) for item in waiting]
        who, kind = context.visitor.name, workspace.kind
        job = enqueue(connection, kind, workspace.id, pieces, author=who, now=now, engine=engine, settings=settings)
    refresh_summary(connection, workspace.id, now=now)
    return job


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
