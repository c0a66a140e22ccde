"""Accounts from the command line, on both databases."""

import pytest

from assay.errors import InputError
from assay.operations.accounts import invite, list_accounts, reset, set_enabled
from assay.store import accounts as store
from assay.store.database import Database


def url_of(database: Database) -> str:
    return database.engine.url.render_as_string(hide_password=False)


def test_a_person_is_invited_disabled_enabled_and_reset(database: Database) -> None:
    url = url_of(database)
    path = invite(url, "Ada", "admin")
    set_enabled(url, "ada", enabled=False)
    with pytest.raises(InputError, match="disabled"):
        reset(url, "Ada")
    states = [list_accounts(url)[0].state]
    set_enabled(url, "ada", enabled=True)
    states.append(list_accounts(url)[0].state)
    again = reset(url, "ADA", second_factor=True)
    (row,) = list_accounts(url)

    assert states == ["disabled", "invited"]
    assert (row.name, row.role, row.second_factor) == ("Ada", "admin", False)
    assert path.startswith("/welcome/")
    assert again != path


def test_a_reset_link_removes_the_second_factor_only_when_asked(database: Database) -> None:
    url = url_of(database)
    invite(url, "Ada", "admin")
    with database.writing() as connection:
        store.change_account(connection, 1, password_hash="hash")
    kinds = []
    for second_factor in (False, True):
        token = reset(url, "Ada", second_factor=second_factor).rpartition("/")[2]
        with database.reading() as connection:
            link = store.find_link(connection, token, now=list_accounts(url)[0].created)
        assert link is not None
        kinds.append(link.kind)

    assert kinds == ["reset", "reset all"]


def test_unknown_and_impossible_names_are_refused_with_those_there_are(database: Database) -> None:
    url = url_of(database)
    invite(url, "Ada", "trainer")

    with pytest.raises(InputError, match=r"no account called 'Bea'.*Accounts are: Ada") as unknown:
        reset(url, "Bea")
    with pytest.raises(InputError, match="already an account"):
        invite(url, "ada", "student")
    assert unknown.value.field == "name"
