"""How time and memory of `assay evaluate` grow with the table: Parquet, read as a stream."""

import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import nan
from pathlib import Path

from benchmarks.measure import Cost, cheapest_command
from benchmarks.responses import write_parquet
from benchmarks.whole_command import ASSAY, COLUMNS, SCALE

BYTES_PER_ROW = 12
"""Of the Parquet file, at the most."""

GROUP_BY = """
import sys, polars as pl
wanted = [pl.len()]
for column in ("h1", "h2", "system"):
    wanted += [pl.col(column).mean(), pl.col(column).var().name.suffix("_var")]
scores = pl.scan_parquet(sys.argv[1])
scores.group_by("language").agg(*wanted, pl.corr("h1", "system").alias("r")).collect(engine="streaming")
"""
"""What Polars alone needs to read the scores and say three means, three variances and one correlation by group."""


@dataclass(frozen=True, slots=True)
class Growth:
    """What one table costs, beside the next smaller one."""

    rows: int
    file_bytes: int
    ours: Cost
    group_by: Cost
    smaller: "Growth | None"

    @property
    def cpu_per_row(self) -> float:
        """Microseconds of processor for each row more than the smaller table has; NaN for the smallest.

        What every table costs, starting Python and making the report, is not in it.
        """
        if self.smaller is None:
            return nan
        return 1e6 * (self.ours.cpu - self.smaller.ours.cpu) / (self.rows - self.smaller.rows)

    @property
    def rows_per_second(self) -> float:
        """By the clock, everything included."""
        return self.rows / self.ours.wall


def growth(sizes: Sequence[int]) -> Iterator[Growth]:
    """The cost of each size, smallest first, one table on the disk at a time."""
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
        table = Path(name, "scores.parquet")
        _require_space(table.parent, max(sizes) * BYTES_PER_ROW)
        found: Growth | None = None
        for rows in sorted(sizes):
            write_parquet(table, rows)
            times = 5 if rows <= 10**6 else 2 if rows <= 10**7 else 1
            ours = _evaluated(table, times=times)
            group_by = cheapest_command([sys.executable, "-c", GROUP_BY, table], times)
            found = Growth(rows, table.stat().st_size, ours, group_by, found)
            yield found


def _evaluated(table: Path, *, times: int) -> Cost:
    out = table.with_name("evaluation")
    return cheapest_command([*ASSAY, "evaluate", table, *COLUMNS, *SCALE, "--out", out, "--force", "--quiet"], times)


def _require_space(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < 2 * needed:
        raise SystemExit(f"The largest table takes {needed >> 20} MB in {folder.parent}, only {free >> 20} are free.")
