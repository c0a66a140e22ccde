"""A database by URL: SQLite in a file by default, PostgreSQL on request, one code path for both."""

import errno
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, Select, Table, create_engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, DBAPIError, IntegrityError, NoSuchModuleError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from assay.errors import Field, InputError
from assay.store.classroom import tables as _classroom  # noqa: F401  # so that every table is known
from assay.store.schema import Connection

Row = TypeVar("Row")
Answer = TypeVar("Answer")
Query = ParamSpec("Query")
BUSY_SECONDS = 30
"""How long a writer waits for another to finish; SQLite lets one write at a time."""
MOST_EXTRA = 30
"""Connections above the 20 that stay open: 40 requests are answered at once, and none waits for a connection."""
READ_IN_PLACE = 256 * 2**20
"""So many bytes of an SQLite file are mapped into memory instead of being copied page by page."""
STORAGE_ERRORS: tuple[type[Exception], ...] = (DBAPIError, PoolTimeout, OSError)
"""What a database raises that is locked, full, stopped, or that refuses what it is given; and what its disk does."""
DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
MACHINE_TROUBLE = (
    *(errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EMFILE, errno.ENFILE),
    *(errno.EBUSY, errno.ESTALE, errno.EAGAIN, errno.ENOMEM, errno.ETIMEDOUT),
)
"""What a machine says whose disk, handles or memory are out or away: the fault of no file, and it may pass."""


@dataclass(frozen=True, eq=False, slots=True)
class Database:
    """A database that is there and up to date."""

    engine: Engine

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that only reads; it sees one state of the database."""
        with self.engine.connect() as connection, connection.begin():
            yield connection

    def read(
        self, query: Callable[Concatenate[Connection, Query], Answer], *args: Query.args, **options: Query.kwargs
    ) -> Answer:
        """What one function of the store reads, in a transaction of its own."""
        with self.reading() as connection:
            return query(connection, *args, **options)

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A long transaction that only reads, and sees one state of the database on PostgreSQL too."""
        with self.engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes: all of it happens, or nothing."""
        with self.engine.connect().execution_options(assay_writes=True) as connection, connection.begin():
            yield connection

    def compact(self) -> bool:
        """Rewrite an SQLite file, so that nothing deleted is left in it; False where others keep it busy.

        PostgreSQL does so by itself, as its VACUUM comes by.
        """
        if self.engine.dialect.name != "sqlite":
            return True
        connection = self.engine.raw_connection()
        try:
            for statement in ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
                connection.cursor().execute(statement)
        except sqlite3.OperationalError:
            return False
        finally:
            connection.close()
        return True

    @property
    def address(self) -> str:
        """Where it is, without its password."""
        return self.engine.url.render_as_string(hide_password=True)

    def close(self) -> None:
        self.engine.dispose()


def open_database(url: str) -> Database:
    """The database at a URL or in a file, its tables brought up to date.

    `postgresql://user@host/name`, `sqlite:///file.db`, or simply the name of a file.
    """
    database = connect_database(url)
    with _reaching(database):
        migrate(database.engine)
    return database


def connect_database(url: str, *, is_there: bool = False) -> Database:
    """The database as it is, whatever its version. `is_there`: an InputError unless it answers, and has been used."""
    parsed = database_url(url)
    if parsed.get_backend_name() == "sqlite":
        if is_there and not Path(parsed.database or "").is_file():
            problem = f"There is no database {parsed.database}"
            raise InputError(problem, field="db", remedy=("Check ", Field("db"), "; `assay serve` makes one."))
        engine = _sqlite(parsed)
    else:
        engine = create_engine(
            parsed, pool_size=20, max_overflow=MOST_EXTRA, pool_pre_ping=True, json_serializer=json_text
        )
    database = Database(engine)
    if is_there:
        with _reaching(database), database.reading() as connection:
            connection.exec_driver_sql("SELECT 1")
    return database


@contextmanager
def _reaching(database: Database) -> Iterator[None]:
    """Whatever keeps us from a database, as an InputError with its remedy."""
    try:
        yield
    except DatabaseError as error:
        cause = str(error.orig).strip().splitlines()
        problem = f"The database {database.address} cannot be opened: {cause[0] if cause else 'no reason given'}"
        remedy = ("Check that it is running and that ", Field("db"), " names it.")
        raise InputError(problem, field="db", remedy=remedy) from None


def insert_new(connection: Connection, table: Table, row: dict[str, Any]) -> bool:
    """Insert a row unless there is one with its key, made before or by another at this very moment; whether it was."""
    make = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    inserted = make(table).values(**row).on_conflict_do_nothing().returning(*table.primary_key)
    return connection.execute(inserted).first() is not None


def rows_as(connection: Connection, kind: type[Row], query: Select[Any]) -> list[Row]:
    """The rows of a query as values of a class whose fields are named as the columns."""
    return [kind(**row) for row in connection.execute(query).mappings()]


def first_as(connection: Connection, kind: type[Row], query: Select[Any]) -> Row | None:
    """The first row of a query; None when there is none."""
    row = connection.execute(query).mappings().first()
    return kind(**row) if row else None


def database_url(text: str) -> URL:
    """A URL with the driver we use; a plain file name means SQLite."""
    if "://" not in text:
        return URL.create("sqlite", database=str(Path(text).expanduser()))
    try:
        url = make_url(text)
        backend = url.get_backend_name()
    except (ArgumentError, NoSuchModuleError, ValueError):
        backend = ""
    if backend not in ("sqlite", "postgresql"):
        remedy = "Give a file name, sqlite:///FILE or postgresql://USER@HOST/NAME."
        raise InputError("This is no address of a database we know", field="db", remedy=remedy)
    return url.set(drivername="postgresql+psycopg") if backend == "postgresql" else url


def json_text(content: Any) -> str:
    r"""JSON as both databases take it: without NUL characters, which PostgreSQL cannot give back, and without NaN.

    >>> print(json_text({"a": "1\0 2", "b": r"\u0000"}))
    {"a": "1 2", "b": "\\u0000"}
    """
    return re.sub(r"(?<!\\)((?:\\\\)*)\\u0000", r"\1", json.dumps(content, allow_nan=False))


def _sqlite(url: URL) -> Engine:
    if not url.database or url.database == ":memory:":
        problem = "A database in memory cannot be shared by several workers"
        raise InputError(problem, field="db", remedy="Give the name of a file.")
    try:
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        problem = f"The folder of {url.database} cannot be made: {error.strerror}"
        raise InputError(problem, field="db", remedy=("Choose another ", Field("db"), ".")) from None
    waiting = {} if "timeout" in url.query else {"timeout": BUSY_SECONDS}  # sqlite:///file.db?timeout=5
    arguments = {**waiting, "isolation_level": None}
    engine = create_engine(
        url, pool_size=20, max_overflow=MOST_EXTRA, connect_args=arguments, json_serializer=json_text
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:  # a DBAPI connection, which has no type of its own
        # NORMAL: a power cut may lose the last moments, a killed process loses nothing; WAL: readers never wait
        # pages of the file are read in place: lists of ten thousand items take half the time
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", f"mmap_size={READ_IN_PLACE}"):
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # a writer takes its turn at once: one that starts by reading could find its state outdated and fail
        writes = connection.get_execution_options().get("assay_writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def migrate(engine: Engine, version: str = "head") -> None:
    """Bring the tables up to date, or to an earlier version; safe when several processes start at once."""
    with engine.connect().execution_options(assay_writes=True) as connection, connection.begin():
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(4072026)")
        upgrade(connection, version)


def upgrade(connection: Connection, version: str = "head") -> None:
    """Bring the tables to a version, in the transaction that is open."""
    command.upgrade(_migrations(connection), version)


def schema_version(connection: Connection) -> str | None:
    """The version of the tables; None for a database without any."""
    return MigrationContext.configure(connection).get_current_revision()


def schema_versions() -> list[str]:
    """The versions that this program knows, the latest first."""
    return [script.revision for script in ScriptDirectory.from_config(_migrations()).walk_revisions()]


def _migrations(connection: Connection | None = None) -> Config:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(resources.files("assay.store").joinpath("migrations")))
    config.set_main_option("path_separator", "os")
    return config


def storage_trouble(error: BaseException) -> Literal["full", "busy", "conflict"] | None:
    """Why nothing of a transaction was kept: no room, busy or away, or another did the same. None otherwise.

    >>> storage_trouble(OSError(errno.ENOSPC, "No space left on device"))
    'full'
    """
    if isinstance(error, OSError) and error.errno in DISK_FULL:
        return "full"
    if is_passing(error):
        return "full" if "full" in cause_of(error).casefold() else "busy"
    return "conflict" if isinstance(error, IntegrityError) else None


def is_passing(error: BaseException) -> bool:
    """Whether the same may succeed later: database or disk were busy, full or stopped, or the connection broke."""
    broken = isinstance(error, DBAPIError) and bool(error.connection_invalidated)
    ailing = isinstance(error, OSError) and error.errno in MACHINE_TROUBLE
    return isinstance(error, OperationalError | PoolTimeout) or broken or ailing


def cause_of(error: BaseException) -> str:
    """What the database itself said."""
    return str(getattr(error, "orig", None) or error)
