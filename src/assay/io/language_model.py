"""A language model behind an OpenAI-compatible address, asked over HTTP; off unless the user gives the address."""

import ipaddress
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse
from typing import Any, TypeAlias
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from assay.errors import Field, InputError, Message

Messages: TypeAlias = Sequence[Mapping[str, str]]

MOST_BYTES = 1_000_000
"""A longer answer is not read: ours fit into a few thousand letters."""
URL_VARIABLE, NAME_VARIABLE, KEY_VARIABLE = "ASSAY_LLM_URL", "ASSAY_LLM_MODEL", "ASSAY_LLM_KEY"
_ADDRESS_HINT = "Give the base address of an OpenAI-compatible server; it mostly ends in /v1."
_TOO_SLOW = ("did not answer in time", "Try again, or use a smaller model.")


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """Where a model is found, and how long it may take. The key is never shown."""

    url: str
    """The base address, such as http://127.0.0.1:8080/v1."""
    name: str = ""
    """The model at that address; empty where there is only one."""
    key: str = field(default="", repr=False)
    timeout: float = 60.0
    """Seconds for the whole answer."""
    insecure: bool = False
    """Whether unencrypted HTTP to another machine is allowed."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "url", checked_address(self.url, insecure=self.insecure))

    def answer(self, messages: Messages, *, schema: Mapping[str, Any] | None = None, most_tokens: int = 800) -> str:
        """What the model says; kept to a JSON schema where its server can do so."""
        least: dict[str, Any] = {"messages": list(messages), **({"model": self.name} if self.name else {})}
        usual = {**least, "temperature": 0, "max_tokens": most_tokens}
        form = {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}
        # not every server knows schemas, and some models take neither temperature nor max_tokens
        for asked in [usual, least] if schema is None else [{**usual, "response_format": form}, usual]:
            try:
                return self._said(asked)
            except NotTaken:
                continue
        return self._said(least)

    def _said(self, asked: Mapping[str, Any]) -> str:
        content = self._post(asked)
        try:
            said = json.loads(content)["choices"][0]["message"]["content"]
        except (ValueError, RecursionError):
            raise _failed(self.url, "did not answer with JSON", _ADDRESS_HINT) from None
        except (KeyError, IndexError, TypeError):
            raise _failed(self.url, "answered, but not as a chat completion", _ADDRESS_HINT) from None
        if not isinstance(said, str):
            raise _failed(self.url, "gave no text")
        return said

    def _post(self, asked: Mapping[str, Any]) -> bytes:
        body = json.dumps(asked, allow_nan=False).encode()
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        request = Request(f"{self.url}/chat/completions", body, headers, method="POST")
        until = time.monotonic() + self.timeout
        # a local model is never asked through a proxy
        handlers = [_NoRedirect(), *([ProxyHandler({})] if _is_local(request.host) else [])]
        try:
            with build_opener(*handlers).open(request, timeout=self.timeout) as response:
                return _read(response, until, self.url)
        except HTTPError as problem:
            with problem:
                raise _http_problem(problem.code, self.url, asked) from None
        except (TimeoutError, URLError, HTTPException, OSError, ValueError) as problem:
            reason = getattr(problem, "reason", problem)
            if isinstance(reason, TimeoutError):
                raise _failed(self.url, *_TOO_SLOW) from None
            raise _failed(self.url, f"cannot be reached ({reason})", "Is it running? Is this its address?") from None


class NotTaken(InputError):
    """The server refuses the request, perhaps only for an option of it."""


class _NoRedirect(HTTPRedirectHandler):
    """What is sent goes to the address the user gave, and to no other."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _failed(url: str, how: str, remedy: Message = "") -> InputError:
    return InputError(f"The language model at {url} {how}", field="llm", remedy=remedy)


def _http_problem(code: int, url: str, asked: Mapping[str, Any]) -> InputError:
    if (code in (400, 415, 422) and "max_tokens" in asked) or (code in (500, 501) and "response_format" in asked):
        return NotTaken(f"The language model at {url} refused the request (HTTP {code}).")
    hints: dict[int, Message] = {
        401: f"Put a valid key into {KEY_VARIABLE}.",
        403: f"Put a valid key into {KEY_VARIABLE}.",
        404: (_ADDRESS_HINT, " Or the model's name is wrong (", Field("llm_model"), ")."),
        429: "It has too much to do, or your quota is used up. Try again later.",
        503: "It is still loading or has too much to do. Try again later.",
    }
    redirected = "It sends us to another address: give that one." if 300 <= code < 400 else "Look at its log."
    return _failed(url, f"refused the request (HTTP {code})", hints.get(code, redirected))


def _read(response: HTTPResponse, until: float, url: str) -> bytes:
    """The whole answer, within bounds of size and time: a socket's own timeout starts anew with every byte."""
    parts, size = [], 0
    while part := response.read1(65_536):
        parts.append(part)
        size += len(part)
        if size > MOST_BYTES:
            raise _failed(url, f"answered with more than {MOST_BYTES:,} bytes; not read.")
        if time.monotonic() > until:
            raise _failed(url, *_TOO_SLOW)
    return b"".join(parts)


def checked_address(url: str, *, insecure: bool = False) -> str:
    """The base address without a trailing slash; InputError unless it is https, or http on this machine.

    >>> checked_address("http://localhost:8080/v1/")
    'http://localhost:8080/v1'
    """
    text = url.strip().rstrip("/").removesuffix("/chat/completions")
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        parts, host = urlsplit(""), None
    if parts.scheme not in ("http", "https") or not host or any(c.isspace() or not c.isprintable() for c in text):
        remedy = "Give one such as http://127.0.0.1:8080/v1."
        raise InputError(f"{url!r} is no address of a language model", field="llm", remedy=remedy)
    if parts.username is not None or parts.query or parts.fragment:
        remedy = f"Give it without; keys go into {KEY_VARIABLE}."
        raise InputError("The address of the language model has a key or a query", field="llm", remedy=remedy)
    if parts.scheme == "http" and not insecure and not _is_local(parts.netloc):
        problem = (
            f"{text} is not encrypted and not on this machine: anyone on the way could read the rules and your key"
        )
        insecurely = ("Use https, or ", Field("llm_insecure"), " if that is what you want.")
        raise InputError(problem, field="llm", remedy=insecurely)
    return text


def _is_local(netloc: str) -> bool:
    host = (urlsplit(f"//{netloc}").hostname or "").lower()
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def configured_model(
    environ: Mapping[str, str], url: str | None = None, name: str | None = None, *, insecure: bool = False
) -> LanguageModel | None:
    """The model that the options, or else the environment, name; None when neither does: nothing is sent."""
    address = url or environ.get(URL_VARIABLE, "").strip()
    if not address:
        return None
    named = name or environ.get(NAME_VARIABLE, "").strip()
    return LanguageModel(address, named, environ.get(KEY_VARIABLE, "").strip(), insecure=insecure)
