"""Each kind of damage is found by the check that looks for it, and has a remedy."""

from pathlib import Path

import pytest

from assay.store.checks import CHECKS, Problem
from assay.store.database import Database, open_database
from assay.store.jobs import JobPiece, enqueue
from tests.operations.test_backup import fill
from tests.store.scored import NOW, scored_workspace

DAMAGES = {
    "a stored file that was changed": ("UPDATE blob_parts SET content = {changed} WHERE number = 1", "files"),
    "a stored file that lacks a part": ("DELETE FROM blob_parts WHERE number = 0", "files"),
    "a result that lacks its file": ('UPDATE results SET files = \'{{"report": "00ff"}}\' WHERE id = 1', "results"),
    "an upload of another size": ("UPDATE uploads SET size = 3", "results"),
    "a job that counts wrongly": ("UPDATE jobs SET done = 1", "jobs"),
    "a piece that is leased by nobody": ("UPDATE job_items SET state = 'leased' WHERE position = 0", "jobs"),
    "a piece in no state": ("UPDATE job_items SET state = 'lost' WHERE position = 0", "jobs"),
}


def problems_of(database: Database) -> list[Problem]:
    """What every check finds."""
    with database.snapshot() as connection:
        return [problem for check in CHECKS.values() for problem in check(connection)]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_found_and_has_a_remedy(database: Database, damage: str) -> None:
    fill(database)
    with database.writing() as connection:
        workspace = scored_workspace(connection, [3])
        pieces = [JobPiece({}, workspace.items[0].id), JobPiece({})]
        enqueue(connection, "essays", workspace.id, pieces, author="Ada", now=NOW)
    assert problems_of(database) == []
    statement, check = DAMAGES[damage]
    changed = "x'616263'" if database.engine.dialect.name == "sqlite" else "'abc'::bytea"
    with database.writing() as connection:
        connection.exec_driver_sql(statement.format(changed=changed).replace("%", "%%"))
    problems = problems_of(database)
    assert {problem.check for problem in problems} == {check}
    assert all(problem.problem and problem.remedy for problem in problems)


def test_a_reference_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    database = open_database(str(tmp_path / "a.db"))
    fill(database)
    raw = database.engine.raw_connection()
    raw.execute("PRAGMA foreign_keys=OFF")
    raw.execute("DELETE FROM items WHERE id = 1")
    raw.close()
    assert {problem.check for problem in problems_of(database)} == {"references"}
    database.close()


def test_a_job_that_is_being_prepared_has_no_wrong_counters(database: Database) -> None:
    with database.writing() as connection:
        workspace = scored_workspace(connection, [3])
        enqueue(connection, "essays", workspace.id, [JobPiece({})], author="Ada", now=NOW)
        connection.exec_driver_sql("UPDATE jobs SET state = 'preparing', total = 5")
    assert problems_of(database) == []
