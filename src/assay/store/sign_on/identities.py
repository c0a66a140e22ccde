"""FRONT DOOR `account_of_identity`: accounts by who people are elsewhere, and sign-ons that are under way.

An identity is an issuer and a subject, which the issuer never gives to anybody else. An address of mail is not one.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Literal

from sqlalchemy import Connection, delete, func, insert, select, update

from assay.store.accounts import NAME, Account, Role, create_account, find_account
from assay.store.database import first_as, insert_new, rows_as
from assay.store.schema import Json, accounts, identities, installation, sessions, sign_on_states

StateKind = Literal["oidc", "lti", "launch", "deep link"]
STATE_LASTS = timedelta(minutes=10)
NO_PASSWORD = "none: signs on elsewhere"
"""In place of a hash: no password fits it, and the account is not waiting for one either."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Somebody as an issuer describes them."""

    issuer: str
    subject: str
    name: str = ""
    email: str = ""
    email_verified: bool = False


def start_state(connection: Connection, kind: StateKind, detail: Json, *, now: datetime) -> str:
    """A token for a sign-on that is under way; those that are over are forgotten."""
    connection.execute(delete(sign_on_states).where(sign_on_states.c.expires <= now))
    token = secrets.token_urlsafe(32)
    row = {"token_hash": _digest(token), "kind": kind, "detail": detail, "expires": now + STATE_LASTS}
    connection.execute(insert(sign_on_states).values(**row))
    return token


def read_state(connection: Connection, kind: StateKind, token: str, *, now: datetime) -> Json | None:
    """What was noted of a sign-on; None when there is none of that kind, or it is over."""
    c = sign_on_states.c
    query = select(c.detail).where(c.token_hash == _digest(token), c.kind == kind, c.expires > now)
    detail: Json | None = connection.execute(query).scalar()
    return detail


def use_state(connection: Connection, kind: StateKind, token: str, *, now: datetime) -> Json | None:
    """The same, once."""
    detail = read_state(connection, kind, token, now=now)
    used = delete(sign_on_states).where(sign_on_states.c.token_hash == _digest(token))
    return detail if connection.execute(used).rowcount == 1 else None


def _digest(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def account_of_identity(connection: Connection, issuer: str, subject: str) -> Account | None:
    """Whose identity it is."""
    query = select(accounts).join(identities, identities.c.account_id == accounts.c.id)
    return first_as(connection, Account, query.where(identities.c.issuer == issuer, identities.c.subject == subject))


def link_identity(connection: Connection, account_id: int, person: Identity, *, now: datetime) -> bool:
    """Let a person sign on to an account; False if the identity belongs to one already."""
    row = {"account_id": account_id, "issuer": person.issuer, "subject": person.subject, "created": now}
    return insert_new(connection, identities, row)


def identity_subjects(connection: Connection, issuer: str, account_ids: list[int]) -> dict[int, str]:
    """Account -> what an issuer calls the person, for those it knows."""
    c = identities.c
    query = select(c.account_id, c.subject).where(c.issuer == issuer, c.account_id.in_(account_ids)).order_by(c.id)
    return {int(row.account_id): str(row.subject) for row in connection.execute(query)}


def accounts_by_email(connection: Connection, email: str, organization_id: int) -> list[Account]:
    """The accounts of an organization with an address of mail, whatever the case of its letters."""
    query = select(accounts).where(func.lower(accounts.c.email) == email.strip().lower())
    return rows_as(connection, Account, query.where(accounts.c.organization_id == organization_id))


def create_linked_account(
    connection: Connection, person: Identity, role: Role, *, organization_id: int, now: datetime
) -> Account:
    """A new account without a password, for somebody who signs on elsewhere."""
    name = free_name(connection, person.name or person.email or person.subject)
    id_ = create_account(connection, name, NO_PASSWORD, role, now=now, organization_id=organization_id)
    change_profile(connection, id_, {"email": person.email or None, "full_name": person.name or None})
    link_identity(connection, id_, person, now=now)
    account = find_account(connection, name)
    assert account is not None  # made above, in this transaction
    return account


def free_name(connection: Connection, name: str) -> str:
    """A name an account can have and none has: the one asked for, or with a number behind it."""
    plain = "".join(letter if NAME.fullmatch(letter) else " " for letter in name)
    plain = " ".join(plain.split())[:70] or "Somebody"
    taken = set(connection.execute(select(func.lower(accounts.c.name))).scalars()) if _exists(connection, plain) else ()
    number, free = 2, plain
    while free.lower() in taken:
        free, number = f"{plain} {number}", number + 1
    return free


def _exists(connection: Connection, name: str) -> bool:
    return find_account(connection, name) is not None


def change_profile(connection: Connection, account_id: int, values: Json) -> None:
    """Another name, address, full name or external id of an account."""
    if values:
        connection.execute(update(accounts).where(accounts.c.id == account_id).values(**values))


def disable_account(connection: Connection, account_id: int, disabled: datetime | None) -> None:
    """Whether an account may sign in. One that may not is signed out everywhere; the others stay signed in."""
    connection.execute(update(accounts).where(accounts.c.id == account_id).values(disabled=disabled))
    if disabled is not None:
        connection.execute(delete(sessions).where(sessions.c.account_id == account_id))


def forget_identities(connection: Connection, account_id: int) -> None:
    """Nothing of who a person is elsewhere is left; for the erasure of a person."""
    connection.execute(delete(identities).where(identities.c.account_id == account_id))
    change_profile(connection, account_id, {"email": None, "full_name": None, "external_id": None})


def installation_value(connection: Connection, name: str, new: Callable[[], str]) -> str:
    """A value of this installation; a new one is kept from now on where there is none."""
    query = select(installation.c.value).where(installation.c.name == name)
    known = connection.execute(query).scalar()
    if known is None:
        insert_new(connection, installation, {"name": name, "value": new()})
        known = connection.execute(query).scalar_one()
    return str(known)
