"""Decisions: their consequence shown, kept with it, taken back, taken over by another engine."""

from datetime import timedelta

import pytest

from assay.errors import InputError
from assay.store.items import find_item
from assay.store.overrides import Decision, item_decisions
from assay.web.problems import NotFound
from assay.web.workspaces.decisions import (
    KEPT,
    consequence_of,
    last_decision,
    migrate_decisions,
    save_decision,
    undo_decision,
)
from tests.store.scored import NOW
from tests.web.annotated import graded, item_of
from tests.web.visits import Visit


def test_a_decision_has_the_consequence_that_was_shown_and_can_be_taken_back(visit: Visit) -> None:
    url = graded(visit)
    context = visit.context(url)
    with visit.site.database.writing() as connection:
        ben = find_item(connection, context.workspace.id, item_of(visit, url, "ben"))
        assert ben is not None
        shown = consequence_of(connection, context, ben, "miss:2", 100)
        made = save_decision(connection, context, ben, "override", "miss:2", 100, "It is hidden.")
        (saved,) = item_decisions(connection, ben, context.workspace.engine)
        undo_decision(connection, context, made)
        left = item_decisions(connection, ben, context.workspace.engine)

    assert saved.human_score == shown.human_score == pytest.approx(85.7, abs=0.05)
    assert (saved.author, saved.reason) == ("Ada", "It is hidden.")
    assert left == []


def test_a_decision_that_is_not_there_and_one_of_another_engine_cannot_be_undone(visit: Visit) -> None:
    url = graded(visit)
    context = visit.context(url)
    with visit.site.database.writing() as connection:
        ben = find_item(connection, context.workspace.id, item_of(visit, url, "ben"))
        assert ben is not None
        made = save_decision(connection, context, ben, "confirm")
        context.change_settings(connection, {"engine": "another"})
        with pytest.raises(NotFound):
            undo_decision(connection, visit.context(url), made + 1)
    with visit.site.database.writing() as connection, pytest.raises(InputError, match="no longer counts"):
        undo_decision(connection, visit.context(url), made)


def test_scores_that_people_gave_hold_under_another_engine_with_their_reason(visit: Visit) -> None:
    url = graded(visit)
    context = visit.context(url)
    workspace = context.workspace
    with visit.site.database.writing() as connection:
        ben = find_item(connection, workspace.id, item_of(visit, url, "ben"))
        assert ben is not None
        save_decision(connection, context, ben, "override", "miss:2", 100, "It is hidden.")
        for _ in range(2):  # a second time it is known already
            migrate_decisions(connection, workspace, was=workspace.engine, becomes="new", unseen={ben.id: 71.0})
        (kept,) = item_decisions(connection, ben, "new")

    assert kept.human_score == pytest.approx(85.7, abs=0.05)
    assert kept.system_score == 71.0
    assert kept.reason == f"{KEPT}It is hidden."


def decision(kind: str, *, minute: int, undone: int | None = None) -> Decision:
    at = [None if m is None else NOW + timedelta(minutes=m) for m in (minute, undone)]
    values = dict.fromkeys(Decision.__dataclass_fields__)
    values |= {"id": minute, "kind": kind, "author": "Ada", "made_at": at[0], "undone": at[1]}
    return Decision(**values)  # type: ignore[arg-type]


def test_the_latest_step_is_told_whatever_it_was() -> None:
    confirmed, changed = decision("confirm", minute=1), decision("override", minute=2)
    taken_back = decision("override", minute=2, undone=3)

    assert last_decision([], "4") == ""
    assert last_decision([confirmed], "4") == "Confirmed at 4 by Ada."
    assert last_decision([confirmed, changed], "5") == "Override saved: the score is 5 now, by Ada."
    assert last_decision([confirmed, taken_back], "4") == "Undone: the score is 4 again."
