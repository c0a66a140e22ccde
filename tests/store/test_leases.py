"""Leases on both databases: only what a worker had in hand is blamed, and only when its worker died of it, alone."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from assay.store.database import Database
from assay.store.jobs import JobPiece, Leased, enqueue, failures, progress
from assay.store.leases import (
    LEASE,
    MOST_ATTEMPTS,
    MOST_DEATHS,
    LeaseLost,
    begin,
    expire,
    extend,
    finish,
    has_expired,
    holders,
    is_work_waiting,
    lease,
    reclaim,
    release,
)
from assay.store.schema import job_items
from assay.store.workspaces import create_workspace

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


def later(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


@pytest.fixture
def workspace(database: Database) -> str:
    with database.writing() as connection:
        return create_workspace(connection, "evaluation", "A task", author="you", now=START).id


def start_job(database: Database, workspace: str, pieces: int) -> str:
    with database.writing() as connection:
        tasks = [JobPiece({"number": i}) for i in range(pieces)]
        return enqueue(connection, "count", workspace, tasks, author="you", now=START)


def take(database: Database, worker: str, at: float, most: int = 1) -> list[Leased]:
    """Pieces of which a worker has the first in hand."""
    with database.writing() as connection:
        pieces = lease(connection, worker, now=later(at), most=most)
        for piece in pieces[:1]:
            assert begin(connection, piece, now=later(at))
    return pieces


def blamed(database: Database) -> list[tuple[str, int, int]]:
    """State, attempts and deaths of each piece."""
    c = job_items.c
    with database.reading() as connection:
        return [tuple(row) for row in connection.execute(select(c.state, c.attempts, c.deaths).order_by(c.position))]


def test_a_piece_whose_worker_died_is_leased_again_after_its_lease_and_kept_once(
    database: Database, workspace: str
) -> None:
    job = start_job(database, workspace, 1)
    (dead,) = take(database, "dead", 0)
    after = LEASE.total_seconds() + 1
    with database.writing() as connection:
        early = (has_expired(connection, now=later(10)), is_work_waiting(connection, now=later(10)))
        assert reclaim(connection, now=later(10)) == set()
        assert lease(connection, "alive", now=later(10)) == []
        assert (has_expired(connection, now=later(after)), is_work_waiting(connection, now=later(after))) == (
            True,
            True,
        )
        reclaim(connection, now=later(after))
    (again,) = take(database, "alive", after)
    with database.writing() as connection:
        finish(connection, again, now=later(60))
        found = progress(connection, job, now=later(60))

    assert early == (False, False)
    assert (again.task, again.attempts) == (dead.task, 1)
    with pytest.raises(LeaseLost), database.writing() as connection:
        finish(connection, dead, now=later(61))
    assert found is not None
    assert found.done == 1


@pytest.mark.parametrize("died", [True, False])
def test_only_the_piece_in_hand_is_blamed_when_its_worker_is_gone(
    database: Database, workspace: str, died: bool
) -> None:
    start_job(database, workspace, 4)
    take(database, "dead", 0, most=4)
    with database.writing() as connection:
        held = holders(connection)
        expire(connection, "dead", now=later(1), died=died)

    assert held == ["dead"]
    assert blamed(database) == [("waiting", 1, 0), *[("waiting", 0, 0)] * 3]


def test_a_suspect_comes_after_the_others_and_alone(database: Database, workspace: str) -> None:
    start_job(database, workspace, 4)
    take(database, "dead", 0, most=2)
    with database.writing() as connection:
        expire(connection, "dead", now=later(1), died=True)
    others, suspect = take(database, "alive", 2, most=4), take(database, "alive", 3, most=4)

    assert [piece.position for piece in others] == [1, 2, 3]
    assert [piece.position for piece in suspect] == [0]


def test_a_piece_that_ends_its_worker_whenever_it_is_alone_is_given_up(database: Database, workspace: str) -> None:
    job = start_job(database, workspace, 1)
    for attempt in range(1 + MOST_DEATHS):
        take(database, f"w{attempt}", attempt)
        with database.writing() as connection:
            ended = expire(connection, f"w{attempt}", now=later(attempt), died=True)
            assert ended == ({workspace} if attempt == MOST_DEATHS else set())

    with database.reading() as connection:
        ((_, reason),) = failures(connection, job)
        found = progress(connection, job, now=later(9))
    assert f"Stopped {1 + MOST_DEATHS} times in the middle" in reason
    assert found is not None
    assert (found.state, found.failed) == ("done", 1)


def test_a_worker_that_dies_while_it_loads_its_models_is_no_death_of_the_piece(
    database: Database, workspace: str
) -> None:
    start_job(database, workspace, 1)
    for attempt in range(2):
        with database.writing() as connection:
            (piece,) = lease(connection, "w", now=later(attempt))
            begin(connection, piece, now=later(attempt), prepared=False)
            expire(connection, "w", now=later(attempt), died=True)

    assert blamed(database) == [("waiting", 2, 0)]


def test_what_stops_with_the_whole_server_is_given_up_much_later(database: Database, workspace: str) -> None:
    start_job(database, workspace, 1)
    seen = []
    for attempt in range(MOST_ATTEMPTS):
        take(database, f"w{attempt}", 100 * attempt)
        with database.writing() as connection:
            reclaim(connection, now=later(100 * attempt + 50))
        seen += blamed(database)

    assert seen == [*[("waiting", n, 0) for n in range(1, MOST_ATTEMPTS)], ("failed", MOST_ATTEMPTS, 0)]


def test_what_is_given_back_does_not_count(database: Database, workspace: str) -> None:
    start_job(database, workspace, 2)
    take(database, "w", 0, most=2)
    with database.writing() as connection:
        release(connection, "w")

    assert blamed(database) == [("waiting", 0, 0)] * 2


def test_what_met_a_database_that_was_away_comes_last_and_is_never_given_up(database: Database, workspace: str) -> None:
    start_job(database, workspace, 2)
    first = []
    for attempt in range(2 * MOST_ATTEMPTS):
        first += [take(database, "w", attempt, most=2)[0].position]
        with database.writing() as connection:
            release(connection, "w", suspect=True)

    assert first[:2] == [0, 1]
    assert blamed(database) == [("waiting", 1, 0)] * 2


def test_a_piece_that_went_to_another_is_not_begun(database: Database, workspace: str) -> None:
    start_job(database, workspace, 1)
    with database.writing() as connection:
        (mine,) = lease(connection, "slow", now=later(0))
        reclaim(connection, now=later(100))
        (other,) = lease(connection, "other", now=later(100))
        assert not begin(connection, mine, now=later(101))
        assert begin(connection, other, now=later(101))
    assert blamed(database) == [("leased", 0, 0)]


def test_a_worker_that_lives_keeps_its_lease(database: Database, workspace: str) -> None:
    start_job(database, workspace, 1)
    with database.writing() as connection:
        lease(connection, "slow", now=later(0))
        extend(connection, "slow", now=later(25))
        assert not has_expired(connection, now=later(40))
        assert has_expired(connection, now=later(56))
