"""What the tables hold: ids, digests, names and times, the same on every database."""

from datetime import UTC, datetime, timedelta, timezone

from sqlalchemy.dialects import sqlite

from assay.store.schema import LETTERS, NAME, Moment, Plain, clipped, content_digest, fields, metadata, new_id, results


def test_an_id_can_be_read_aloud_and_hardly_comes_twice() -> None:
    ids = {new_id() for _ in range(200)}

    assert len(ids) == 200
    assert all(len(one) == 12 and set(one) <= set(LETTERS) for one in ids)


def test_a_digest_tells_parts_apart_and_takes_text_that_is_no_text() -> None:
    assert content_digest("ab", "c") != content_digest("a", "bc") != content_digest("a", "b", "c")
    assert content_digest("a") == content_digest(b"a")
    assert len(content_digest("\ud800")) == 64


def test_a_name_is_one_line_that_both_databases_take() -> None:
    assert clipped(" a\n\0b\tc ") == "a b c"
    assert (clipped(""), len(clipped("x" * 1000))) == ("Unnamed", NAME)
    assert Plain().process_bind_param("a\0\ud800", sqlite.dialect()) == "a?"


def test_a_time_is_kept_as_that_of_greenwich_and_comes_back_with_it() -> None:
    noon = datetime(2026, 1, 2, 12, tzinfo=timezone(timedelta(hours=2)))
    stored = Moment().process_bind_param(noon, sqlite.dialect())

    assert stored == datetime(2026, 1, 2, 10)
    assert Moment().process_result_value(stored, sqlite.dialect()) == noon.astimezone(UTC)
    assert Moment().process_bind_param(None, sqlite.dialect()) is None


def test_every_table_of_the_app_is_known_and_a_row_of_results_has_its_fields() -> None:
    assert {"workspaces", "uploads", "items", "results", "jobs", "job_items", "blobs", "audit"} <= set(metadata.tables)
    assert {"item_id", "engine", "score", "payload", "files"} <= {column.name for column in fields(results)}
