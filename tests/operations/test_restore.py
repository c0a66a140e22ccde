"""A backup is restored whole or not at all, and brought up to date; one that was changed is refused."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.operations.backup import backup
from assay.operations.restore import restore
from assay.operations.verify import verify
from assay.store.database import Database, connect_database, open_database, schema_version, schema_versions, upgrade
from tests.operations.test_backup import contents, fill


def test_a_backup_of_an_earlier_version_is_restored_after_an_upgrade_that_went_wrong(
    database_url: str, tmp_path: Path
) -> None:
    old = connect_database(database_url)
    first = schema_versions()[-1]
    with old.writing() as connection:
        upgrade(connection, first)
        connection.exec_driver_sql(
            "INSERT INTO accounts (name, password_hash, role, created)"
            " VALUES ('Ada', 'a long password', 'trainer', '2026-01-05 09:00:00')"
        )
    before = contents(old)["accounts"]
    manifest = backup(database_url, tmp_path / "before.zip")
    with old.writing() as connection:  # the upgrade, and what went wrong in it
        upgrade(connection)
        connection.exec_driver_sql("DROP TABLE audit")
        connection.exec_driver_sql("DELETE FROM accounts")
    assert verify(database_url) != []

    restore(tmp_path / "before.zip", database_url, force=True)
    assert manifest["schema"] == first
    assert [_only(row, before[0]) for row in contents(old)["accounts"]] == before  # other columns came later
    with old.reading() as connection:
        assert schema_version(connection) == schema_versions()[0]
    assert verify(database_url) == []
    old.close()


def _only(row: Any, like: Any) -> dict[str, Any]:
    """A row with the columns of another."""
    return {name: row[name] for name in like}


def changed(source: Path, target: Path, change: str) -> Path:
    """A backup with one thing wrong."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if change == "a row" and name == "tables/results.jsonl":
                content = content.replace(b"4.0", b"6.0")
            elif change == "a stored file" and name.startswith("blobs/"):
                content = content[:-1] + b"!"
            elif (change, name) in (("a missing part", "tables/items.jsonl"), ("no manifest", "manifest.json")):
                continue
            elif change == "a later version" and name == "manifest.json":
                content = json.dumps({**json.loads(content), "schema": "9999"}).encode()
            new.writestr(name, content)
        if change == "another part":
            new.writestr("tables/evil.jsonl", "{}")
    if change == "cut off":
        target.write_bytes(source.read_bytes()[:-200])
    return target


@pytest.mark.parametrize(
    "change",
    ["a row", "a stored file", "a missing part", "another part", "no manifest", "a later version", "cut off"],
)
def test_a_backup_that_was_changed_is_refused_before_anything_is_written(change: str, tmp_path: Path) -> None:
    database = open_database(str(tmp_path / "a.db"))
    fill(database)
    backup(str(tmp_path / "a.db"), tmp_path / "backup.zip")
    before = contents(database)
    with pytest.raises(InputError) as refused:
        restore(changed(tmp_path / "backup.zip", tmp_path / "x.zip", change), str(tmp_path / "a.db"), force=True)
    assert refused.value.remedy
    assert contents(database) == before
    database.close()


def test_a_restore_that_fails_in_the_middle_leaves_the_database_as_it_was(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(database)
    url = database.engine.url.render_as_string(hide_password=False)
    backup(url, tmp_path / "backup.zip")
    before = contents(database)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("assay.operations.restore.restore_blob", full)
    with pytest.raises(OSError, match="No space"):
        restore(tmp_path / "backup.zip", url, force=True)
    assert contents(database) == before
