"""Configurations of rsmtool, rsmxval and rsmpredict: what is read, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.io.rsm.configuration.configs import rsm_predict_config, rsm_tool_config, rsm_xval_config
from tests.io.rsm.rsm_training import write_training


def test_options_that_are_not_given_have_rsmtools_defaults(tmp_path: Path) -> None:
    config = rsm_tool_config(write_training(tmp_path))

    assert config.trim_tolerance == 0.4998
    assert (config.standardize_features, config.exclude_zero_scores, config.use_scaled_predictions) == (
        True,
        True,
        False,
    )
    assert config.train_file == tmp_path / "train.csv"


def test_a_configuration_may_be_toml(tmp_path: Path) -> None:
    write_training(tmp_path)
    path = tmp_path / "config.toml"
    path.write_text(
        'experiment_id = "ours"\nmodel = "NNLR"\ntrain_file = "train.csv"\ntest_file = "test.csv"\n'
        'features = ["alpha", "beta"]\nsubgroups = ["group"]\n[flag_column]\nh2 = [1, 2]\n',
        encoding="utf-8",
    )

    config = rsm_tool_config(path)

    assert (config.model, config.subgroups, config.flag_column) == ("NNLR", ("group",), {"h2": (1, 2)})


def test_bad_toml_names_the_place(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("experiment_id = ours", encoding="utf-8")

    with pytest.raises(InputError, match="line 1"):
        rsm_tool_config(path)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"standardise_features": True}, "There is no option standardise_features. Did you mean standardize_features"),
        ({"folds": 3}, "folds is an option of rsmxval, not of rsmtool"),
        ({"scale_with": "x.csv"}, "scale_with is an option of rsmeval"),
        ({"model": "Rigde"}, "Did you mean Ridge"),
        ({"features": ["alpha", "alpha"]}, "'alpha' occurs more than once"),
        ({"feature_subset": "A"}, "features and feature_subset cannot be used together"),
        ({"trim_min": 6, "trim_max": 1}, r"trim_min \(6\) must be below trim_max"),
        ({"train_label_column": "fake"}, "stands for random labels"),
        ({"second_human_score_column": "h1"}, "Give each its own"),
        ({"length_column": "alpha"}, "'alpha' is the length_column and cannot be a feature"),
        ({"subgroups": ["id"]}, "subgroups names the column 'id', which is the id_column already"),
        ({"subgroups": ["h2"], "candidate_column": "h2"}, "'h2', which is the candidate_column already"),
        ({"flag_column_test": {"h2": [1]}, "second_human_score_column": "h2"}, "the second_human_score_column already"),
        ({"section_order": ["pca", "modell"]}, "'modell', which is no section. Did you mean model"),
        ({"general_sections": ["pca"], "section_order": ["model"]}, "'model', which is not among general_sections"),
        ({"min_items_per_candidate": 2}, "needs candidate_column"),
        ({"model": "Ridge", "skll_objective": "squares"}, "Did you mean"),
        ({"missing_features": "guess"}, "one of drop, mean, median, zero"),
        ({"general_sections": ["pies"]}, "a list of sections"),
        ({"model": "LinearSVC", "predict_expected_scores": True}, "gives no probabilities"),
    ],
)
def test_a_mistake_is_refused_with_its_remedy(options: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        rsm_tool_config(write_training(tmp_path, **options))


def test_all_mistakes_are_reported_at_once(tmp_path: Path) -> None:
    path = write_training(tmp_path, model=None, trim_min="low", sing="A")

    with pytest.raises(InputError) as problem:
        rsm_tool_config(path)

    assert all(word in str(problem.value) for word in ("model is missing", "trim_min must be a number", "Did you mean"))


def test_options_of_other_commands_are_ignored_only_when_asked(tmp_path: Path) -> None:
    config = rsm_tool_config(write_training(tmp_path, folds=3), compat=True)

    assert config.compat
    assert "folds" not in config.saved


def test_compat_may_be_an_option_of_the_file(tmp_path: Path) -> None:
    assert rsm_tool_config(write_training(tmp_path, compat=True)).compat


def test_a_cross_validation_has_folds_and_no_test_file(tmp_path: Path) -> None:
    config = rsm_xval_config(write_training(tmp_path, test_file=None, test_label_column=None))

    assert (config.folds, config.test_file, config.test_label_column) == (5, None, "h1")
    with pytest.raises(InputError, match="test_file is an option of rsmtool, not of rsmxval"):
        rsm_xval_config(write_training(tmp_path))


def test_predictions_leave_open_what_the_model_knows_better(tmp_path: Path) -> None:
    path = tmp_path / "predict.json"
    options = {"experiment_id": "ours", "experiment_dir": ".", "input_features_file": "new.csv"}
    path.write_text(json.dumps(options), encoding="utf-8")

    assert rsm_predict_config(path).standardize_features is None
    assert rsm_predict_config(path, compat=True).standardize_features is True


def test_options_at_hand_do_as_well_as_a_file(tmp_path: Path) -> None:
    options = json.loads(write_training(tmp_path).read_text(encoding="utf-8"))

    assert rsm_tool_config(options, folder=tmp_path) == rsm_tool_config(tmp_path / "config.json")


def test_the_training_label_may_be_the_second_human_score_of_the_evaluation(tmp_path: Path) -> None:
    config = rsm_tool_config(write_training(tmp_path, train_label_column="h2", second_human_score_column="h2"))

    assert (config.train_label_column, config.test_label_column) == ("h2", "h1")


def test_custom_sections_may_have_a_place(tmp_path: Path) -> None:
    path = write_training(tmp_path, custom_sections=["notes/mine.ipynb"], section_order=["mine", "pca"])

    assert rsm_tool_config(path).saved["section_order"] == ["mine", "pca"]


def test_a_subgroup_of_new_responses_is_not_their_candidate(tmp_path: Path) -> None:
    options = {"experiment_id": "ours", "experiment_dir": ".", "input_features_file": "new.csv"}

    with pytest.raises(InputError, match="which is the candidate_column already"):
        rsm_predict_config({**options, "candidate_column": "who", "subgroups": ["who"]}, folder=tmp_path)
