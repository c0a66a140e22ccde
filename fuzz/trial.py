"""Inputs tried on one reader, in this process: made, read, judged, counted."""

import resource
import signal
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from random import Random
from time import monotonic, process_time
from types import FrameType
from typing import Any

from assay.errors import AssayError
from assay.execution import child_process
from fuzz.branches import BranchTrace
from fuzz.readers import Reader
from fuzz.scratch import Target

HANG = 10.0
"""Seconds of processor time that no input may take."""
GROWTH = 512 << 20
"""Bytes by which no input may raise the peak of memory."""
TRACED = 8
"""One input in so many is traced, line by line."""
CORPUS = 400
CLEAN = ("read", "refused")
"""What may become of an input; a refusal by the net has a name as findings have, and is clean none the less."""


class Hang(BaseException):
    """An input took too long; no reader catches it."""


@dataclass(slots=True)
class Tally:
    """What became of the inputs."""

    inputs: int = 0
    read: int = 0
    refused: int = 0
    netted: int = 0
    """Of those refused: by the net around the front door, since no check of the reader saw what is wrong."""
    unclean: int = 0
    hangs: int = 0
    over_memory: int = 0
    crashes: int = 0
    slowest: float = 0.0
    """Seconds of processor time of one input."""
    cpu: float = 0.0
    branches: int = 0
    of_branches: int = 0
    findings: Counter[str] = field(default_factory=Counter)
    """What went wrong and where -> how often."""
    nets: Counter[str] = field(default_factory=Counter)
    """What only the net caught -> how often."""


Report = Callable[[str, bytes, str], None]
"""Called with what went wrong and where, the input, and the traceback."""


@contextmanager
def as_errors() -> Iterator[None]:
    """Warnings raised as errors: a reader that warns lets hostile values through."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@contextmanager
def in_this_process() -> Iterator[None]:
    """What is otherwise read in a child is read here: quickly, and with every line in sight."""
    before, child_process._is_child = child_process._is_child, True
    try:
        yield
    finally:
        child_process._is_child = before


def try_one(target: Target, content: bytes, *, apart: bool = False) -> tuple[str, str, str]:
    """What became of an input: the name of a count, and of a finding what and where, and its traceback."""
    try:
        with as_errors(), nullcontext() if apart else in_this_process():
            target(content)
    except AssayError as problem:
        return "refused", *_netted(problem)
    except Hang as problem:
        return "hangs", *_named(problem)
    except MemoryError as problem:
        return "over_memory", *_named(problem)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as problem:  # Rust's panics are no Exceptions
        return "unclean", *_named(problem)
    return "read", "", ""


NET = "input_errors"
"""The function of assay.errors that turns whatever a reader meets into a refusal."""


def _netted(problem: AssayError) -> tuple[str, str]:
    """What the net caught, where it was the net that refused; else nothing."""
    raised = traceback.extract_tb(problem.__traceback__)[-1]
    cause = problem.__cause__
    return _named(cause) if raised.name == NET and cause is not None and not isinstance(cause, OSError) else ("", "")


def _named(problem: BaseException) -> tuple[str, str]:
    """The kind of an exception with the innermost line of the program, and the traceback."""
    frames = traceback.extract_tb(problem.__traceback__)
    ours = [frame for frame in frames if "/assay/" in frame.filename.replace("\\", "/")]
    place = ours[-1].filename.replace("\\", "/").rpartition("/assay/")[2] if ours else "outside"
    where = f"{place}:{ours[-1].name}" if ours else place
    shown = traceback.format_exception(problem, limit=-25)
    return f"{type(problem).__name__} in {where}", "".join(shown)[-6000:]


@contextmanager
def time_limit() -> Iterator[None]:
    """`Hang` after ten seconds of processor time, where the system can tell."""

    def stop(_: int, __: FrameType | None) -> None:
        raise Hang

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, HANG)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def inputs_of(reader: Reader, corpus: Sequence[bytes], rng: Random) -> bytes:
    """One more input: mostly of a seed or of what took new branches, at times spliced with another."""
    content = corpus[rng.randrange(len(corpus))]
    if rng.random() < 0.03:
        other = rng.choice(corpus)
        content = content[: rng.randrange(len(content) + 1)] + other[rng.randrange(len(other) + 1) :]
    return reader.mutate(content, rng)


def run(
    reader: Reader,
    count: int,
    seed: int,
    *,
    seconds: float = float("inf"),
    report: Report = lambda *_: None,
    before: Callable[[bytes, Tally], Any] = lambda *_: None,
    traced: int = TRACED,
) -> Tally:
    """So many inputs tried, or as many as the seconds allow; the seeds themselves first.

    What takes a branch of the reader's modules that nothing took before becomes a seed too. `before` is called with
    each input before it is tried: should the process end there, it is known by what.
    """
    rng, tally, seeds = Random(f"{reader.name} {seed}"), Tally(), list(reader.seeds())
    trace = BranchTrace(reader.modules) if traced else None
    corpus, until, started = list(seeds), monotonic() + seconds, process_time()
    while tally.inputs < count and monotonic() < until:
        first = tally.inputs < len(seeds)
        content = seeds[tally.inputs] if first else inputs_of(reader, corpus, rng)
        before(content, tally)
        tracing = trace is not None and (first or tally.inputs % traced == 0)
        known = len(trace.reached) if trace else 0
        memory, began = peak_memory(), process_time()
        with time_limit(), trace if tracing and trace else nullcontext():
            outcome, what, shown = try_one(reader.target, content)
        took = process_time() - began
        tally.slowest = max(tally.slowest, took)
        if outcome in CLEAN and peak_memory() - memory > GROWTH:
            outcome, what, shown = "over_memory", "took more than 512 MB", ""
        tally.inputs += 1
        setattr(tally, outcome, getattr(tally, outcome) + 1)
        if what and outcome == "refused":
            tally.netted += 1
            tally.nets[what] += 1
        elif what:
            tally.findings[what] += 1
            report(what, content, shown)
        if trace and len(trace.reached) > known and not first:
            corpus.append(content)
            if len(corpus) > CORPUS:
                del corpus[rng.randrange(len(seeds), CORPUS)]
    tally.cpu = process_time() - started
    tally.branches, tally.of_branches = trace.share if trace else (0, 0)
    return tally
