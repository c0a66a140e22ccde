"""System and human scores side by side: what the trust page judges an engine by, and what waits for a review.

Only what is asked for leaves the database: ten thousand results have payloads of many megabytes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, and_, func, select

from assay.store.schema import items, overrides, results

Path = Sequence[str]
"""Keys on the way to a value in a JSON object."""


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """An item, its result by one engine, and the last decision about it that stands."""

    id: int
    name: str
    system: float | None
    raw: float | None
    low: float | None
    high: float | None
    doubts: float | None
    known: float | None
    """A human score that came with the item."""
    group: str | None
    human: float | None
    decided_on: float | None
    """The system score the decision was made about: that of the result, or what an unseen refit gave."""
    kind: Literal["override", "confirm"] | None
    author: str | None
    made: datetime | None


@dataclass(frozen=True, slots=True)
class Kept:
    """Where a kind of workspace keeps what a review needs to know, as paths into payload and detail."""

    raw: Path = ()
    low: Path = ()
    high: Path = ()
    doubts: Path = ()
    known: Path = ()
    group: Path = ()


def review_rows(connection: Connection, workspace_id: str, engine: str, kept: Kept) -> list[ReviewRow]:
    """Every scored item of a workspace in order."""
    standing = and_(
        overrides.c.workspace_id == workspace_id, overrides.c.engine == engine, overrides.c.undone.is_(None)
    )
    last = select(func.max(overrides.c.id).label("id")).where(standing).group_by(overrides.c.item_id).subquery()
    decision = select(overrides).join(last, last.c.id == overrides.c.id).subquery()
    query = (
        select(
            items.c.id,
            items.c.name,
            results.c.score.label("system"),
            _number(results.c.payload, kept.raw).label("raw"),
            _number(results.c.payload, kept.low).label("low"),
            _number(results.c.payload, kept.high).label("high"),
            _number(results.c.payload, kept.doubts).label("doubts"),
            _number(items.c.detail, kept.known).label("known"),
            _text(items.c.detail, kept.group).label("group"),
            decision.c.human_score.label("human"),
            decision.c.system_score.label("decided_on"),
            decision.c.kind,
            decision.c.author,
            decision.c.made,
        )
        .select_from(items)
        .join(results, and_(results.c.item_id == items.c.id, results.c.engine == engine))
        .outerjoin(decision, decision.c.item_id == items.c.id)
        .where(items.c.workspace_id == workspace_id, items.c.removed.is_(None))
        .order_by(items.c.position)
    )
    return [ReviewRow(*tuple(row)) for row in connection.execute(query)]


def _number(column: ColumnElement[Any], path: Path) -> ColumnElement[Any]:
    return column[tuple(path)].as_float() if path else func.nullif(0.0, 0.0)


def _text(column: ColumnElement[Any], path: Path) -> ColumnElement[Any]:
    return column[tuple(path)].as_string() if path else func.nullif("", "")


def override_targets(connection: Connection, workspace_id: str, engine: str) -> Mapping[str, int]:
    """How many standing overrides there are of each kind of target: match, label, miss, score and so on."""
    query = select(overrides.c.target).where(
        overrides.c.workspace_id == workspace_id,
        overrides.c.engine == engine,
        overrides.c.undone.is_(None),
        overrides.c.kind == "override",
    )
    found: dict[str, int] = {}
    for target in connection.execute(query).scalars():
        kind = target.partition(":")[0]
        found[kind] = found.get(kind, 0) + 1
    return found
