"""What spreading work costs: a Dask cluster beside a pool of processes, and two workers beside one."""

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from benchmarks.essay_texts import essay_texts
from benchmarks.measure import Cost, command_cost
from benchmarks.page import Effort, Page

MOST_OVERHEAD = 1.15
LEAST_SPEED_UP = 1.7
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""A worker is one thread, whoever starts it: matrix products of several would be counted for one worker."""

ONE, TWO, DASK = "1 process", "2 processes", "Dask: scheduler, client and 2 workers"
WAYS: Mapping[str, tuple[str, ...]] = {
    ONE: ("--workers", "1"),
    TWO: ("--workers", "2"),
    DASK: ("--workers", "2", "--cluster", "local"),
}


def measure(page: Page) -> None:
    """`assay essays features` by one process, by two, and by a cluster of two; not among the quick ones."""
    if page.effort is Effort.QUICK:
        return
    essays, times = {Effort.TINY: (40, 1), Effort.WHOLE: (1_500, 2)}[page.effort]
    source, texts = essay_texts(essays)
    words = sum(len(text.split()) for text in texts)
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder, _one_thread():
        costs = _in_turn(Path(folder), texts, times)
    page.heading("One machine, one worker and two, a pool and a cluster")
    page.say(
        f"`assay essays features`, {len(texts):,} essays ({source}), {words:,} words. Processor time is that of all "
        "processes together, start-up and, for Dask, the scheduler included; the least of "
        f"{times} runs, in turn."
    )
    page.table("who works", "wall, s", "CPU, s", "words per second", "peak memory, MB")
    for way, cost in costs.items():
        page.row(way, f"{cost.wall:.1f}", f"{cost.cpu:.1f}", f"{words / cost.wall:,.0f}", f"{cost.peak / 1e6:.0f}")
    page.end()
    page.figure("cluster: CPU over that of a pool of processes", costs[DASK].cpu / costs[TWO].cpu, most=MOST_OVERHEAD)
    page.figure("two workers: times as fast as one", costs[ONE].wall / costs[TWO].wall, least=LEAST_SPEED_UP)
    page.figure("a cluster of two: times as fast as one", costs[ONE].wall / costs[DASK].wall)


def _in_turn(folder: Path, texts: list[str], times: int) -> dict[str, Cost]:
    """Way after way, so that a busy machine disturbs all alike. Each gives the same bytes, or it is no comparison."""
    import polars as pl

    table = folder / "essays.parquet"
    pl.DataFrame({"text": texts}).write_parquet(table)
    found: dict[str, Cost] = {}
    written = set()
    for _ in range(times):
        for way, options in WAYS.items():
            out = folder / "features.csv"
            words: list[str | Path] = ["essays", "features", table, "--text", "text", "-o", out, "--quiet", *options]
            cost = command_cost([sys.executable, "-m", "assay", *words])
            found[way] = found[way].best(cost) if way in found else cost
            written.add(out.read_bytes())
    assert len(written) == 1, "the ways differ in what they found"
    return found


@contextmanager
def _one_thread() -> Iterator[None]:
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(ONE_THREAD)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


if __name__ == "__main__":
    measure(Page(Effort.TINY if "--tiny" in sys.argv else Effort.WHOLE))
