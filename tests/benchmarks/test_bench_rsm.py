"""The benchmark of models on feature tables runs, on a small table and without RSMTool."""

import pytest

from benchmarks import bench_rsm
from benchmarks.page import Effort, Page


def test_it_measures_a_run_a_cross_validation_and_one_response(capsys: pytest.CaptureFixture[str]) -> None:
    page = Page(Effort.TINY, peers=False)
    bench_rsm.measure(page)

    shown = capsys.readouterr().out
    assert "full run with report" in shown
    assert "3-fold cross-validation" in shown
    assert page.figures[-1].name == "one response from Python, ms"
    assert page.figures[-1].found > 0
