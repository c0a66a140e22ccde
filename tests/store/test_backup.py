"""Rows that leave one database enter another as they were."""

from assay.store.backup import begin_restore, count_rows, restore_rows, stored_blobs, stored_tables, table_rows
from assay.store.blobs import keep_bytes
from assay.store.database import Database, schema_version, schema_versions
from tests.store.scored import NOW, scored_workspace


def test_tables_come_after_those_they_refer_to_and_without_the_parts_of_files(database: Database) -> None:
    with database.reading() as connection:
        names = list(stored_tables(connection))
    assert names.index("workspaces") < names.index("items") < names.index("results")
    assert not {"blob_parts", "alembic_version"} & set(names)


def test_rows_are_json_and_come_back_the_same_in_place_of_all_that_was_there(database: Database) -> None:
    with database.writing() as connection:
        scored_workspace(connection, [2.5, None, 4])
        digest = keep_bytes(connection, b"an essay", now=NOW)
        assert stored_blobs(connection) == [(digest, 8)]
        rows = {name: list(table_rows(connection, table)) for name, table in stored_tables(connection).items()}
        assert rows["items"][0]["created"] == NOW.replace(tzinfo=None).isoformat()
        tables = begin_restore(connection, schema_versions()[0])
        assert not any(count_rows(connection, table) for table in tables.values())
        for name, table in tables.items():
            restore_rows(connection, table, [dict(row) for row in rows[name]])
        assert {name: list(table_rows(connection, table)) for name, table in tables.items()} == rows
        assert schema_version(connection) == schema_versions()[0]


def test_tables_of_other_programs_are_neither_saved_nor_dropped(database: Database) -> None:
    with database.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE payroll (name VARCHAR(20))")
        connection.exec_driver_sql("INSERT INTO payroll VALUES ('Ada')")
    with database.writing() as connection:
        assert "payroll" not in stored_tables(connection)
        begin_restore(connection, schema_versions()[0])
        assert connection.exec_driver_sql("SELECT name FROM payroll").scalars().all() == ["Ada"]
