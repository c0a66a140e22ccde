"""Attempts to sign in are counted by name, by place and by both, on every database."""

from datetime import timedelta

import pytest

from assay.store.accounts import installation_secret
from assay.store.database import Database
from assay.store.sign_in_attempts import (
    KNOWN_BROWSER,
    MOST_BY_BOTH,
    MOST_BY_NAME,
    MOST_BY_ORIGIN,
    WITHIN,
    attempt_succeeded,
    begin_attempt,
)
from tests.store.scored import NOW


@pytest.fixture
def filled(database: Database) -> Database:
    with database.writing() as connection:
        installation_secret(connection)
    return database


def tries(database: Database, *pairs: tuple[str, str], after: timedelta = timedelta(0)) -> list[bool]:
    with database.writing() as connection:
        return [begin_attempt(connection, name, origin, now=NOW + after) for name, origin in pairs]


def test_so_many_for_a_name_from_one_place_whatever_its_letters(filled: Database) -> None:
    assert tries(filled, *[("Ada", "10.0.0.1"), ("ADA", "10.0.0.1")] * (MOST_BY_BOTH // 2)) == [True] * MOST_BY_BOTH
    assert tries(filled, ("ada", "10.0.0.1"), ("Ada", "10.0.0.2"), ("Ben", "10.0.0.1")) == [False, True, True]


def test_they_are_forgotten_after_a_while_and_after_success(filled: Database) -> None:
    tries(filled, *[("Ada", "a")] * MOST_BY_BOTH)
    assert tries(filled, ("Ada", "a"), after=WITHIN - timedelta(seconds=1)) == [False]
    assert tries(filled, ("Ada", "a"), after=WITHIN) == [True]
    tries(filled, *[("Ben", "a")] * (MOST_BY_BOTH - 1), ("Cleo", "a"))
    with filled.writing() as connection:
        attempt_succeeded(connection, "BEN", "a")
    assert tries(filled, *[("Ben", "a")] * MOST_BY_BOTH, ("Ben", "a")) == [True] * MOST_BY_BOTH + [False]


def test_one_place_cannot_try_ever_more_names(filled: Database) -> None:
    assert all(tries(filled, *[(f"name {n}", "a") for n in range(MOST_BY_ORIGIN)]))
    assert tries(filled, ("one more", "a"), ("one more", "b")) == [False, True]


def test_many_places_cannot_try_one_name_and_do_not_lock_its_owner_out(filled: Database) -> None:
    assert all(tries(filled, *[("Ada", f"place {n}") for n in range(MOST_BY_NAME)]))
    own = KNOWN_BROWSER + "x"
    assert tries(filled, ("Ada", "another place"), ("Ada", own)) == [False, True]
    assert tries(filled, *[("Ada", own)] * MOST_BY_BOTH) == [True] * (MOST_BY_BOTH - 1) + [False]
