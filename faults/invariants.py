"""What must hold after every fault, looked up in the database itself."""

import sys
from collections import Counter
from hashlib import sha256

from sqlalchemy import Connection, func, select

from assay.store.blobs import read_blob
from assay.store.schema import audit, blobs, items, job_items, jobs, overrides, results, uploads
from faults.rig import Rig, Work

Problems = Counter[str]
"""`lost`, `doubled`, `changed`, `wrongly failed`, `wrongly blamed`, `processes left`, `other` -> how often."""
Snapshot = dict[int, tuple[int, str, str]]
"""Id of a result -> item, engine, when it was made."""


def snapshot(connection: Connection) -> Snapshot:
    """Every result there is; one made again has another id."""
    query = select(results.c.id, results.c.item_id, results.c.engine, results.c.made)
    return {row.id: (row.item_id, row.engine, row.made.isoformat()) for row in connection.execute(query)}


def finished_work(rig: Rig, work: Work, expected: dict[str, str]) -> Problems:
    """A job that is over: every piece done once, every result there and as it is undisturbed."""
    assert rig.store is not None
    problems, told = Problems(), rig.send("get", f"/jobs/{work.job}")
    progress = told["job"]
    problems["wrongly failed"] += progress["failed"]
    for failure in told["failures"]:
        print(f"wrongly failed: {work.kind}: {failure['message']}", file=sys.stderr)
    with rig.store.reading() as connection:
        pieces = connection.execute(select(job_items).where(job_items.c.job_id == work.job)).mappings().all()
        engine = connection.execute(select(jobs.c.engine).where(jobs.c.id == work.job)).scalar_one()
        for piece in pieces:
            own = (results.c.item_id == piece["item_id"]) & (results.c.engine == engine)
            count = connection.execute(select(func.count()).select_from(results).where(own)).scalar_one()
            problems["lost"] += piece["state"] == "done" and count == 0
            problems["doubled"] += max(0, count - 1)
            problems["other"] += piece["state"] not in ("done", "failed") or piece["worker"] is not None
    problems["lost"] += progress["total"] - progress["done"] - progress["failed"]
    actual = rig.results(work)
    problems["lost"] += len(expected.keys() - actual.keys())
    problems["doubled"] += len(actual.keys() - expected.keys())
    changed = [name for name, result in actual.items() if expected.get(name, result) != result]
    problems["changed"] += len(changed)
    for name in changed[:2]:
        pairs = zip(expected[name].split(","), actual[name].split(","), strict=False)
        print(f"changed: {work.kind} {name}: {[pair for pair in pairs if pair[0] != pair[1]][:4]}", file=sys.stderr)
    return +problems


def whole_database(rig: Rig, works: list[Work], before: Snapshot, interruptions: int) -> tuple[Problems, Snapshot]:
    """Everything that was ever acknowledged is there once; nothing half-made is."""
    assert rig.store is not None
    problems = Problems()
    with rig.store.reading() as connection:
        now = snapshot(connection)
        problems["changed"] += sum(now.get(id_) != kept for id_, kept in before.items())
        for work in works:
            problems += _history(connection, work)
        problems += _files(connection)
        attempts = connection.execute(select(func.coalesce(func.sum(job_items.c.attempts), 0))).scalar_one()
        problems["wrongly blamed"] += max(0, attempts - interruptions * (rig.workers + 1))
        hidden = items.c.removed.is_not(None) & items.c.student.is_not(None)
        problems["other"] += connection.execute(select(func.count()).select_from(items).where(hidden)).scalar_one()
    return +problems, now


def _history(connection: Connection, work: Work) -> Problems:
    """Uploads, decisions and their lines in the audit log."""
    problems = Problems()
    own = uploads.c.workspace_id == work.workspace
    names = connection.execute(select(uploads.c.name).where(own)).scalars().all()
    problems["lost"] += max(0, work.uploads - len(set(names)))
    problems["doubled"] += max(0, len(names) - work.uploads)
    logged = select(audit.c.action).where(audit.c.workspace_id == work.workspace)
    actions = Counter(connection.execute(logged).scalars())
    problems["lost"] += max(0, len(names) - actions["upload"]) + (actions["create workspace"] != 1)
    decided = connection.execute(select(overrides.c.id).where(overrides.c.workspace_id == work.workspace)).scalars()
    problems["lost"] += len(set(work.decisions) - set(decided))
    return problems


def _files(connection: Connection) -> Problems:
    """Every blob is whole and belongs to something."""
    problems = Problems()
    used = set(connection.execute(select(uploads.c.digest)).scalars())
    for files in connection.execute(select(results.c.files)).scalars():
        used |= set(files.values())
    known = dict(connection.execute(select(blobs.c.digest, blobs.c.size)).all())
    problems["lost"] += len(used - known.keys())
    problems["other"] += len(known.keys() - used)
    for digest, size in known.items():
        content = read_blob(connection, digest)
        problems["changed"] += len(content) != size or sha256(content).hexdigest() != digest
    return problems
