"""What people decided about results: overrides and confirmations, with reason, author, time, undo and history.

A decision belongs to the content of an item and to the engine that scored it: a new upload never inherits it, other
rules only where what was looked at is still the same (`seen`). `target` says what it is about in the words of the
workspace's kind: `score`, `match:3:5`, `label:3:5`, `miss:7`, `image:street.png`. Beside the decision stand the item's
system score and its final score when it was made: the pair that the trust page judges the engine by.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, insert, select, update

from assay.errors import InputError
from assay.store.database import first_as, rows_as
from assay.store.items import Item
from assay.store.reviews import in_force
from assay.store.schema import fields, items, overrides, results

LONGEST_REASON = 2000


@dataclass(frozen=True, slots=True)
class Decision:
    """An override, or a confirmation: a person looked and agreed."""

    id: int
    workspace_id: str
    item_id: int
    item_digest: str
    engine: str
    target: str
    kind: Literal["override", "confirm"]
    value: Any
    previous: Any
    system_score: float | None
    human_score: float | None
    reason: str
    author: str
    made_at: datetime
    undone: datetime | None
    undone_by: str | None
    seen: str | None = None
    """Digest of what the person looked at; None of decisions from before it was kept."""
    made_under: str | None = None
    """The engine it was made under, where it was carried over to this one."""


@dataclass(frozen=True, slots=True)
class Consequence:
    """What a decision replaces, and the item's score before any decision and after this one."""

    previous: Any
    system_score: float | None
    human_score: float | None
    seen: str | None = None
    """Digest of what is decided about."""
    completes: bool = False
    """Whether with it the whole item has been looked at."""


@dataclass(frozen=True, slots=True)
class CarriedDecision:
    """A decision made under another engine that holds under this one too, with what it does here."""

    decision: Decision
    consequence: Consequence


def decide(
    connection: Connection,
    item: Item,
    engine: str,
    *,
    kind: Literal["override", "confirm"],
    target: str,
    value: Any,
    consequence: Consequence,
    reason: str,
    author: str,
    now: datetime,
    made_under: str | None = None,
) -> int:
    """Keep a decision; its id. An override needs a reason."""
    if kind == "override" and not reason.strip():
        raise InputError("Say why: an override without a reason cannot be defended later.", field="reason")
    about = {"workspace_id": item.workspace_id, "item_id": item.id, "item_digest": item.digest, "engine": engine}
    decision = {"target": target, "kind": kind, "value": value, "reason": reason.strip()[:LONGEST_REASON]}
    effect = {name: value for name, value in asdict(consequence).items() if name != "completes"}
    row = {**about, **decision, **effect, "author": author, "made": now, "made_under": made_under}
    return int(connection.execute(insert(overrides).values(**row).returning(overrides.c.id)).scalar_one())


def undo(connection: Connection, workspace_id: str, decision_id: int, *, author: str, now: datetime) -> None:
    """Take a decision back; it stays in the history."""
    chosen = (overrides.c.workspace_id == workspace_id) & (overrides.c.id == decision_id) & overrides.c.undone.is_(None)
    done = connection.execute(update(overrides).where(chosen).values(undone=now, undone_by=author))
    if done.rowcount != 1:
        raise InputError("There is no such decision here, or it was undone before.")


def fill_in_system_scores(connection: Connection, workspace_id: str, engine: str) -> None:
    """Set the engine's score beside decisions that were made before it had one; an equal score makes a confirmation."""
    scored = (results.c.item_id == overrides.c.item_id) & (results.c.engine == overrides.c.engine)
    query = select(overrides.c.id, results.c.score, overrides.c.human_score).join(results, scored)
    query = query.where(overrides.c.workspace_id == workspace_id, overrides.c.engine == engine)
    query = query.where(overrides.c.system_score.is_(None), results.c.score.is_not(None))
    for id_, score, human in connection.execute(query).all():
        kind = "confirm" if score == human else "override"
        values = {"system_score": score, "previous": score, "kind": kind}
        connection.execute(update(overrides).where(overrides.c.id == id_).values(**values))


def earlier_decisions(connection: Connection, workspace_id: str, item_id: int, engine: str) -> list[Decision]:
    """What was last decided about each target under other engines, oldest first, undone or not.

    Only what is later than anything decided about the target under this engine, and for which it is known what the
    person looked at.
    """
    query = select(*fields(overrides)).join(items, items.c.id == overrides.c.item_id)
    query = query.where(overrides.c.workspace_id == workspace_id, overrides.c.item_id == item_id)
    query = query.where(overrides.c.item_digest == items.c.digest).order_by(overrides.c.id)
    last, own = {}, {}
    for decision in rows_as(connection, Decision, query):
        last[decision.target] = decision
        if decision.engine == engine:
            own[decision.target] = decision
    return [d for d in last.values() if d.seen and d.engine != engine and _is_news(d, own.get(d.target))]


def _is_news(decision: Decision, own: Decision | None) -> bool:
    """Whether a decision under another engine says more than what this engine has about the same target."""
    if own is None:
        return decision.undone is None
    is_same = (own.made_at, own.author) == (decision.made_at, decision.author)
    return not is_same or (own.undone is None) != (decision.undone is None)


def carry_over(connection: Connection, item: Item, engine: str, carried: Iterable[CarriedDecision]) -> None:
    """Make decisions hold under an engine, unless something was decided about their targets meanwhile.

    Author, reason and time stay those of the person who decided. One that was undone ends what this engine had.
    """
    for one in carried:
        was = one.decision
        current = earlier_decisions(connection, item.workspace_id, item.id, engine)
        if was.id not in {decision.id for decision in current}:
            continue
        if was.undone is not None:
            of_target = in_force(item.workspace_id, engine) & (overrides.c.item_id == item.id)
            of_target &= overrides.c.target == was.target
            ended = {"undone": was.undone, "undone_by": was.undone_by}
            connection.execute(update(overrides).where(of_target).values(**ended))
            continue
        about: dict[str, Any] = {"kind": was.kind, "target": was.target, "value": was.value, "reason": was.reason}
        by: dict[str, Any] = {"author": was.author, "now": was.made_at, "made_under": was.made_under or was.engine}
        decide(connection, item, engine, **about, consequence=one.consequence, **by)


def decided_elsewhere(connection: Connection, workspace_id: str, engine: str) -> list[int]:
    """Items this engine has scored that people decided about under another one."""
    query = select(overrides.c.item_id).distinct().join(results, results.c.item_id == overrides.c.item_id)
    query = query.where(overrides.c.workspace_id == workspace_id, overrides.c.engine != engine)
    return list(connection.execute(query.where(results.c.engine == engine)).scalars())


def find_decision(connection: Connection, workspace_id: str, decision_id: int) -> Decision | None:
    query = select(*fields(overrides)).where(overrides.c.workspace_id == workspace_id, overrides.c.id == decision_id)
    return first_as(connection, Decision, query)


def history(connection: Connection, workspace_id: str, item_id: int | None = None) -> list[Decision]:
    """Every decision ever made, oldest first, of one item or of the workspace."""
    query = select(*fields(overrides)).where(overrides.c.workspace_id == workspace_id).order_by(overrides.c.id)
    return rows_as(connection, Decision, query if item_id is None else query.where(overrides.c.item_id == item_id))


def item_decisions(connection: Connection, item: Item, engine: str) -> list[Decision]:
    """The decisions that hold for an item as this engine scored it: the last one about each target, oldest first."""
    query = select(*fields(overrides)).where(in_force(item.workspace_id, engine)).order_by(overrides.c.id)
    return _last_by_target(rows_as(connection, Decision, query.where(overrides.c.item_digest == item.digest)))


def reviewed(connection: Connection, workspace_id: str, engine: str) -> dict[int, list[Decision]]:
    """The decisions that hold under this engine, by item."""
    query = select(*fields(overrides)).where(in_force(workspace_id, engine)).order_by(overrides.c.id)
    by_item: dict[int, list[Decision]] = {}
    for decision in rows_as(connection, Decision, query):
        by_item.setdefault(decision.item_id, []).append(decision)
    return {item: _last_by_target(decisions) for item, decisions in by_item.items()}


def _last_by_target(decisions: Iterable[Decision]) -> list[Decision]:
    last = {decision.target: decision for decision in decisions}
    return sorted(last.values(), key=lambda decision: decision.id)
