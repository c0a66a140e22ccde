"""What a process that reads files for another does, and how the two talk; `children` starts them and asks.

A child takes one call after the other from its input, bounds its memory and its time while it works on each, and
answers on its output.
"""

import os
import pickle
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from math import inf
from pathlib import Path
from time import monotonic
from typing import IO, Any

from assay.errors import AssayError, InputError, input_errors

resource: Any = import_module("resource") if find_spec("resource") else None
"""Absent on Windows, where children have no limits of memory and processor time."""
FILES = 200
"""How many a child reads before another takes its place."""
GROWN = 512 << 20
"""Bytes of memory after which one does, too: what a large file took is seldom given back."""
FAILING = -1
"""Stands for trouble that has no number of its own."""
KILL_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of Linux."""
LONGEST = 1_000_000.0
"""Seconds the system can be asked to wait."""

_is_child = False


def is_child() -> bool:
    """Whether this process is one: what it is asked to read apart, it reads itself."""
    return _is_child


def send(stream: IO[bytes], message: Any) -> None:
    """One message."""
    send_bytes(stream, pickle.dumps(message, protocol=5))


def send_bytes(stream: IO[bytes], content: bytes) -> None:
    """Bytes, with their length before them."""
    stream.write(len(content).to_bytes(8, "little"))
    stream.write(content)
    stream.flush()


def receive(stream: IO[bytes], until: float = inf) -> Any:
    """The next message; EOFError when the other process is gone, TimeoutError when the clock passes `until`."""
    return pickle.loads(_receive_bytes(stream, until))  # written by a process of our own


def _receive_bytes(stream: IO[bytes], until: float = inf) -> bytes:
    return _read(stream, int.from_bytes(_read(stream, 8, until), "little"), until)


def _read(stream: IO[bytes], size: int, until: float) -> bytes:
    """So many bytes; TimeoutError when the clock passes `until`. No thread keeps the time: one might not start."""
    content = bytearray()
    while len(content) < size:
        if until < inf and os.name == "posix" and not _has_more(stream, until - monotonic()):
            raise TimeoutError
        if not (piece := os.read(stream.fileno(), min(size - len(content), 1 << 20))):
            raise EOFError
        content += piece
    return bytes(content)


def _has_more(stream: IO[bytes], seconds: float) -> bool:
    waiting = select.poll()  # unlike select.select, it takes a handle of any number
    waiting.register(stream, select.POLLIN)
    return bool(waiting.poll(min(max(0.0, seconds), LONGEST) * 1000))


def serve() -> None:
    """What a child does: read what it is asked to, until nobody asks any more."""
    global _is_child  # noqa: PLW0603 - the one thing a child knows
    _is_child = True
    _end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of the terminal
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("r+b") as nothing:
        os.dup2(nothing.fileno(), 0)  # what libraries print is no answer
        os.dup2(nothing.fileno(), 1)
    for number in range(FILES):
        try:
            source, limits, folder, bounds = receive(requests)
            call = _receive_bytes(requests)
        except EOFError:
            return
        os.environ.update(limits)
        with suppress(OSError):
            os.chdir(folder)
        value, error = _called(call, source, bounds)
        trouble = _trouble(error.__cause__) if error is not None else 0
        send(answers, (value, error, not trouble and number + 1 < FILES and _memory() < GROWN, trouble))


def _trouble(cause: BaseException | None) -> int:
    """What may be wrong with the machine: the system's number of an error, `FAILING` for others, 0 for nothing."""
    if isinstance(cause, OSError):
        return cause.errno or FAILING
    return FAILING if isinstance(cause, MemoryError | SystemError | ImportError) else 0


def _called(call: bytes, source: str, bounds: tuple[int, int]) -> tuple[Any, AssayError | None]:
    try:
        function, args = _loaded(call)
        _bound(*bounds)
        with input_errors(source):
            return function(*args), None
    except AssayError as problem:
        return None, problem
    finally:
        _bound(None, None)  # so that the answer can be sent


def _loaded(call: bytes) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """A function and what it is called with; its module is imported on the way."""
    try:
        function, args = pickle.loads(call)  # written by a process of our own
    except Exception as problem:
        raise InputError(f"no process can be started to read files: {problem}") from problem
    return function, args


def _bound(memory: int | None, seconds: int | None) -> None:
    """Limits for what follows; none for None."""
    if resource is None:
        return
    spent = resource.getrusage(resource.RUSAGE_SELF)
    until = None if seconds is None else int(spent.ru_utime + spent.ru_stime) + 1 + seconds
    for kind, most in ((resource.RLIMIT_DATA, memory), (resource.RLIMIT_CPU, until)):
        hard = resource.getrlimit(kind)[1]
        soft = hard if most is None or (hard != resource.RLIM_INFINITY and hard < most) else most
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (soft, hard))


def _memory() -> int:
    """Bytes this process has in memory now; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _end_with_parent() -> None:
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - nothing else needs it

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(KILL_WITH_PARENT, signal.SIGKILL)
