"""What a command costs: wall time, processor time and peak memory, its child processes included."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

EVERY = 0.02
"""Seconds between two looks at the memory."""

Result = TypeVar("Result")


def _environment() -> dict[str, str]:
    """Ours, but with Python allowed to keep compiled modules, as it does on a user's machine."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds on the clock, seconds of processor, and bytes of memory at the most; 0 when memory was not watched."""

    wall: float
    cpu: float
    peak: int = 0

    def best(self, other: "Cost") -> "Cost":
        """The least of both: what disturbs a run only ever adds."""
        return Cost(min(self.wall, other.wall), min(self.cpu, other.cpu), min(self.peak, other.peak))


class CommandFailed(Exception):
    """A measured command ended with an error."""


def cheapest(work: Callable[[], Result], times: int) -> tuple[Result, Cost]:
    """What a function of this process gives, and the least it cost in so many calls."""
    best = Cost(float("inf"), float("inf"))
    for _ in range(times):
        wall, cpu = time.perf_counter(), time.process_time()
        result = work()
        best = best.best(Cost(time.perf_counter() - wall, time.process_time() - cpu))
    return result, best


def cheapest_command(command: Sequence[str | Path], times: int) -> Cost:
    """The least a command cost in so many runs; with two or more, Python's compiling does not count."""
    best = command_cost(command)
    for _ in range(times - 1):
        best = best.best(command_cost(command))
    return best


def command_cost(command: Sequence[str | Path]) -> Cost:
    """Run a command to its end. Raises CommandFailed, with what it said, when it fails.

    Memory is the sum of the resident sets of the process and its descendants, looked at 50 times a second; for the
    process itself the system's own high-water mark counts if it is higher. On systems without /proc it is 0.
    """
    with tempfile.TemporaryFile() as said:
        started = time.perf_counter()
        process = subprocess.Popen(
            [str(word) for word in command], stdout=said, stderr=subprocess.STDOUT, env=_environment()
        )
        peak, ended = 0, 0
        while not ended:
            time.sleep(EVERY)
            peak = max(peak, resident(process.pid), high_water(process.pid))
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)  # known already: Popen must not wait once more
        if process.returncode:
            said.seek(0)
            raise CommandFailed(f"{Path(command[0]).name}: {said.read().decode(errors='replace')[-2000:]}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, peak)


def high_water(pid: int) -> int:
    """Bytes of memory that a process occupied at the most so far; 0 where there is no /proc.

    The figure of getrusage would count what the process that started it had occupied.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:  # ended in the meantime
        return 0
    return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0)


def resident(pid: int) -> int:
    """Bytes of memory that a process and its descendants occupy now; 0 where there is no /proc."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
        threads = list(Path(f"/proc/{pid}/task").iterdir())
        children = [child for t in threads for child in (t / "children").read_text(encoding="ascii").split()]
    except OSError:  # ended in the meantime
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") + sum(resident(int(child)) for child in children)


def start_of_numpy() -> float:
    """Processor seconds of a Python that imports numpy and ends: a yardstick for commands that have no peer."""
    return cheapest_command([sys.executable, "-c", "import numpy"], 5).cpu
