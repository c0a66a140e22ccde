"""Decisions: kept with their reason, undone, and found for the content they are about."""

import pytest

from assay.errors import InputError
from assay.store.database import Database
from assay.store.items import put_result
from assay.store.overrides import (
    Consequence,
    decide,
    fill_in_system_scores,
    find_decision,
    history,
    item_decisions,
    reviewed,
    undo,
)
from tests.store.scored import ENGINE, NOW, review, scored_workspace


def test_an_override_without_a_reason_is_refused_beside_its_field(database: Database) -> None:
    with database.writing() as connection:
        filled = scored_workspace(connection, [3.0])
        with pytest.raises(InputError, match="Say why") as caught:
            decide(
                connection,
                filled.items[0],
                ENGINE,
                kind="override",
                target="score",
                value=4.0,
                consequence=Consequence(3.0, 3.0, 4.0),
                reason=" ",
                author="Ben",
                now=NOW,
            )
        assert (caught.value.field, history(connection, filled.id)) == ("reason", [])


def test_the_last_decision_about_a_target_holds_and_undoing_brings_back_the_one_before(database: Database) -> None:
    with database.writing() as connection:
        filled = scored_workspace(connection, [3.0, 4.0])
        item = filled.items[0]
        review(connection, item, 3.0, 5.0)
        second = review(connection, item, 3.0, 6.0)
        assert [d.human_score for d in item_decisions(connection, item, ENGINE)] == [6.0]
        undo(connection, filled.id, second, author="Ada", now=NOW)

        assert [d.human_score for d in reviewed(connection, filled.id, ENGINE)[item.id]] == [5.0]
        assert [d.undone_by for d in history(connection, filled.id, item.id)] == [None, "Ada"]
        assert item_decisions(connection, item, "another engine") == []


def test_a_decision_is_undone_once_and_only_in_its_workspace(database: Database) -> None:
    with database.writing() as connection:
        filled = scored_workspace(connection, [3.0])
        decision = review(connection, filled.items[0], 3.0, 5.0)
        with pytest.raises(InputError, match="no such decision"):
            undo(connection, "another", decision, author="Ada", now=NOW)
        undo(connection, filled.id, decision, author="Ada", now=NOW)
        with pytest.raises(InputError, match="undone before"):
            undo(connection, filled.id, decision, author="Ada", now=NOW)
        assert find_decision(connection, "another", decision) is None


def test_a_score_that_came_after_the_decision_is_set_beside_it(database: Database) -> None:
    with database.writing() as connection:
        filled = scored_workspace(connection, [None, None, None])
        for item in filled.items:
            review(connection, item, None, 4.0)
        for item, score in zip(filled.items, (4.0, 2.0), strict=False):
            put_result(connection, item.id, ENGINE, payload={}, score=score, files={}, now=NOW)
        fill_in_system_scores(connection, filled.id, ENGINE)
        decisions = history(connection, filled.id)

    assert [(d.kind, d.system_score) for d in decisions] == [("confirm", 4.0), ("override", 2.0), ("override", None)]
