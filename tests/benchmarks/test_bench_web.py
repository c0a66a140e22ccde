"""The benchmark of the web app runs, with few items; its users and its crash have tests of their own."""

import pytest

from benchmarks import bench_web
from benchmarks.page import Effort, Page


@pytest.mark.heavy
def test_it_measures_every_page_of_every_kind_of_workspace(capsys: pytest.CaptureFixture[str]) -> None:
    page = Page(Effort.TINY, peers=False)
    bench_web.measure(page)

    shown = capsys.readouterr().out
    for words in ("annotations: all, first page", "annotations: trust", "essays: one", "evaluation: report"):
        assert f"| {words} |" in shown
    assert page.figures[-1].name == "slowest page with 600 items, CPU ms"
    assert page.figures[-1].found > 0
