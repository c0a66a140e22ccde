"""The accounts of an installation, and one's own: password, second factor, sessions, tokens for programs."""

import hmac
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from assay.store import accounts as store
from assay.store.courses import DEFAULT_ORGANIZATION
from assay.store.schema import Connection
from assay.store.workspaces import note
from assay.web.credentials import fits, hash_of_new, new_secret, setup_address, step_of_code
from assay.web.pages.page_parts import Errors, Typed
from assay.web.pages.sign_in import signed_in
from assay.web.problems import FieldErrors, Forbidden, NotFound
from assay.web.site import SiteHere
from assay.web.templating import render
from assay.web.visitors import SESSION, Admin, Anyone, Visitor

router = APIRouter()
Text = Annotated[str, Form()]
RoleField = Annotated[store.Role, Form()]
ScopeField = Annotated[store.Scope, Form()]
TOKEN_DAYS = (7, 30, 90, 365)
"""How long a token for programs may last."""


@router.get("/accounts")
def accounts_page(
    request: Request, site: SiteHere, who: Admin, errors: Errors = None, name: Typed = None, link: Typed = None
) -> HTMLResponse:
    """Everyone in the organization who may sign in."""
    listed = site.database.read(store.all_accounts, _organization(who))
    values = {"listed": listed, "roles": store.ROLES, "errors": errors or {}, "name": name or "", "link": link or ""}
    return render(request, "accounts/accounts.html", values)


@router.post("/accounts")
def add_account(
    request: Request, site: SiteHere, who: Admin, role: RoleField, name: Text = "", password: Text = ""
) -> Response:
    """Create an account; without a password the page shows a link with which the person sets one."""
    name = name.strip()
    try:
        hashed = hash_of_new(password, name) if password else ""
        with site.database.writing() as connection:
            store.check_new_name(connection, name)
            organization = _organization(who)
            account_id = store.create_account(
                connection, name, hashed, role, now=site.now(), organization_id=organization
            )
            token = "" if password else store.create_link(connection, account_id, "invitation", now=site.now())
            note(connection, "create account", author=who.name, now=site.now(), detail={"name": name, "role": role})
    except FieldErrors as wrong:
        return accounts_page(request, site, who, wrong.errors, name)
    except store.NameRefused as wrong:
        return accounts_page(request, site, who, {"name": str(wrong)}, name)
    return accounts_page(request, site, who, link=_address(request, token)) if token else _to("/accounts")


@router.post("/accounts/{account_id}/link")
def new_link(
    request: Request, site: SiteHere, who: Admin, account_id: int, everything: Annotated[bool, Form()] = False
) -> HTMLResponse:
    """A link with which a person sets a new password, shown this once; with `everything` the second factor goes too."""
    with site.database.writing() as connection:
        account = _account(connection, account_id, who)
        kind: store.LinkKind = "invitation" if account.invited else "reset all" if everything else "reset"
        token = store.create_link(connection, account_id, kind, now=site.now())
        note(connection, "create reset link", author=who.name, now=site.now(), detail={"name": account.name})
    return accounts_page(request, site, who, link=_address(request, token))


def _address(request: Request, token: str) -> str:
    return f"{str(request.base_url).rstrip('/')}/welcome/{token}"


def _organization(who: Visitor) -> int:
    return who.account.organization_id if who.account is not None else DEFAULT_ORGANIZATION


def _account(connection: Connection, account_id: int, who: Visitor) -> store.Account:
    """An account of the same organization."""
    listed = store.all_accounts(connection, _organization(who))
    account = next((one for one in listed if one.id == account_id), None)
    if account is None:
        raise NotFound
    return account


def _to(path: str) -> RedirectResponse:
    return RedirectResponse(path, 303)


@router.post("/accounts/{account_id}/disable")
def disable(site: SiteHere, who: Admin, account_id: int) -> RedirectResponse:
    """Let an account sign in no longer, or again."""
    with site.database.writing() as connection:
        account = _account(connection, account_id, who)
        if account.name == who.name:
            raise Forbidden("You can't disable your own account.")
        store.change_account(connection, account_id, disabled=None if account.disabled else site.now())
        action = "enable account" if account.disabled else "disable account"
        note(connection, action, author=who.name, now=site.now(), detail={"name": account.name})
    return _to("/accounts")


def own_account(request: Request, who: Anyone) -> store.Account:
    """The account of whoever asks; its page says why there is none."""
    if who.account is not None:
        return who.account
    raise NotFound("There are no accounts: only this machine reaches Assay.") if request.method == "GET" else NotFound


OwnAccount = Annotated[store.Account, Depends(own_account)]


@router.get("/account")
def account_page(
    request: Request,
    site: SiteHere,
    account: OwnAccount,
    errors: Errors = None,
    token: Typed = None,
    secret: Typed = None,
) -> HTMLResponse:
    """One's own account: sessions, tokens, second factor, password."""
    now = site.now()
    with site.database.reading() as connection:
        sessions = store.account_sessions(connection, account.id, "browser", now=now)
        tokens = store.account_sessions(connection, account.id, "api", now=now)
    values = {
        "account": account,
        "sessions": sessions,
        "tokens": tokens,
        "this_session": store.token_digest(request.cookies.get(SESSION, "")),
        "errors": errors or {},
        "token": token or "",
        "days": TOKEN_DAYS,
        "secret": secret or "",
        "setup": setup_address(secret, account.name) if secret else "",
        "tag": site.signed("second factor", str(account.id), secret) if secret else "",
    }
    return render(request, "accounts/account.html", values)


@router.post("/account/password")
def change_password(
    request: Request, site: SiteHere, account: OwnAccount, old: Text = "", password: Text = ""
) -> Response:
    """A new password; every session and token ends."""
    try:
        _check_password(account, old, "old")
        hashed = hash_of_new(password, account.name)
    except FieldErrors as wrong:
        return account_page(request, site, account, wrong.errors)
    with site.database.writing() as connection:
        store.change_account(connection, account.id, password_hash=hashed)
        note(connection, "change password", author=account.name, now=site.now())
    return signed_in(request, site, account)


def _check_password(account: store.Account, password: str, field: str) -> None:
    if not fits(password, account.password_hash):
        raise FieldErrors({field: "That is not your current password."})


@router.post("/account/second-factor/new")
def begin_second_factor(request: Request, site: SiteHere, account: OwnAccount) -> HTMLResponse:
    """Show a secret for an authenticator app; it counts once a code of it was entered."""
    return account_page(request, site, account, secret=new_secret())


@router.post("/account/second-factor")
def set_second_factor(
    request: Request, site: SiteHere, account: OwnAccount, secret: Text = "", tag: Text = "", code: Text = ""
) -> Response:
    """Ask for a code at each sign-in from now on."""
    if not hmac.compare_digest(tag.encode(), site.signed("second factor", str(account.id), secret).encode()):
        return account_page(request, site, account, {"code": "Set it up again: the key was changed on the way."})
    step = step_of_code(secret, code, site.now())
    if step is None:
        words = "That code is not right. Check that the clock of your phone is, and enter the code it shows now."
        return account_page(request, site, account, {"code": words}, secret=secret)
    with site.database.writing() as connection:
        store.set_second_factor(connection, account.id, secret)
        store.use_code(connection, account.id, step)
        note(connection, "set second factor", author=account.name, now=site.now())
    return _to("/account")


@router.post("/account/second-factor/end")
def end_second_factor(request: Request, site: SiteHere, account: OwnAccount, current: Text = "") -> Response:
    """Ask for no code any more; the password is needed for that."""
    try:
        _check_password(account, current, "current")
    except FieldErrors as wrong:
        return account_page(request, site, account, wrong.errors)
    with site.database.writing() as connection:
        store.set_second_factor(connection, account.id, None)
        note(connection, "remove second factor", author=account.name, now=site.now())
    return _to("/account")


@router.post("/account/tokens")
def new_token(
    request: Request,
    site: SiteHere,
    account: OwnAccount,
    label: Text = "",
    scope: ScopeField = "all",
    days: Annotated[int, Form()] = TOKEN_DAYS[-1],
) -> HTMLResponse:
    """A token for a program; it is shown this once."""
    if scope == "scim" and account.role != "admin":
        raise Forbidden("Only administrators can create tokens for SCIM.")
    lasts = timedelta(days=days if days in TOKEN_DAYS else TOKEN_DAYS[-1])
    label = label.strip()[:80]
    with site.database.writing() as connection:
        token = store.start_session(
            connection, account.id, now=site.now(), kind="api", label=label, scope=scope, lasts=lasts
        )
        note(connection, "create token", author=account.name, now=site.now(), detail={"name": label})
    return account_page(request, site, account, token=token)


@router.post("/account/sessions/{token_hash}/end")
def end_session(site: SiteHere, account: OwnAccount, token_hash: str) -> RedirectResponse:
    """End one of one's own sessions, or withdraw a token."""
    with site.database.writing() as connection:
        store.end_token(connection, account.id, token_hash)
        note(connection, "end session", author=account.name, now=site.now())
    return _to("/account")
