"""FRONT DOOR `PatientModel`: many requests to one model at once, within its limits, none of them paid for twice.

A server that is busy is asked again after as long as it says, or after waits that double; all requests wait with the
one that was turned away. What no request can mend (a wrong key, a wrong name) stops the run at once.
"""

import random
import threading
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, TypeVar

from assay.errors import Cancelled, InputError
from assay.evaluation.judging.answers import Usage
from assay.io.judging.answer_cache import AnswerCache, request_key
from assay.io.language_model import Completion, LanguageModel, Messages, TryLater

TRIES = 6
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds before the second try, and before the last."""
GIVEN_UP_IN_A_ROW = 3
"""So many requests that fail for good one after the other: the server is gone, and the run stops."""
AHEAD = 4
"""Pieces of work handed out beyond those at work."""

Work = TypeVar("Work")
Outcome = TypeVar("Outcome")


@dataclass(frozen=True, slots=True)
class Request:
    """All that bears on one answer."""

    messages: Messages
    schema: dict[str, Any]
    most_tokens: int
    temperature: float
    run: int = 1
    attempt: int = 1


class PatientModel:
    """A model that is asked by many threads, with a cache before it."""

    def __init__(
        self,
        model: LanguageModel,
        cache: AnswerCache,
        *,
        per_minute: float | None = None,
        tries: int = TRIES,
        wait: Callable[[float], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.model, self.cache, self.tries = model, cache, tries
        self._apart = 60 / per_minute if per_minute else 0.0
        self._clock, self._stopping = clock, threading.Event()
        self._wait = wait or self._stopping.wait
        self._lock = threading.Lock()
        self._next_start = clock()
        self._turns: dict[str, threading.Lock] = {}
        self._form = self._failures = 0
        self._jitter = random.Random(0)  # spreads threads that wait; no result depends on it
        self.sent = Usage()
        """What this run sent, beside what the cache had."""

    def key(self, request: Request) -> str:
        """What the cache calls a request."""
        return request_key({"url": self.model.url, "model": self.model.name, **asdict(request)})

    def stop(self) -> None:
        """End every wait; requests that have not begun are not sent."""
        self._stopping.set()

    def ask(self, request: Request) -> Completion:
        """The answer, from the cache or the model; InputError if it cannot be had."""
        key = self.key(request)
        with self._lock:
            turn = self._turns.setdefault(key, threading.Lock())
        with turn:  # the same text twice is paid for once
            return self.cache.get(key) or self._ask(key, request)

    def _ask(self, key: str, request: Request) -> Completion:
        for number in range(1, self.tries + 1):
            self._wait_for_turn()
            try:
                answer = self.model.complete(
                    request.messages,
                    schema=request.schema,
                    most_tokens=request.most_tokens,
                    temperature=request.temperature,
                    form=self._form,
                )
            except TryLater as problem:
                if number == self.tries:
                    self._give_up(problem)
                self._put_off(number, problem.after)
            else:
                self._count(answer)
                self.cache.put(key, answer)
                return answer
        raise AssertionError("unreachable")  # the last try answers or raises

    def _wait_for_turn(self) -> None:
        with self._lock:
            start = max(self._next_start, self._clock())
            self._next_start = start + self._apart
            seconds = start - self._clock()
        if seconds > 0:
            self._wait(seconds)
        if self._stopping.is_set():
            raise Cancelled("stopped; what was answered is kept.")

    def _put_off(self, number: int, after: float | None) -> None:
        with self._lock:
            doubled = min(FIRST_WAIT * 2 ** (number - 1), LONGEST_WAIT) * self._jitter.uniform(1.0, 1.25)
            self._next_start = max(self._next_start, self._clock() + (doubled if after is None else after))

    def _give_up(self, problem: TryLater) -> None:
        with self._lock:
            self._failures += 1
            gone = self._failures >= GIVEN_UP_IN_A_ROW
        if gone:
            raise ServerGone(problem.problem, field=problem.field, remedy=KEPT) from None
        raise problem

    def _count(self, answer: Completion) -> None:
        with self._lock:
            self._failures, self._form = 0, max(self._form, answer.form)
            self.sent += usage_of(answer)


KEPT = "What was answered is kept: run the same command again to go on from there."


class ServerGone(InputError):
    """Several requests failed one after the other: going on would only wait."""


def usage_of(answer: Completion) -> Usage:
    """What one answer took."""
    unstated = answer.tokens_in is None or answer.tokens_out is None
    return Usage(1, answer.tokens_in or 0, answer.tokens_out or 0, int(unstated))


def in_threads(
    function: Callable[[Work], Outcome], work: Iterable[Work], *, parallel: int, stop: Callable[[], None]
) -> Generator[Outcome, None, None]:
    """What the function makes of each piece, in order; the first error stops the rest."""
    pieces = iter(work)
    with ThreadPoolExecutor(parallel, "assay-judge") as pool:
        waiting: list[Future[Outcome]] = []
        try:
            for piece in pieces:
                waiting.append(pool.submit(function, piece))
                if len(waiting) >= parallel * AHEAD:
                    yield waiting.pop(0).result()
            while waiting:
                yield waiting.pop(0).result()
        except BaseException:
            stop()
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def first_of(work: Sequence[Work], count: int) -> list[Work]:
    """So many, spread evenly.

    >>> first_of("abcdefgh", 3)
    ['a', 'c', 'f']
    """
    count = min(count, len(work))
    return [work[place * len(work) // count] for place in range(count)] if count else list(islice(work, 0))
