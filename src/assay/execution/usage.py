"""What a piece of work took where it was done, told along with its result."""

import os
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class ResourceUsage:
    """Seconds of processor, the most memory in bytes, and the process that took them."""

    worker: str
    cpu: float
    peak: int


def measured(work: Callable[..., Result], item: Any, *common: Any) -> tuple[Result, ResourceUsage]:
    """`work(item, *common)` and what it took. On a Dask worker of several threads all of them are counted each time."""
    before = time.process_time()
    result = work(item, *common)
    return result, ResourceUsage(this_process(), time.process_time() - before, peak_memory())


@cache
def this_process() -> str:
    """This process, told apart from all others of a cluster."""
    return f"{socket.gethostname()}:{os.getpid()}"


def peak_memory() -> int:
    """The most memory this process has had, in bytes; 0 where the system does not say."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
