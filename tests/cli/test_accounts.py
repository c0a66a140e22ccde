"""`assay accounts` as it is typed."""

import json
from pathlib import Path

import pytest

from assay.cli.accounts import ROLES
from assay.store.accounts import ROLES as KNOWN
from assay.store.database import open_database
from tests.cli.test_operations import typed


def test_accounts_are_invited_listed_and_reset(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    open_database(str(tmp_path / "a.db")).close()
    db = ("--db", tmp_path / "a.db")
    assert "No accounts yet" in typed(capfd, "accounts", "list", *db)[1]
    link = ("--url", "https://assay.example.org/")
    code, said, _ = typed(capfd, "accounts", "invite", "Ada L.", "--role", "admin", *db, *link)
    assert (code, "https://assay.example.org/welcome/" in said) == (0, True)
    code, said, _ = typed(capfd, "accounts", "reset", "ada l.", *db)
    assert (code, "followed by: /welcome/" in said) == (0, True)
    typed(capfd, "accounts", "disable", "Ada L.", *db)
    code, said, _ = typed(capfd, "accounts", "list", "--json", *db)
    assert [(row["name"], row["role"], row["state"]) for row in json.loads(said)] == [("Ada L.", "admin", "disabled")]
    assert "can sign in again" in typed(capfd, "accounts", "enable", "Ada L.", *db)[1]
    assert typed(capfd, "accounts", "list", *db)[1].startswith("Ada L.: admin, invited, since ")


def test_wrong_roles_names_and_databases_exit_2(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    open_database(str(tmp_path / "a.db")).close()
    db = ("--db", tmp_path / "a.db")

    assert typed(capfd, "accounts", "invite", "Ada", "--role", "king", *db)[0] == 2
    code, _, problem = typed(capfd, "accounts", "reset", "Nobody", *db)
    assert (code, "no account called 'Nobody'" in problem) == (2, True)
    assert typed(capfd, "accounts", "list", "--db", tmp_path / "none.db")[0] == 2
    assert ROLES == KNOWN
