"""From feature tables to a model, its scores and its cross-validation, through the commands."""

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from assay.cli.rsm import rsm_app
from assay.errors import InputError
from tests.io.rsm.rsm_training import rows, write_table, write_training


def run(*words: object) -> Result:
    return CliRunner().invoke(rsm_app, [str(word) for word in words])


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_configuration_becomes_a_model_tables_and_a_report(tmp_path: Path) -> None:
    config = write_training(tmp_path, subgroups=["group"], second_human_score_column="h2")

    result = run("tool", config, tmp_path / "out")

    assert result.exit_code == 0, result.output
    assert "QWK" in result.output
    assert (tmp_path / "out" / "output" / "ours.model.json").exists()
    report = (tmp_path / "out" / "report" / "ours_report.html").read_text(encoding="utf-8")
    assert "alpha" in report
    assert "<script" not in report
    experiment = json.loads((tmp_path / "out" / "experiment.json").read_text(encoding="utf-8"))
    assert experiment["schema"] == "assay.experiment/1"
    assert experiment["training"] == {"read": 60, "used": 60, "left_out": {}, "missing_values_filled": 0}
    assert [feature["feature"] for feature in experiment["features"]] == ["alpha", "beta"]
    summary = (tmp_path / "out" / "output" / "ours_ols_summary.txt").read_text(encoding="utf-8")
    assert "std. error" in summary
    assert "P>|t|" in summary


def test_results_are_never_overwritten_unless_forced(tmp_path: Path) -> None:
    config = write_training(tmp_path)
    assert run("tool", config, tmp_path / "out", "--no-report").exit_code == 0

    again = run("tool", config, tmp_path / "out", "--no-report")

    assert isinstance(again.exception, InputError)
    assert "force" in str(again.exception)
    assert run("tool", config, tmp_path / "out", "--no-report", "--force").exit_code == 0


def test_nothing_is_written_when_the_run_fails(tmp_path: Path) -> None:
    config = write_training(tmp_path, features=["alpha", "gamma"])

    result = run("tool", config, tmp_path / "out")

    assert isinstance(result.exception, InputError)
    assert "gamma" in str(result.exception)
    assert not (tmp_path / "out").exists()


def test_a_stored_model_scores_new_responses(tmp_path: Path) -> None:
    run("tool", write_training(tmp_path), tmp_path / "out", "--no-report")
    new = rows(10, seed=3)
    new[4][1] = "?"
    write_table(tmp_path / "new.csv", new)
    options = {"experiment_id": "ours", "experiment_dir": "out", "input_features_file": "new.csv", "id_column": "id"}
    (tmp_path / "predict.json").write_text(json.dumps(options), encoding="utf-8")

    result = run("predict", tmp_path / "predict.json", tmp_path / "scores.csv", "--features", tmp_path / "seen.csv")

    assert result.exit_code == 0, result.output
    assert "9 responses scored, 1 could not be scored" in result.output
    assert [row["spkitemid"] for row in read(tmp_path / "scores_excluded_responses.csv")] == ["3-4"]
    assert len(read(tmp_path / "scores.csv")) == len(read(tmp_path / "seen.csv")) == 9
    assert isinstance(run("predict", tmp_path / "predict.json", tmp_path / "scores.csv").exception, InputError)


def test_scores_may_be_tsv_or_go_to_a_folder(tmp_path: Path) -> None:
    run("tool", write_training(tmp_path), tmp_path / "out", "--no-report")
    options = {"experiment_id": "ours", "experiment_dir": "out", "input_features_file": "test.csv", "id_column": "id"}
    (tmp_path / "predict.json").write_text(json.dumps(options), encoding="utf-8")

    run("predict", tmp_path / "predict.json", tmp_path / "scores.tsv", "--quiet")
    run("predict", tmp_path / "predict.json", tmp_path / "folder", "--quiet")

    assert (tmp_path / "scores.tsv").read_text(encoding="utf-8").startswith("spkitemid\traw")
    assert (tmp_path / "folder" / "predictions_with_metadata.csv").exists()


@pytest.mark.parametrize("compat", [False, True])
def test_a_cross_validation_scores_every_response_once(compat: bool, tmp_path: Path) -> None:
    config = write_training(tmp_path, test_file=None, test_label_column=None, folds=3, subgroups=["group"])

    result = run("xval", config, tmp_path / "out", *(["--compat"] if compat else []))

    assert result.exit_code == 0, result.output
    scores = read(tmp_path / "out" / "evaluation" / "xval_predictions.csv")
    assert len({row["spkitemid"] for row in scores}) == len(scores) == 60
    assert {row["group"] for row in scores} == {"x", "y"}
    assert (tmp_path / "out" / "folds" / "03" / "report" / "ours_fold03_report.html").exists()
    assert (tmp_path / "out" / "final-model" / "output" / "ours_model.model.json").exists()
    assert (tmp_path / "out" / "fold-summary" / "output" / "ours_fold_summary_model_fit.csv").exists()
    short = read(tmp_path / "out" / "evaluation" / "output" / "ours_evaluation_eval_short.csv")
    # RSMTool's rsmxval names unscaled scores as scaled ones
    assert ("corr.scale_trim" in short[0]) == compat


def test_missing_features_can_be_filled_in_and_the_screen_says_so(tmp_path: Path) -> None:
    config = write_training(tmp_path, missing_features="mean")
    table = rows(60, seed=1)
    table[0][1] = ""
    write_table(tmp_path / "train.csv", table)

    result = run("tool", config, tmp_path / "out", "--no-report")

    assert "1 missing feature value of training responses was set to the mean" in result.output.replace("\n", " ")
    assert len(read(tmp_path / "out" / "output" / "ours_train_features.csv")) == 60


def test_responses_without_a_human_score_get_scores_in_a_table_of_their_own(tmp_path: Path) -> None:
    config = write_training(tmp_path)
    table = rows(40, seed=2)
    table[3][3] = ""
    write_table(tmp_path / "test.csv", table)

    run("tool", config, tmp_path / "out", "--no-report", "--quiet")

    (row,) = read(tmp_path / "out" / "output" / "ours_pred_without_human_score.csv")
    assert row["spkitemid"] == "2-3"
    assert float(row["raw"]) > 0
