"""Defects of RSMTool that are mended, and results that appear whole or not at all, through the commands."""

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from assay.cli.rsm import rsm_app
from assay.errors import InputError
from assay.workflows.rsm.tool import RsmToolResult, rsm_tool
from tests.io.rsm.rsm_training import rows, write_table, write_training


def run(*words: object) -> Result:
    return CliRunner().invoke(rsm_app, [str(word) for word in words])


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def written(folder: Path, **options: object) -> Path:
    path = folder / "other.json"
    path.write_text(json.dumps(options), encoding="utf-8")
    return path


def scoring(folder: Path, **changed: object) -> Path:
    common = {"experiment_id": "ours", "experiment_dir": "out", "input_features_file": "test.csv", "id_column": "id"}
    return written(folder, **{**common, **changed})


@pytest.mark.parametrize("file_format", ["tsv", "xlsx"])
def test_models_of_experiments_in_any_format_score_new_responses(file_format: str, tmp_path: Path) -> None:
    run("tool", write_training(tmp_path, file_format=file_format), tmp_path / "out", "--no-report")
    run("tool", write_training(tmp_path), tmp_path / "csv", "--no-report")

    result = run("predict", scoring(tmp_path), tmp_path / "scores.csv")

    assert result.exit_code == 0, result.output  # RSMTool finds no model here
    known = {row["spkitemid"]: float(row["raw"]) for row in read(tmp_path / "csv/output/ours_pred_processed.csv")}
    scores = {row["spkitemid"]: float(row["raw"]) for row in read(tmp_path / "scores.csv")}
    assert scores == pytest.approx(known)


@pytest.mark.parametrize(("compat", "right"), [(False, True), (True, False)])
def test_scaled_coefficients_give_the_scaled_scores_unless_the_defect_is_asked_for(
    compat: bool, right: bool, tmp_path: Path
) -> None:
    config = write_training(tmp_path, model="ScoreWeightedLR", standardize_features=False, truncate_outliers=False)
    run("tool", config, tmp_path / "out", "--no-report", *(["--compat"] if compat else []))

    output = tmp_path / "out" / "output"
    weights = {row["feature"]: float(row["coefficient"]) for row in read(output / "ours_coefficients_scaled.csv")}
    features = read(output / "ours_test_features.csv")
    by_hand = [
        weights["Intercept"] + sum(weights[name] * float(row[name]) for name in ("alpha", "beta")) for row in features
    ]
    scaled = [float(row["scale"]) for row in read(output / "ours_pred_processed.csv")]
    assert (by_hand == pytest.approx(scaled, abs=1e-9)) == right


def test_responses_that_are_left_out_are_counted_not_stumbled_over(tmp_path: Path) -> None:
    config = write_training(tmp_path)
    table = rows(60, seed=1)
    table[0][3], table[1][3], table[2][1] = 0, "", "?"
    write_table(tmp_path / "train.csv", table)

    result = run("tool", config, tmp_path / "out", "--no-report")

    assert result.exit_code == 0, result.output  # RSMTool stops here with pandas 3
    experiment = json.loads((tmp_path / "out" / "experiment.json").read_text(encoding="utf-8"))
    left_out = {"no human score": 1, "human score 0": 1, "a feature that is no number": 1}
    assert experiment["training"]["left_out"] == left_out


def test_a_cross_validation_has_a_report_in_each_of_rsmtools_folders(tmp_path: Path) -> None:
    config = write_training(
        tmp_path, test_file=None, test_label_column=None, folds=2, subgroups=["group"], general_sections=["model"]
    )

    result = run("xval", config, tmp_path / "out")

    assert result.exit_code == 0, result.output
    reports = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.html")}
    assert reports == {
        "report/ours_report.html",
        "folds/01/report/ours_fold01_report.html",
        "folds/02/report/ours_fold02_report.html",
        "fold-summary/report/ours_fold_summary_report.html",
        "evaluation/report/ours_evaluation_report.html",
        "final-model/report/ours_model_report.html",
    }
    summary = (tmp_path / "out/fold-summary/report/ours_fold_summary_report.html").read_text(encoding="utf-8")
    assert "ours_fold02" in summary
    assert "Standardised coefficients" in summary
    fold = (tmp_path / "out/folds/01/report/ours_fold01_report.html").read_text(encoding="utf-8")
    assert "Components" not in fold  # sections can be chosen, which RSMTool refuses


def test_the_final_model_of_a_cross_validation_scores_new_responses(tmp_path: Path) -> None:
    config = write_training(tmp_path, test_file=None, test_label_column=None, folds=2)
    run("xval", config, tmp_path / "xval", "--no-report")

    result = run(
        "predict",
        scoring(tmp_path, experiment_id="ours_model", experiment_dir="xval/final-model"),
        tmp_path / "scores.csv",
    )

    assert result.exit_code == 0, result.output
    assert len(read(tmp_path / "scores.csv")) == 40


def test_no_table_appears_without_its_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(_: RsmToolResult, files: list[str]) -> None:
        assert "ours.model.json" in files
        raise KeyboardInterrupt

    monkeypatch.setattr(RsmToolResult, "document", stopped)
    with pytest.raises(KeyboardInterrupt):
        rsm_tool(write_training(tmp_path), tmp_path / "out")

    assert sorted(path.name for path in tmp_path.iterdir()) == ["config.json", "test.csv", "train.csv"]


def test_prepared_features_keep_the_ending_they_were_given(tmp_path: Path) -> None:
    run("tool", write_training(tmp_path), tmp_path / "out", "--no-report")

    run("predict", scoring(tmp_path), tmp_path / "scores.csv", "--features", tmp_path / "seen.tsv", "--quiet")

    assert (tmp_path / "seen.tsv").read_text(encoding="utf-8").startswith("spkitemid\t")


def test_no_score_appears_when_the_features_cannot_be_written(tmp_path: Path) -> None:
    run("tool", write_training(tmp_path), tmp_path / "out", "--no-report")

    result = run(
        "predict", scoring(tmp_path), tmp_path / "scores.csv", "--features", tmp_path / "test.csv" / "seen.csv"
    )

    assert isinstance(result.exception, InputError)
    assert not (tmp_path / "scores.csv").exists()


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"experiment_dir": "nowhere"}, "nowhere: does not exist"),
        ({"experiment_id": "theirs"}, "It holds ours."),
        ({"input_features_file": "empty.csv"}, "empty.csv: holds no responses"),
        ({"input_features_file": "short.csv"}, "no column for these features: beta"),
        ({"predict_expected_scores": True}, "gives no probabilities"),
    ],
)
def test_scoring_that_cannot_be_done_says_why(changed: dict[str, object], words: str, tmp_path: Path) -> None:
    run("tool", write_training(tmp_path), tmp_path / "out", "--no-report")
    (tmp_path / "empty.csv").write_text("id,alpha,beta\n", encoding="utf-8")
    (tmp_path / "short.csv").write_text("id,alpha\n1,2\n", encoding="utf-8")

    result = run("predict", scoring(tmp_path, **changed), tmp_path / "scores.csv")

    assert isinstance(result.exception, InputError)
    assert words in str(result.exception)
    assert not (tmp_path / "scores.csv").exists()


@pytest.mark.parametrize(("compat", "groups"), [(False, {"01", "NA"}), (True, {"1.0", "No info"})])
def test_groups_keep_their_names_in_a_cross_validation_unless_the_defect_is_asked_for(
    compat: bool, groups: set[str], tmp_path: Path
) -> None:
    config = write_training(tmp_path, test_file=None, test_label_column=None, folds=2, subgroups=["group"])
    write_table(tmp_path / "train.csv", [[*row[:-1], ["01", "NA"][i % 2]] for i, row in enumerate(rows(60, seed=1))])

    run("xval", config, tmp_path / "out", "--no-report", *(["--compat"] if compat else []))

    table = read(tmp_path / "out/folds/01/output/ours_fold01_data_composition_by_group.csv")
    assert {row["group"] for row in table} == groups


@pytest.mark.parametrize("compat", [False, True])
def test_candidates_do_not_stop_a_cross_validation(compat: bool, tmp_path: Path) -> None:
    config = write_training(tmp_path, test_file=None, test_label_column=None, folds=2, candidate_column="group")

    result = run("xval", config, tmp_path / "out", "--no-report", *(["--compat"] if compat else []))

    assert result.exit_code == 0, result.output  # RSMTool stops: it forgets the column when it joins the folds
