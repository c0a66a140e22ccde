"""`assay rsm`: RSMTool's configuration files through each command."""

from pathlib import Path

from typer.testing import CliRunner

from assay.cli.rsm import rsm_app
from tests.io.rsm.rsm_training import write_training


def run(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(rsm_app, [str(word) for word in words])
    return result.exit_code, result.output


def test_an_experiment_is_trained_and_its_model_scores_new_responses(tmp_path: Path) -> None:
    code, said = run("tool", write_training(tmp_path), tmp_path / "out", "--no-report")

    assert code == 0, said
    assert "ours: LinearRegression: 40 responses" in said
    assert "Report:" not in said
    assert (tmp_path / "out/output/ours.model.json").is_file()


def test_quiet_says_nothing(tmp_path: Path) -> None:
    assert run("tool", write_training(tmp_path), tmp_path / "out", "--no-report", "-q") == (0, "")


def test_every_command_shows_an_example() -> None:
    for name in ("tool", "eval", "predict", "compare", "summarize", "xval", "explain"):
        code, said = run(name, "--help")
        assert code == 0
        assert f"Example: assay rsm {name} config_rsm{name}.json" in said


def test_the_folds_are_trained_in_as_many_processes_as_asked_for(tmp_path: Path) -> None:
    config = write_training(tmp_path, test_file=None, test_label_column=None, folds=2)

    for workers in (1, 2):
        assert run("xval", config, tmp_path / str(workers), "--no-report", "-q", "-j", workers) == (0, "")

    table = "evaluation/xval_predictions.csv"
    assert (tmp_path / "1" / table).read_bytes() == (tmp_path / "2" / table).read_bytes()
