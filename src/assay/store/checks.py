"""Whether what a database holds is whole: its own check, references, stored files, and the counters of jobs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256

import sqlalchemy as sa

from assay.store.backup import stored_blobs
from assay.store.blobs import blob_chunks
from assay.store.database import schema_version, schema_versions
from assay.store.schema import Connection, blobs, job_items, jobs, metadata, results, uploads

LOST_FILE = "Restore a backup that has it, or upload the file again and score anew."
DAMAGED = "Stop the server, and restore the latest good backup (assay restore)."
RECOUNT = "Cancel the job and start it again; results that are there are kept."
LONGEST = 20
"""So many cases of one problem are listed."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that should not be, and what to do about it."""

    check: str
    problem: str
    remedy: str


def check_version(connection: Connection) -> Iterator[Problem]:
    """The tables are those of this program."""
    version, latest = schema_version(connection), schema_versions()[0]
    if version != latest:
        how = "Back it up, then start `assay serve` with it once: it brings the tables up to date."
        newer = "Use the version of Assay that it was last used with, or a later one."
        known = version is None or version in schema_versions()
        problem = f"the tables are of version {version or 'none'}, this program uses {latest}"
        yield Problem("version", problem, how if known else newer)
    elif missing := sorted(metadata.tables.keys() - set(sa.inspect(connection).get_table_names())):
        yield Problem("version", f"tables are missing: {', '.join(missing)}", DAMAGED)


def check_engine(connection: Connection) -> Iterator[Problem]:
    """What SQLite says about its own file; PostgreSQL checks its pages as it reads them."""
    if connection.dialect.name == "sqlite":
        for (line,) in connection.exec_driver_sql(f"PRAGMA integrity_check({LONGEST})"):
            if line != "ok":
                yield Problem("database", str(line), DAMAGED)


def check_references(connection: Connection) -> Iterator[Problem]:
    """Every row that refers to another finds it."""
    for table in metadata.sorted_tables:
        for key in table.foreign_keys:
            own, other = key.parent, key.column
            known = sa.select(sa.literal(1)).where(other == own).correlate(table)
            lost = sa.select(sa.func.count()).select_from(table).where(own.is_not(None), ~known.exists())
            if count := connection.execute(lost).scalar_one():
                problem = f"{count} rows of {table.name} refer to {other.table.name} that are not there"
                yield Problem("references", problem, DAMAGED)


def check_files(connection: Connection) -> Iterator[Problem]:
    """Every stored file has the bytes that its digest stands for."""
    for digest, size in stored_blobs(connection):
        hashed, length = sha256(), 0
        for chunk in blob_chunks(connection, digest):
            hashed.update(chunk)
            length += len(chunk)
        if length != size:
            yield Problem("files", f"the stored file {digest[:12]} has {length} bytes instead of {size}", LOST_FILE)
        elif hashed.hexdigest() != digest:
            yield Problem("files", f"the stored file {digest[:12]} was changed: its digest is another", LOST_FILE)


def check_results(connection: Connection) -> Iterator[Problem]:
    """The files that results and uploads name are there."""
    stored = dict(stored_blobs(connection))
    query = sa.select(results.c.id, results.c.item_id, results.c.files).execution_options(yield_per=500)
    for number, item, files in connection.execute(query):
        for name, digest in (files or {}).items():
            if digest not in stored:
                problem = f"result {number} of item {item} lacks its file {name}"
                yield Problem("results", problem, "Score the item again.")
    sized = sa.select(uploads.c.name, uploads.c.size, blobs.c.size.label("stored")).join(blobs)
    for name, size, length in connection.execute(sized.where(uploads.c.size != blobs.c.size)):
        yield Problem("results", f"the upload {name!r} is {size} bytes long, and {length} are stored", LOST_FILE)


STATES = ("waiting", "leased", "done", "failed", "cancelled")


def check_jobs(connection: Connection) -> Iterator[Problem]:
    """Every piece is in exactly one state, and the counters of a job are those of its pieces."""
    c = job_items.c
    leased = sa.and_(c.worker.is_not(None), c.lease_until.is_not(None))
    wrong = sa.or_(c.state.not_in(STATES), (c.state == "leased") != leased)
    for job, position, state in connection.execute(sa.select(c.job_id, c.position, c.state).where(wrong)):
        problem = f"piece {position} of job {job} is {state}, and what else is said of it does not fit"
        yield Problem("jobs", problem, RECOUNT)

    def number(state: str) -> sa.ColumnElement[int]:
        return sa.func.coalesce(sa.func.sum(sa.case((c.state == state, 1), else_=0)), 0)

    pieces = sa.select(jobs.c.id, jobs.c.total, jobs.c.done, jobs.c.failed, sa.func.count(c.position).label("pieces"))
    counted = pieces.add_columns(number("done"), number("failed")).outerjoin(job_items, c.job_id == jobs.c.id)
    whole = counted.where(jobs.c.state != "preparing")  # which has not all of its pieces yet
    for job, *said, total, done, failed in connection.execute(whole.group_by(jobs.c.id)):
        if said != [total, done, failed]:
            is_so = f"{total} pieces, {done} done, {failed} failed"
            problem = f"job {job} counts {said[0]} pieces, {said[1]} done, {said[2]} failed; there are {is_so}"
            yield Problem("jobs", problem, RECOUNT)


CHECKS: dict[str, Callable[[Connection], Iterator[Problem]]] = {
    "version": check_version,
    "database": check_engine,
    "references": check_references,
    "stored files": check_files,
    "results": check_results,
    "jobs": check_jobs,
}
"""In the order in which they are made; those after the first need the tables of this version."""
