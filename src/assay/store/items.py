"""What a workspace scores, and the results of each engine."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Literal

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, select, update

from assay.store.blobs import keep_bytes
from assay.store.database import first_as, rows_as
from assay.store.schema import Json, clipped, fields, items, results


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
    earlier = select(items.c.digest, items.c.id).where(items.c.workspace_id == workspace_id)
    known = dict(connection.execute(earlier).all())
    distinct = {item.digest: item for item in new}
    last = select(func.coalesce(func.max(items.c.position), 0)).where(items.c.workspace_id == workspace_id)
    start = connection.execute(last).scalar_one()
    fresh = [item for item in distinct.values() if item.digest not in known]
    if fresh:
        shared = {"workspace_id": workspace_id, "created": now, "removed": None}
        rows = [asdict(i) | shared | {"name": clipped(i.name), "position": n} for n, i in enumerate(fresh, start + 1)]
        connection.execute(insert(items), rows)
    for item in (item for item in distinct.values() if item.digest in known):
        values = {"name": clipped(item.name), "detail": item.detail, "upload_id": item.upload_id, "removed": None}
        connection.execute(update(items).where(items.c.id == known[item.digest]).values(**values))
    return [item for item in workspace_items(connection, workspace_id) if item.digest in distinct]


def workspace_items(connection: Connection, workspace_id: str) -> list[Item]:
    """The items of a workspace in order."""
    return rows_as(connection, Item, select(items).where(in_sight(workspace_id)).order_by(items.c.position))


def find_item(connection: Connection, workspace_id: str, item_id: int) -> Item | None:
    """An item of this workspace."""
    return first_as(connection, Item, select(items).where(in_sight(workspace_id), items.c.id == item_id))


def find_item_id(connection: Connection, workspace_id: str, digest: str) -> int | None:
    """The item with this content, one that was removed too."""
    query = select(items.c.id).where(items.c.workspace_id == workspace_id, items.c.digest == digest)
    return connection.execute(query).scalar_one_or_none()


def remove_items(connection: Connection, workspace_id: str, ids: Iterable[int], *, now: datetime) -> None:
    """Take items out of sight; their results and overrides stay."""
    chosen = (items.c.workspace_id == workspace_id) & items.c.id.in_(list(ids))
    connection.execute(update(items).where(chosen).values(removed=now))


def students_items(connection: Connection, student: str) -> list[Item]:
    """Everything one student handed in, newest first, over all workspaces."""
    query = select(items).where(func.lower(items.c.student) == func.lower(student), items.c.removed.is_(None))
    return rows_as(connection, Item, query.order_by(items.c.created.desc()))


def is_of_student(item: Item, student: str) -> bool:
    """Whether an item is a student's own; accounts are found whatever the case of their letters, and so is work."""
    return item.student is not None and item.student.lower() == student.lower()


def scored_items(
    connection: Connection,
    workspace_id: str,
    engine: str,
    *,
    order: Literal["position", "name", "score"] = "position",
    descending: bool = False,
    containing: str = "",
    student: str | None = None,
    offset: int = 0,
    most: int | None = None,
) -> list[tuple[Item, StoredResult | None]]:
    """A page of items with their results by one engine; those without a result come last when sorted by score."""
    of_result = [results.c[name] for name in ("score", "payload", "files", "made")]
    query = select(items, *(column.label(f"r_{column.name}") for column in of_result))
    query = query.outerjoin(results, by_engine(engine)).where(*_matching(workspace_id, containing, student))
    column = {"position": items.c.position, "name": func.lower(items.c.name), "score": results.c.score}[order]
    ordered = column.desc() if descending else column.asc()
    query = query.order_by(ordered.nulls_last(), items.c.position).offset(offset).limit(most)
    pairs: list[tuple[Item, StoredResult | None]] = []
    for row in map(dict, connection.execute(query).mappings()):
        values = [row.pop(f"r_{column.name}") for column in of_result]
        item = Item(**row)
        pairs.append((item, None if values[-1] is None else StoredResult(item.id, engine, *values)))
    return pairs


def count_scored(connection: Connection, workspace_id: str, *, containing: str = "", student: str | None = None) -> int:
    """How many items `scored_items` finds without a limit."""
    query = select(func.count()).select_from(items).where(*_matching(workspace_id, containing, student))
    return connection.execute(query).scalar_one()


def _matching(workspace_id: str, containing: str, student: str | None) -> list[ColumnElement[bool]]:
    conditions = [in_sight(workspace_id)]
    if containing:
        conditions.append(items.c.name.icontains(containing, autoescape=True))
    if student is not None:
        conditions.append(func.lower(items.c.student) == func.lower(student))
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
