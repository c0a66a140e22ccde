"""Whose account somebody gets who signed on elsewhere."""

from datetime import UTC, datetime

import pytest

from assay.store.accounts import create_account
from assay.store.database import open_database
from assay.store.sign_on.identities import Identity, change_profile
from assay.web.problems import Forbidden
from assay.web.sign_on.people import account_for, organization_id
from tests.store.databases import database_url, postgresql

__all__ = ["database_url", "postgresql"]
NOW = datetime(2026, 11, 18, tzinfo=UTC)
ADA = Identity("https://id.example.org", "7", "Ada", "ada@example.org", email_verified=True)


def test_a_verified_address_leads_to_its_account_once_allowed_and_then_the_subject_does(database_url: str) -> None:
    database = open_database(database_url)
    with database.writing() as connection:
        id_ = create_account(connection, "Old", "x", "trainer", now=NOW)
        change_profile(connection, id_, {"email": "ADA@example.org"})
        rule = {"organization": 1, "create": False, "now": NOW}
        unverified = Identity(ADA.issuer, "8", "Ada", "ada@example.org")
        for person, allowed in ((ADA, False), (unverified, True)):
            with pytest.raises(Forbidden):
                account_for(connection, person, link_by_email=allowed, **rule)  # type: ignore[arg-type]
        assert account_for(connection, ADA, link_by_email=True, **rule).id == id_  # type: ignore[arg-type]
        assert account_for(connection, ADA, link_by_email=False, **rule).id == id_  # type: ignore[arg-type]
        other = Identity("https://other.example", "7", "Ada", "ada@example.org", email_verified=True)
        with pytest.raises(Forbidden):
            account_for(connection, other, link_by_email=False, **rule)  # type: ignore[arg-type]
    database.close()


def test_an_organization_is_made_once_by_name(database_url: str) -> None:
    database = open_database(database_url)
    with database.writing() as connection:
        first = organization_id(connection, "School", now=NOW)
        assert organization_id(connection, "school", now=NOW) == first != organization_id(connection, "", now=NOW)
    database.close()
