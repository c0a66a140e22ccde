"""The cheapest parts of the benchmark on a small table, without RSMTool: it runs, measures, and judges itself."""

import sys
from math import isnan
from pathlib import Path

import polars as pl
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks import bench_evaluate
from benchmarks.growth import Growth
from benchmarks.measure import CommandFailed, Cost, command_cost
from benchmarks.metric_work import evaluated, pairs_of_figures, scaling_of
from benchmarks.page import Effort, Page
from benchmarks.peers import RSMTOOL, peer_program
from benchmarks.responses import GROUPS, score_table, write_experiment, write_parquet
from benchmarks.sklearn_metrics import sklearn_metrics

MEGABYTE = 2**20


def test_evaluation_is_measured_without_the_peer(capsys: pytest.CaptureFixture[str]) -> None:
    page = Page(Effort.TINY, peers=False)
    bench_evaluate.measure(page)
    assert "| 1,000 | " in capsys.readouterr().out
    assert [figure.name.partition(":")[0] for figure in page.figures] == ["five metrics of 1,000 rows", "1,000 rows"]


def test_scikit_learn_gives_the_same_five_figures() -> None:
    assert sklearn_metrics(1000, times=1).apart < 1e-12


def test_scores_depend_on_the_seed_alone_and_are_read_twice_by_a_fifth() -> None:
    scores = score_table(1000)
    assert scores.equals(score_table(1000))
    assert 150 < scores["h2"].count() < 250
    assert sorted(scores["language"].unique()) == sorted(GROUPS)
    assert scores["response"].n_unique() == 1000


def test_a_streamed_table_is_the_table(tmp_path: Path) -> None:
    write_parquet(tmp_path / "scores.parquet", 1000)
    assert pl.read_parquet(tmp_path / "scores.parquet").equals(score_table(1000))


def test_the_experiment_names_columns_its_files_have(tmp_path: Path) -> None:
    config = write_experiment(tmp_path, 50)
    assert '"second_human_score_column": "h2"' in config.read_text(encoding="utf-8")
    assert pl.read_csv(tmp_path / "train.csv").columns == ["h1", "system", "sc1", "prediction"]


def rsmtool_tables(qwk: float) -> dict[str, dict[str, dict[str, float]]]:
    """One figure per table, as the peer's script prints them."""
    models = ("Overall score accuracy", "Overall score difference", "Conditional score difference")
    return {
        "eval": {"scale_trim": {"N": 1000.0, "wtkappa": qwk}},
        "true_score_eval": {"scale_trim": {"PRMSE true": 0.0}},
        "disattenuated_correlations": {"scale_trim": {"corr_disattenuated": 0.0}},
        "consistency": {"": {"N": 200.0, "corr": 0.0}},
        "eval_by_language": {group: {"DSM.scale_trim": 0.0} for group in GROUPS},
        "fairness": {"R2": dict.fromkeys(models, 0.0), "sig": dict.fromkeys(models, 0.0)},
    }


def test_figures_are_compared_under_the_names_of_both_tools() -> None:
    evaluation = evaluated(score_table(1000), scaling_of(1000))
    qwk = evaluation.variants["scale_trim"].metrics["qwk"].value
    found = list(pairs_of_figures(evaluation, rsmtool_tables(qwk)))
    assert found[0] == (qwk, qwk)
    assert len(found) == 3 + 1 + len(GROUPS) + 6
    assert not any(isnan(ours) for ours, _ in found)


def test_a_command_is_measured_with_its_children() -> None:
    hold = "held = bytearray(100 * 2**20); import time; time.sleep(0.5)"
    nested = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {hold!r}], check=True)"
    cost = command_cost([sys.executable, "-c", nested])
    assert cost.peak > 100 * MEGABYTE
    assert cost.wall > 0.5
    assert cost.cpu > 0


def test_a_command_that_fails_says_why() -> None:
    with pytest.raises(CommandFailed, match="no such thing"):
        command_cost([sys.executable, "-c", "raise SystemExit('no such thing')"])


def test_growth_is_what_each_further_row_costs() -> None:
    start = Growth(100, 1000, Cost(1, 1.0, 5), Cost(1, 1), None)
    more = Growth(1100, 9000, Cost(2, 1.001, 5), Cost(1, 1), start)
    assert isnan(start.cpu_per_row)
    assert more.cpu_per_row == pytest.approx(1.0)  # a thousandth of a second for a thousand rows


def test_an_environment_named_by_the_user_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(RSMTOOL.variable, "somewhere")
    assert peer_program(RSMTOOL, "rsmeval").parent.parent == Path("somewhere")
