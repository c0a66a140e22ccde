"""Who asks: nobody, a student, a trainer or an administrator, and what each may do."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request

from assay.store.accounts import Account, Role, SessionKind, account_of

if TYPE_CHECKING:
    pass
from assay.web.problems import Forbidden, SignInFirst
from assay.web.site import Site, SiteHere, local_name

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
