"""Items and their results: the same content is the same item, removed ones stay, results are replaced."""

from assay.store.blobs import read_blob
from assay.store.courses import enroll
from assay.store.database import Database
from assay.store.items import (
    NewItem,
    count_scored,
    find_item,
    find_item_id,
    find_result,
    put_items,
    put_result,
    remove_items,
    scored_ids,
    scored_items,
    students_items,
    workspace_items,
)
from assay.store.rosters import set_owner
from tests.store.scored import ENGINE, NOW, scored_workspace


def test_the_same_content_is_the_same_item_under_its_latest_name(database: Database) -> None:
    with database.writing() as connection:
        filled = scored_workspace(connection, [3.0, 4.0])
        first = filled.items[0]
        remove_items(connection, filled.id, [first.id], now=NOW)
        gone = find_item(connection, filled.id, first.id)
        (back,) = put_items(connection, filled.id, [NewItem(first.digest, "renamed")] * 2, now=NOW)

        assert gone is None
        assert find_item_id(connection, filled.id, first.digest) == back.id == first.id
        assert [item.name for item in workspace_items(connection, filled.id)] == ["renamed", "item 1"]


def test_what_was_removed_keeps_its_result_and_is_not_listed(database: Database) -> None:
    with database.writing() as connection:
        filled = scored_workspace(connection, [3.0, 4.0])
        remove_items(connection, filled.id, [filled.items[0].id], now=NOW)

        assert find_result(connection, filled.items[0].id, ENGINE) is not None
        assert scored_ids(connection, filled.id, ENGINE) == [filled.items[1].id]
        assert count_scored(connection, filled.id) == 1


def test_a_result_replaces_that_of_the_same_engine_and_keeps_its_files(database: Database) -> None:
    with database.writing() as connection:
        item = scored_workspace(connection, [3.0]).items[0]
        put_result(connection, item.id, ENGINE, payload={"a": 1}, score=5.0, files={"n.txt": b"note"}, now=NOW)
        put_result(connection, item.id, "other", payload={}, score=1.0, files={}, now=NOW)
        result = find_result(connection, item.id, ENGINE)

        assert result is not None
        assert (result.score, result.payload) == (5.0, {"a": 1})
        assert read_blob(connection, result.files["n.txt"]) == b"note"
        assert find_result(connection, item.id, "third") is None


def test_items_are_sorted_by_score_with_those_that_have_none_last(database: Database) -> None:
    with database.writing() as connection:
        filled = scored_workspace(connection, [3.0, None, 5.0])
        up, down = (
            [item.name for item, _ in scored_items(connection, filled.id, ENGINE, order="score", descending=way)]
            for way in (False, True)
        )
        page = scored_items(connection, filled.id, ENGINE, containing="ITEM", offset=1, most=1)

        assert (up, down) == (["item 0", "item 2", "item 1"], ["item 2", "item 0", "item 1"])
        assert [(item.name, result) for item, result in page] == [("item 1", None)]


def test_work_is_a_students_own_by_enrollment_and_not_by_its_name(database: Database) -> None:
    with database.writing() as connection:
        filled = scored_workspace(connection, [])
        ben, other = (enroll(connection, "default", "student", "Ben", now=NOW).id for _ in range(2))
        one, _ = put_items(connection, filled.id, [NewItem("a", "Ben"), NewItem("b", "Ben")], now=NOW)
        set_owner(connection, filled.id, one.id, ben)

        assert [item.id for item in students_items(connection, [ben])] == [one.id]
        assert students_items(connection, [other]) == []
        assert (count_scored(connection, filled.id, of=[ben]), count_scored(connection, filled.id, of=[])) == (1, 0)
