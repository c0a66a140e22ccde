"""Accounts from the command line, for whoever looks after an installation: nobody is locked out for good."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from assay.errors import InputError
from assay.store import accounts as store
from assay.store.courses import DEFAULT_ORGANIZATION, create_organization, find_organization
from assay.store.database import Database, connect_database, open_database
from assay.store.schema import Connection
from assay.store.workspaces import note

AUTHOR = "command line"


@dataclass(frozen=True, slots=True)
class Row:
    """An account as it is listed."""

    name: str
    role: str
    state: str
    second_factor: bool
    created: datetime


@contextmanager
def _opened(url: str) -> Iterator[Database]:
    """A database that is there, up to date."""
    connect_database(url, is_there=True).close()
    database = open_database(url)
    try:
        yield database
    finally:
        database.close()


def list_accounts(url: str) -> list[Row]:
    """Everyone who may sign in, by name."""
    with _opened(url) as database:
        return [
            Row(
                one.name,
                one.role,
                "disabled" if one.disabled else "invited" if one.invited else "active",
                one.second_factor is not None,
                one.created,
            )
            for one in database.read(store.all_accounts)
        ]


def invite(url: str, name: str, role: store.Role, *, organization: str = "") -> str:
    """Create an account without a password; the path of the link that sets one.

    An organization of that name is made where there is none; without a name it is the first one.
    """
    now = datetime.now(UTC)
    with _opened(url) as database, database.writing() as connection:
        try:
            store.check_new_name(connection, name)
        except store.NameRefused as refused:
            raise InputError(f"the name {name!r} cannot be used: {refused}", field="name") from None
        number = DEFAULT_ORGANIZATION
        if organization:
            known = find_organization(connection, organization)
            number = (known or create_organization(connection, organization, now=now)).id
        account_id = store.create_account(connection, name, "", role, now=now, organization_id=number)
        note(connection, "create account", author=AUTHOR, now=now, detail={"name": name, "role": role})
        return f"/welcome/{store.create_link(connection, account_id, 'invitation', now=now)}"


def reset(url: str, name: str, *, second_factor: bool = False) -> str:
    """The path of a link with which a person sets a new password; the second factor may go too."""
    now = datetime.now(UTC)
    with _opened(url) as database, database.writing() as connection:
        account = _named(connection, name)
        if account.disabled is not None:
            remedy = "Enable it first: assay accounts enable."
            raise InputError(f"the account {account.name!r} is disabled", field="name", remedy=remedy)
        kind: store.LinkKind = "invitation" if account.invited else "reset all" if second_factor else "reset"
        note(connection, "create reset link", author=AUTHOR, now=now, detail={"name": account.name})
        return f"/welcome/{store.create_link(connection, account.id, kind, now=now)}"


def set_enabled(url: str, name: str, *, enabled: bool) -> None:
    """Let an account sign in, or no longer: then it is signed out everywhere."""
    now = datetime.now(UTC)
    with _opened(url) as database, database.writing() as connection:
        account = _named(connection, name)
        store.change_account(connection, account.id, disabled=None if enabled else now)
        action = "enable account" if enabled else "disable account"
        note(connection, action, author=AUTHOR, now=now, detail={"name": account.name})


def _named(connection: Connection, name: str) -> store.Account:
    account = store.find_account(connection, name)
    if account is None:
        names = ", ".join(one.name for one in store.all_accounts(connection)[:20]) or "none yet"
        remedy = f"Accounts are: {names}."
        raise InputError(f"there is no account called {name!r}", field="name", remedy=remedy)
    return account
