"""Accounts, sessions and tokens: found by name whatever its letters, over after their time, ended at once."""

from datetime import timedelta

import pytest

from assay.store.accounts import (
    LINK_LASTS,
    SESSION_LASTS,
    TOKEN_LASTS,
    NameRefused,
    account_of,
    account_sessions,
    all_accounts,
    change_account,
    check_new_name,
    create_account,
    create_link,
    end_session,
    end_token,
    find_account,
    find_link,
    installation_secret,
    set_second_factor,
    start_session,
    token_digest,
    use_code,
    use_link,
)
from assay.store.database import Database
from assay.store.schema import Connection
from tests.store.scored import NOW


def ada(connection: Connection) -> int:
    create_account(connection, "Ada", "hash", "trainer", now=NOW)
    account = find_account(connection, "aDA")
    assert account is not None
    return account.id


def test_an_account_is_found_whatever_the_case_of_its_letters(database: Database) -> None:
    with database.writing() as connection:
        ada(connection)
        create_account(connection, "Abe", "hash", "student", now=NOW)

        assert [account.name for account in all_accounts(connection)] == ["Abe", "Ada"]
        assert find_account(connection, "nobody") is None


@pytest.mark.parametrize(("kind", "lasts"), [("browser", SESSION_LASTS), ("api", TOKEN_LASTS)])
def test_a_token_stands_for_its_account_until_its_time_is_over(database: Database, kind: str, lasts: timedelta) -> None:
    with database.writing() as connection:
        token = start_session(connection, ada(connection), now=NOW, kind=kind)  # type: ignore[arg-type]
        found = [account_of(connection, token, now=NOW + after, kind=kind) for after in (lasts / 2, lasts)]  # type: ignore[arg-type]
        other = "api" if kind == "browser" else "browser"

        assert [(known[0].name, known[1]) if known else None for known in found] == [("Ada", "all"), None]
        assert account_of(connection, token, now=NOW, kind=other) is None  # type: ignore[arg-type]


def test_a_session_and_a_token_can_be_ended_and_only_by_their_owner(database: Database) -> None:
    with database.writing() as connection:
        own = ada(connection)
        session, token = (start_session(connection, own, now=NOW, kind=kind) for kind in ("browser", "api"))
        (listed,) = account_sessions(connection, own, "api", now=NOW)
        end_token(connection, own + 1, listed.token_hash)
        assert account_of(connection, token, now=NOW, kind="api") is not None
        end_token(connection, own, listed.token_hash)
        end_session(connection, session)

        assert account_of(connection, token, now=NOW, kind="api") is None
        assert account_of(connection, session, now=NOW, kind="browser") is None


def test_an_account_that_is_disabled_is_signed_out_everywhere(database: Database) -> None:
    with database.writing() as connection:
        own = ada(connection)
        session = start_session(connection, own, now=NOW)
        change_account(connection, own, disabled=NOW)
        change_account(connection, own, password_hash="new")

        assert account_of(connection, session, now=NOW, kind="browser") is None
        account = find_account(connection, "Ada")
        assert account is not None
        assert (account.password_hash, account.disabled) == ("new", None)


def test_the_secret_of_an_installation_is_made_once(database: Database) -> None:
    with database.writing() as connection:
        assert len(installation_secret(connection)) == 64
        assert installation_secret(connection) == installation_secret(connection)


def test_a_token_keeps_its_scope_and_its_own_time(database: Database) -> None:
    with database.writing() as connection:
        own = ada(connection)
        week = timedelta(days=7)
        token = start_session(connection, own, now=NOW, kind="api", label="cron", scope="read", lasts=week)
        known = account_of(connection, token, now=NOW, kind="api")

        assert known is not None
        assert known[1] == "read"
        assert account_of(connection, token, now=NOW + week, kind="api") is None
        (listed,) = account_sessions(connection, own, "api", now=NOW)
        assert (listed.token_hash, listed.label, listed.scope) == (token_digest(token), "cron", "read")
        assert account_sessions(connection, own, "browser", now=NOW) == []
        assert account_sessions(connection, own, "api", now=NOW + week) == []


def test_a_link_sets_a_password_once_and_ends_every_session(database: Database) -> None:
    with database.writing() as connection:
        own = ada(connection)
        session = start_session(connection, own, now=NOW)
        token = create_link(connection, own, "reset", now=NOW)
        link = find_link(connection, token, now=NOW)
        used = [use_link(connection, token, hashed, now=NOW) for hashed in ("first", "second")]
        account = find_account(connection, "Ada")

        assert link is not None
        assert (link.account.name, link.kind) == ("Ada", "reset")
        assert [one.name if one else None for one in used] == ["Ada", None]
        assert account is not None
        assert account.password_hash == "first"
        assert account_of(connection, session, now=NOW, kind="browser") is None


def test_a_link_ends_with_its_time_a_newer_one_and_the_account(database: Database) -> None:
    with database.writing() as connection:
        own = ada(connection)
        first, second = (create_link(connection, own, "invitation", now=NOW) for _ in range(2))
        late = NOW + LINK_LASTS["invitation"]

        assert find_link(connection, first, now=NOW) is None
        assert find_link(connection, second, now=late - timedelta(seconds=1)) is not None
        assert find_link(connection, second, now=late) is None
        assert use_link(connection, second, "new", now=late) is None
        change_account(connection, own, disabled=NOW)
        assert find_link(connection, second, now=NOW) is None


def test_only_a_link_for_everything_removes_the_second_factor(database: Database) -> None:
    with database.writing() as connection:
        own = ada(connection)
        kept = []
        for kind in ("reset", "reset all"):
            set_second_factor(connection, own, "SECRET")
            use_link(connection, create_link(connection, own, kind, now=NOW), "new", now=NOW)
            account = find_account(connection, "Ada")
            assert account is not None
            kept.append(account.second_factor)

        assert kept == ["SECRET", None]


def test_no_code_works_twice_nor_one_before_it(database: Database) -> None:
    with database.writing() as connection:
        own = ada(connection)
        set_second_factor(connection, own, "SECRET")

        assert [use_code(connection, own, step) for step in (7, 7, 6, 8)] == [True, False, False, True]


@pytest.mark.parametrize("name", ["", "a" * 81, "<b>", "ADA", "a\nb"])
def test_names_that_are_taken_or_cannot_be_written_are_refused(database: Database, name: str) -> None:
    with database.writing() as connection:
        ada(connection)
        with pytest.raises(NameRefused):
            check_new_name(connection, name)
        check_new_name(connection, "Ada B. (x)".replace("(x)", "-_@"))
