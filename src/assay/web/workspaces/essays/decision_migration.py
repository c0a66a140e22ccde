"""Scores that people gave stay when another model goes live: a person judged the essay, not the model (decision 0429).

The final score of every decided essay is the same before and after. Beside it stands what the new model says: of a
model that was refitted on this very decision, what it says when it is refitted without it, so that the figures of the
trust page stay honest. Where the new model has not scored yet, its score is filled in when it has.
"""

from collections.abc import Mapping

from assay.store.database import Connection
from assay.store.items import find_item
from assay.store.overrides import Consequence, Decision, decide, reviewed
from assay.store.workspaces import Workspace

KEPT = "Kept from the model before: "


def migrate_decisions(
    connection: Connection, workspace: Workspace, *, was: str, becomes: str, unseen: Mapping[int, float] | None = None
) -> int:
    """Make the decisions under one engine hold under another too, where it has none of its own; how many."""
    if not was or was == becomes:
        return 0
    known, count = reviewed(connection, workspace.id, becomes), 0
    for item_id, decisions in reviewed(connection, workspace.id, was).items():
        item = find_item(connection, workspace.id, item_id)
        newest = decisions[-1]
        if item is None or newest.human_score is None:
            continue
        if item_id in known and known[item_id][-1].made_at >= newest.made_at:
            continue
        _migrate(connection, workspace, newest, becomes, (unseen or {}).get(item_id))
        count += 1
    return count


def _migrate(
    connection: Connection, workspace: Workspace, decision: Decision, engine: str, system: float | None
) -> None:
    item = find_item(connection, workspace.id, decision.item_id)
    assert item is not None  # looked up above
    told = decision.reason if decision.reason.startswith(KEPT) else f"{KEPT}{decision.reason or 'confirmed'}"
    decide(
        connection,
        item,
        engine,
        kind="override",
        target="score",
        value=decision.human_score,
        consequence=Consequence(decision.system_score, system, decision.human_score),
        reason=told,
        author=decision.author,
        now=decision.made_at,
    )
