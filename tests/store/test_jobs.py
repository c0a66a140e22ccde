"""The queue on both databases: leases, checkpoints, cancelling, progress."""

from datetime import UTC, datetime, timedelta

import pytest

from assay.store.database import Database
from assay.store.jobs import (
    LEASE,
    MOST_ATTEMPTS,
    JobPiece,
    LeaseLost,
    Progress,
    cancel,
    enqueue,
    expire,
    extend,
    fail,
    failures,
    finish,
    holders,
    lease,
    progress,
    resume,
)
from assay.store.workspaces import create_workspace

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


def later(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


@pytest.fixture
def workspace(database: Database) -> str:
    with database.writing() as connection:
        return create_workspace(connection, "evaluation", "A task", author="you", now=START).id


def start_job(database: Database, workspace: str, pieces: int, *, at: float = 0) -> str:
    with database.writing() as connection:
        tasks = [JobPiece({"number": i}) for i in range(pieces)]
        return enqueue(connection, "count", workspace, tasks, author="you", now=later(at))


def how_far(database: Database, job: str, at: float = 0) -> Progress:
    with database.reading() as connection:
        found = progress(connection, job, now=later(at))
    assert found is not None
    return found


def test_every_piece_is_leased_once_and_the_job_ends_with_the_last(database: Database, workspace: str) -> None:
    job = start_job(database, workspace, 3)
    seen = []
    with database.writing() as connection:
        first = lease(connection, "one", now=later(1), most=2)
        second = lease(connection, "two", now=later(1), most=2)
        third = lease(connection, "three", now=later(1), most=2)
    for leased in (*first, *second):
        seen.append(leased.task["number"])
        with database.writing() as connection:
            finish(connection, leased, now=later(2))

    assert (sorted(seen), third) == ([0, 1, 2], [])
    assert (how_far(database, job).state, how_far(database, job).done) == ("done", 3)


def test_a_piece_whose_worker_died_is_leased_again_after_its_lease_and_kept_once(
    database: Database, workspace: str
) -> None:
    job = start_job(database, workspace, 1)
    with database.writing() as connection:
        (dead,) = lease(connection, "dead", now=later(0))
    with database.writing() as connection:
        assert lease(connection, "alive", now=later(10)) == []
    with database.writing() as connection:
        (again,) = lease(connection, "alive", now=later(0) + LEASE + timedelta(seconds=1))
    with database.writing() as connection:
        finish(connection, again, now=later(60))

    assert (again.task, again.attempts) == (dead.task, 2)
    with pytest.raises(LeaseLost), database.writing() as connection:
        finish(connection, dead, now=later(61))
    assert how_far(database, job).done == 1


def test_the_leases_of_a_worker_known_to_be_dead_end_at_once_and_count_as_attempts(
    database: Database, workspace: str
) -> None:
    start_job(database, workspace, 2)
    with database.writing() as connection:
        lease(connection, "dead", now=later(0), most=2)
        held = holders(connection)
        expire(connection, "dead", now=later(1))
        again = lease(connection, "alive", now=later(1), most=2)

    assert held == ["dead"]
    assert [piece.attempts for piece in again] == [2, 2]


def test_a_worker_that_lives_keeps_its_lease(database: Database, workspace: str) -> None:
    start_job(database, workspace, 1)
    with database.writing() as connection:
        lease(connection, "slow", now=later(0))
        extend(connection, "slow", now=later(25))
        assert lease(connection, "other", now=later(40)) == []
        assert len(lease(connection, "other", now=later(56))) == 1


def test_a_piece_that_takes_down_every_worker_is_given_up(database: Database, workspace: str) -> None:
    job = start_job(database, workspace, 1)
    for attempt in range(MOST_ATTEMPTS):
        with database.writing() as connection:
            assert len(lease(connection, f"w{attempt}", now=later(100 * attempt))) == 1
    with database.writing() as connection:
        assert lease(connection, "next", now=later(1000)) == []

    with database.reading() as connection:
        ((_, reason),) = failures(connection, job)
    assert "3 times" in reason
    assert how_far(database, job).state == "done"


def test_a_failed_piece_does_not_stop_the_others_and_says_why(database: Database, workspace: str) -> None:
    job = start_job(database, workspace, 2)
    with database.writing() as connection:
        bad, good = lease(connection, "w", now=later(0), most=2)
    with database.writing() as connection:
        fail(connection, bad, "The file is cut off.", now=later(1))
    with database.writing() as connection:
        finish(connection, good, now=later(1))

    found = how_far(database, job)
    assert (found.state, found.done, found.failed) == ("done", 1, 1)


def test_a_cancelled_job_keeps_what_is_done_and_can_be_taken_up_again(database: Database, workspace: str) -> None:
    job = start_job(database, workspace, 3)
    with database.writing() as connection:
        done, in_hand = lease(connection, "w", now=later(0), most=2)
        finish(connection, done, now=later(1))
        cancel(connection, job, now=later(2))
    with pytest.raises(LeaseLost), database.writing() as connection:
        finish(connection, in_hand, now=later(3))
    with database.writing() as connection:
        assert lease(connection, "w", now=later(4)) == []
        stopped = progress(connection, job, now=later(4))
        resume(connection, job, now=later(5))
        rest = lease(connection, "w", now=later(6), most=9)

    assert stopped is not None
    assert (stopped.state, stopped.done) == ("cancelled", 1)
    assert [piece.position for piece in rest] == [1, 2]


def test_jobs_take_turns_so_that_a_small_one_need_not_wait_for_a_large_one(database: Database, workspace: str) -> None:
    large, small = start_job(database, workspace, 50), start_job(database, workspace, 1, at=1)
    with database.writing() as connection:
        turns = [lease(connection, "w", now=later(2 + i))[0].job_id for i in range(3)]

    assert turns == [large, small, large]


def test_progress_tells_rate_and_time_left(database: Database, workspace: str) -> None:
    job = start_job(database, workspace, 30)
    for second in range(10):
        with database.writing() as connection:
            for leased in lease(connection, "w", now=later(second), most=2):
                finish(connection, leased, now=later(second))

    found = how_far(database, job, at=10)

    assert (found.done, found.total) == (20, 30)
    assert found.rate == pytest.approx(1.9)
    assert found.seconds_left == pytest.approx(10 / 1.9)


def test_nothing_is_known_of_the_rate_before_two_pieces_are_done(database: Database, workspace: str) -> None:
    job = start_job(database, workspace, 2)
    assert (how_far(database, job).rate, how_far(database, job).seconds_left) == (None, None)


def test_a_job_without_pieces_is_done_at_once(database: Database, workspace: str) -> None:
    assert how_far(database, start_job(database, workspace, 0)).state == "done"
