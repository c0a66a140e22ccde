"""Around every request: only hosts we know, no body beyond the limit, headers that keep a page to itself.

No request that changes something is obeyed unless it comes from our own pages, or from a program. A page of ours
carries a token in every form: a tag of a cookie that other sites cannot read or set. A program sends no cookie, and no
header that a browser adds by itself (Origin, Sec-Fetch-Site); such a request cannot have been forged by a web page.
"""

import hmac
import secrets
from urllib.parse import urlsplit

from fastapi import Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assay.web.problems import Forbidden, TooLarge
from assay.web.site import MEGABYTE, Site, WebSettings, site_of
from assay.web.visitors import SESSION

COOKIE, FIELD, HEADER = "assay_csrf", "csrf", "x-csrf-token"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data: blob:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""What a page may load: our own files, and the one style element that carries the nonce."""
LOCAL_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})


class Security:
    """ASGI middleware; everything passes through it."""

    def __init__(self, app: ASGIApp, settings: WebSettings) -> None:
        self.app = app
        self.most = settings.most_upload
        self.hosts = LOCAL_NAMES | {settings.host} | set(settings.allowed_hosts)
        self.https = settings.secure_cookies
        self.any_host = not settings.only_here and not settings.allowed_hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        nonce = secrets.token_urlsafe(16)
        scope.setdefault("state", {})["nonce"] = nonce

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                guard_headers(MutableHeaders(scope=message), nonce, scope["path"], https=self.https)
            await send(message)

        if not self._known(headers.get("host", "")):
            # a name that someone else pointed at this machine must not reach it (DNS rebinding)
            answer = PlainTextResponse("This address is not known here. Use http://127.0.0.1.\n", 421)
            await answer(scope, receive, send_safely)
        elif int(headers.get("content-length") or 0) > self.most:
            await _refused(scope["path"], too_large(self.most))(scope, receive, send_safely)
        else:
            await self.app(scope, _limited(receive, self.most), send_safely)

    def _known(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname
        except ValueError:
            return False
        return self.any_host or name in self.hosts


def _refused(path: str, words: str) -> Response:
    """The answer to an upload that is not even read: words for programs, a page for people."""
    if path.startswith("/api/"):
        return PlainTextResponse(words, 413)
    return HTMLResponse(
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        '<title>Too much at once · Assay</title><link rel="stylesheet" href="/static/app.css"><body><main class="page">'
        f'<div class="hero"><h1>Too much at once</h1><p>{words}</p></div><p>Nothing was kept. Go back to choose other '
        'files.</p><p class="btns after-figs"><a class="btn primary" href="/">Home</a></p></main></body>'
        "</html>",
        413,
    )


def too_large(most: int) -> str:
    return f"The upload is larger than {most // MEGABYTE} MB. Send less at once, or raise --max-upload.\n"


def _limited(receive: Receive, most: int) -> Receive:
    """The body as it comes, until it is more than was announced or allowed."""
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > most:
                raise TooLarge(too_large(most).strip())
        return message

    return counted


def guard_headers(headers: MutableHeaders, nonce: str, path: str, *, https: bool) -> None:
    """What every answer tells the browser."""
    headers.setdefault("Content-Security-Policy", POLICY.format(nonce=nonce))
    headers["X-Content-Type-Options"] = "nosniff"
    for name in ("Referrer-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy"):
        headers[name] = "same-origin"
    headers["Permissions-Policy"] = "camera=(), microphone=(), geolocation=()"
    if https:
        headers["Strict-Transport-Security"] = "max-age=31536000"
    if not path.startswith("/static/"):
        headers.setdefault("Cache-Control", "no-store")


def csrf_cookie(request: Request) -> str:
    """The random value of this browser; a new one when it has none."""
    known = request.cookies.get(COOKIE, "") or getattr(request.state, "csrf_cookie", "")
    request.state.csrf_cookie = known or secrets.token_urlsafe(24)
    return str(request.state.csrf_cookie)


def csrf_token(request: Request, site: Site) -> str:
    """What a form of this browser and session must carry."""
    return site.signed("form", csrf_cookie(request), request.cookies.get(SESSION, ""))


async def guarded(request: Request) -> None:
    """Refuse a form without its token."""
    if request.method not in SAFE:
        given = request.headers.get(HEADER, "") or (await request.form()).get(FIELD, "")
        words = "This form is out of date. Go back, load the page again and send it once more."
        _check_token(request, given if isinstance(given, str) else "", words)


async def guarded_api(request: Request) -> None:
    """Programs pass; a browser needs the token in the header X-CSRF-Token."""
    from_browser = bool(request.cookies) or "origin" in request.headers or "sec-fetch-site" in request.headers
    if request.method not in SAFE and from_browser:
        words = "A request from a browser needs the token of its page in the header X-CSRF-Token."
        _check_token(request, request.headers.get(HEADER, ""), words)


def _check_token(request: Request, given: str, words: str) -> None:
    expected = csrf_token(request, site_of(request))
    if COOKIE not in request.cookies or not hmac.compare_digest(given.encode(), expected.encode()):
        raise Forbidden(words)
