"""Sign in and out, the first account, the accounts of others, tokens for programs.

Passwords are hashed with argon2id, never kept, and checked at the same cost whether or not the account exists.
"""

import hmac
import re
from collections import defaultdict, deque
from datetime import datetime, timedelta
from functools import cache
from typing import Annotated

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from assay.store import accounts as store
from assay.store.workspaces import note
from assay.web.pages.page_parts import Errors, Typed
from assay.web.problems import FieldErrors, Forbidden, NotFound
from assay.web.site import Site, SiteHere
from assay.web.templating import render, set_cookie
from assay.web.visitors import SESSION, Admin, Anyone

router = APIRouter()
NAME = re.compile(r"[\w.@ -]{1,80}")
SHORTEST, LONGEST = 10, 200
"""Characters of a password."""
MOST_TRIES, WITHIN = 8, timedelta(minutes=10)
_tries: defaultdict[str, deque[datetime]] = defaultdict(deque)
"""Failed attempts to sign in, by name; one process serves, so its memory is enough."""
Text = Annotated[str, Form()]
RoleField = Annotated[store.Role, Form()]


@cache
def _nobodys() -> str:
    return PasswordHasher().hash("the password of nobody")


def fits(password: str, known: str | None) -> bool:
    """Whether it is the password; without an account the work is done all the same, so that nobody can tell."""
    try:
        PasswordHasher().verify(known or _nobodys(), password[: LONGEST + 1])
    except (VerificationError, InvalidHashError):
        return False
    return known is not None


def hash_of_new(password: str, name: str) -> str:
    """The hash of a new password; FieldErrors for one that would not protect anything."""
    if len(password) < SHORTEST:
        words = f"Use at least {SHORTEST} characters; a few words in a row are easy to keep in mind."
        raise FieldErrors({"password": words})
    if len(password) > LONGEST:
        raise FieldErrors({"password": f"Use at most {LONGEST} characters."})
    if name and name.lower() in password.lower():
        raise FieldErrors({"password": "Do not use your name in it."})
    return PasswordHasher().hash(password)


@router.get("/sign-in")
def sign_in_page(request: Request) -> HTMLResponse:
    """The form to sign in."""
    return render(request, "accounts/sign_in.html", {"name": ""})


@router.post("/sign-in")
def sign_in(request: Request, site: SiteHere, name: Text = "", password: Text = "") -> Response:
    """A session, if name and password fit."""
    now = site.now()
    tries = _tries[name.lower()]
    while tries and now - tries[0] > WITHIN:
        tries.popleft()
    if len(tries) >= MOST_TRIES:
        errors = {"password": "Too many attempts. Wait ten minutes, or ask the administrator for a new password."}
        return render(request, "accounts/sign_in.html", {"errors": errors, "name": name}, status=429)
    account = site.database.read(store.find_account, name)
    known = account.password_hash if account and account.disabled is None else None
    if not fits(password, known) or account is None:
        tries.append(now)
        errors = {"password": "Name and password do not fit together."}
        return render(request, "accounts/sign_in.html", {"errors": errors, "name": name})
    return _signed_in(request, site, account.name)


def _signed_in(request: Request, site: Site, name: str) -> Response:
    now = site.now()
    with site.database.writing() as connection:
        account = store.find_account(connection, name)
        if account is None:
            raise NotFound
        token = store.start_session(connection, account.id, now=now)
        note(connection, "sign in", author=account.name, now=now)
    answer = RedirectResponse("/", 303)
    set_cookie(request, answer, SESSION, token, lasts=14 * 24 * 3600)
    return answer


@router.post("/sign-out")
def sign_out(request: Request, site: SiteHere) -> Response:
    """End the session of this browser."""
    with site.database.writing() as connection:
        store.end_session(connection, request.cookies.get(SESSION, ""))
    answer = RedirectResponse("/sign-in", 303)
    answer.delete_cookie(SESSION)
    return answer


@router.get("/first-run")
def first_run_page(request: Request, site: SiteHere, key: str = "") -> HTMLResponse:
    """The form for the first account."""
    _check_first_run(site, key)
    return render(request, "accounts/first_run.html", {"name": "", "key": key})


@router.post("/first-run")
def first_run(request: Request, site: SiteHere, name: Text = "", password: Text = "", key: Text = "") -> Response:
    """Make the first account: the administrator."""
    _check_first_run(site, key)
    try:
        _create(site, name, password, "admin", author=name)
    except FieldErrors as wrong:
        return render(request, "accounts/first_run.html", {"errors": wrong.errors, "name": name, "key": key})
    return _signed_in(request, site, name.strip())


def _check_first_run(site: Site, key: str) -> None:
    with site.database.reading() as connection:
        exists = bool(store.all_accounts(connection))
    expected = site.settings.first_run_key
    if exists or not expected or not hmac.compare_digest(key.encode(), expected.encode()):
        raise Forbidden("Open the address that the terminal showed when Assay was started.")


def _create(site: Site, name: str, password: str, role: store.Role, *, author: str) -> None:
    """An account; FieldErrors when the name or the password will not do."""
    name = name.strip()
    if not NAME.fullmatch(name):
        raise FieldErrors({"name": "Use letters, digits, blanks and . @ - _, at most 80 of them."})
    hashed = hash_of_new(password, name)
    with site.database.writing() as connection:
        if store.find_account(connection, name) is not None:
            raise FieldErrors({"name": "There is an account of that name already."})
        store.create_account(connection, name, hashed, role, now=site.now())
        note(connection, "create account", author=author, now=site.now(), detail={"name": name, "role": role})


@router.get("/accounts")
def accounts_page(
    request: Request, site: SiteHere, _who: Admin, errors: Errors = None, name: Typed = None
) -> HTMLResponse:
    """Everyone who may sign in."""
    listed = site.database.read(store.all_accounts)
    values = {"listed": listed, "roles": store.ROLES, "errors": errors or {}, "name": name or ""}
    return render(request, "accounts/accounts.html", values)


@router.post("/accounts")
def add_account(
    request: Request, site: SiteHere, who: Admin, role: RoleField, name: Text = "", password: Text = ""
) -> Response:
    """Make an account."""
    try:
        _create(site, name, password, role, author=who.name)
    except FieldErrors as wrong:
        return accounts_page(request, site, who, wrong.errors, name)
    return RedirectResponse("/accounts", 303)


@router.post("/accounts/{account_id}/disable")
def disable(site: SiteHere, who: Admin, account_id: int) -> RedirectResponse:
    """Let an account sign in no longer, or again."""
    with site.database.writing() as connection:
        account = next((a for a in store.all_accounts(connection) if a.id == account_id), None)
        if account is None or account.name == who.name:
            raise Forbidden("That account cannot be disabled.")
        store.change_account(connection, account_id, disabled=None if account.disabled else site.now())
        action = "enable account" if account.disabled else "disable account"
        note(connection, action, author=who.name, now=site.now(), detail={"name": account.name})
    return RedirectResponse("/accounts", 303)


def own_account(request: Request, who: Anyone) -> store.Account:
    """The account of whoever asks; its page says why there is none."""
    if who.account is not None:
        return who.account
    raise NotFound("There are no accounts: only this machine reaches Assay.") if request.method == "GET" else NotFound


OwnAccount = Annotated[store.Account, Depends(own_account)]


@router.get("/account")
def account_page(
    request: Request, site: SiteHere, account: OwnAccount, errors: Errors = None, token: Typed = None
) -> HTMLResponse:
    """One's own account: password, tokens."""
    tokens = site.database.read(store.account_tokens, account.id)
    return render(request, "accounts/account.html", {"errors": errors or {}, "tokens": tokens, "token": token or ""})


@router.post("/account/password")
def change_password(
    request: Request, site: SiteHere, account: OwnAccount, old: Text = "", password: Text = ""
) -> Response:
    """A new password; every session and token ends."""
    try:
        if not fits(old, account.password_hash):
            raise FieldErrors({"old": "That is not your password of now."})
        hashed = hash_of_new(password, account.name)
    except FieldErrors as wrong:
        return account_page(request, site, account, wrong.errors)
    with site.database.writing() as connection:
        store.change_account(connection, account.id, password_hash=hashed)
        note(connection, "change password", author=account.name, now=site.now())
    return _signed_in(request, site, account.name)


@router.post("/account/tokens")
def new_token(request: Request, site: SiteHere, account: OwnAccount, label: Text = "") -> HTMLResponse:
    """A token for a program; it is shown this once."""
    with site.database.writing() as connection:
        token = store.start_session(connection, account.id, now=site.now(), kind="api", label=label.strip()[:80])
        note(connection, "create token", author=account.name, now=site.now(), detail={"name": label[:80]})
    return account_page(request, site, account, token=token)


@router.post("/account/tokens/{token_hash}/end")
def withdraw_token(site: SiteHere, account: OwnAccount, token_hash: str) -> RedirectResponse:
    """Withdraw a token."""
    with site.database.writing() as connection:
        store.end_token(connection, account.id, token_hash)
        note(connection, "withdraw token", author=account.name, now=site.now())
    return RedirectResponse("/account", 303)
