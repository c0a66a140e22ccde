"""What every request needs: how the app is set up, the database, the clock, who asks, and what can go wrong."""

import hmac
import os
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from getpass import getuser
from hashlib import sha256
from http import HTTPStatus
from ipaddress import ip_address
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Annotated, Generic, Self, TypeVar

from cachetools import LRUCache
from fastapi import Depends, Request

from assay.errors import AssayError, InputError
from assay.store.accounts import Account, Role, SessionKind, account_of
from assay.store.database import Database, storage_trouble

if TYPE_CHECKING:
    from assay.web.workspaces.handler_table import WorkspaceHandlers


class RequestProblem(AssayError):
    """A request that cannot be answered; its message says why and what to do."""

    status = HTTPStatus.BAD_REQUEST


class NotFound(RequestProblem):
    """There is nothing here, or nothing this visitor may see: both look the same."""

    status = HTTPStatus.NOT_FOUND

    def __init__(self, what: str = "There is no such page. It may have been removed.") -> None:
        super().__init__(what)


class Forbidden(RequestProblem):
    """Someone is known, but may not do this."""

    status = HTTPStatus.FORBIDDEN


class TooLarge(RequestProblem):
    """More than we take."""

    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


class Removed(NotFound):
    """The workspace is gone, maybe since the page was loaded."""

    def __init__(self) -> None:
        super().__init__("There is no such workspace. It may have been removed.")


class SignInFirst(RequestProblem):
    """Nobody is signed in."""

    status = HTTPStatus.UNAUTHORIZED

    def __init__(self) -> None:
        super().__init__("Sign in first, or send a token: Authorization: Bearer TOKEN.")


class FieldErrors(AssayError):
    """What is wrong with a form, by field; the page shows each message beside its field."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(" ".join(errors.values()))
        self.errors = dict(errors)

    @classmethod
    def of(cls, error: AssayError, *, otherwise: str, fields: Collection[str] = ()) -> Self:
        """An error beside the field it is about, where the form has that one; else beside another.

        >>> problem = InputError("column 'a' repeats ids", field="id")
        >>> FieldErrors.of(problem, fields=("id", "text"), otherwise="essays").errors
        {'id': "column 'a' repeats ids"}
        """
        if isinstance(error, FieldErrors):
            known = {name: words for name, words in error.errors.items() if name in fields}
            others = [words for name, words in error.errors.items() if name not in fields]
            return cls(known | ({otherwise: " ".join(others)} if others else {}))
        field = error.field if isinstance(error, InputError) else ""
        return cls({field if field in fields else otherwise: page_words(error)})


def beside(field: str, error: AssayError) -> dict[str, str]:
    """What is wrong with a form: an error that names its fields as it is, any other beside this one."""
    return error.errors if isinstance(error, FieldErrors) else {field: page_words(error)}


def page_words(error: AssayError) -> str:
    """An error as pages say it: fields of forms by their words, never as options of the command line.

    >>> from assay.errors import Field
    >>> page_words(InputError(("choose a column for ", Field("second_human"))))
    'choose a column for second human'
    """
    return error.text(lambda name: name.replace("_", " "))


STORAGE_PROBLEMS = {
    "full": (507, "The disk of the server is full, so nothing was saved. Make room there, then try again."),
    "busy": (503, "The database is busy or away, so nothing was saved. Try again shortly."),
    "conflict": (409, "Somebody else did the same at this moment. Load the page again to see it."),
}


def storage_problem(error: BaseException) -> tuple[int, str] | None:
    """Status and words when the database or the disk would not do it: nothing was kept. None otherwise."""
    return STORAGE_PROBLEMS.get(storage_trouble(error) or "")


MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class WebSettings:
    """What `assay serve` was asked for."""

    database: str
    cache: Path
    host: str = "127.0.0.1"
    port: int = 8765
    accounts: bool = False
    """Whether people sign in; always, unless only this machine can reach the app."""
    most_upload: int = 200 * MEGABYTE
    """Bytes of one request, all its files together."""
    allowed_hosts: tuple[str, ...] = ()
    """Names under which the app is reached, beside this machine's own."""
    secure_cookies: bool = False
    """Whether browsers reach the app over HTTPS only."""
    first_run_key: str = field(default="", repr=False)
    """Whoever makes the first account must know it: it is shown on the terminal that started the app."""

    @property
    def only_here(self) -> bool:
        return is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine only.

    >>> [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def data_folder() -> Path:
    """Where a person's own data lies on this system."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "assay"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "assay"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "assay"


def local_name() -> str:
    """Who is sitting at this machine, for the history of what was done."""
    try:
        return getuser()[:80]
    except (KeyError, OSError):  # nobody by that number, as in some containers
        return "local"


def utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, eq=False, slots=True)
class Site:
    """One running web app."""

    settings: WebSettings
    database: Database
    secret: str
    handlers: Mapping[str, "WorkspaceHandlers"]
    """Kind of a workspace -> what it does."""
    clock: Callable[[], datetime] = utc_now

    def now(self) -> datetime:
        return self.clock()

    def signed(self, *parts: str) -> str:
        """A tag for some text that nobody else can make."""
        return hmac.new(self.secret.encode(), "\0".join(parts).encode(), sha256).hexdigest()


def site_of(request: Request) -> Site:
    site: Site = request.app.state.site
    return site


SiteHere = Annotated[Site, Depends(site_of)]


Value = TypeVar("Value")


class ThreadSafeCache(Generic[Value]):
    """The values used last, by a key that stands for all they are made of."""

    def __init__(self, most: int) -> None:
        self._values: LRUCache[str, Value] = LRUCache(most)
        self._lock = Lock()

    def get(self, key: str, make: Callable[[], Value]) -> Value:
        """The value of a key. Two threads may both make it; that is dearer than once, and never wrong."""
        with self._lock:
            if key in self._values:
                return self._values[key]
        value = make()
        self.put(key, value)
        return value

    def find(self, key: str) -> Value | None:
        """The value of a key, if it is there."""
        with self._lock:
            return self._values.get(key)

    def put(self, key: str, value: Value) -> None:
        """Keep a value in place of any other of its key."""
        with self._lock:
            self._values[key] = value


SESSION = "assay_session"


@dataclass(frozen=True, slots=True)
class Visitor:
    """The person or program behind a request. Without accounts it is whoever sits at this machine."""

    name: str
    role: Role
    account: Account | None = None

    @property
    def may_train(self) -> bool:
        return self.role in ("admin", "trainer")

    @property
    def only_student(self) -> str | None:
        """The student whose work alone may be seen; None for those who may see all."""
        return None if self.may_train else self.name


def find_visitor(request: Request, site: Site) -> Visitor | None:
    """Who asks; None when nobody is signed in."""
    if not site.settings.accounts:
        return Visitor(local_name(), "admin")
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    is_program = scheme == "Bearer" and bearer != ""
    token = bearer if is_program else request.cookies.get(SESSION, "")
    with site.database.reading() as connection:
        kind: SessionKind = "api" if is_program else "browser"
        account = account_of(connection, token, now=site.now(), kind=kind) if token else None
    return Visitor(account.name, account.role, account) if account else None


def visitor(request: Request, site: SiteHere) -> Visitor:
    """Who asks; those who are not signed in are sent to do so."""
    who = find_visitor(request, site)
    if who is None:
        raise SignInFirst
    request.state.visitor = who
    return who


Anyone = Annotated[Visitor, Depends(visitor)]
"""Signed in, student or not."""


def trainer(who: Anyone) -> Visitor:
    if not who.may_train:
        raise Forbidden("This page is for trainers.")
    return who


Trainer = Annotated[Visitor, Depends(trainer)]


def admin(who: Anyone) -> Visitor:
    if who.role != "admin":
        raise Forbidden("Accounts are looked after by the administrator.")
    return who


Admin = Annotated[Visitor, Depends(admin)]
