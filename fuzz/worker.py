"""A process that tries inputs on one reader with bounded memory: `fuzz.worker READER COUNT SEED SECONDS FOLDER`.

With `--apart READER FILE` it tries one input as in use, with children. Otherwise it writes its tally to
FOLDER/READER.json. What it is trying lies in FOLDER/READER.now all the time, so that whoever started it knows the input
that ended it.
"""

import json
import mmap
import re
import resource
import struct
import sys
from collections import Counter
from dataclasses import fields
from pathlib import Path

from fuzz.mutate import MOST_BYTES
from fuzz.readers import BY_NAME
from fuzz.trial import Tally, run, try_one

MEMORY = 2 << 30
"""Bytes of address space beyond what the loaded program takes."""
COUNTS = tuple(field.name for field in fields(Tally) if field.type is int or field.type == "int")
HEADER = struct.Struct(f"<{len(COUNTS) + 1}Q")
EXAMPLES = 3
"""Inputs saved of one kind of finding."""


class Now:
    """The input that is being tried and the counts so far, in a file that outlives the process."""

    def __init__(self, path: Path) -> None:
        path.write_bytes(b"\0" * (HEADER.size + MOST_BYTES))
        with path.open("r+b") as file:
            self.map = mmap.mmap(file.fileno(), 0)

    def note(self, content: bytes, tally: Tally) -> None:
        size = min(len(content), MOST_BYTES)
        self.map[HEADER.size : HEADER.size + size] = content[:size]
        self.map[: HEADER.size] = HEADER.pack(*(getattr(tally, name) for name in COUNTS), size)


def read_now(path: Path) -> tuple[Tally, bytes]:
    """The counts and the last input of a process that ended."""
    content = path.read_bytes()
    *counts, size = HEADER.unpack_from(content)
    return Tally(**dict(zip(COUNTS, counts, strict=True))), content[HEADER.size : HEADER.size + size]


def save(folder: Path, reader: str, what: str, content: bytes, shown: str) -> None:
    """An input that is a finding, with its traceback; a few of each kind."""
    place = folder / "findings" / reader
    place.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^\w.]+", "-", what)[:100]
    number = 1 + len(list(place.glob(f"{name}-*.bin")))
    if number <= EXAMPLES:
        (place / f"{name}-{number}.bin").write_bytes(content)
        (place / f"{name}-{number}.txt").write_text(shown or what, encoding="utf-8", errors="replace")


def _limit_memory() -> None:
    taken = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + MEMORY, taken + MEMORY))


def try_apart(name: str, path: Path) -> bool:
    """Whether an input that ended a process is read or refused when children read what they read in use."""
    outcome, what, _ = try_one(BY_NAME[name].target, path.read_bytes(), apart=True)
    print(outcome, what)
    return outcome in ("read", "refused")


def main(arguments: list[str]) -> None:
    if arguments[0] == "--apart":
        sys.exit(0 if try_apart(arguments[1], Path(arguments[2])) else 1)
    name, count, seed, seconds, place = arguments
    folder, reader, kinds = Path(place), BY_NAME[name], Counter[str]()
    reader.seeds()
    now = Now(folder / f"{name}.now")

    def report(what: str, content: bytes, shown: str) -> None:
        kinds[what] += 1
        if kinds[what] <= EXAMPLES:
            save(folder, name, what, content, shown)
            (folder / f"{name}.kinds").write_text(json.dumps(kinds), encoding="utf-8")

    if sys.platform == "linux":
        _limit_memory()
    tally = run(reader, int(count), int(seed), seconds=float(seconds), report=report, before=now.note)
    content = {field.name: getattr(tally, field.name) for field in fields(Tally)}
    (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
