"""What a workspace scores, and the results of each engine."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, and_, bindparam, delete, func, insert, select, update

from assay.store.blobs import keep_bytes
from assay.store.database import first_as, rows_as
from assay.store.schema import Json, clipped, fields, items, new_id, results


@dataclass(frozen=True, slots=True)
class NewItem:
    """Something to score. The digest stands for its content, and for its owner where two may hand in the same."""

    digest: str
    name: str
    detail: Json = field(default_factory=dict)
    student: str | None = None
    upload_id: int | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """Something a workspace scores: a submission, an essay, an engine."""

    id: int
    workspace_id: str
    position: int
    digest: str
    name: str
    student: str | None
    upload_id: int | None
    detail: Json
    created: datetime
    removed: datetime | None
    enrollment_id: int | None = None
    """Whose it is."""


ITEM = [column for column in items.columns if column.name not in ("staged", "owner_rule")]
"""The columns of an `Item`."""
BATCH = 150
"""Items or pieces written in one transaction: some 10 ms on SQLite."""


@dataclass(frozen=True, slots=True)
class StoredResult:
    """What one engine made of one item. `files` maps names to digests of blobs: what is too large for the payload."""

    item_id: int
    engine: str
    score: float | None
    payload: Json
    files: Mapping[str, str]
    made_at: datetime


def put_items(connection: Connection, workspace_id: str, new: Sequence[NewItem], *, now: datetime) -> list[Item]:
    """Add items at the end; one with the content of an earlier item is that item, back in place."""
    stamp = new_id()
    stage_items(connection, workspace_id, new, stamp, now=now)
    own = and_(items.c.workspace_id == workspace_id, items.c.staged == stamp)
    connection.execute(update(items).where(own).values(removed=None))
    return rows_as(connection, Item, select(*ITEM).where(own).order_by(items.c.position))


def batches(new: Sequence[NewItem]) -> Iterator[list[NewItem]]:
    """Items in the portions one transaction writes, each content once."""
    distinct = list({item.digest: item for item in new}.values())
    return (distinct[start : start + BATCH] for start in range(0, len(distinct), BATCH))


def stage_items(
    connection: Connection, workspace_id: str, new: Sequence[NewItem], stamp: str, *, now: datetime
) -> None:
    """Write items down under a stamp; those that are new are out of sight, the others stay where they are."""
    last = select(func.coalesce(func.max(items.c.position), 0)).where(items.c.workspace_id == workspace_id)
    for batch in batches(new):
        own = (items.c.workspace_id == workspace_id) & items.c.digest.in_([item.digest for item in batch])
        known = dict(connection.execute(select(items.c.digest, items.c.id).where(own)).all())
        start = connection.execute(last).scalar_one()
        shared = {"workspace_id": workspace_id, "created": now, "removed": now, "staged": stamp}
        fresh = [asdict(i) | shared | {"name": clipped(i.name)} for i in batch if i.digest not in known]
        if fresh:
            connection.execute(insert(items), [row | {"position": n} for n, row in enumerate(fresh, start + 1)])
        values: dict[str, Any] = {name: bindparam(f"new_{name}") for name in ("name", "detail", "upload_id")}
        again = update(items).where(items.c.id == bindparam("known")).values(**values, staged=stamp)
        rows = [
            {
                "known": known[i.digest],
                "new_name": clipped(i.name),
                "new_detail": i.detail,
                "new_upload_id": i.upload_id,
            }
            for i in batch
            if i.digest in known
        ]
        if rows:
            connection.execute(again, rows)


def workspace_items(connection: Connection, workspace_id: str) -> list[Item]:
    """The items of a workspace in order."""
    return rows_as(connection, Item, select(*ITEM).where(in_sight(workspace_id)).order_by(items.c.position))


def find_item(connection: Connection, workspace_id: str, item_id: int) -> Item | None:
    """An item of this workspace."""
    return first_as(connection, Item, select(*ITEM).where(in_sight(workspace_id), items.c.id == item_id))


def find_item_id(connection: Connection, workspace_id: str, digest: str) -> int | None:
    """The item with this content, one that was removed too."""
    query = select(items.c.id).where(items.c.workspace_id == workspace_id, items.c.digest == digest)
    return connection.execute(query).scalar_one_or_none()


def remove_items(connection: Connection, workspace_id: str, ids: Iterable[int], *, now: datetime) -> None:
    """Take items out of sight; their results and overrides stay."""
    chosen = (items.c.workspace_id == workspace_id) & items.c.id.in_(list(ids))
    connection.execute(update(items).where(chosen).values(removed=now))


def students_items(connection: Connection, enrollment_ids: Collection[int]) -> list[Item]:
    """Everything a person handed in, newest first, over all workspaces."""
    query = select(*ITEM).where(items.c.enrollment_id.in_(list(enrollment_ids)), items.c.removed.is_(None))
    return rows_as(connection, Item, query.order_by(items.c.created.desc()))


def scored_items(
    connection: Connection,
    workspace_id: str,
    engine: str,
    *,
    order: Literal["position", "name", "score"] = "position",
    descending: bool = False,
    containing: str = "",
    of: Collection[int] | None = None,
    offset: int = 0,
    most: int | None = None,
) -> list[tuple[Item, StoredResult | None]]:
    """A page of items with their results by one engine; those without a result come last when sorted by score.

    `of`: only what these enrollments handed in.
    """
    of_result = [results.c[name] for name in ("score", "payload", "files", "made")]
    query = select(*ITEM, *(column.label(f"r_{column.name}") for column in of_result))
    query = query.outerjoin(results, by_engine(engine)).where(*_matching(workspace_id, containing, of))
    column = {"position": items.c.position, "name": func.lower(items.c.name), "score": results.c.score}[order]
    ordered = column.desc() if descending else column.asc()
    query = query.order_by(ordered.nulls_last(), items.c.position).offset(offset).limit(most)
    pairs: list[tuple[Item, StoredResult | None]] = []
    for row in map(dict, connection.execute(query).mappings()):
        values = [row.pop(f"r_{column.name}") for column in of_result]
        item = Item(**row)
        pairs.append((item, None if values[-1] is None else StoredResult(item.id, engine, *values)))
    return pairs


def count_scored(
    connection: Connection, workspace_id: str, *, containing: str = "", of: Collection[int] | None = None
) -> int:
    """How many items `scored_items` finds without a limit."""
    query = select(func.count()).select_from(items).where(*_matching(workspace_id, containing, of))
    return connection.execute(query).scalar_one()


def _matching(workspace_id: str, containing: str, of: Collection[int] | None) -> list[ColumnElement[bool]]:
    conditions = [in_sight(workspace_id)]
    if containing:
        conditions.append(items.c.name.icontains(containing, autoescape=True))
    if of is not None:
        conditions.append(items.c.enrollment_id.in_(list(of)))
    return conditions


def scored_ids(connection: Connection, workspace_id: str, engine: str) -> list[int]:
    """The items that have a score by this engine, in order."""
    query = select(items.c.id).join(results, by_engine(engine))
    query = query.where(in_sight(workspace_id), results.c.score.is_not(None)).order_by(items.c.position)
    return list(connection.execute(query).scalars())


def find_result(connection: Connection, item_id: int, engine: str) -> StoredResult | None:
    """What an engine made of an item; None if it has not."""
    columns = [column for column in fields(results) if column.name != "id"]
    query = select(*columns).where(results.c.item_id == item_id, results.c.engine == engine)
    return first_as(connection, StoredResult, query)


def put_result(
    connection: Connection,
    item_id: int,
    engine: str,
    *,
    payload: Json,
    score: float | None,
    files: Mapping[str, bytes],
    now: datetime,
) -> None:
    """Keep a result and its files in place of any earlier one by the same engine."""
    connection.execute(delete(results).where(results.c.item_id == item_id, results.c.engine == engine))
    digests = {name: keep_bytes(connection, content, now=now) for name, content in files.items()}
    row = {"item_id": item_id, "engine": engine, "score": score, "payload": payload, "files": digests, "made": now}
    connection.execute(insert(results).values(**row))


def in_sight(workspace_id: str) -> ColumnElement[bool]:
    """Items of a workspace that were not removed."""
    return and_(items.c.workspace_id == workspace_id, items.c.removed.is_(None))


def by_engine(engine: str) -> ColumnElement[bool]:
    """Results of items by one engine, for a join."""
    return and_(results.c.item_id == items.c.id, results.c.engine == engine)
