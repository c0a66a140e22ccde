"""A language model behind an OpenAI-compatible address, asked over HTTP; off unless the user gives the address."""

import ipaddress
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPException, HTTPResponse
from itertools import accumulate
from typing import Any, TypeAlias
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from assay.errors import Field, InputError, Message

Messages: TypeAlias = Sequence[Mapping[str, str]]

MOST_BYTES = 1_000_000
"""A longer answer is not read: ours fit into a few thousand letters."""
URL_VARIABLE, NAME_VARIABLE, KEY_VARIABLE = "ASSAY_LLM_URL", "ASSAY_LLM_MODEL", "ASSAY_LLM_KEY"
ARGUMENTS = ("llm", "llm_model", "llm_insecure")
"""What most callers call address, name and the allowance of unencrypted HTTP."""
_ADDRESS_HINT = "Give the base address of an OpenAI-compatible server; it mostly ends in /v1."
_TOO_SLOW = ("did not answer in time", "Try again, or use a smaller model.")
BUSY = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""What a server answers when the same request may succeed later."""
LONGEST_WAIT = 600.0
"""Seconds; a server that asks for a longer wait is tried again after that."""
MOST_TOKENS = 1_000_000_000
MOST_ANSWER, MOST_DEPTH = 20_000, 6
"""Letters of an answer in JSON, and how deep its brackets may nest."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model said, and how many tokens that took; None where its server does not say."""

    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    cut: bool = False
    """Whether the answer was longer than allowed and breaks off."""
    form: int = field(default=0, compare=False)
    """The first form of the request that its server did not refuse: ask for the next thing in this one."""


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
    arguments: tuple[str, str, str] = ARGUMENTS
    """What the caller calls address, name and that allowance, for messages."""

    def __post_init__(self) -> None:
        address = checked_address(self.url, insecure=self.insecure, arguments=self.arguments)
        object.__setattr__(self, "url", address)
        if not all("!" <= letter <= "~" for letter in self.key):  # or the error of the request would show it
            remedy = f"Copy it into {KEY_VARIABLE} again, in one line."
            raise InputError("The key of the language model has spaces or letters that no key has", remedy=remedy)

    def answer(self, messages: Messages, *, schema: Mapping[str, Any] | None = None, most_tokens: int = 800) -> str:
        """What the model says; kept to a JSON schema where its server can do so."""
        least: dict[str, Any] = {"messages": list(messages), **({"model": self.name} if self.name else {})}
        usual = {**least, "temperature": 0, "max_tokens": most_tokens}
        form = {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}
        # not every server knows schemas, and some models take neither temperature nor max_tokens
        bodies = [usual, least] if schema is None else [{**usual, "response_format": form}, usual, least]
        return self._first_taken(bodies).text

    def complete(
        self, messages: Messages, *, schema: Mapping[str, Any], most_tokens: int, temperature: float, form: int = 0
    ) -> Completion:
        """What the model says as JSON of a schema, with its tokens; `form` is where an earlier answer arrived.

        TryLater where the same request may succeed later, any other InputError where it will not.
        """
        least: dict[str, Any] = {"messages": list(messages), **({"model": self.name} if self.name else {})}
        usual = {**least, "temperature": temperature, "max_tokens": most_tokens}
        shaped = {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}
        # models that reason take max_completion_tokens only, and no temperature
        reasoning = {**least, "max_completion_tokens": 8 * most_tokens, "response_format": shaped}
        return self._first_taken([{**usual, "response_format": shaped}, reasoning, usual, least], form)

    def _first_taken(self, bodies: Sequence[Mapping[str, Any]], first: int = 0) -> Completion:
        settled = first
        for number, asked in enumerate(bodies[first:-1], first):
            try:
                return replace(self._said(asked), form=settled)
            except NotTaken as refusal:
                settled = number + 1 if refusal.of_option else settled
        return replace(self._said(bodies[-1]), form=settled)

    def _said(self, asked: Mapping[str, Any]) -> Completion:
        content = self._post(asked)
        try:
            answer = json.loads(content)
            said, ending = answer["choices"][0]["message"]["content"], answer["choices"][0].get("finish_reason")
        except (ValueError, RecursionError):
            raise self._failed("did not answer with JSON", _ADDRESS_HINT) from None
        except (KeyError, IndexError, TypeError, AttributeError):
            raise self._failed("answered, but not as a chat completion", _ADDRESS_HINT) from None
        if not isinstance(said, str):
            raise self._failed("gave no text")
        usage = answer.get("usage")
        sent, received = (_count(usage, name) for name in ("prompt_tokens", "completion_tokens"))
        return Completion(said, sent, received, cut=ending == "length")

    def _failed(self, how: str, remedy: Message = "") -> InputError:
        return _failed(self.url, how, remedy, field=self.arguments[0])

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
                raise self._http_problem(problem.code, asked, problem.headers.get("Retry-After")) from None
        except (TimeoutError, URLError, HTTPException, OSError, ValueError) as problem:
            reason = getattr(problem, "reason", problem)
            if isinstance(reason, TimeoutError):
                raise _failed(self.url, *_TOO_SLOW, kind=TryLater, field=self.arguments[0]) from None
            hint = "Is it running? Is this its address?"
            raise _failed(
                self.url, f"cannot be reached ({reason})", hint, kind=TryLater, field=self.arguments[0]
            ) from None

    def _http_problem(self, code: int, asked: Mapping[str, Any], retry_after: str | None) -> InputError:
        url, options = self.url, {"max_tokens", "max_completion_tokens"} & asked.keys()
        if (code in (400, 415, 422) and options) or (code in (500, 501) and "response_format" in asked):
            refusal = NotTaken(f"The language model at {url} refused the request (HTTP {code}).")
            refusal.of_option = code < 500
            return refusal
        hints: dict[int, Message] = {
            401: f"Put a valid key into {KEY_VARIABLE}.",
            403: f"Put a valid key into {KEY_VARIABLE}.",
            404: (_ADDRESS_HINT, " Or the model's name is wrong (", Field(self.arguments[1]), ")."),
            429: "It has too much to do, or your quota is used up. Try again later.",
            503: "It is still loading or has too much to do. Try again later.",
        }
        redirected = "It sends us to another address: give that one." if 300 <= code < 400 else "Look at its log."
        kind = TryLater if code in BUSY else Refused if code not in (400, 413, 415, 422) else InputError
        how, field = f"refused the request (HTTP {code})", self.arguments[0]
        problem = _failed(url, how, hints.get(code, redirected), kind=kind, field=field)
        if isinstance(problem, TryLater):
            problem.after = seconds_after(retry_after)
        return problem


class NotTaken(InputError):
    """The server refuses the request, perhaps only for an option of it."""

    of_option = True
    """Whether it is surely an option, and not the server, that is to blame."""


class TryLater(InputError):
    """Nothing is wrong with the request: the server is busy, slow or out of reach."""

    after: float | None = None
    """Seconds that it asks us to wait."""


class Refused(InputError):
    """No request will do: the address, the name or the key is wrong."""


class _NoRedirect(HTTPRedirectHandler):
    """What is sent goes to the address the user gave, and to no other."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _failed(
    url: str, how: str, remedy: Message = "", *, kind: type[InputError] = InputError, field: str = "llm"
) -> InputError:
    return kind(f"The language model at {url} {how}", field=field, remedy=remedy)


def _count(usage: Any, name: str) -> int | None:
    stated = usage.get(name) if isinstance(usage, dict) else None
    return stated if type(stated) is int and 0 <= stated <= MOST_TOKENS else None


def seconds_after(header: str | None, now: datetime | None = None) -> float | None:
    """How long a Retry-After header asks to wait: seconds, or a date; None where it says nothing.

    >>> seconds_after("7"), seconds_after("soon"), seconds_after("1e9")
    (7.0, None, None)
    >>> seconds_after("Wed, 18 Nov 2026 10:00:30 GMT", datetime(2026, 11, 18, 10, tzinfo=UTC))
    30.0
    """
    text = (header or "").strip()
    if text.isascii() and text.isdigit():
        return min(float(text[:12]), LONGEST_WAIT)
    try:
        then = parsedate_to_datetime(text)
        seconds = (then - (now or datetime.now(UTC))).total_seconds()
    except (TypeError, ValueError, OverflowError, IndexError):
        return None
    return min(max(seconds, 0.0), LONGEST_WAIT)


def object_in(answer: str) -> dict[str, Any]:
    """The one JSON object in a model's answer; ValueError with the reason if there is none that can be used.

    Models like to put words or a fence around it, and some think aloud first.

    >>> object_in('<think>{?}</think>Here it is: {"score": 3}')
    {'score': 3}
    """

    def refuse(text: str) -> float:
        raise ValueError(text)

    def each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) != len(pairs):
            raise ValueError("a key occurs twice")
        return dict(pairs)

    said = answer.rpartition("</think>")[2]
    if len(said) > MOST_ANSWER:
        raise ValueError(f"is longer than {MOST_ANSWER:,} letters")
    start, end = said.find("{"), said.rfind("}")
    text = said[start : end + 1]
    # how deep brackets are nested; brackets within strings count too, which errs on the safe side
    depths = accumulate((letter in "{[") - (letter in "}]") for letter in text)
    if start < 0 or max(depths, default=0) > MOST_DEPTH:
        raise ValueError("is not JSON of the shape asked for")
    try:
        return dict(json.loads(text, parse_constant=refuse, object_pairs_hook=each_key_once))
    except (ValueError, RecursionError):
        raise ValueError("is not JSON") from None


def _read(response: HTTPResponse, until: float, url: str) -> bytes:
    """The whole answer, within bounds of size and time: a socket's own timeout starts anew with every byte."""
    parts, size = [], 0
    while part := response.read1(65_536):
        parts.append(part)
        size += len(part)
        if size > MOST_BYTES:
            raise _failed(url, f"answered with more than {MOST_BYTES:,} bytes; not read.")
        if time.monotonic() > until:
            raise _failed(url, *_TOO_SLOW, kind=TryLater)
    return b"".join(parts)


def checked_address(url: str, *, insecure: bool = False, arguments: tuple[str, str, str] = ARGUMENTS) -> str:
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
        raise InputError(f"{url!r} is no address of a language model", field=arguments[0], remedy=remedy)
    if parts.username is not None or parts.query or parts.fragment:
        remedy = f"Give it without; keys go into {KEY_VARIABLE}."
        raise InputError("The address of the language model has a key or a query", field=arguments[0], remedy=remedy)
    if parts.scheme == "http" and not insecure and not _is_local(parts.netloc):
        problem = (
            f"{text} is not encrypted and not on this machine: anyone on the way could read what is sent, and your key"
        )
        insecurely = ("Use https, or ", Field(arguments[2]), " if that is what you want.")
        raise InputError(problem, field=arguments[0], remedy=insecurely)
    return text


def _is_local(netloc: str) -> bool:
    host = (urlsplit(f"//{netloc}").hostname or "").lower()
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def configured_model(
    environ: Mapping[str, str],
    url: str | None = None,
    name: str | None = None,
    *,
    insecure: bool = False,
    arguments: tuple[str, str, str] = ARGUMENTS,
) -> LanguageModel | None:
    """The model that the options, or else the environment, name; None when neither does: nothing is sent."""
    address = url or environ.get(URL_VARIABLE, "").strip()
    if not address:
        return None
    named, key = name or environ.get(NAME_VARIABLE, "").strip(), environ.get(KEY_VARIABLE, "").strip()
    return LanguageModel(address, named, key, insecure=insecure, arguments=arguments)
