"""Accounts and sessions. Passwords come in hashed, and of a session's token only the digest is kept."""

import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Literal

from sqlalchemy import Connection, delete, func, insert, select, update

from assay.store.database import first_as, insert_new, rows_as
from assay.store.schema import account_links, accounts, installation, sessions

Role = Literal["admin", "trainer", "student"]
ROLES: tuple[Role, ...] = ("admin", "trainer", "student")
SessionKind = Literal["browser", "api"]
Scope = Literal["all", "read", "scim"]
NAME = re.compile(r"[\w.@ -]{1,80}")
SCOPES: tuple[Scope, ...] = ("all", "read", "scim")
"""What a token for programs may do: everything its owner may, only look, or look after accounts by SCIM and no more."""
LinkKind = Literal["invitation", "reset", "reset all"]
SESSION_LASTS = timedelta(days=14)
TOKEN_LASTS = timedelta(days=365)
LINK_LASTS: dict[LinkKind, timedelta] = {
    "invitation": timedelta(days=7),
    "reset": timedelta(days=1),
    "reset all": timedelta(days=1),
}
"""How long a link works: to set a first password, a new one, or a new one without the second factor."""


@dataclass(frozen=True, slots=True)
class Account:
    """Someone who may sign in."""

    id: int
    name: str
    password_hash: str
    role: Role
    created: datetime
    disabled: datetime | None
    second_factor: str | None = None
    """The secret of an authenticator app, once it has been confirmed."""
    second_factor_step: int | None = None
    """The time step of the last code that was used: no code works twice."""
    organization_id: int = 1
    email: str | None = None
    full_name: str | None = None
    external_id: str | None = None
    """What a directory that provisions accounts calls the person."""

    @property
    def invited(self) -> bool:
        """Whether nobody has set a password yet."""
        return self.password_hash == ""


@dataclass(frozen=True, slots=True)
class AccountLink:
    """A link that sets a password, and what it was made for."""

    account: Account
    kind: LinkKind


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that is signed in, or a token for programs."""

    token_hash: str
    account_id: int
    kind: SessionKind
    label: str
    """What a token is for, or which browser is signed in."""
    created: datetime
    expires: datetime
    scope: Scope = "all"


class NameRefused(ValueError):
    """A name no account can have, with the reason."""


def check_new_name(connection: Connection, name: str) -> None:
    """NameRefused unless a new account may have the name."""
    if not NAME.fullmatch(name):
        raise NameRefused("Use letters, digits, spaces and . @ - _, at most 80 characters.")
    if find_account(connection, name) is not None:
        raise NameRefused("There is already an account with that name.")


def create_account(
    connection: Connection, name: str, password_hash: str, role: Role, *, now: datetime, organization_id: int = 1
) -> int:
    """Its id. Without a password nobody can sign in until one is set by a link."""
    row = {"name": name, "password_hash": password_hash, "role": role, "created": now, "disabled": None}
    row |= {"organization_id": organization_id}
    return int(connection.execute(insert(accounts).values(**row).returning(accounts.c.id)).scalar_one())


def find_account(connection: Connection, name: str) -> Account | None:
    """By name, whatever the case of its letters."""
    return first_as(connection, Account, select(accounts).where(func.lower(accounts.c.name) == name.lower()))


def all_accounts(connection: Connection, organization_id: int | None = None) -> list[Account]:
    """Accounts by name, of one organization or of all."""
    query = select(accounts).order_by(accounts.c.name)
    if organization_id is not None:
        query = query.where(accounts.c.organization_id == organization_id)
    return rows_as(connection, Account, query)


def change_account(
    connection: Connection, account_id: int, *, password_hash: str | None = None, disabled: datetime | None = None
) -> None:
    """A new password, or whether the account may sign in; either way it is signed out everywhere."""
    values = {"disabled": disabled} | ({"password_hash": password_hash} if password_hash else {})
    connection.execute(update(accounts).where(accounts.c.id == account_id).values(**values))
    connection.execute(delete(sessions).where(sessions.c.account_id == account_id))


def start_session(
    connection: Connection,
    account_id: int,
    *,
    now: datetime,
    kind: SessionKind = "browser",
    label: str = "",
    scope: Scope = "all",
    lasts: timedelta | None = None,
) -> str:
    """A token that stands for the account from now on; it is shown this once."""
    token = secrets.token_urlsafe(32)
    lasts = lasts or (SESSION_LASTS if kind == "browser" else TOKEN_LASTS)
    row = {"token_hash": _hashed(token), "account_id": account_id, "kind": kind, "label": label, "scope": scope}
    connection.execute(insert(sessions).values(**row, created=now, expires=now + lasts))
    return token


def account_of(connection: Connection, token: str, *, now: datetime, kind: SessionKind) -> tuple[Account, Scope] | None:
    """Whose token it is and what it may do; None when it is unknown or over, or the account is disabled."""
    query = select(accounts, sessions.c.scope).join(sessions, sessions.c.account_id == accounts.c.id)
    query = query.where(sessions.c.token_hash == _hashed(token), sessions.c.kind == kind, sessions.c.expires > now)
    row = connection.execute(query.where(accounts.c.disabled.is_(None))).mappings().first()
    if row is None:
        return None
    fields = {name: value for name, value in row.items() if name != "scope"}
    return Account(**fields), row["scope"]


def account_sessions(connection: Connection, account_id: int, kind: SessionKind, *, now: datetime) -> list[Session]:
    """Where an account is signed in, or its tokens for programs, those that are over left out."""
    query = select(sessions).where(sessions.c.account_id == account_id, sessions.c.kind == kind)
    return rows_as(connection, Session, query.where(sessions.c.expires > now).order_by(sessions.c.created))


def create_link(connection: Connection, account_id: int, kind: LinkKind, *, now: datetime) -> str:
    """The token of a link that sets a password once, shown this once; links made before no longer work."""
    token = secrets.token_urlsafe(24)
    connection.execute(delete(account_links).where(account_links.c.account_id == account_id))
    row = {"token_hash": _hashed(token), "account_id": account_id, "kind": kind}
    connection.execute(insert(account_links).values(**row, created=now, expires=now + LINK_LASTS[kind]))
    return token


def find_link(connection: Connection, token: str, *, now: datetime) -> AccountLink | None:
    """Whose password a link sets; None when it is unknown, used or over, or the account is disabled."""
    query = select(accounts, account_links.c.kind).join(account_links, account_links.c.account_id == accounts.c.id)
    query = query.where(account_links.c.token_hash == _hashed(token), account_links.c.expires > now)
    row = connection.execute(query.where(accounts.c.disabled.is_(None))).mappings().first()
    if row is None:
        return None
    return AccountLink(Account(**{name: value for name, value in row.items() if name != "kind"}), row["kind"])


def use_link(connection: Connection, token: str, password_hash: str, *, now: datetime) -> Account | None:
    """Set the password of a link, once; the account is signed out everywhere. None if the link no longer works."""
    link = find_link(connection, token, now=now)
    used = delete(account_links).where(account_links.c.token_hash == _hashed(token))
    if link is None or connection.execute(used).rowcount != 1:
        return None
    change_account(connection, link.account.id, password_hash=password_hash)
    if link.kind == "reset all":
        set_second_factor(connection, link.account.id, None)
    return link.account


def set_second_factor(connection: Connection, account_id: int, secret: str | None) -> None:
    """Ask for a code at each sign-in from now on; None: no longer."""
    values = {"second_factor": secret, "second_factor_step": None}
    connection.execute(update(accounts).where(accounts.c.id == account_id).values(**values))


def use_code(connection: Connection, account_id: int, step: int) -> bool:
    """Note that the code of a time step was used; whether it is the first time."""
    own = update(accounts).where(accounts.c.id == account_id)
    unused = accounts.c.second_factor_step.is_(None) | (accounts.c.second_factor_step < step)
    return connection.execute(own.where(unused).values(second_factor_step=step)).rowcount == 1


def end_session(connection: Connection, token: str) -> None:
    connection.execute(delete(sessions).where(sessions.c.token_hash == _hashed(token)))


def token_digest(token: str) -> str:
    """What is kept of a token: enough to know it again, not enough to use it."""
    return _hashed(token)


def end_token(connection: Connection, account_id: int, token_hash: str) -> None:
    """End one of an account's own sessions or tokens."""
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
