"""Workspaces: made, changed, listed, taken out of sight and brought back with their work."""

from datetime import timedelta

from assay.store.database import Database
from assay.store.items import find_item_id
from assay.store.jobs import JobPiece, cancel, enqueue, progress
from assay.store.schema import clipped
from assay.store.workspaces import (
    change_workspace,
    create_workspace,
    entries,
    find_workspace,
    hold_workspace,
    recent_workspaces,
    remove_workspaces,
    restore_workspace,
)
from tests.store.scored import NOW, scored_workspace


def test_a_name_is_one_line_that_both_databases_take() -> None:
    assert clipped(" a\0\n b\ud800 ") == "a b?"
    assert (clipped("\0 "), len(clipped("x" * 999))) == ("Unnamed", 400)


def test_what_is_not_changed_stays(database: Database) -> None:
    with database.writing() as connection:
        made = create_workspace(connection, "essays", "Class", author="Ada", now=NOW, settings={"engine": "e"})
        change_workspace(connection, made.id, now=NOW + timedelta(1), name="Class 9")
        found = find_workspace(connection, made.id)

    assert found is not None
    assert (found.name, found.engine, found.changed - found.created) == ("Class 9", "e", timedelta(1))


def test_the_last_changed_comes_first_and_a_kind_can_be_asked_for(database: Database) -> None:
    with database.writing() as connection:
        for day, kind in enumerate(("essays", "evaluation", "essays")):
            create_workspace(connection, kind, f"{day}", author="Ada", now=NOW + timedelta(day))

        assert [w.name for w in recent_workspaces(connection, within=None)] == ["2", "1", "0"]
        assert [w.name for w in recent_workspaces(connection, within=None, kind="essays", most=1)] == ["2"]
        assert recent_workspaces(connection, within=["another"]) == []
        assert len(recent_workspaces(connection, within=["another", "default"])) == 3


def test_a_removed_workspace_is_gone_and_comes_back_with_the_work_its_removal_stopped(database: Database) -> None:
    with database.writing() as connection:
        filled = scored_workspace(connection, [1.0])
        later = NOW + timedelta(1)
        stopped, running = (
            enqueue(connection, "essays", filled.id, [JobPiece({})], author="Ada", now=NOW) for _ in range(2)
        )
        cancel(connection, stopped, now=NOW)
        remove_workspaces(connection, [filled.id, "none"], author="Ada", now=later)
        gone = find_workspace(connection, filled.id), hold_workspace(connection, filled.id)
        restore_workspace(connection, filled.id, author="Ada", now=later)
        states = [job.state for id_ in (stopped, running) if (job := progress(connection, id_, now=later))]

        assert gone == (None, None)
        assert find_workspace(connection, filled.id) is not None
        assert states == ["cancelled", "queued"]
        assert [e.action for e in entries(connection)] == ["restore workspace", "remove workspace"]
        assert find_item_id(connection, filled.id, "digest 0") == filled.items[0].id
        assert find_item_id(connection, filled.id, "none") is None
