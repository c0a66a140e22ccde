"""The queue on both databases: leases, checkpoints, cancelling, progress."""

from datetime import UTC, datetime, timedelta

import pytest

from assay.store.database import Database
from assay.store.jobs import JobPiece, Progress, cancel, enqueue, failures, progress, resume, retry
from assay.store.leases import LeaseLost, fail, finish, lease
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


def test_a_report_that_failed_is_one_of_the_failed_and_can_be_tried_again(database: Database, workspace: str) -> None:
    with database.writing() as connection:
        pieces = [JobPiece({"number": 1}), JobPiece({"number": 2}, counted=False)]
        job = enqueue(connection, "count", workspace, pieces, author="you", now=START)
        piece, report = lease(connection, "w", now=later(0), most=2)
        finish(connection, piece, now=later(1))
    before = how_far(database, job)
    with database.writing() as connection:
        fail(connection, report, "There is no room.", now=later(2))
    lost = how_far(database, job)
    with database.writing() as connection:
        retry(connection, job, now=later(3))
        (again,) = lease(connection, "w", now=later(4))
        finish(connection, again, now=later(5))
    after = how_far(database, job)

    assert [(p.state, p.done, p.failed, p.total, p.report_error) for p in (before, lost, after)] == [
        ("running", 1, 0, 1, None),
        ("done", 1, 1, 2, "There is no room."),
        ("done", 1, 0, 1, None),
    ]
    assert again.position == report.position


def test_only_what_failed_is_tried_again(database: Database, workspace: str) -> None:
    job = start_job(database, workspace, 3)
    with database.writing() as connection:
        first, second, third = lease(connection, "w", now=later(0), most=3)
        finish(connection, first, now=later(1))
        fail(connection, second, "It is cut off.", now=later(1))
        retry(connection, job, now=later(1))  # still at work: nothing happens
        finish(connection, third, now=later(2))
        retry(connection, job, now=later(3))
        again = lease(connection, "w", now=later(4), most=9)

    assert [piece.position for piece in again] == [1]
    with database.reading() as connection:
        assert failures(connection, job) == []
