"""What people decided about many items at once: scores side by side, counts, agreement."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, FromClause, Select, Subquery, and_, case, func, select

from assay.store.items import by_engine, in_sight
from assay.store.schema import items, overrides, results

WHOLE = "score"
"""The target of a decision about an item as a whole."""
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
    made_at: datetime


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
    made_at: datetime | None


def results_state(connection: Connection, workspace_id: str, engine: str, *, most: int | None = None) -> ResultsState:
    """The state of all results, or of those up to an id."""
    id_ = results.c.id
    columns = (func.count(), func.coalesce(func.max(id_), 0), func.coalesce(func.sum(id_), 0), func.max(results.c.made))
    query = _scored(workspace_id, engine, *columns)
    return ResultsState(*connection.execute(query if most is None else query.where(id_ <= most)).one())


def scored_items(connection: Connection, workspace_id: str, engine: str, places: Kept) -> Scored:
    """The scored items of a workspace, with what came with them."""
    group = items.c.detail[tuple(places.group)].as_string() if places.group else func.nullif("", "")
    columns = (items.c.id, items.c.name, _number(items.c.detail, places.known), group)
    rows = connection.execute(_scored(workspace_id, engine, *columns).order_by(items.c.position)).all()
    return Scored(*zip(*rows, strict=True)) if rows else Scored((), (), (), ())


def result_figures(
    connection: Connection, workspace_id: str, engine: str, places: Kept, *, after: int = 0
) -> dict[int, Figures]:
    """Item -> what its result says, for results with a later id than one."""
    paths = (places.raw, places.low, places.high, places.doubts)
    columns = (items.c.id, results.c.score, *(_number(results.c.payload, path) for path in paths))
    query = _scored(workspace_id, engine, *columns).where(results.c.id > after)
    return {item: tuple(figures) for item, *figures in connection.execute(query)}


def last_decisions(connection: Connection, workspace_id: str, engine: str) -> dict[int, LastDecision]:
    """Item -> the last decision about it that stands, of items that were reviewed as a whole."""
    last, decision, decided = _decided(workspace_id, engine)
    c = decision.c
    query = select(c.item_id, c.human_score, c.system_score, c.kind, c.author, c.made).select_from(decided)
    query = query.where(last.c.reviewed > 0)
    return {item: LastDecision(*values) for item, *values in connection.execute(query)}


def in_force(workspace_id: str, engine: str) -> ColumnElement[bool]:
    """Decisions about scores of one engine that were not undone."""
    c = overrides.c
    return and_(c.workspace_id == workspace_id, c.engine == engine, c.undone.is_(None))


def decided_items(workspace_id: str, engine: str) -> Subquery:
    """Items with decisions in force: the last one, how many there are, how many are overrides, and of the whole item.

    Only who decided about the whole (`score`) has reviewed it: one error that is right says nothing of the others.
    """
    changes = func.sum(case((overrides.c.kind == "override", 1), else_=0)).label("changes")
    reviewed = func.sum(case((overrides.c.target == WHOLE, 1), else_=0)).label("reviewed")
    counts = (func.max(overrides.c.id).label("last"), func.count().label("decisions"), changes, reviewed)
    query = select(overrides.c.item_id, *counts).where(in_force(workspace_id, engine))
    return query.group_by(overrides.c.item_id).subquery()


def _decided(workspace_id: str, engine: str) -> tuple[Subquery, FromClause, FromClause]:
    """The last decision in force about each item: its number, the decision to be joined by it, and both joined.

    In two steps, for then SQLite finds each decision by its key instead of looking through all of them for each item.
    """
    last, decision = decided_items(workspace_id, engine), overrides.alias("decision")
    return last, decision, last.join(decision, decision.c.id == last.c.last)


def score_counts(connection: Connection, workspace_id: str, engine: str) -> tuple[Counter[float], Counter[float]]:
    """How many items have each system score, and each final score."""
    last, decision, _ = _decided(workspace_id, engine)
    final = func.coalesce(decision.c.human_score, results.c.score)
    joined = items.join(results, by_engine(engine)).outerjoin(last, last.c.item_id == items.c.id)
    joined = joined.outerjoin(decision, decision.c.id == last.c.last)
    query = select(results.c.score, final, func.count()).select_from(joined).where(in_sight(workspace_id))
    by_system, by_final = Counter[float](), Counter[float]()
    for system, ended, number in connection.execute(query.group_by(results.c.score, final)):
        if system is not None:
            by_system[float(system)] += number
        if ended is not None:
            by_final[float(ended)] += number
    return by_system, by_final


def decided_scores(connection: Connection, workspace_id: str, engine: str) -> list[list[float]]:
    """Item and final score of every item a person decided about and the system scored, in order."""
    _, decision, decided = _decided(workspace_id, engine)
    joined = decided.join(items, items.c.id == decision.c.item_id).join(results, by_engine(engine))
    query = select(items.c.id, decision.c.human_score).select_from(joined).order_by(items.c.id)
    query = query.where(items.c.removed.is_(None), decision.c.human_score.is_not(None), results.c.score.is_not(None))
    return [[int(item), float(score)] for item, score in connection.execute(query)]


@dataclass(frozen=True, slots=True)
class ReviewAgreement:
    """How many items people decided about, on how many they gave the system's score, and the mean distance."""

    pairs: int
    same: int
    mean_gap: float


def review_agreement(connection: Connection, workspace_id: str, engine: str) -> ReviewAgreement:
    """How often and how far people and the system differ, where both gave a score."""
    last, decision, decided = _decided(workspace_id, engine)
    apart = func.abs(decision.c.human_score - decision.c.system_score)
    query = select(apart, func.count()).select_from(decided.join(items, items.c.id == decision.c.item_id))
    query = query.where(items.c.removed.is_(None), apart.is_not(None), last.c.reviewed > 0).group_by(apart)
    gaps = {float(gap): int(number) for gap, number in connection.execute(query)}
    count = sum(gaps.values())
    mean = sum(gap * number for gap, number in gaps.items()) / count if count else 0.0
    return ReviewAgreement(count, gaps.get(0.0, 0), mean)


def _scored(workspace_id: str, engine: str, *columns: ColumnElement[Any]) -> Select[Any]:
    return select(*columns).select_from(items.join(results, by_engine(engine))).where(in_sight(workspace_id))


def _number(column: ColumnElement[Any], path: Path) -> ColumnElement[Any]:
    return column[tuple(path)].as_float() if path else func.nullif(0.0, 0.0)


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
    query = _scored(workspace_id, engine, *columns).where(results.c.id > after, results.c.id <= state.last)
    rows = connection.execute(query).all()
    return tuple(zip(*rows, strict=True)) if rows else tuple(() for _ in columns)


def override_targets(connection: Connection, workspace_id: str, engine: str) -> Mapping[str, int]:
    """How many overrides in force there are of each kind of target: match, label, miss, score and so on."""
    query = select(overrides.c.target).where(in_force(workspace_id, engine), overrides.c.kind == "override")
    return Counter(target.partition(":")[0] for target in connection.execute(query).scalars())
