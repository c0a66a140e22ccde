"""Accounts and sessions. Passwords come in hashed, and of a session's token only the digest is kept."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Literal

from sqlalchemy import Connection, delete, func, insert, select, update

from assay.store.database import first_as, insert_new, rows_as
from assay.store.schema import accounts, installation, sessions

Role = Literal["admin", "trainer", "student"]
ROLES: tuple[Role, ...] = ("admin", "trainer", "student")
SessionKind = Literal["browser", "api"]
SESSION_LASTS = timedelta(days=14)
TOKEN_LASTS = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class Account:
    """Someone who may sign in."""

    id: int
    name: str
    password_hash: str
    role: Role
    created: datetime
    disabled: datetime | None


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that is signed in, or a token for programs."""

    token_hash: str
    account_id: int
    kind: SessionKind
    label: str
    created: datetime
    expires: datetime


def create_account(connection: Connection, name: str, password_hash: str, role: Role, *, now: datetime) -> None:
    row = {"name": name, "password_hash": password_hash, "role": role, "created": now, "disabled": None}
    connection.execute(insert(accounts).values(**row))


def find_account(connection: Connection, name: str) -> Account | None:
    """By name, whatever the case of its letters."""
    return first_as(connection, Account, select(accounts).where(func.lower(accounts.c.name) == name.lower()))


def all_accounts(connection: Connection) -> list[Account]:
    return rows_as(connection, Account, select(accounts).order_by(accounts.c.name))


def change_account(
    connection: Connection, account_id: int, *, password_hash: str | None = None, disabled: datetime | None = None
) -> None:
    """A new password, or whether the account may sign in; either way it is signed out everywhere."""
    values = {"disabled": disabled} | ({"password_hash": password_hash} if password_hash else {})
    connection.execute(update(accounts).where(accounts.c.id == account_id).values(**values))
    connection.execute(delete(sessions).where(sessions.c.account_id == account_id))


def start_session(
    connection: Connection, account_id: int, *, now: datetime, kind: SessionKind = "browser", label: str = ""
) -> str:
    """A token that stands for the account from now on; it is shown this once."""
    token = secrets.token_urlsafe(32)
    lasts = SESSION_LASTS if kind == "browser" else TOKEN_LASTS
    row = {"token_hash": _hashed(token), "account_id": account_id, "kind": kind, "label": label}
    connection.execute(insert(sessions).values(**row, created=now, expires=now + lasts))
    return token


def account_of(connection: Connection, token: str, *, now: datetime, kind: SessionKind) -> Account | None:
    """Whose token it is; None when it is unknown or over, or the account is disabled."""
    query = select(accounts).join(sessions, sessions.c.account_id == accounts.c.id)
    query = query.where(sessions.c.token_hash == _hashed(token), sessions.c.kind == kind, sessions.c.expires > now)
    return first_as(connection, Account, query.where(accounts.c.disabled.is_(None)))


def account_tokens(connection: Connection, account_id: int) -> list[Session]:
    """The tokens for programs of an account."""
    query = select(sessions).where(sessions.c.account_id == account_id, sessions.c.kind == "api")
    return rows_as(connection, Session, query.order_by(sessions.c.created))


def end_session(connection: Connection, token: str) -> None:
    connection.execute(delete(sessions).where(sessions.c.token_hash == _hashed(token)))


def end_token(connection: Connection, account_id: int, token_hash: str) -> None:
    """Withdraw one of an account's own tokens."""
    own = delete(sessions).where(sessions.c.account_id == account_id)
    connection.execute(own.where(sessions.c.token_hash == token_hash))


def installation_secret(connection: Connection) -> str:
    """The secret of this installation, made at the first start; forms are signed with it."""
    query = select(installation.c.value).where(installation.c.name == "secret")
    known = connection.execute(query).scalar()
    if known is None:
        insert_new(connection, installation, {"name": "secret", "value": secrets.token_hex(32)})
        known = connection.execute(query).scalar_one()
    return str(known)


def _hashed(token: str) -> str:
    return sha256(token.encode()).hexdigest()
