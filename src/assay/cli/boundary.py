"""Where a command ends: whatever stops it becomes one message and an exit code, and nothing raw reaches a terminal."""

import errno
import os
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from assay.errors import AssayError, InputError
from assay.execution.escaping import EscapingStream

NEEDED = 1536 * 2**20
"""Bytes of address space below which the libraries cannot start their threads: they abort, or wait for ever."""
SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
_NO_ROOM = "Free some space, or write to another disk."
_NO_RIGHT = "Check who may write there, or choose another place."
REMEDIES = {
    errno.ENOSPC: _NO_ROOM,
    errno.EDQUOT: _NO_ROOM,
    errno.EFBIG: "Raise the limit on the size of files (ulimit -f), or write to another disk.",
    errno.EMFILE: "Raise the limit on open files (ulimit -n).",
    errno.ENFILE: "Close other programs, or raise the limit on open files.",
    errno.EROFS: _NO_RIGHT,
    errno.EACCES: _NO_RIGHT,
    errno.EPERM: _NO_RIGHT,
    errno.ENOMEM: "Free some memory, or try fewer workers.",
    errno.EAGAIN: "Raise the limit on processes (ulimit -u), or try fewer workers.",
}
BUG, PIPE = 3, 128 + 13
STOPPED = "stopped; nothing is half-written."


class Stopped(KeyboardInterrupt):
    """A signal asked the command to end; whatever it began to write is removed on the way out."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def run(command: Callable[[], object], spell: Callable[[str], str]) -> int:
    """Run a command; its exit code: 0 done, 1 a gate was not met, 2 an input or the machine, 128 + N signal N."""
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (EscapingStream(stream) for stream in streams)  # type: ignore[assignment, unused-ignore]
    try:
        with _stoppable():
            try:
                command()
                sys.stdout.flush()
                return 0
            except BaseException as error:
                stop = _stop_behind(error)
                code, message = outcome_of(error, spell) if stop is None else (128 + stop.number, STOPPED)
            return _leave(code, message)
    finally:
        sys.stdout, sys.stderr = streams


@contextmanager
def _stoppable() -> Iterator[None]:
    """Inside, a signal raises `Stopped`, once; a third that comes while things are cleaned up ends the process."""
    count = 0

    def stop(number: int, _frame: object) -> None:
        nonlocal count
        count += 1
        if _stop_behind(sys.exc_info()[1]) is None:  # the first, or one after another that a library swallowed
            raise Stopped(number)
        if count > 2:
            os._exit(128 + number)

    caught = threading.current_thread() is threading.main_thread()
    # a signal that is ignored stays so: nohup
    before = {n: signal.getsignal(n) for n in SIGNALS if caught and signal.getsignal(n) is not signal.SIG_IGN}
    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop_behind(error: BaseException | None) -> Stopped | None:
    """The signal that an exception comes from, at first hand or not."""
    while error is not None and not isinstance(error, Stopped):
        error = error.__context__
    return error


def outcome_of(error: BaseException, spell: Callable[[str], str] = str) -> tuple[int, str]:
    """The exit code of what stopped a command, and what to say about it."""
    if isinstance(error, SystemExit):
        return (error.code if isinstance(error.code, int) else 0), ""
    if type(error).__name__ == "Exit":  # typer's own, whichever click it brings
        return int(getattr(error, "exit_code", 0)), ""
    if callable(show := getattr(error, "show", None)):  # a mistake in the options, which typer words
        show()
        return int(getattr(error, "exit_code", 2)), ""
    if isinstance(error, AssayError):
        return 2, error.text(spell)
    if isinstance(error, KeyboardInterrupt):
        return 128 + signal.SIGINT, STOPPED
    if isinstance(error, BrokenPipeError):  # the reader of a pipe (head, less) has seen enough
        return PIPE, ""
    if isinstance(error, MemoryError):
        return 2, "there is not enough memory for this. Try fewer workers, or a part of the input at a time."
    if isinstance(error, OSError) and error.errno is not None:
        path = error.filename2 or error.filename  # of a copy, where it should go
        where = f"{os.fsdecode(path)}: " if isinstance(path, str | bytes) else ""
        return 2, f"{where}{error.strerror}. {REMEDIES.get(error.errno, 'Check the path, and try again.')}"
    return _unexpected(error)


def _unexpected(error: BaseException) -> tuple[int, str]:
    """What no message was thought of for: a line for the user, the rest in a file."""
    cause = f"{type(error).__name__}: {error}".partition("\n")[0]
    for number in (errno.ENOSPC, errno.EMFILE, errno.EFBIG):  # libraries wrap what the system says
        if f"os error {number})" in str(error) or os.strerror(number) in str(error):
            return 2, f"{os.strerror(number)}. {REMEDIES[number]}"
    if "transport error" in str(error):  # all that Polars says when a Parquet file has no room
        return 2, f"a table could not be written whole. {_NO_ROOM}"
    if type(error).__name__ == "Abort":
        return 2, "stopped, since nothing was answered."
    try:
        with tempfile.NamedTemporaryFile("w", prefix="assay-error-", suffix=".txt", delete=False) as report:
            report.writelines(traceback.format_exception(error))
        details = f" The details are in {report.name}."
    except OSError:
        details = ""
    return BUG, f"unexpected {cause}. This is a bug in Assay.{details}"


def _leave(code: int, message: str) -> int:
    try:
        if message:
            sys.stderr.write(f"assay: {message}\n")
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = code or 2
        with suppress(OSError, ValueError):  # what is left in a buffer has no reader: nothing is said of it at the end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def check_memory_limit() -> None:
    """InputError when the address space is limited so far that the libraries could not start."""
    try:
        import resource  # not on Windows
    except ImportError:
        return
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return
    if limit < NEEDED:
        problem = f"the limit on virtual memory is {limit // 2**20:,} MB; the libraries need {NEEDED // 2**20:,} MB"
        raise InputError(problem, remedy="Raise it (ulimit -v), or limit resident memory instead.")
    os.environ.setdefault("POLARS_MAX_THREADS", "1")  # each thread reserves address space
