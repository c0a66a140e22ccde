"""FRONT DOOR `verify`: what is wrong with a database and its stored files, and what to do about each."""

from itertools import islice

from assay.execution.observer import SILENT, Observer
from assay.store.checks import CHECKS, LONGEST, Problem
from assay.store.database import STORAGE_ERRORS, cause_of, connect_database

DAMAGED = "Restore the latest good backup (assay restore)."


def verify(db: str, *, observer: Observer = SILENT) -> list[Problem]:
    """Every problem of the database at a URL, in one state of it; an empty list when all is well."""
    database = connect_database(db, is_there=True)
    problems: list[Problem] = []
    observer.begin("checks", len(CHECKS))
    name = ""
    try:
        with database.snapshot() as connection:
            for name, check in CHECKS.items():
                problems += islice(check(connection), LONGEST)
                observer.advance(1)
                if problems and name == "version":
                    break  # the other checks need the tables of this version
    except STORAGE_ERRORS as error:
        problems.append(Problem(name, f"it cannot be read: {cause_of(error)}".splitlines()[0], DAMAGED))
    finally:
        observer.end()
        database.close()
    return problems
