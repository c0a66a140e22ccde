"""What every request needs: how the app is set up, the database, the clock, who asks, and what can go wrong."""

import hmac
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from getpass import getuser
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Annotated, Generic, TypeVar

from cachetools import LRUCache
from fastapi import Depends, Request

from assay.store.database import Database

if TYPE_CHECKING:
    from assay.web.sign_on.connections import SignOn
    from assay.web.workspaces.handler_table import WorkspaceHandlers

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
    sign_on: Path | None = None
    """The file that says with which providers and platforms people sign on."""

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
    sign_on: "SignOn"
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
