"""Overrides and confirmations: checked by the kind, kept with reason and author, noted, undone."""

from typing import Any, Literal

from sqlalchemy import Connection

from assay.errors import InputError
from assay.store.audit import note
from assay.store.items import Item, find_result
from assay.store.overrides import decide, find_decision, standing, undo
from assay.store.workspaces import Workspace
from assay.web.conduct import CONDUCT
from assay.web.consequence import Consequence
from assay.web.problems import NotFound
from assay.web.site import Site
from assay.web.visitors import Visitor
from assay.web.work.summaries import refresh_summary


def consequence_of(
    connection: Connection, site: Site, workspace: Workspace, item: Item, *, target: str, value: Any
) -> Consequence:
    """What a decision would do, without making it: pages show it before it is saved."""
    engine = workspace.settings.get("engine", "")
    result = find_result(connection, item.id, engine)
    if result is None:
        raise InputError(f"{item.name} has no score yet, so there is nothing to decide about.")
    held = standing(connection, item, engine)
    return CONDUCT[workspace.kind].decide(site, workspace, item, result, held, target, value)


def record_decision(
    connection: Connection,
    site: Site,
    workspace: Workspace,
    item: Item,
    *,
    kind: Literal["override", "confirm"],
    target: str,
    value: Any,
    reason: str,
    who: Visitor,
) -> int:
    """Keep a decision; its id."""
    told = consequence_of(connection, site, workspace, item, target=target, value=value)
    now = site.now()
    made = decide(
        connection,
        item,
        workspace.settings.get("engine", ""),
        kind=kind,
        target=target,
        value=value,
        previous=told.previous,
        system_score=told.system_score,
        human_score=told.human_score,
        reason=reason,
        author=who.name,
        now=now,
    )
    detail = {"name": item.name, "item": item.id, "target": target, "value": value, "was": told.previous}
    note(connection, kind, author=who.name, now=now, workspace_id=workspace.id, detail=detail)
    refresh_summary(connection, workspace.id, now=now)
    return made


def undo_decision(connection: Connection, site: Site, workspace: Workspace, decision_id: int, who: Visitor) -> None:
    """Take a decision back; what stood before it stands again."""
    found = find_decision(connection, workspace.id, decision_id)
    if found is None:
        raise NotFound("There is no such decision.")
    now = site.now()
    undo(connection, workspace.id, decision_id, author=who.name, now=now)
    detail = {"item": found.item_id, "target": found.target, "decision": decision_id}
    note(connection, f"undo {found.kind}", author=who.name, now=now, workspace_id=workspace.id, detail=detail)
    refresh_summary(connection, workspace.id, now=now)
