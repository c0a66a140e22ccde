"""The benchmark of a pool and a cluster runs on a few essays, and names its promises."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks import bench_cluster
from benchmarks.page import Effort, Page


@pytest.mark.heavy
def test_all_ways_are_measured_and_give_the_same_bytes() -> None:
    page = Page(Effort.TINY, peers=False)
    bench_cluster.measure(page)
    assert [line.split(" | ")[0] for line in page.lines if line.startswith("| ")][2:] == [
        f"| {way}" for way in bench_cluster.WAYS
    ]
    assert [figure.promise for figure in page.figures] == ["at most 1.15", "at least 1.7", ""]
    assert all(figure.found > 0 for figure in page.figures)


def test_quick_runs_leave_it_out() -> None:
    page = Page(Effort.QUICK, peers=False)
    bench_cluster.measure(page)
    assert not page.lines
