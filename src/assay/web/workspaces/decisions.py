"""Overrides and confirmations: checked by the kind, kept with reason and author, noted, undone, taken over."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from assay.errors import InputError
from assay.store.items import Item, find_item, find_result
from assay.store.overrides import Consequence, Decision, decide, find_decision, item_decisions, reviewed, undo
from assay.store.schema import Connection
from assay.store.workspaces import Workspace, hold_workspace
from assay.web.problems import NotFound, Removed
from assay.web.workspaces.export_files import DecidedItem
from assay.web.workspaces.scoring import WorkspaceContext, refresh_summary

ALL_SEEN = "All images reviewed."


def consequence_of(
    connection: Connection, context: WorkspaceContext, item: Item, target: str, value: Any
) -> Consequence:
    """What a decision would do, without making it: pages show it before it is saved."""
    site, workspace = context.site, context.workspace
    result = find_result(connection, item.id, workspace.engine)
    if result is None:
        raise InputError(f"{item.name} has no score yet, so there is nothing to decide about.")
    decided = DecidedItem(site, workspace, item, result, item_decisions(connection, item, workspace.engine))
    return site.handlers[workspace.kind].decide(decided, target, value)


def save_decision(
    connection: Connection,
    context: WorkspaceContext,
    item: Item,
    kind: Literal["override", "confirm"],
    target: str = "score",
    value: Any = None,
    reason: str = "",
) -> int:
    """Keep a decision; its id. Others who decide about this workspace wait: what they decided bears on the score."""
    workspace, now, by = context.workspace, context.site.now(), context.visitor.name
    if hold_workspace(connection, workspace.id) is None:
        raise Removed
    effect = consequence_of(connection, context, item, target, value)
    decision: dict[str, Any] = {"kind": kind, "target": target, "value": value, "reason": reason}
    decision_id = decide(connection, item, workspace.engine, **decision, consequence=effect, author=by, now=now)
    detail = {"name": item.name, "item": item.id, "target": target, "value": value, "was": effect.previous}
    context.note(connection, kind, detail)
    if effect.completes:
        save_decision(connection, context, item, "confirm", reason=ALL_SEEN)
    refresh_summary(connection, workspace.id, now=now)
    return decision_id


def undo_decision(connection: Connection, context: WorkspaceContext, decision_id: int) -> None:
    """Take a decision back; what stood before it stands again.

    A decision keeps the final score it led to; the last one that still stands is made again where that score is another
    without the one that is undone.
    """
    workspace, now = context.workspace, context.site.now()
    if hold_workspace(connection, workspace.id) is None:
        raise Removed
    decision = find_decision(connection, workspace.id, decision_id)
    if decision is None:
        raise NotFound("There is no such decision.")
    if decision.engine != workspace.engine:
        raise InputError("This decision is about a score that no longer counts. Go back to the rules or model it had.")
    undo(connection, workspace.id, decision_id, author=context.visitor.name, now=now)
    detail = {"item": decision.item_id, "target": decision.target, "decision": decision_id}
    context.note(connection, f"undo {decision.kind}", detail)
    item = find_item(connection, workspace.id, decision.item_id)
    left = item_decisions(connection, item, workspace.engine) if item is not None else []
    if item is not None and left:
        last = left[-1]
        again = consequence_of(connection, context, item, last.target, last.value)
        if again.human_score != last.human_score:
            save_decision(connection, context, item, last.kind, last.target, last.value, last.reason)
    refresh_summary(connection, workspace.id, now=now)


KEPT = "Kept from the model before: "


def migrate_decisions(
    connection: Connection, workspace: Workspace, *, was: str, becomes: str, unseen: Mapping[int, float] | None = None
) -> None:
    """Make the decisions under one engine hold under another too, where it has none of its own.

    Scores that people gave stay when another model goes live: a person judged the essay, not the model (decision 0429).
    The final score of every decided essay is the same before and after. Beside it stands what the new model says: of a
    model that was refitted on this very decision, what it says when it is refitted without it (`unseen`), so that the
    figures of the trust page stay honest. Where the new model has not scored yet, its score is filled in when it has.
    """
    if not was or was == becomes:
        return
    known = reviewed(connection, workspace.id, becomes)
    for item_id, decisions in reviewed(connection, workspace.id, was).items():
        item, newest = find_item(connection, workspace.id, item_id), decisions[-1]
        if item is None or newest.human_score is None:
            continue
        if item_id in known and known[item_id][-1].made_at >= newest.made_at:
            continue
        effect = Consequence(newest.system_score, (unseen or {}).get(item_id), newest.human_score)
        reason = newest.reason if newest.reason.startswith(KEPT) else f"{KEPT}{newest.reason or 'confirmed'}"
        decision: dict[str, Any] = {
            "kind": "override",
            "target": "score",
            "value": newest.human_score,
            "reason": reason,
        }
        by, now = newest.author, newest.made_at
        decide(connection, item, becomes, **decision, consequence=effect, author=by, now=now)


def last_decision(decisions: Sequence[Decision], final: str) -> str:
    """Whether the score was confirmed, changed or brought back by the latest step, and what it is now; "" before any.

    The undoing of a decision is a step of its own; one that was made again in the same moment does not hide it.
    """
    if not decisions:
        return ""
    last = max(decisions, key=lambda step: (step.undone or step.made_at, step.undone is not None, step.id))
    if last.undone is not None:
        return f"Undone: the score is {final} again."
    if last.kind == "confirm":
        return f"Confirmed at {final} by {last.author}."
    return f"Override saved: the score is {final} now, by {last.author}."
