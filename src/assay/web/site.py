"""What every request needs: the settings, the database, the clock."""

import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request

from assay.store.database import Database
from assay.web.settings import WebSettings

if TYPE_CHECKING:
    from assay.web.workspaces.handler_table import WorkspaceHandlers


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
