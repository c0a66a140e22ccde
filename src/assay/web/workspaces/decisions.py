"""Overrides and confirmations: checked by the kind, kept with reason and author, noted, undone."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

from assay.errors import InputError
from assay.store.audit import note
from assay.store.database import Connection
from assay.store.items import Item, find_item, find_result
from assay.store.overrides import Consequence, Decision, decide, find_decision, item_decisions, undo
from assay.store.workspaces import Workspace, hold_workspace
from assay.web.problems import NotFound, Removed
from assay.web.site import Site
from assay.web.visitors import Visitor
from assay.web.workspaces.summaries import refresh_summary


def consequence_of(
    connection: Connection, site: Site, workspace: Workspace, item: Item, *, target: str, value: Any
) -> Consequence:
    """What a decision would do, without making it: pages show it before it is saved."""
    engine = workspace.engine
    result = find_result(connection, item.id, engine)
    if result is None:
        raise InputError(f"{item.name} has no score yet, so there is nothing to decide about.")
    decisions = item_decisions(connection, item, engine)
    return site.handlers[workspace.kind].decide(site, workspace, item, result, decisions, target, value)


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
    _hold(connection, workspace)
    consequence = consequence_of(connection, site, workspace, item, target=target, value=value)
    now = site.now()
    decision_id = decide(
        connection,
        item,
        workspace.engine,
        kind=kind,
        target=target,
        value=value,
        consequence=consequence,
        reason=reason,
        author=who.name,
        now=now,
    )
    detail = {"name": item.name, "item": item.id, "target": target, "value": value, "was": consequence.previous}
    note(connection, kind, author=who.name, now=now, workspace_id=workspace.id, detail=detail)
    refresh_summary(connection, workspace.id, now=now)
    return decision_id


def _hold(connection: Connection, workspace: Workspace) -> None:
    """Wait for others who decide about this workspace: what they decided bears on the final score."""
    if hold_workspace(connection, workspace.id) is None:
        raise Removed


def undo_decision(connection: Connection, site: Site, workspace: Workspace, decision_id: int, who: Visitor) -> None:
    """Take a decision back; what stood before it stands again.

    The last decision that still stands is made again when its final score decisions the one that is undone.
    """
    _hold(connection, workspace)
    decision = find_decision(connection, workspace.id, decision_id)
    if decision is None:
        raise NotFound("There is no such decision.")
    if decision.engine != workspace.engine:
        raise InputError("This decision is about a score that no longer counts. Go back to the rules or model it had.")
    now = site.now()
    undo(connection, workspace.id, decision_id, author=who.name, now=now)
    detail = {"item": decision.item_id, "target": decision.target, "decision": decision_id}
    note(connection, f"undo {decision.kind}", author=who.name, now=now, workspace_id=workspace.id, detail=detail)
    item = find_item(connection, workspace.id, decision.item_id)
    if item is not None:
        _make_last_again(connection, site, workspace, item, who)
    refresh_summary(connection, workspace.id, now=now)


def _make_last_again(connection: Connection, site: Site, workspace: Workspace, item: Item, who: Visitor) -> None:
    """A decision keeps the final score it led to; the last one is made again where that score is another now."""
    decisions = item_decisions(connection, item, workspace.engine)
    if not decisions:
        return
    last = decisions[-1]
    consequence = consequence_of(connection, site, workspace, item, target=last.target, value=last.value)
    if consequence.human_score == last.human_score:
        return
    record_decision(
        connection,
        site,
        workspace,
        item,
        kind=last.kind,
        target=last.target,
        value=last.value,
        reason=last.reason,
        who=who,
    )


def last_decision(decisions: Sequence[Decision], final: str) -> str:
    """Whether the score was confirmed, changed or brought back by the latest step, and what it is now; "" before any.

    The undoing of a decision is a step of its own; one that was made again in the same moment does not hide it.
    """
    if not decisions:
        return ""
    last = max(decisions, key=_moment)
    if last.undone is not None:
        return f"Undone: the score is {final} again."
    if last.kind == "confirm":
        return f"Confirmed at {final} by {last.author}."
    return f"Override saved: the score is {final} now, by {last.author}."


def _moment(decision: Decision) -> tuple[datetime, bool, int]:
    return decision.undone or decision.made_at, decision.undone is not None, decision.id
