"""FRONT DOOR `Outgoing.request`: requests to providers and platforms that were configured, and to nowhere else.

No address that a message, a user or another server names is asked unless its host is one of those. Redirects are not
followed, proxies of the environment not used, answers read up to a bound.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx

from assay.errors import AssayError
from assay.web.site import is_loopback

SECONDS = 10.0
MOST_BYTES = 4 << 20


class SignOnProblem(AssayError):
    """What a provider or a platform sent cannot be used; the words are for the person who signs on."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer of another server."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    def json(self) -> Any:
        """What it holds; SignOnProblem unless it is JSON."""
        try:
            return json.loads(self.content)
        except (ValueError, RecursionError):
            raise SignOnProblem("The other server did not answer with JSON.") from None


class Outgoing:
    """The servers we may ask."""

    def __init__(self, addresses: Iterable[str], hosts: Iterable[str] = ()) -> None:
        self._origins = {origin for address in addresses if (origin := origin_of(address))}
        self._origins |= {f"https://{host.lower()}" for host in hosts}

    def allows(self, url: str) -> bool:
        """Whether an address is one of a configured server."""
        return origin_of(url) in self._origins

    def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        form: Mapping[str, str] | None = None,
        content: bytes | None = None,
    ) -> Reply:
        """What a configured server answers; SignOnProblem for any other, and when it does not answer."""
        if not self.allows(url):
            raise SignOnProblem(
                f"{urlsplit(url).hostname or 'That address'} is not among the servers configured for sign-on."
            )
        try:
            with (
                httpx.Client(follow_redirects=False, trust_env=False, timeout=SECONDS) as client,
                client.stream(method, url, headers=dict(headers or {}), data=form, content=content) as answer,
            ):
                body = bytearray()
                for piece in answer.iter_bytes():
                    body += piece
                    if len(body) > MOST_BYTES:
                        raise SignOnProblem("The other server's answer is too long.")
                return Reply(answer.status_code, dict(answer.headers), bytes(body))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            host = urlsplit(url).hostname
            raise SignOnProblem(f"{host} could not be reached ({type(error).__name__}). Try again later.") from None


def origin_of(url: str) -> str | None:
    """Scheme, host and port of an address that secrets may go to; None for any other.

    >>> origin_of("https://id.example.org/a?b"), origin_of("http://id.example.org"), origin_of("http://127.0.0.1:99/")
    ('https://id.example.org', None, 'http://127.0.0.1:99')
    """
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return None
    if not host or parts.username is not None or (parts.scheme != "https" and not is_loopback(host)):
        return None
    if parts.scheme not in ("http", "https"):
        return None
    usual = {"http": 80, "https": 443}[parts.scheme]
    name = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{name}" + (f":{port}" if port not in (None, usual) else "")
