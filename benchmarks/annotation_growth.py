"""How time and memory of `assay annotations score` grow with the number of submissions."""

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import nan
from pathlib import Path

from benchmarks.annotation_files import write_files
from benchmarks.measure import Cost, cheapest_command

IMAGES = 40
FEW = 30
"""Batches up to this size run twice, and the least counts."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a batch costs, beside the next smaller one."""

    submissions: int
    drawn: int
    cost: Cost
    smaller: "Step | None"

    @property
    def cpu_per_submission(self) -> float:
        """Processor seconds of each submission more than the smaller batch has; NaN for the smallest."""
        if self.smaller is None:
            return nan
        return (self.cost.cpu - self.smaller.cost.cpu) / (self.submissions - self.smaller.submissions)


def annotation_growth(sizes: Sequence[int]) -> Iterator[Step]:
    """The cost of each batch, smallest first."""
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
        folder = Path(name)
        files = write_files(folder, "polygons", images=IMAGES, source=None)
        students = folder / "students"
        students.mkdir()
        drawn = json.loads(files.student.read_bytes())
        step: Step | None = None
        for size in sorted(sizes):
            for number in range(step.submissions if step else 0, size):
                _write(students / f"student {number:04d}.json", drawn, number)
            command: list[str | Path] = [sys.executable, "-m", "assay", "annotations", "score"]
            command += ["--truth", files.truth, students, "--out", folder / "grades"]
            command += ["--workers", "1", "--force", "--quiet"]
            step = Step(size, size * files.drawn, cheapest_command(command, 2 if size <= FEW else 1), step)
            yield step


def _write(path: Path, drawn: dict[str, list[object]], number: int) -> None:
    """Nobody hands in what somebody else did: each leaves out another object."""
    left = [record for place, record in enumerate(drawn["annotations"]) if place % 97 != number % 97]
    path.write_text(json.dumps({**drawn, "annotations": left}), encoding="utf-8")
