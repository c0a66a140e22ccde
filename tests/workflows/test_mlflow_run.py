"""Results as runs of MLflow: what is logged, and what happens without it."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import assay
from assay.cli.main import app
from assay.errors import InputError
from assay.metrics.intervals import Estimate
from assay.workflows.mlflow_run import log_run, metrics_of, require_mlflow
from tests.paths import EXAMPLES

# the part of MLflow's interface that is used, kept in a file; tried against mlflow-skinny 3.17 by hand
STAND_IN = """
import json, os
from contextlib import contextmanager
from types import SimpleNamespace

LOG = {"params": {}, "metrics": {}, "artifacts": []}

def set_experiment(name):
    if name == "forbidden":
        raise RuntimeError("no such experiment")
    LOG["experiment"] = name

@contextmanager
def start_run(run_name=None):
    LOG["run"] = run_name
    yield SimpleNamespace(info=SimpleNamespace(run_id="r1"))
    with open(os.environ["LOGGED"], "w") as file:
        json.dump(LOG, file)

def log_params(params):
    LOG["params"] = params

def log_metrics(metrics):
    LOG["metrics"] = metrics

def log_artifacts(folder):
    LOG["artifacts"] = sorted(os.listdir(folder))
"""


@pytest.fixture
def logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a stand-in for MLflow writes what it was given."""
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages" / "mlflow.py").write_text(STAND_IN, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "packages"))
    monkeypatch.delitem(sys.modules, "mlflow", raising=False)
    monkeypatch.setenv("LOGGED", str(tmp_path / "logged.json"))
    return tmp_path / "logged.json"


def content(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def test_an_evaluation_is_logged_with_its_files(logged: Path, tmp_path: Path) -> None:
    words = ["evaluate", str(EXAMPLES / "scores.csv"), "--human", "human", "--system", "engine_a", "--scale", "1-6"]
    result = CliRunner().invoke(app, [*words, "-o", str(tmp_path / "out"), "--mlflow", "trial", "-q"])
    assert result.exit_code == 0, result.output
    run = content(logged)
    assert (run["experiment"], run["run"]) == ("trial", "engine_a")
    assert run["metrics"]["qwk"] == pytest.approx(0.82, abs=0.005)
    assert run["metrics"]["qwk_low"] < run["metrics"]["qwk"] < run["metrics"]["qwk_high"]
    assert run["params"]["system"] == "engine_a"
    assert {"report.html", "evaluation.json"} <= set(run["artifacts"])


def test_an_experiment_is_logged_with_its_configuration(logged: Path, tmp_path: Path) -> None:
    columns = {"id_column": "id", "train_label_column": "human", "test_label_column": "human"}
    files = {"train_file": str(EXAMPLES / "training.csv"), "test_file": str(EXAMPLES / "scores.csv")}
    options = {"experiment_id": "ours", "model": "LinearRegression", "features": ["words"], **columns, **files}
    assay.rsm_tool(options, tmp_path / "out", no_report=True, mlflow="trial")
    run = content(logged)
    assert (run["run"], run["params"]["model"]) == ("ours", "LinearRegression")
    assert "output" in run["artifacts"]
    with pytest.raises(InputError, match="without a folder of results"):
        assay.rsm_tool(options, mlflow="trial")


def test_a_run_that_mlflow_refuses_is_named(logged: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such experiment") as caught:
        log_run("forbidden", name="x", figures={}, settings={}, folder=tmp_path)
    assert caught.value.field == "mlflow"
    assert not logged.exists()


def test_without_mlflow_nothing_is_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mlflow", None)
    with pytest.raises(InputError, match="pip install mlflow"):
        require_mlflow()
    result = assay.evaluate(EXAMPLES / "scores.csv", human="human", system="engine_a", scale="1-6")
    with pytest.raises(InputError, match="not installed"):
        result.write(tmp_path / "out", mlflow="trial")
    assert not (tmp_path / "out").exists()


def test_only_what_is_defined_is_a_metric() -> None:
    figures = {"a": Estimate(1.0), "b": Estimate(reason="none"), "c": Estimate(0.5, 0.4, 0.6)}
    assert metrics_of(figures) == {"a": 1.0, "c": 0.5, "c_low": 0.4, "c_high": 0.6}
