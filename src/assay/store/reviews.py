"""System and human scores side by side: what the trust page judges an engine by, and what waits for a review.

Only what is asked for leaves the database: ten thousand results have payloads of many megabytes.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, FromClause, Subquery, and_, func, select

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
    last, decision = _decided(workspace_id, engine)
    c = decision.c
    columns = (c.item_id, c.human_score, c.system_score, c.kind, c.author, c.made)
    query = select(*columns).select_from(last.join(decision, c.id == last.c.last))
    return {item: LastDecision(*values) for item, *values in connection.execute(query)}


def _decided(workspace_id: str, engine: str) -> tuple[Subquery[Any], FromClause[Any]]:
    """The last decision that stands about each item: its number, and the decision to be joined by it.

    In two steps, for then SQLite finds each decision by its key instead of looking through all of them for each item.
    """
    standing = and_(
        overrides.c.workspace_id == workspace_id, overrides.c.engine == engine, overrides.c.undone.is_(None)
    )
    columns = (overrides.c.item_id, func.max(overrides.c.id).label("last"))
    return select(*columns).where(standing).group_by(overrides.c.item_id).subquery(), overrides.alias("decision")


def score_counts(connection: Connection, workspace_id: str, engine: str) -> tuple[Counter[float], Counter[float]]:
    """How many items have each system score, and each final score."""
    last, decision = _decided(workspace_id, engine)
    final = func.coalesce(decision.c.human_score, results.c.score)
    joined = (
        _joined(engine).outerjoin(last, last.c.item_id == items.c.id).outerjoin(decision, decision.c.id == last.c.last)
    )
    query = select(results.c.score, final, func.count()).select_from(joined)
    query = query.where(_here(workspace_id))
    by_system, by_final = Counter[float](), Counter[float]()
    for system, ended, number in connection.execute(query.group_by(results.c.score, final)):
        if system is not None:
            by_system[float(system)] += number
        if ended is not None:
            by_final[float(ended)] += number
    return by_system, by_final


def decided_scores(connection: Connection, workspace_id: str, engine: str) -> list[list[float]]:
    """Item and final score of every item a person decided about and the system scored, in order."""
    last, decision = _decided(workspace_id, engine)
    joined = last.join(decision, decision.c.id == last.c.last).join(items, items.c.id == last.c.item_id)
    joined = joined.join(results, and_(results.c.item_id == items.c.id, results.c.engine == engine))
    query = (
        select(items.c.id, decision.c.human_score)
        .select_from(joined)
        .where(items.c.removed.is_(None), decision.c.human_score.is_not(None), results.c.score.is_not(None))
        .order_by(items.c.id)
    )
    return [[int(item), float(score)] for item, score in connection.execute(query)]


@dataclass(frozen=True, slots=True)
class ReviewAgreement:
    """How many items people decided about, on how many they gave the system's score, and the mean distance."""

    pairs: int
    same: int
    mean_gap: float


def review_agreement(connection: Connection, workspace_id: str, engine: str) -> ReviewAgreement:
    """How often and how far people and the system differ, where both gave a score."""
    last, decision = _decided(workspace_id, engine)
    apart = func.abs(decision.c.human_score - decision.c.system_score)
    query = (
        select(apart, func.count())
        .select_from(last.join(decision, decision.c.id == last.c.last).join(items, items.c.id == last.c.item_id))
        .where(items.c.removed.is_(None), apart.is_not(None))
        .group_by(apart)
    )
    gaps = {float(gap): int(number) for gap, number in connection.execute(query)}
    count = sum(gaps.values())
    mean = sum(gap * number for gap, number in gaps.items()) / count if count else 0.0
    return ReviewAgreement(count, gaps.get(0.0, 0), mean)


def _joined(engine: str) -> FromClause:
    return items.join(results, and_(results.c.item_id == items.c.id, results.c.engine == engine))


def _here(workspace_id: str) -> ColumnElement[bool]:
    return and_(items.c.workspace_id == workspace_id, items.c.removed.is_(None))


def _number(column: ColumnElement[Any], path: Path) -> ColumnElement[Any]:
    return column[tuple(path)].as_float() if path else func.nullif(0.0, 0.0)


def _text(column: ColumnElement[Any], path: Path) -> ColumnElement[Any]:
    return column[tuple(path)].as_string() if path else func.nullif("", "")


def payload_columns(
    connection: Connection,
    workspace_id: str,
    engine: str,
    *,
    texts: Sequence[str],
    numbers: Sequence[str],
    state: ResultsState,
    after: int = 0,
) -> tuple[Sequence[Any], ...]:
    """Entries of the payloads of all results from one id on up to those a state knows, column by column.

    Of each entry in `texts` its JSON as a text, of each in `numbers` a whole number; None where a payload has none.
    """
    payload = results.c.payload
    columns = [*(payload[name].as_string() for name in texts), *(payload[name].as_integer() for name in numbers)]
    query = select(*columns).select_from(_joined(engine)).where(_here(workspace_id))
    rows = connection.execute(query.where(results.c.id > after, results.c.id <= state.last)).all()
    return tuple(zip(*rows, strict=True)) if rows else tuple(() for _ in columns)


def override_targets(connection: Connection, workspace_id: str, engine: str) -> Mapping[str, int]:
    """How many standing overrides there are of each kind of target: match, label, miss, score and so on."""
    query = select(overrides.c.target).where(
        overrides.c.workspace_id == workspace_id,
        overrides.c.engine == engine,
        overrides.c.undone.is_(None),
        overrides.c.kind == "override",
    )
    return Counter(target.partition(":")[0] for target in connection.execute(query).scalars())
