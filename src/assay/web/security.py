"""Around every request: only hosts we know, no body beyond the limit, headers that keep a page to itself."""

import secrets
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assay.web.problems import TooLarge
from assay.web.settings import MEGABYTE, Settings

LOCAL_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})


def policy(nonce: str) -> str:
    """What a page may load: our own files, and the one style element that carries the nonce."""
    return (
        "default-src 'none'; script-src 'self'; "
        f"style-src 'self' 'nonce-{nonce}'; img-src 'self' data: blob:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )


class Security:
    """ASGI middleware; everything passes through it."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.most = settings.most_upload
        self.hosts = LOCAL_NAMES | set(settings.allowed_hosts)
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
                _add_headers(MutableHeaders(scope=message), nonce, scope["path"])
            await send(message)

        if not self._known(headers.get("host", "")):
            # a name that someone else pointed at this machine must not reach it (DNS rebinding)
            answer = PlainTextResponse("This address is not known here. Use http://127.0.0.1.\n", 421)
            await answer(scope, receive, send_safely)
        elif int(headers.get("content-length") or 0) > self.most:
            await PlainTextResponse(too_large(self.most), 413)(scope, receive, send_safely)
        else:
            await self.app(scope, _limited(receive, self.most), send_safely)

    def _known(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname
        except ValueError:
            return False
        return self.any_host or name in self.hosts


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


def _add_headers(headers: MutableHeaders, nonce: str, path: str) -> None:
    headers.setdefault("Content-Security-Policy", policy(nonce))
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "same-origin"
    headers["Cross-Origin-Opener-Policy"] = "same-origin"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
    headers["Permissions-Policy"] = "camera=(), microphone=(), geolocation=()"
    if not path.startswith("/static/"):
        headers.setdefault("Cache-Control", "no-store")
