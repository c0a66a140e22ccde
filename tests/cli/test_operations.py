"""The operator's commands as they are typed: what they print, and how they exit."""

import json
import sys
from pathlib import Path

import pytest

from assay.cli import operations
from assay.cli.main import main
from assay.store.database import open_database
from tests.operations.test_backup import fill


def typed(capfd: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """Exit code, and what went to standard output and to standard error."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["assay", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            main()
    return int(end.value.code or 0), *capfd.readouterr()


def test_a_database_goes_into_a_backup_and_back_and_is_whole(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    database = open_database(str(tmp_path / "a.db"))
    fill(database)
    database.close()
    out, other = tmp_path / "b.zip", tmp_path / "other.db"
    code, said, _ = typed(capfd, "backup", out, "--db", tmp_path / "a.db")
    assert (code, "1 stored files" in said, f"assay restore {out}" in said) == (0, True, True)
    code, said, _ = typed(capfd, "restore", out, "--db", other, "--json")
    assert (code, json.loads(said)["blobs"]["count"]) == (0, 1)
    assert typed(capfd, "verify", "--db", other)[:2] == (
        0,
        "No problems found in tables, references, stored files, results and jobs.\n",
    )
    code, said, problem = typed(capfd, "restore", out, "--db", other)
    assert (code, said) == (2, "")
    assert problem.startswith(f"assay: The database sqlite:///{other} is not empty. ")
    assert "replace it with --force" in problem


def test_problems_exit_1_and_a_database_that_is_not_there_2(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    database = open_database(str(tmp_path / "a.db"))
    fill(database)
    with database.writing() as connection:
        connection.exec_driver_sql("UPDATE uploads SET size = 3")
    database.close()
    code, said, _ = typed(capfd, "verify", "--db", tmp_path / "a.db", "--json")
    assert (code, [problem["check"] for problem in json.loads(said)]) == (1, ["results"])
    code, _, said = typed(capfd, "verify", "--db", tmp_path / "none.db")
    assert (code, "There is no database" in said) == (2, True)


def test_without_a_database_named_it_is_that_of_serve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert operations.own_database().startswith(str(tmp_path))
    assert typed(capfd, "backup", tmp_path / "b.zip")[0] == 2
