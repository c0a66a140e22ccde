"""Sign in and out, the code of a second factor, the first account, links that set a password."""

import hmac
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from assay.store import accounts as store
from assay.store.courses import DEFAULT_COURSE, enroll
from assay.store.sign_in_attempts import KNOWN_BROWSER, attempt_succeeded, begin_attempt
from assay.store.workspaces import note
from assay.web.credentials import fits, hash_of_new, step_of_code
from assay.web.problems import FieldErrors, Forbidden, NotFound
from assay.web.site import Site, SiteHere
from assay.web.templating import render, set_cookie
from assay.web.visitors import SESSION

router = APIRouter()
Text = Annotated[str, Form()]
BROWSER, PENDING = "assay_browser", "assay_pending"
"""Cookies: a browser in which somebody was signed in before; a password that fitted, while the code is asked for."""
BROWSER_LASTS, PENDING_LASTS = timedelta(days=365), timedelta(minutes=5)
BROWSERS = {"Edg/": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari"}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS": "Mac",
    "Linux": "Linux",
}
"""What the name that a browser gives itself holds -> who that is; the first that fits."""
WRONG = {"password": "Name and password don't match."}
TOO_MANY = {"password": "Too many attempts. Wait ten minutes, or ask an administrator for a reset link."}


@router.get("/sign-in")
def sign_in_page(request: Request, site: SiteHere) -> HTMLResponse:
    """The form to sign in."""
    return render(request, "accounts/sign_in.html", {"name": "", "provider": _provider_name(site)})


def _provider_name(site: Site) -> str:
    """Whose accounts people may sign on with; nothing where that is not set up."""
    return site.sign_on.oidc.settings.name if site.sign_on.oidc is not None else ""


@router.post("/sign-in")
def sign_in(request: Request, site: SiteHere, name: Text = "", password: Text = "") -> Response:
    """A session, if name and password fit; with a second factor, the page that asks for its code."""
    origin = _origin(request, site, name)
    with site.database.writing() as connection:
        if not begin_attempt(connection, name, origin, now=site.now()):
            values = {"errors": TOO_MANY, "name": name, "provider": _provider_name(site)}
            return render(request, "accounts/sign_in.html", values, status=429)
    account = site.database.read(store.find_account, name)
    known = account.password_hash if account and account.disabled is None else None
    if not fits(password, known) or account is None:
        values = {"errors": WRONG, "name": name, "provider": _provider_name(site)}
        return render(request, "accounts/sign_in.html", values)
    return finish_sign_in(request, site, account)


def finish_sign_in(request: Request, site: Site, account: store.Account, to: str = "/") -> Response:
    """A session for somebody whose password fitted or who signed on elsewhere; first the code of a second factor."""
    if account.second_factor is None:
        return signed_in(request, site, account, to)
    answer = RedirectResponse("/sign-in/code", 303)
    ends = site.now() + PENDING_LASTS
    set_cookie(request, answer, PENDING, _pending(site, account, ends), lasts=int(PENDING_LASTS.total_seconds()))
    return answer


@router.get("/sign-in/code")
def code_page(request: Request, site: SiteHere) -> Response:
    """The form for the code of a second factor."""
    if _waiting(request, site) is None:
        return RedirectResponse("/sign-in", 303)
    return render(request, "accounts/code.html", {})


@router.post("/sign-in/code")
def enter_code(request: Request, site: SiteHere, code: Text = "") -> Response:
    """A session, if the code is the right one and was not used before."""
    account = _waiting(request, site)
    if account is None or account.second_factor is None:
        return RedirectResponse("/sign-in", 303)
    with site.database.writing() as connection:
        allowed = begin_attempt(connection, account.name, _origin(request, site, account.name), now=site.now())
        step = step_of_code(account.second_factor, code, site.now()) if allowed else None
        fitted = step is not None and store.use_code(connection, account.id, step)
    if not allowed:
        return render(request, "accounts/code.html", {"errors": {"code": TOO_MANY["password"]}}, status=429)
    if not fitted:
        words = "That code is not right, or was used already. Enter the one your app shows now."
        return render(request, "accounts/code.html", {"errors": {"code": words}})
    answer = signed_in(request, site, account)
    answer.delete_cookie(PENDING)
    return answer


def _pending(site: Site, account: store.Account, ends: datetime) -> str:
    """Proof that a password fitted; it ends by itself, and with the password."""
    until = str(int(ends.timestamp()))
    return f"{account.id}.{until}.{site.signed('pending', str(account.id), until, account.password_hash)}"


def _waiting(request: Request, site: Site) -> store.Account | None:
    """Who gave the right password and now owes a code."""
    number, _, rest = request.cookies.get(PENDING, "").partition(".")
    listed = site.database.read(store.all_accounts)
    account = next((one for one in listed if str(one.id) == number and one.disabled is None), None)
    until = rest.partition(".")[0]
    if account is None or not until.isascii() or not until.isdigit() or len(until) > 12:
        return None
    ends = datetime.fromtimestamp(int(until), site.now().tzinfo)
    right = hmac.compare_digest(request.cookies[PENDING].encode(), _pending(site, account, ends).encode())
    return account if right and site.now() < ends else None


def _origin(request: Request, site: Site, name: str) -> str:
    """Where an attempt comes from: a browser that knows this person, or an address."""
    cookie = request.cookies.get(BROWSER, "")
    number, _, tag = cookie.partition(".")
    if tag and hmac.compare_digest(tag.encode(), site.signed("browser", number, name.lower()).encode()):
        return KNOWN_BROWSER + sha256(cookie.encode()).hexdigest()[:32]
    return request.client.host[:80] if request.client else "unknown"


def signed_in(request: Request, site: Site, account: store.Account, to: str = "/") -> Response:
    """A session, and on to a page of ours; this browser is known from now on."""
    now = site.now()
    with site.database.writing() as connection:
        label = browser_name(request.headers.get("user-agent", ""))
        token = store.start_session(connection, account.id, now=now, label=label)
        attempt_succeeded(connection, account.name, _origin(request, site, account.name))
        note(connection, "sign in", author=account.name, now=now)
    answer = RedirectResponse(to, 303)
    set_cookie(request, answer, SESSION, token, lasts=int(store.SESSION_LASTS.total_seconds()))
    number = store.token_digest(token)[:16]
    known = f"{number}.{site.signed('browser', number, account.name.lower())}"
    set_cookie(request, answer, BROWSER, known, lasts=int(BROWSER_LASTS.total_seconds()))
    return answer


def browser_name(user_agent: str) -> str:
    """What a browser is called in the list of sessions.

    >>> browser_name("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox on Linux'
    >>> browser_name("curl/8.5")
    'curl/8.5'
    """
    browser = next((name for sign, name in BROWSERS.items() if sign in user_agent), "")
    system = next((name for sign, name in SYSTEMS.items() if sign in user_agent), "")
    return f"{browser or 'A browser'} on {system}" if system else browser or user_agent[:80]


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
    """Create the first account: the administrator."""
    _check_first_run(site, key)
    name = name.strip()
    try:
        with site.database.writing() as connection:
            store.check_new_name(connection, name)
            hashed = hash_of_new(password, name)
            account_id = store.create_account(connection, name, hashed, "admin", now=site.now())
            enroll(connection, DEFAULT_COURSE, "owner", name, now=site.now(), account_id=account_id)
            note(connection, "create account", author=name, now=site.now(), detail={"name": name, "role": "admin"})
    except (FieldErrors, store.NameRefused) as wrong:
        errors = wrong.errors if isinstance(wrong, FieldErrors) else {"name": str(wrong)}
        return render(request, "accounts/first_run.html", {"errors": errors, "name": name, "key": key})
    account = site.database.read(store.find_account, name)
    if account is None:
        raise NotFound
    return signed_in(request, site, account)


def _check_first_run(site: Site, key: str) -> None:
    exists = bool(site.database.read(store.all_accounts))
    expected = site.settings.first_run_key
    if exists or not expected or not hmac.compare_digest(key.encode(), expected.encode()):
        raise Forbidden("Open the address that the terminal showed when Assay was started.")


@router.get("/welcome/{token}")
def link_page(request: Request, site: SiteHere, token: str) -> HTMLResponse:
    """The form behind an invitation or a reset link."""
    link = site.database.read(store.find_link, token, now=site.now())
    return render(request, "accounts/welcome.html", {"link": link, "token": token}, status=200 if link else 410)


@router.post("/welcome/{token}")
def set_password(request: Request, site: SiteHere, token: str, password: Text = "") -> Response:
    """Set the password of a link, once, and sign in; with a second factor its code is asked for."""
    link = site.database.read(store.find_link, token, now=site.now())
    if link is None:
        return render(request, "accounts/welcome.html", {"link": None, "token": token}, status=410)
    try:
        hashed = hash_of_new(password, link.account.name)
    except FieldErrors as wrong:
        return render(request, "accounts/welcome.html", {"link": link, "token": token, "errors": wrong.errors})
    with site.database.writing() as connection:
        account = store.use_link(connection, token, hashed, now=site.now())
        if account is not None:
            note(connection, "set password by link", author=account.name, now=site.now(), detail={"name": link.kind})
    if account is None:
        return render(request, "accounts/welcome.html", {"link": None, "token": token}, status=410)
    asks_code = account.second_factor is not None and link.kind != "reset all"
    return RedirectResponse("/sign-in", 303) if asks_code else signed_in(request, site, account)
