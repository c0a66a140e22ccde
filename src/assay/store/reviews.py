"""System and human scores side by side: what the trust page judges an engine by, and what waits for a review.

Only what is asked for leaves the database: ten thousand results have payloads of many megabytes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, FromClause, and_, func, select

from assay.store.schema import items, overrides, results

Path = Sequence[str]
"""Keys on the way to a value in a JSON object."""


@dataclass(frozen=True, slots=True)
class Scored:
    """Every item with a result by one engine, in order and column by column: ten thousand rows are soon read so."""

    ids: Sequence[int]
    names: Sequence[str]
    known: Sequence[float | None]
    """Human scores that came with the items."""
    group: Sequence[str | None]


Figures = tuple[float | None, float | None, float | None, float | None, float | None]
"""Of a result: system score, raw score, ends of its interval, doubts."""


@dataclass(frozen=True, slots=True)
class LastDecision:
    """The last decision about an item that stands."""

    human: float | None
    decided_on: float | None
    """The system score the decision was made about: that of the result, or what an unseen refit gave."""
    kind: Literal["override", "confirm"]
    author: str
    made: datetime


@dataclass(frozen=True, slots=True)
class Kept:
    """Where a kind of workspace keeps what a review needs to know, as paths into payload and detail."""

    raw: Path = ()
    low: Path = ()
    high: Path = ()
    doubts: Path = ()
    known: Path = ()
    group: Path = ()


@dataclass(frozen=True, slots=True)
class ResultsState:
    """What the results of an engine in a workspace are known by.

    It is another one as soon as a result is added or made again, or an item goes out of sight or comes back.
    """

    count: int
    last: int
    sum: int
    """Of their ids."""
    made: datetime | None


def results_state(connection: Connection, workspace_id: str, engine: str, *, most: int | None = None) -> ResultsState:
    """The state of all results, or of those up to an id."""
    id_ = results.c.id
    columns = (func.count(), func.coalesce(func.max(id_), 0), func.coalesce(func.sum(id_), 0), func.max(results.c.made))
    query = select(*columns).select_from(_joined(engine)).where(_here(workspace_id))
    return ResultsState(*connection.execute(query if most is None else query.where(id_ <= most)).one())


def scored_items(connection: Connection, workspace_id: str, engine: str, kept: Kept) -> Scored:
    """The scored items of a workspace, with what came with them."""
    columns = (items.c.id, items.c.name, _number(items.c.detail, kept.known), _text(items.c.detail, kept.group))
    query = select(*columns).select_from(_joined(engine)).where(_here(workspace_id)).order_by(items.c.position)
    rows = connection.execute(query).all()
    return Scored(*zip(*rows, strict=True)) if rows else Scored((), (), (), ())


def result_figures(
    connection: Connection, workspace_id: str, engine: str, kept: Kept, *, after: int = 0
) -> dict[int, Figures]:
    """Item -> what its result says, for results with a later id than one."""
    paths = (kept.raw, kept.low, kept.high, kept.doubts)
    columns = (items.c.id, results.c.score, *(_number(results.c.payload, path) for path in paths))
    query = select(*columns).select_from(_joined(engine)).where(_here(workspace_id), results.c.id > after)
    return {item: tuple(figures) for item, *figures in connection.execute(query)}


def last_decisions(connection: Connection, workspace_id: str, engine: str) -> dict[int, LastDecision]:
    """Item -> the last decision about it that stands."""
    standing = and_(
        overrides.c.workspace_id == workspace_id, overrides.c.engine == engine, overrides.c.undone.is_(None)
    )
    last = select(func.max(overrides.c.id).label("id")).where(standing).group_by(overrides.c.item_id).subquery()
    c = overrides.c
    query = select(c.item_id, c.human_score, c.system_score, c.kind, c.author, c.made).join(last, last.c.id == c.id)
    return {item: LastDecision(*told) for item, *told in connection.execute(query)}


def _joined(engine: str) -> FromClause:
    return items.join(results, and_(results.c.item_id == items.c.id, results.c.engine == engine))


def _here(workspace_id: str) -> ColumnElement[bool]:
    return and_(items.c.workspace_id == workspace_id, items.c.removed.is_(None))


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
