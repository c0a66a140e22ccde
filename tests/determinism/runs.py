"""Every verb once, as its command, in the environment this process was given; the digest of each output.

python -m tests.determinism.runs WORKERS OUT.json
"""

import json
import re
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.parity import annotation_doors, doors, essay_doors, evaluation_doors, rsm_doors
from tests.parity.doors import Bench

CASES = evaluation_doors.CASES | annotation_doors.CASES | essay_doors.CASES | rsm_doors.CASES
WITH_PDF = ("compare", "trust")


class Environment(Bench):
    """A folder to work in, below the one this process runs in, and a number of workers."""

    def __init__(self, workers: str) -> None:
        Path("work").mkdir()
        super().__init__(Path("work"))
        self.workers = workers

    def command(self, *words: object) -> str:
        """What a command prints, with so many workers where it takes any, and as PDF too where that is quick."""
        said = [str(word) for word in words]
        if "-j" in said:
            said[said.index("-j") + 1] = self.workers
        return super().command(*said, *(["--pdf"] if said[0] in WITH_PDF else []))


def digest(content: Any) -> str:
    """Of bytes as they are, of text and numbers as JSON writes them."""
    raw = content if isinstance(content, bytes) else json.dumps(content, sort_keys=True).encode()
    return sha256(raw).hexdigest()


def unpacked(outputs: Any) -> dict[str, str]:
    """The digest of every output by its name; bytes inside a mapping are outputs of their own."""
    digests: dict[str, str] = {}
    for name, content in outputs.items():
        if isinstance(content, dict) and any(isinstance(value, bytes) for value in content.values()):
            digests |= {f"{name}/{inner}": digest_ for inner, digest_ in unpacked(content).items()}
        else:
            digests[name] = digest(content)
    return digests


def without_port(outputs: Any) -> Any:
    """Outputs without the port of a judge on this machine, which is another each time."""
    if isinstance(outputs, dict):
        return {name: without_port(content) for name, content in outputs.items()}
    return re.sub(rb"127\.0\.0\.1:\d+", b"127.0.0.1", outputs) if isinstance(outputs, bytes) else outputs


def main(workers: str, out: str) -> None:
    """Run every case, and write its digests."""
    sys.argv = ["assay", "the", "same", "command"]
    doors.MOMENT = re.compile(rb"(?!)")  # moments count here
    bench = Environment(workers)
    digests = {name: unpacked(without_port(case.command(bench))) for name, case in CASES.items()}
    Path(out).write_text(json.dumps(digests, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
