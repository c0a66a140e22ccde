"""All that a database holds as rows that either database takes, and back: one state of it, whatever its version."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from assay.store.blobs import PART
from assay.store.database import upgrade
from assay.store.schema import Connection, Json, metadata

VERSION_TABLE, PARTS = "alembic_version", "blob_parts"
ROWS_AT_ONCE = 500


def stored_tables(connection: Connection) -> dict[str, sa.Table]:
    """The tables as the database has them, each after those it refers to; without the parts of blobs."""
    return {table.name: table for table in _own(connection).sorted_tables if table.name not in (VERSION_TABLE, PARTS)}


def _own(connection: Connection) -> sa.MetaData:
    """Our tables as the database has them; those of other programs in the same database are left alone."""
    stored, ours = sa.MetaData(), {*metadata.tables, VERSION_TABLE}
    stored.reflect(connection, only=lambda name, _: name in ours)
    return stored


def count_rows(connection: Connection, table: sa.Table) -> int:
    """How many rows a table has."""
    return int(connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


def table_rows(connection: Connection, table: sa.Table) -> Iterator[Json]:
    """Every row by the names of its columns, as JSON holds it, in the order of the key."""
    query = sa.select(table).order_by(*table.primary_key).execution_options(yield_per=ROWS_AT_ONCE)
    for row in connection.execute(query).mappings():
        yield {name: value.isoformat() if isinstance(value, datetime) else value for name, value in row.items()}


def stored_blobs(connection: Connection) -> list[tuple[str, int]]:
    """Digest and size of every stored file."""
    blobs = sa.table("blobs", sa.column("digest"), sa.column("size"))
    return [(digest, size) for digest, size in connection.execute(sa.select(blobs).order_by(blobs.c.digest))]


def begin_restore(connection: Connection, version: str) -> dict[str, sa.Table]:
    """Empty tables of a version, in place of all that was in them."""
    _own(connection).drop_all(connection)
    upgrade(connection, version)
    tables = stored_tables(connection)
    for table in reversed(tables.values()):  # what every new database has
        connection.execute(sa.delete(table))
    return tables


def restore_rows(connection: Connection, table: sa.Table, rows: Iterable[Json]) -> None:
    """Insert rows as `table_rows` gave them."""
    moments = {column.name for column in table.columns if isinstance(column.type, sa.DateTime)}
    waiting: list[dict[str, Any]] = []
    for row in rows:
        for name in moments & row.keys():
            row[name] = None if row[name] is None else datetime.fromisoformat(row[name])
        waiting.append(row)
        if len(waiting) == ROWS_AT_ONCE:
            connection.execute(sa.insert(table), waiting)
            waiting = []
    if waiting:
        connection.execute(sa.insert(table), waiting)
    if connection.dialect.name == "postgresql" and isinstance(table.columns[0].type, sa.Integer):
        key = table.columns[0]  # the next number that the database gives out itself
        if (sequence := _sequence(connection, table.name, key.name)) is not None:
            last = sa.select(sa.func.setval(sequence, sa.func.coalesce(sa.func.max(key), 0) + 1, False))
            connection.execute(last)


def _sequence(connection: Connection, table: str, column: str) -> str | None:
    name = connection.execute(sa.select(sa.func.pg_get_serial_sequence(table, column))).scalar()
    return None if name is None else str(name)


def restore_blob(connection: Connection, digest: str, chunks: Iterable[bytes]) -> None:
    """The bytes of a stored file whose row is there."""
    parts = sa.table(PARTS, sa.column("digest"), sa.column("number"), sa.column("content"))
    number, left = 0, b""
    for chunk in chunks:
        left += chunk
        while len(left) >= PART:
            connection.execute(sa.insert(parts).values(digest=digest, number=number, content=left[:PART]))
            number, left = number + 1, left[PART:]
    if left:
        connection.execute(sa.insert(parts).values(digest=digest, number=number, content=left))
