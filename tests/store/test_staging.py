"""Jobs that are prepared batch by batch: whole or going on, whoever stopped in between."""

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest

from assay.store.database import Database
from assay.store.items import NewItem, batches, put_result, stage_items, workspace_items
from assay.store.jobs import Progress, cancel, progress, resume
from assay.store.leases import finish, is_work_waiting, lease
from assay.store.staging import count_staged, enqueue_unscored, prepare_next
from assay.store.workspaces import create_workspace

NOW = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
NEW: dict[str, Any] = {"engine": "e", "settings": {"a": 1}, "author": "you", "now": NOW}


@pytest.fixture
def workspace(database: Database, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("assay.store.items.BATCH", 3)
    monkeypatch.setattr("assay.store.staging.BATCH", 3)
    with database.writing() as connection:
        return create_workspace(connection, "essays", "A task", author="you", now=NOW).id


def items(count: int, *, first: int = 0) -> list[NewItem]:
    return [NewItem(f"{i:064d}", f"number {i}", {"number": i}) for i in range(first, first + count)]


REPORT = NewItem("f" * 64, "All", {"counted": False})


def how_far(database: Database, job: str) -> Progress:
    with database.reading() as connection:
        state = progress(connection, job, now=NOW)
    assert state is not None
    return state


def names(database: Database, workspace: str) -> list[str]:
    with database.reading() as connection:
        return [item.name for item in workspace_items(connection, workspace)]


def test_batches_hold_each_content_once(workspace: str) -> None:
    assert [len(batch) for batch in batches([*items(7), *items(2)])] == [3, 3, 1]


def test_a_small_job_is_whole_at_once_and_the_report_comes_last_and_is_not_shown(
    database: Database, workspace: str
) -> None:
    with database.writing() as connection:
        stage_items(connection, workspace, [REPORT, *items(4)], "first", now=NOW)
        job = enqueue_unscored(connection, "essays", workspace, **NEW, stamp="first")
        pieces = lease(connection, "w", now=NOW, most=9)

    assert job is not None
    assert [piece.task for piece in pieces] == [*({"number": i} for i in range(4)), {"counted": False}]
    assert pieces[0].settings["a"] == 1
    assert (how_far(database, job).total, names(database, workspace)) == (4, [f"number {i}" for i in range(4)])


def test_a_large_job_is_seen_but_not_begun_until_it_is_whole_and_whoever_comes_goes_on(
    database: Database, workspace: str
) -> None:
    with database.writing() as connection:
        for batch in batches(items(8)):
            stage_items(connection, workspace, batch, "s", now=NOW)
        hidden = len(workspace_items(connection, workspace))
        job = enqueue_unscored(connection, "essays", workspace, **NEW, stamp="s", at_once=False)
    assert job is not None
    states, shown, steps = [], [], 0
    while True:
        with database.writing() as connection:
            if not prepare_next(connection, now=NOW):
                break
            assert is_work_waiting(connection, now=NOW)
            steps += 1
            waiting = lease(connection, "w", now=NOW, most=9)
        states.append((how_far(database, job).state, len(waiting)))
        shown.append(len(names(database, workspace)))

    assert hidden == 0
    assert states == [*[("preparing", 0)] * 3, ("running", 8)]
    assert shown == [3, 6, 8, 8]


def test_a_batch_that_fails_leaves_the_job_where_it_was(database: Database, workspace: str) -> None:
    with database.writing() as connection:
        stage_items(connection, workspace, items(8), "s", now=NOW)
        job = enqueue_unscored(connection, "essays", workspace, **NEW, stamp="s", at_once=False)
        prepare_next(connection, now=NOW)
    with suppress(ZeroDivisionError), database.writing() as connection:
        prepare_next(connection, now=NOW)
        raise ZeroDivisionError
    after = len(names(database, workspace))
    with database.writing() as connection:
        while prepare_next(connection, now=NOW):
            pass
        pieces = lease(connection, "w", now=NOW, most=9)

    assert job is not None
    assert after == 3
    assert [piece.task["number"] for piece in pieces] == list(range(8))


def test_staged_items_replace_the_others_and_what_is_scored_is_not_scored_again(
    database: Database, workspace: str
) -> None:
    with database.writing() as connection:
        stage_items(connection, workspace, items(5), "first", now=NOW)
        enqueue_unscored(connection, "essays", workspace, **NEW, stamp="first")
        for piece in lease(connection, "w", now=NOW, most=9)[3:]:
            finish(connection, piece, now=NOW)
            put_result(connection, piece.item_id or 0, "e", payload={}, score=1, files={}, now=NOW)
        stage_items(connection, workspace, items(5, first=3), "second", now=NOW)
        stamped = count_staged(connection, workspace, "second")
        job = enqueue_unscored(connection, "essays", workspace, **NEW, stamp="second")
        again = enqueue_unscored(connection, "essays", workspace, **NEW | {"engine": "other"})

    assert stamped == 5
    assert job is not None
    assert again is not None
    assert names(database, workspace) == [f"number {i}" for i in range(3, 8)]
    assert (how_far(database, job).total, how_far(database, again).total) == (3, 5)


def test_nothing_to_score_is_no_job(database: Database, workspace: str) -> None:
    with database.writing() as connection:
        assert enqueue_unscored(connection, "essays", workspace, **NEW) is None


def test_a_job_that_was_stopped_while_it_was_prepared_goes_on_there(database: Database, workspace: str) -> None:
    with database.writing() as connection:
        stage_items(connection, workspace, items(4), "s", now=NOW)
        job = enqueue_unscored(connection, "essays", workspace, **NEW, stamp="s", at_once=False)
        assert job is not None
        prepare_next(connection, now=NOW)
        cancel(connection, job, now=NOW)
        stopped = prepare_next(connection, now=NOW)
        resume(connection, job, now=NOW)
        while prepare_next(connection, now=NOW):
            pass
        pieces = lease(connection, "w", now=NOW, most=9)

    assert not stopped
    assert [piece.task["number"] for piece in pieces] == list(range(4))
