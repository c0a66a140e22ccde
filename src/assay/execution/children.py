"""FRONT DOOR `read_apart`: a function called in a process of its own, with bounded memory and time.

Files come from strangers, and a native library that meets a hostile one may abort, or ask for all the memory there is:
that ends a child, and never the program. Others end children too, such as a system without memory: a file is blamed
only when a second, new child ends on it as well. Children are started when they are needed, stay warm for the next
files, and are replaced when they fail, grow or have read many. They never outlive the process that started them: one
that waits ends when its pipe closes, and one that works is ended by the system (Linux) or by its limits.
"""

import atexit
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from math import inf
from os import PathLike
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar, cast

from assay.errors import InputError, input_errors
from assay.execution.child_process import FAILING, is_child, receive, resource, send, send_bytes
from assay.execution.executor import ONE_THREAD
from assay.execution.limits import LIMITS, over, value_of

Value = TypeVar("Value")


def read_apart(
    function: Callable[..., Value],
    *args: Any,
    source: str | PathLike[str],
    memory: str = "child_memory",
    seconds: str = "child_seconds",
) -> Value:
    """`function(*args)`, called in a child; `source` names the file in messages, `memory` and `seconds` the limits.

    The function is one of a module; what it takes and returns is pickled. Its AssayError is raised here. Whatever else
    it raises, and the end of two children one after the other, is an InputError about the file.
    """
    if is_child():
        with input_errors(source):
            return function(*args)
    request = _Request(function, args, str(source), memory, seconds)
    with _pool()[0]:
        try:
            return cast(Value, _answer(_next_idle() or _started(), request))
        except _Ended:
            return cast(Value, _answer_or_refusal(_started(), request))


@dataclass(frozen=True, slots=True)
class _Request:
    """A call, the name of the file, and the limits that bound it."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    source: str
    memory: str
    seconds: str


class _Ended(Exception):
    """A child ended without an answer, which another may give; with its exit status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def _answer(child: "_Child", request: _Request) -> Any:
    """What a child returns or raises; it waits for the next file, or is ended."""
    try:
        value, error, again, trouble = child.ask(request)
    except BaseException:
        child.end()
        raise
    if again:
        _idle.append(child)
    else:
        child.end()
    if error is not None:
        # a caller tells by the cause what may be no fault of the file
        lacking = OSError(trouble, os.strerror(trouble)) if trouble > 0 else child.starved(request.memory, trouble)
        raise error from lacking
    return value


def _answer_or_refusal(child: "_Child", request: _Request) -> Any:
    try:
        return _answer(child, request)
    except _Ended as ended:
        raise _refusal(ended.status, request) from child.starved(request.memory)


class _Child:
    """A process that reads one file after the other."""

    def __init__(self) -> None:
        environment = {**os.environ, **{variable: os.environ.get(variable, "1") for variable in ONE_THREAD}}
        command = [sys.executable, "-c", "from assay.execution.child_process import serve; serve()"]
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        self.address_space = _address_space()  # which it inherits
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
        )
        assert self.process.stdin
        assert self.process.stdout
        self.requests, self.answers = self.process.stdin, self.process.stdout

    def ask(self, request: _Request) -> Any:
        most = value_of(request.seconds)
        limits = {limit.variable: os.environ.get(limit.variable, "") for limit in LIMITS}
        call = pickle.dumps((request.function, request.args), protocol=5)
        try:
            bounds = (value_of(request.memory), most)
            send(self.requests, (request.source, limits, str(Path.cwd()), bounds))
            send_bytes(self.requests, call)
            return receive(self.answers, until=monotonic() + 2 * most)  # others may need the processor too
        except TimeoutError:
            raise over(request.seconds, None, request.source) from None
        except (EOFError, BrokenPipeError):
            if (status := self.process.wait()) == -getattr(signal, "SIGXCPU", 0):
                raise over(request.seconds, None, request.source) from None
            raise _Ended(status) from None

    def starved(self, memory: str, trouble: int = FAILING) -> MemoryError | None:
        """The cause of a failure that may be no fault of the file: the child has less memory than its limit allows."""
        return MemoryError() if trouble and self.address_space < value_of(memory) else None

    def end(self) -> None:
        self.process.kill()
        with suppress(BrokenPipeError):
            self.requests.close()
        self.answers.close()
        self.process.wait()


def _refusal(status: int, request: _Request) -> InputError:
    how = _signal_name(-status) if status < 0 else f"status {status}"
    problem = f"the process that was reading it ended twice ({how}): the file needs too much memory, or it is damaged"
    limit = over(request.memory, None, request.source)
    return InputError(problem, source=request.source, remedy=("Save or export it again. ", str(limit.remedy)))


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


_idle: list[_Child] = []


def _next_idle() -> _Child | None:
    while True:
        try:
            child = _idle.pop()
        except IndexError:
            return None
        if child.process.poll() is None:
            return child
        child.end()


_once = threading.Lock()


def _pool() -> tuple[threading.BoundedSemaphore, ThreadPoolExecutor]:
    """How many children may read at the same time, and the thread that starts them: one of each in a process."""
    with _once:
        return _only_pool()


@cache
def _only_pool() -> tuple[threading.BoundedSemaphore, ThreadPoolExecutor]:
    # the system ends a child with the thread that started it, so this one lives as long as the process
    atexit.register(end_children)
    return threading.BoundedSemaphore(value_of("children")), ThreadPoolExecutor(1, "assay-children")


def _forget() -> None:
    """In a process that was forked: the children, the thread and what others may have locked are its parent's."""
    global _once  # noqa: PLW0603 - another thread of the parent may hold it
    _once = threading.Lock()
    _only_pool.cache_clear()
    for child in _idle:
        child.process.returncode = 0  # of another process, which waits for it
    _idle.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def warm_up() -> None:
    """Start the thread that starts children, while there is memory for it: Python waits for ever for one that fails."""
    _pool()[1].submit(int).result()


def _started() -> _Child:
    try:
        return _pool()[1].submit(_Child).result()
    except OSError as problem:
        raise InputError(f"no process can be started to read files: {problem.strerror}") from problem


def end_children() -> None:
    """End those that wait for the next file."""
    while _idle:
        _idle.pop().end()


def _address_space() -> float:
    """Bytes this process and those it starts may map."""
    soft = resource.getrlimit(resource.RLIMIT_AS)[0] if resource else -1
    return inf if soft < 0 else soft
