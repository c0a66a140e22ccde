"""What goes wrong in a database, sorted by what to do about it."""

import sqlite3

import pytest
from sqlalchemy.exc import IntegrityError, OperationalError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from assay.store.storage_errors import cause_of, is_passing, storage_trouble


@pytest.mark.parametrize(
    ("error", "trouble", "passes"),
    [
        (OperationalError("select", {}, sqlite3.OperationalError("database is locked")), "busy", True),
        (OperationalError("insert", {}, sqlite3.OperationalError("database or disk is full")), "full", True),
        (PoolTimeout("no connection is free"), "busy", True),
        (IntegrityError("insert", {}, sqlite3.IntegrityError("UNIQUE constraint failed")), "conflict", False),
        (ProgrammingError("selec", {}, sqlite3.ProgrammingError("near selec")), None, False),
        (ProgrammingError("select", {}, sqlite3.Error("gone"), connection_invalidated=True), "busy", True),
        (OSError(28, "No space left on device"), "full", False),
        (OSError(2, "No such file"), None, False),
        (ValueError("full"), None, False),
    ],
)
def test_an_error_says_whether_it_passes(error: Exception, trouble: str | None, passes: bool) -> None:
    assert (storage_trouble(error), is_passing(error)) == (trouble, passes)


def test_the_cause_is_what_the_database_said() -> None:
    assert cause_of(OperationalError("select", {}, sqlite3.OperationalError("locked"))) == "locked"
    assert cause_of(ValueError("odd")) == "odd"
