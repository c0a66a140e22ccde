"""Sign in and out, the first account, the accounts of others, tokens for programs, the audit log."""

import hmac
import re
from collections import defaultdict, deque
from datetime import datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from assay.store.accounts import (
    ROLES,
    Role,
    account_tokens,
    all_accounts,
    change_account,
    create_account,
    end_session,
    end_token,
    find_account,
    start_session,
)
from assay.store.audit import entries, note
from assay.store.workspaces import find_workspace
from assay.web.passwords import check_new, fits, hashed
from assay.web.problems import FieldErrors, Forbidden, NotFound
from assay.web.site import Site, SiteHere
from assay.web.templating import render, set_cookie
from assay.web.visitors import SESSION, Admin, Anyone
from assay.web.workspaces.log_lines import log_lines

router = APIRouter()
NAME = re.compile(r"[\w.@ -]{1,80}")
MOST_ENTRIES = 100
MOST_TRIES, WITHIN = 8, timedelta(minutes=10)
_tries: defaultdict[str, deque[datetime]] = defaultdict(deque)
"""Failed attempts to sign in, by name; one process serves, so its memory is enough."""


@router.get("/sign-in")
def sign_in_page(request: Request) -> HTMLResponse:
    """The form to sign in."""
    return render(request, "accounts/sign_in.html", {"errors": {}, "name": ""})


@router.post("/sign-in")
def sign_in(
    request: Request, site: SiteHere, name: Annotated[str, Form()] = "", password: Annotated[str, Form()] = ""
) -> Response:
    """A session, if name and password fit."""
    now = site.now()
    if _too_many(name, now):
        errors = {"password": "Too many attempts. Wait ten minutes, or ask the administrator for a new password."}
        return render(request, "accounts/sign_in.html", {"errors": errors, "name": name}, status=429)
    with site.database.reading() as connection:
        account = find_account(connection, name)
    known = account.password_hash if account and account.disabled is None else None
    if not fits(password, known) or account is None:
        _tries[name.lower()].append(now)
        errors = {"password": "Name and password do not fit together."}
        return render(request, "accounts/sign_in.html", {"errors": errors, "name": name}, status=422)
    return _signed_in(request, site, account.name)


def _too_many(name: str, now: datetime) -> bool:
    tries = _tries[name.lower()]
    while tries and now - tries[0] > WITHIN:
        tries.popleft()
    return len(tries) >= MOST_TRIES


def _signed_in(request: Request, site: Site, name: str) -> Response:
    now = site.now()
    with site.database.writing() as connection:
        account = find_account(connection, name)
        if account is None:
            raise NotFound
        token = start_session(connection, account.id, now=now)
        note(connection, "sign in", author=account.name, now=now)
    answer = RedirectResponse("/", 303)
    set_cookie(request, answer, SESSION, token, lasts=14 * 24 * 3600)
    return answer


@router.post("/sign-out")
def sign_out(request: Request, site: SiteHere) -> Response:
    """End the session of this browser."""
    with site.database.writing() as connection:
        end_session(connection, request.cookies.get(SESSION, ""))
    answer = RedirectResponse("/sign-in", 303)
    answer.delete_cookie(SESSION)
    return answer


@router.get("/first-run")
def first_run_page(request: Request, site: SiteHere, key: str = "") -> HTMLResponse:
    """The form for the first account."""
    _check_first_run(site, key)
    return render(request, "accounts/first_run.html", {"errors": {}, "name": "", "key": key})


@router.post("/first-run")
def first_run(
    request: Request,
    site: SiteHere,
    name: Annotated[str, Form()] = "",
    password: Annotated[str, Form()] = "",
    key: Annotated[str, Form()] = "",
) -> Response:
    """Make the first account: the administrator."""
    _check_first_run(site, key)
    try:
        _create(site, name, password, "admin", author=name)
    except FieldErrors as wrong:
        values = {"errors": wrong.errors, "name": name, "key": key}
        return render(request, "accounts/first_run.html", values, status=422)
    return _signed_in(request, site, name.strip())


def _check_first_run(site: Site, key: str) -> None:
    with site.database.reading() as connection:
        exists = bool(all_accounts(connection))
    expected = site.settings.first_run_key
    if exists or not expected or not hmac.compare_digest(key.encode(), expected.encode()):
        raise Forbidden("Open the address that the terminal showed when Assay was started.")


def _create(site: Site, name: str, password: str, role: Role, *, author: str) -> None:
    """An account; FieldErrors when the name or the password will not do."""
    name = name.strip()
    if not NAME.fullmatch(name):
        raise FieldErrors({"name": "Use letters, digits, blanks and . @ - _, at most 80 of them."})
    check_new(password, name)
    with site.database.writing() as connection:
        if find_account(connection, name) is not None:
            raise FieldErrors({"name": "There is an account of that name already."})
        create_account(connection, name, hashed(password), role, now=site.now())
        note(connection, "create account", author=author, now=site.now(), detail={"name": name, "role": role})


@router.get("/accounts")
def accounts_page(request: Request, site: SiteHere, _who: Admin) -> HTMLResponse:
    """Everyone who may sign in."""
    return _accounts(request, site)


def _accounts(request: Request, site: Site, errors: dict[str, str] | None = None, name: str = "") -> HTMLResponse:
    with site.database.reading() as connection:
        listed = all_accounts(connection)
    values = {"listed": listed, "roles": ROLES, "errors": errors or {}, "name": name}
    return render(request, "accounts/accounts.html", values, status=422 if errors else 200)


@router.post("/accounts")
def add_account(
    request: Request,
    site: SiteHere,
    who: Admin,
    role: Annotated[Role, Form()],
    name: Annotated[str, Form()] = "",
    password: Annotated[str, Form()] = "",
) -> Response:
    """Make an account."""
    try:
        _create(site, name, password, role, author=who.name)
    except FieldErrors as wrong:
        return _accounts(request, site, wrong.errors, name)
    return RedirectResponse("/accounts", 303)


@router.post("/accounts/{account_id}/disable")
def disable(site: SiteHere, who: Admin, account_id: int) -> RedirectResponse:
    """Let an account sign in no longer, or again."""
    with site.database.writing() as connection:
        account = next((a for a in all_accounts(connection) if a.id == account_id), None)
        if account is None or account.name == who.name:
            raise Forbidden("That account cannot be disabled.")
        change_account(connection, account_id, disabled=None if account.disabled else site.now())
        action = "enable account" if account.disabled else "disable account"
        note(connection, action, author=who.name, now=site.now(), detail={"name": account.name})
    return RedirectResponse("/accounts", 303)


@router.get("/account")
def account_page(request: Request, site: SiteHere, who: Anyone) -> HTMLResponse:
    """One's own account: password, tokens."""
    return _account(request, site, who)


def _account(
    request: Request, site: Site, who: Anyone, *, errors: dict[str, str] | None = None, token: str = ""
) -> HTMLResponse:
    if who.account is None:
        raise NotFound("There are no accounts: only this machine reaches Assay.")
    with site.database.reading() as connection:
        tokens = account_tokens(connection, who.account.id)
    values = {"errors": errors or {}, "tokens": tokens, "token": token}
    return render(request, "accounts/account.html", values, status=422 if errors else 200)


@router.post("/account/password")
def change_password(
    request: Request,
    site: SiteHere,
    who: Anyone,
    old: Annotated[str, Form()] = "",
    password: Annotated[str, Form()] = "",
) -> Response:
    """A new password; every session and token ends."""
    if who.account is None:
        raise NotFound
    try:
        if not fits(old, who.account.password_hash):
            raise FieldErrors({"old": "That is not your password of now."})
        check_new(password, who.name)
    except FieldErrors as wrong:
        return _account(request, site, who, errors=wrong.errors)
    with site.database.writing() as connection:
        change_account(connection, who.account.id, password_hash=hashed(password))
        note(connection, "change password", author=who.name, now=site.now())
    return _signed_in(request, site, who.name)


@router.post("/account/tokens")
def new_token(request: Request, site: SiteHere, who: Anyone, label: Annotated[str, Form()] = "") -> HTMLResponse:
    """A token for a program; it is shown this once."""
    if who.account is None:
        raise NotFound
    with site.database.writing() as connection:
        token = start_session(connection, who.account.id, now=site.now(), kind="api", label=label.strip()[:80])
        note(connection, "create token", author=who.name, now=site.now(), detail={"name": label[:80]})
    return _account(request, site, who, token=token)


@router.post("/account/tokens/{token_hash}/end")
def withdraw_token(site: SiteHere, who: Anyone, token_hash: str) -> RedirectResponse:
    """Withdraw a token."""
    if who.account is None:
        raise NotFound
    with site.database.writing() as connection:
        end_token(connection, who.account.id, token_hash)
        note(connection, "withdraw token", author=who.name, now=site.now())
    return RedirectResponse("/account", 303)


@router.get("/audit")
def audit_page(request: Request, site: SiteHere, _who: Admin, before: int | None = None) -> HTMLResponse:
    """Who did what, when, over all workspaces."""
    with site.database.reading() as connection:
        logged = entries(connection, before=before, most=MOST_ENTRIES)
        workspaces = {e.workspace_id: find_workspace(connection, e.workspace_id) for e in logged if e.workspace_id}
    values = {
        "lines": log_lines(logged),
        "named": {id_: workspace for id_, workspace in workspaces.items() if workspace is not None},
        "earlier": logged[-1].id if len(logged) == MOST_ENTRIES else None,
    }
    return render(request, "accounts/audit.html", values)
