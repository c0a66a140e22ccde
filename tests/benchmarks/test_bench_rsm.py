"""The benchmark of models on feature tables runs, on a small table and without RSMTool."""

import pytest

from benchmarks import bench_rsm


def test_it_measures_a_run_a_cross_validation_and_one_response(capsys: pytest.CaptureFixture[str]) -> None:
    bench_rsm.main(["--rows", "60", "--times", "1", "--no-peer"])

    shown = capsys.readouterr().out
    assert "full run with report" in shown
    assert "3-fold cross-validation" in shown
    assert "one response in under 0.1 ms" in shown
