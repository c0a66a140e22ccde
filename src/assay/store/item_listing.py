"""The submissions of a workspace with their final scores, sorted, filtered and paged in the database."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, FromClause, Select, and_, case, func, or_, select

from assay.store.classroom.appeals import is_appealed
from assay.store.database import rows_as
from assay.store.items import by_engine, in_sight
from assay.store.reviews import decided_items
from assay.store.schema import Json, items, job_items, jobs, overrides, results

SORTS = ("position", "name", "final", "system", "matched", "missed", "extra", "quality", "completeness")
STATES = {
    "": "all",
    "review": "to review",
    "reviewed": "reviewed",
    "changed": "with overrides",
    "appeal": "appealed",
    "failed": "not scored",
}
"""Filter -> its words."""


@dataclass(frozen=True, slots=True)
class ListedItem:
    """A submission as lists show it."""

    id: int
    name: str
    digest: str
    position: int
    system: float | None
    final: float | None
    decisions: int
    """Overrides and confirmations that stand."""
    changes: int
    """Overrides that stand."""
    reviewed: int
    """Decisions about the whole that stand: a person has reviewed it."""
    payload: Json | None
    """None when it has no score."""
    appealed: bool
    """Whether the student asked for another look, and waits for an answer."""

    @property
    def state(self) -> str:
        if self.payload is None:
            return "not scored"
        if self.appealed:
            return "appeal"
        if not self.reviewed:
            return "in review" if self.decisions else "to review"
        return "override" if self.changes else "confirmed"


@dataclass(frozen=True, slots=True)
class ListQuery:
    """What a list asks for."""

    sort: str = "final"
    descending: bool = True
    containing: str = ""
    state: str = ""


def rows(
    connection: Connection, workspace_id: str, engine: str, query: ListQuery, offset: int = 0, most: int | None = None
) -> list[ListedItem]:
    """Submissions with all that lists say of them; those without a score come last."""
    if most is not None:  # sorting rows with their payloads would carry megabytes around
        ids = ids_in_order(connection, workspace_id, engine, query, offset, most)
        return rows_of(connection, workspace_id, engine, ids)
    listing = _Listing(workspace_id, engine)
    chosen = listing.query(query, *listing.columns).order_by(*listing.order(query))
    return rows_as(connection, ListedItem, chosen.offset(offset))


def count(connection: Connection, workspace_id: str, engine: str, query: ListQuery) -> int:
    """How many submissions a list has on all its pages."""
    listing = _Listing(workspace_id, engine)
    number: int = connection.execute(listing.query(query, func.count())).scalar_one()
    return number


def ids_in_order(
    connection: Connection, workspace_id: str, engine: str, query: ListQuery, offset: int = 0, most: int | None = None
) -> list[int]:
    """The submissions of a list by id, a page or all of them."""
    listing = _Listing(workspace_id, engine)
    chosen = listing.query(query, items.c.id).order_by(*listing.order(query))
    return list(connection.execute(chosen.offset(offset).limit(most)).scalars())


def rows_of(connection: Connection, workspace_id: str, engine: str, ids: Sequence[int]) -> list[ListedItem]:
    """Some submissions, in the order asked for."""
    listing = _Listing(workspace_id, engine)
    query = listing.query(ListQuery(), *listing.columns).where(items.c.id.in_(ids))
    listed = {row.id: row for row in rows_as(connection, ListedItem, query)}
    return [listed[id_] for id_ in ids if id_ in listed]


def scored_names(connection: Connection, workspace_id: str, engine: str) -> list[tuple[int, str]]:
    """Id and name of every submission with a score, in the order they came."""
    listing = _Listing(workspace_id, engine)
    query = listing.query(ListQuery(), items.c.id, items.c.name).where(results.c.id.is_not(None))
    return [(row.id, row.name) for row in connection.execute(query.order_by(items.c.position))]


@dataclass(frozen=True, slots=True)
class Totals:
    """How far a workspace is."""

    submissions: int
    scored: int
    reviewed: int
    changed: int
    mean_system: float | None
    mean_final: float | None
    mean_gap: float | None
    """Mean distance of system and final score over the reviewed."""


def totals(connection: Connection, workspace_id: str, engine: str) -> Totals:
    """Counts and means over all submissions."""
    listing = _Listing(workspace_id, engine)
    decided = listing.last.c.reviewed > 0
    gap = case((decided, func.abs(listing.final - results.c.score)))
    query = listing.query(
        ListQuery(),
        func.count().label("submissions"),
        func.count(results.c.id).label("scored"),
        func.coalesce(func.sum(case((decided, 1), else_=0)), 0).label("reviewed"),
        func.coalesce(func.sum(case((listing.last.c.changes > 0, 1), else_=0)), 0).label("changed"),
        func.avg(results.c.score).label("mean_system"),
        func.avg(listing.final).label("mean_final"),
        func.avg(gap).label("mean_gap"),
    )
    return Totals(**connection.execute(query).mappings().one())


def reasons_of_failure(connection: Connection, workspace_id: str, engine: str, ids: Iterable[int]) -> dict[int, str]:
    """Submission -> why it could not be scored."""
    query = (
        select(job_items.c.item_id, job_items.c.error)
        .join(jobs, jobs.c.id == job_items.c.job_id)
        .where(jobs.c.workspace_id == workspace_id, jobs.c.engine == engine, job_items.c.error.is_not(None))
        .where(job_items.c.item_id.in_(list(ids)))
        .order_by(job_items.c.finished)
    )
    return {row.item_id: row.error for row in connection.execute(query)}


@dataclass(frozen=True, slots=True)
class Change:
    """A score under two sets of rules."""

    id: int
    name: str
    was: float
    now: float


def changes(connection: Connection, workspace_id: str, was: str, now: str, most: int) -> tuple[list[Change], int, int]:
    """The submissions whose system score changed most from one engine to another, how many did, and of how many."""
    before, after = results.alias("before"), results.alias("after")
    joined = items.join(before, and_(before.c.item_id == items.c.id, before.c.engine == was))
    joined = joined.join(after, and_(after.c.item_id == items.c.id, after.c.engine == now))
    both = and_(in_sight(workspace_id), after.c.score.is_not(None))
    step = func.abs(after.c.score - before.c.score)
    columns = (items.c.id, items.c.name, before.c.score.label("was"), after.c.score.label("now"))
    query = select(*columns).select_from(joined).where(both, step >= 0.05)
    numbers = select(func.count(), func.coalesce(func.sum(case((step >= 0.05, 1), else_=0)), 0))
    of, changed = connection.execute(numbers.select_from(joined).where(both)).one()
    listed = connection.execute(query.order_by(step.desc(), items.c.position).limit(most)).mappings()
    return [Change(**row) for row in listed], changed, of


class _Listing:
    """Items with their result by one engine and the last decision about them."""

    def __init__(self, workspace_id: str, engine: str) -> None:
        self.workspace_id, self.engine = workspace_id, engine
        self.last, self.decision = decided_items(workspace_id, engine), overrides.alias("decision")
        self.final = func.coalesce(self.decision.c.human_score, results.c.score)

    @property
    def columns(self) -> list[ColumnElement[Any]]:
        """Those of a `ListedItem`."""
        counts = [func.coalesce(self.last.c[name], 0).label(name) for name in ("decisions", "changes", "reviewed")]
        scores = [results.c.score.label("system"), self.final.label("final"), results.c.payload]
        appealed = case((is_appealed(), True), else_=False).label("appealed")
        return [items.c.id, items.c.name, items.c.digest, items.c.position, *scores, *counts, appealed]

    def query(self, query: ListQuery, *columns: ColumnElement[Any]) -> Select[Any]:
        """Columns of the items a list asks for."""
        joined: FromClause = items.outerjoin(results, by_engine(self.engine))
        joined = joined.outerjoin(self.last, self.last.c.item_id == items.c.id)
        joined = joined.outerjoin(self.decision, self.decision.c.id == self.last.c.last)
        chosen = select(*columns).select_from(joined).where(in_sight(self.workspace_id))
        if query.containing:
            chosen = chosen.where(items.c.name.icontains(query.containing, autoescape=True))
        decided = func.coalesce(self.last.c.reviewed, 0) > 0
        states = {
            "review": and_(results.c.id.is_not(None), or_(~decided, is_appealed())),
            "appeal": is_appealed(),
            "reviewed": decided,
            "changed": self.last.c.changes > 0,
            "failed": results.c.id.is_(None),
        }
        return chosen.where(states[query.state]) if query.state in states else chosen

    def order(self, query: ListQuery) -> tuple[ColumnElement[Any], ...]:
        keys: dict[str, ColumnElement[Any]] = {
            "position": items.c.position,
            "name": func.lower(items.c.name),
            "final": self.final,
            "system": results.c.score,
        }
        column = keys[query.sort] if query.sort in keys else results.c.payload[query.sort].as_float()
        ordered = column.desc() if query.descending else column.asc()
        return or_(results.c.id.is_(None)).asc(), ordered.nulls_last(), items.c.position
