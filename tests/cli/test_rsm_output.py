"""What the commands of `assay rsm` print."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.rsm import rsm_app
from assay.cli.rsm_output import NotesObserver, say_predicted, say_result
from assay.workflows.rsm.experiments import rsm_summarize
from assay.workflows.rsm.predict import rsm_predict
from assay.workflows.rsm.tool import RsmToolResult, rsm_tool
from tests.io.models.test_restricted_pickle import PICKLED
from tests.io.rsm.rsm_training import write_training

Screen = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("experiment")


@pytest.fixture(scope="module")
def trained(home: Path) -> RsmToolResult:
    return rsm_tool(write_training(home), home / "out", no_report=True)


def test_an_evaluation_is_told_by_its_headlines_and_where_it_lies(trained: RsmToolResult, capsys: Screen) -> None:
    say_result(trained, Path("out"), no_report=False)

    said = capsys.readouterr().out
    assert f"{trained.evaluation.figures()['qwk'].value:.2f}" in said
    assert "Tables: out/output  Report: out/report/ours_report.html" in said


def test_a_summary_has_a_row_per_experiment(trained: RsmToolResult, home: Path, capsys: Screen) -> None:
    assert trained.identity == "ours"
    result = rsm_summarize({"summary_id": "all", "experiment_dirs": [str(home / "out")]})

    say_result(result, Path("summary"), no_report=True)
    said = capsys.readouterr().out
    assert "Experiment" in said
    assert " 40 " in said
    assert "Report:" not in said


def test_predictions_are_counted(trained: RsmToolResult, home: Path, capsys: Screen) -> None:
    options = {"experiment_id": trained.identity, "experiment_dir": str(home / "out"), "id_column": "id"}
    result = rsm_predict({**options, "input_features_file": str(home / "test.csv")})
    say_predicted(replace(result, scored=39, excluded=2, empty_parts=1, path=Path("scores")))

    said = capsys.readouterr().out
    assert said == "39 responses scored, 2 could not be scored (in 1 part none could). Scores: scores\n"


def test_what_of_a_configuration_is_not_done_is_said_even_when_quiet(capsys: Screen) -> None:
    NotesObserver(quiet=True).remark("the section is passed over.")

    assert capsys.readouterr().err == "Note: the section is passed over.\n"


def test_a_needed_value_is_asked_for_until_it_can_be_used() -> None:
    result = CliRunner().invoke(rsm_app, ["generate", "eval", "-i"], input="a b\nours\nscores.csv\nraw\nlow\n1\n6\n")
    assert result.exit_code == 0, result.output
    config = json.loads(result.stdout[result.stdout.index("{") :])  # the runner shows what is typed
    assert (config["experiment_id"], config["predictions_file"], config["trim_min"]) == ("ours", "scores.csv", 1.0)
    assert "experiment_id must be" in result.stderr
    assert "trim_min must be a number" in result.stderr


def test_convert_says_what_it_wrote_and_refuses_without_trust(tmp_path: Path) -> None:
    out = str(tmp_path / "line.model.json")
    refused = CliRunner().invoke(rsm_app, ["convert", str(PICKLED / "line.model"), "-o", out])
    done = CliRunner().invoke(rsm_app, ["convert", str(PICKLED / "line.model"), "-o", out, "--trust-pickle"])
    assert "trust_pickle" in str(refused.exception)
    assert "LinearRegression on 2 features, as coefficients" in done.stdout
