"""Lists of items with their final scores: sorted, filtered, paged and added up in the database."""

import pytest

from assay.store.database import Database
from assay.store.item_listing import ListQuery, changes, count, ids_in_order, rows, rows_of, scored_names, totals
from assay.store.items import put_result, remove_items
from tests.store.scored import ENGINE, NOW, review, scored_workspace


def names(database: Database, query: ListQuery, *, offset: int = 0, most: int | None = None) -> list[str]:
    with database.writing() as connection:
        filled = scored_workspace(connection, [3.0, None, 5.0, 4.0])
        review(connection, filled.items[0], 3.0, 6.0)
        review(connection, filled.items[2], 5.0, 5.0)
        listed = rows(connection, filled.id, ENGINE, query, offset=offset, most=most)
        assert count(connection, filled.id, ENGINE, query) >= len(listed)
    return [row.name.removeprefix("item ") for row in listed]


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        (ListQuery(), "0231"),  # 0 was given a 6; what has no score comes last
        (ListQuery("final", descending=False), "3201"),
        (ListQuery("system"), "2301"),
        (ListQuery("raw"), "2301"),
        (ListQuery("position", descending=False), "0231"),
        (ListQuery("name"), "3201"),
        (ListQuery(state="review"), "3"),
        (ListQuery(state="reviewed"), "02"),
        (ListQuery(state="changed"), "0"),
        (ListQuery(state="failed"), "1"),
        (ListQuery(containing="ITEM 3"), "3"),
        (ListQuery(containing="%"), ""),
    ],
)
def test_a_list_is_sorted_and_filtered(database: Database, query: ListQuery, listed: str) -> None:
    assert "".join(names(database, query)) == listed


def test_a_page_is_a_part_of_the_list(database: Database) -> None:
    assert names(database, ListQuery(), offset=1, most=2) == ["2", "3"]


def test_items_are_listed_in_the_order_asked_for(database: Database) -> None:
    with database.writing() as connection:
        filled = scored_workspace(connection, [1.0, 2.0, None])
        first, second, unscored = (item.id for item in filled.items)
        listed = rows_of(connection, filled.id, ENGINE, [unscored, first, 999_999])

        assert [(row.id, row.state, row.final) for row in listed] == [
            (unscored, "not scored", None),
            (first, "to review", 1.0),
        ]
        assert ids_in_order(connection, filled.id, ENGINE, ListQuery()) == [second, first, unscored]
        assert scored_names(connection, filled.id, ENGINE) == [(first, "item 0"), (second, "item 1")]


def test_totals_count_what_is_scored_reviewed_and_changed(database: Database) -> None:
    with database.writing() as connection:
        filled = scored_workspace(connection, [3.0, 5.0, 4.0, None, 9.0])
        review(connection, filled.items[0], 3.0, 4.0)
        review(connection, filled.items[1], 5.0, 5.0)
        remove_items(connection, filled.id, [filled.items[4].id], now=NOW)
        total = totals(connection, filled.id, ENGINE)

    assert (total.submissions, total.scored, total.reviewed, total.changed) == (4, 3, 2, 1)
    assert (total.mean_system, total.mean_gap) == (4.0, 0.5)
    assert total.mean_final == pytest.approx(13 / 3)


def test_the_largest_changes_between_two_engines_come_first(database: Database) -> None:
    with database.writing() as connection:
        filled = scored_workspace(connection, [3.0, 5.0, 4.0])
        for item, score in zip(filled.items, (3.01, 2.0, 6.0), strict=True):
            put_result(connection, item.id, "new", payload={}, score=score, files={}, now=NOW)
        listed, changed, of = changes(connection, filled.id, ENGINE, "new", most=1)

    assert [(change.name, change.was, change.now) for change in listed] == [("item 1", 5.0, 2.0)]
    assert (changed, of) == (2, 3)
