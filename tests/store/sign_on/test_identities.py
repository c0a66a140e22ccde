"""Identities, and sign-ons that are under way."""

from datetime import UTC, datetime, timedelta

from assay.store.accounts import create_account, find_account, start_session
from assay.store.database import Database
from assay.store.sign_on.identities import (
    STATE_LASTS,
    Identity,
    account_of_identity,
    create_linked_account,
    disable_account,
    forget_identities,
    free_name,
    identity_subjects,
    installation_value,
    link_identity,
    read_state,
    start_state,
    use_state,
)

NOW = datetime(2026, 11, 18, tzinfo=UTC)
ADA = Identity("https://id.example.org", "7", "Ada", "ada@example.org")


def test_a_state_works_once_for_its_kind_until_it_is_over(database: Database) -> None:
    with database.writing() as connection:
        token = start_state(connection, "oidc", {"nonce": "n"}, now=NOW)
        assert use_state(connection, "oidc", "another", now=NOW) is None
        assert read_state(connection, "oidc", token, now=NOW) == {"nonce": "n"}
        assert use_state(connection, "oidc", token, now=NOW) == {"nonce": "n"}
        assert use_state(connection, "oidc", token, now=NOW) is None
        token = start_state(connection, "lti", {}, now=NOW)
        assert use_state(connection, "oidc", token, now=NOW) is None
        token = start_state(connection, "lti", {}, now=NOW)
        assert use_state(connection, "lti", token, now=NOW + STATE_LASTS) is None


def test_an_identity_belongs_to_one_account(database: Database) -> None:
    with database.writing() as connection:
        account = create_linked_account(connection, ADA, "student", organization_id=1, now=NOW)
        other = create_account(connection, "Ben", "x", "student", now=NOW)

        assert account_of_identity(connection, ADA.issuer, "7") == account
        assert account_of_identity(connection, "https://other.example", "7") is None
        assert link_identity(connection, other, ADA, now=NOW) is False
        assert identity_subjects(connection, ADA.issuer, [account.id, other]) == {account.id: "7"}
        forget_identities(connection, account.id)
        assert account_of_identity(connection, ADA.issuer, "7") is None
        left = find_account(connection, "Ada")
        assert left is not None
        assert left.email is None


def test_names_are_free_and_fit_the_rule(database: Database) -> None:
    with database.writing() as connection:
        create_account(connection, "Ada", "x", "student", now=NOW)
        assert free_name(connection, "ada") == "ada 2"
        assert free_name(connection, "<Zoë>") == "Zoë"
        assert free_name(connection, "//") == "Somebody"


def test_only_a_disabled_account_is_signed_out(database: Database) -> None:
    with database.writing() as connection:
        id_ = create_account(connection, "Ada", "x", "student", now=NOW)
        start_session(connection, id_, now=NOW)
        disable_account(connection, id_, NOW + timedelta(days=1))
        account = find_account(connection, "Ada")
        assert account is not None
        assert account.disabled is not None
        disable_account(connection, id_, None)


def test_a_value_of_the_installation_stays(database: Database) -> None:
    with database.writing() as connection:
        for _ in range(2):
            assert installation_value(connection, "key", lambda: "one") == "one"
        assert installation_value(connection, "key", lambda: "two") == "one"
