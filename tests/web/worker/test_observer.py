"""What an observer notes of a piece, and when it asks whether to stop."""

from threading import Event

import pytest

from assay.errors import Cancelled
from assay.execution.limits import value_of
from assay.store.database import Database
from assay.store.jobs import PieceStage, cancel
from assay.web.worker.observer import JobObserver
from tests.web.worker.test_worker import NOW, Clock, how_far, leased_piece, opened, start_job

__all__ = ["opened"]


def test_progress_inside_a_piece_is_that_of_the_job(opened: Database) -> None:
    _, job, _ = start_job(opened, 1)
    observer = JobObserver(opened, Event(), clock=Clock())
    with observer.watching(leased_piece(opened)):
        observer.begin("Evaluate", 12)
        observer.advance(5)
        inside = how_far(opened, job).stage
        observer.end()

    assert inside == PieceStage("Evaluate", 5, 12)


def test_outside_of_a_piece_nothing_is_noted_and_nothing_stops(opened: Database) -> None:
    _, job, _ = start_job(opened, 1)
    stop = Event()
    stop.set()
    observer = JobObserver(opened, stop)

    observer.begin("Read", None)
    observer.advance(1)
    observer.check()  # raises inside of a piece
    noted = how_far(opened, job)
    observer.end()

    assert (noted.stage, noted.done) == (None, 0)


def test_the_database_is_not_asked_after_every_row(opened: Database) -> None:
    _, job, _ = start_job(opened, 1)
    seconds = [0.0]
    observer = JobObserver(opened, Event(), clock=lambda: seconds[0])
    with observer.watching(leased_piece(opened)):
        with opened.writing() as connection:
            cancel(connection, job, now=NOW)
        observer.check()  # half a second has not passed: the piece goes on for now
        seconds[0] = 1.0
        with pytest.raises(Cancelled):
            observer.check()


def test_every_sign_of_progress_puts_the_alarm_off(opened: Database) -> None:
    start_job(opened, 1)
    alarms: list[int] = []
    observer = JobObserver(opened, Event(), clock=Clock(), set_alarm=alarms.append)
    with observer.watching(leased_piece(opened)):
        observer.begin("Evaluate", 2)
        observer.check()
        observer.advance(1)

    assert alarms == [value_of("idle_seconds")] * 4  # at first, with the stage, when asked, with the step
