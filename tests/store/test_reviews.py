"""System and human scores side by side, asked of the database as a whole."""

from assay.store.database import Database
from assay.store.items import put_result, remove_items
from assay.store.overrides import undo
from assay.store.reviews import (
    Kept,
    decided_scores,
    last_decisions,
    override_targets,
    payload_columns,
    result_figures,
    results_state,
    review_agreement,
    score_counts,
    scored_items,
)
from tests.store.scored import ENGINE, NOW, review, scored_workspace


def test_the_last_decision_that_was_not_undone_counts(database: Database) -> None:
    with database.writing() as connection:
        filled = scored_workspace(connection, [3.0, 4.0])
        review(connection, filled.items[0], 3.0, 5.0)
        mistaken = review(connection, filled.items[0], 3.0, 6.0, day=1)
        undo(connection, filled.id, mistaken, author="Ben", now=NOW)
        decisions = last_decisions(connection, filled.id, ENGINE)

        assert {item: (d.human, d.decided_on, d.kind) for item, d in decisions.items()} == {
            filled.items[0].id: (5.0, 3.0, "override")
        }
        assert decided_scores(connection, filled.id, ENGINE) == [[filled.items[0].id, 5.0]]
        assert last_decisions(connection, filled.id, "another") == {}


def test_scores_are_counted_before_and_after_decisions(database: Database) -> None:
    with database.writing() as connection:
        filled = scored_workspace(connection, [3.0, 3.0, 4.0, None, 6.0])
        review(connection, filled.items[0], 3.0, 5.0)
        remove_items(connection, filled.id, [filled.items[4].id], now=NOW)
        by_system, by_final = score_counts(connection, filled.id, ENGINE)

    assert (by_system, by_final) == ({3.0: 2, 4.0: 1}, {3.0: 1, 4.0: 1, 5.0: 1})


def test_agreement_is_of_the_decided_alone(database: Database) -> None:
    with database.writing() as connection:
        filled = scored_workspace(connection, [3.0, 4.0, 5.0])
        nothing = review_agreement(connection, filled.id, ENGINE)
        review(connection, filled.items[0], 3.0, 3.0)
        review(connection, filled.items[1], 4.0, 6.0)
        some = review_agreement(connection, filled.id, ENGINE)

    assert (nothing.pairs, nothing.mean_gap) == (0, 0.0)
    assert (some.pairs, some.same, some.mean_gap) == (2, 1, 1.0)


def test_the_state_of_results_changes_with_every_result(database: Database) -> None:
    with database.writing() as connection:
        filled = scored_workspace(connection, [3.0, None])
        before = results_state(connection, filled.id, ENGINE)
        put_result(connection, filled.items[1].id, ENGINE, payload={}, score=1.0, files={}, now=NOW)
        after = results_state(connection, filled.id, ENGINE)

        assert (before.count, after.count) == (1, 2)
        assert results_state(connection, filled.id, ENGINE, most=before.last) == before
        assert results_state(connection, filled.id, "another").count == 0


def test_columns_of_payloads_are_read_from_one_result_on(database: Database) -> None:
    with database.writing() as connection:
        filled = scored_workspace(connection, [3.0, 4.0])
        state = results_state(connection, filled.id, ENGINE)
        ask = {"texts": ("types", "none"), "numbers": ("words",), "state": state}
        types, missing, words = payload_columns(connection, filled.id, ENGINE, **ask)  # type: ignore[arg-type]
        later = payload_columns(connection, filled.id, ENGINE, after=state.last - 1, **ask)  # type: ignore[arg-type]

        assert [text.replace(" ", "") for text in types] == ['{"spelling":2}'] * 2
        assert (missing, words) == ((None, None), (100, 100))
        assert len(later[0]) == 1
        assert payload_columns(connection, filled.id, "x", **ask) == ((), (), ())  # type: ignore[arg-type]


def test_what_a_kind_keeps_is_found_by_its_paths(database: Database) -> None:
    with database.writing() as connection:
        filled = scored_workspace(connection, [3.0, None, 4.0])
        kept = Kept(raw=("raw",), known=("human",), group=("prompt",))
        scored = scored_items(connection, filled.id, ENGINE, kept)
        figures = result_figures(connection, filled.id, ENGINE, kept)

    assert (list(scored.names), list(scored.known), list(scored.group)) == (["item 0", "item 2"], [0, 2], ["b", "b"])
    assert figures[filled.items[2].id] == (4.0, 4.25, None, None, None)


def test_overrides_are_counted_by_what_they_are_about(database: Database) -> None:
    with database.writing() as connection:
        filled = scored_workspace(connection, [3.0, 4.0])
        review(connection, filled.items[0], 3.0, 5.0)
        review(connection, filled.items[1], 4.0, 4.0)

        assert override_targets(connection, filled.id, ENGINE) == {"score": 1}
