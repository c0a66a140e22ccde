"""FRONT DOOR `account_for`: the account of somebody who signed on elsewhere."""

from datetime import datetime

from assay.store.accounts import Account
from assay.store.courses import DEFAULT_ORGANIZATION, create_organization, find_organization
from assay.store.schema import Connection
from assay.store.sign_on.identities import (
    Identity,
    account_of_identity,
    accounts_by_email,
    create_linked_account,
    link_identity,
)
from assay.store.workspaces import note
from assay.web.problems import Forbidden


def organization_id(connection: Connection, name: str, *, now: datetime) -> int:
    """The organization of a provider, made the first time; without a name it is the first one."""
    if not name:
        return DEFAULT_ORGANIZATION
    return (find_organization(connection, name) or create_organization(connection, name, now=now)).id


def account_for(
    connection: Connection, person: Identity, *, organization: int, create: bool, link_by_email: bool, now: datetime
) -> Account:
    """By issuer and subject; else by an address that was verified, where that is allowed; else a new one, likewise.

    An administrator's account is never given to somebody because of an address.
    """
    account = account_of_identity(connection, person.issuer, person.subject)
    if account is None and link_by_email and person.email_verified and person.email:
        same = accounts_by_email(connection, person.email, organization)
        if len(same) == 1 and same[0].role != "admin" and same[0].disabled is None:
            account = same[0]
            link_identity(connection, account.id, person, now=now)
            note(connection, "link sign-on", author=account.name, now=now, detail={"name": person.issuer})
    if account is None and create:
        account = create_linked_account(connection, person, "student", organization_id=organization, now=now)
        note(
            connection, "create account", author=account.name, now=now, detail={"name": account.name, "role": "student"}
        )
    if account is None:
        raise Forbidden("You signed on, but you have no account here yet. Ask an administrator for one.")
    if account.disabled is not None:
        raise Forbidden("Your account is disabled. Ask an administrator.")
    return account
