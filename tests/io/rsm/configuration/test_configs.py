"""Configurations of rsmtool, rsmxval and rsmpredict: what is read, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.io.rsm.configuration.configs import (
    ExperimentSource,
    rsm_compare_config,
    rsm_eval_config,
    rsm_explain_config,
    rsm_predict_config,
    rsm_summarize_config,
    rsm_tool_config,
    rsm_xval_config,
)
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
    path = write_training(tmp_path, custom_sections=["notes/mine.md"], section_order=["mine", "pca"])
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine.md").write_text("# Mine", encoding="utf-8")

    config = rsm_tool_config(path)
    assert config.saved["section_order"] == ["mine", "pca"]
    assert config.custom_sections == {"mine": "# Mine"}


def test_a_subgroup_of_new_responses_is_not_their_candidate(tmp_path: Path) -> None:
    options = {"experiment_id": "ours", "experiment_dir": ".", "input_features_file": "new.csv"}

    with pytest.raises(InputError, match="which is the candidate_column already"):
        rsm_predict_config({**options, "candidate_column": "who", "subgroups": ["who"]}, folder=tmp_path)


def test_a_comparison_names_an_old_and_a_new_experiment_or_lists_folders(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    options = {
        **{"comparison_id": "c", "experiment_id_old": "a", "experiment_dir_old": "x", "description_old": "before"},
        **{"experiment_id_new": "b", "experiment_dir_new": "y", "use_scaled_predictions_new": True},
    }
    path.write_text(json.dumps(options), encoding="utf-8")
    config = rsm_compare_config(path)
    assert (config.command, config.identity, config.file_format) == ("rsmcompare", "c", "csv")
    assert config.experiments == (
        ExperimentSource(tmp_path / "x", "a", None, "before", None),
        ExperimentSource(tmp_path / "y", "b", None, "", True),
    )
    path.write_text(json.dumps({"comparison_id": "c", "experiment_dirs": ["x", "y"]}), encoding="utf-8")
    assert rsm_compare_config(path).experiments == (ExperimentSource(tmp_path / "x"), ExperimentSource(tmp_path / "y"))


def test_a_summary_calls_experiments_by_the_names_given(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    options = {"summary_id": "s", "experiment_dirs": ["x", "y"], "experiment_names": ["one", "two"]}
    path.write_text(json.dumps(options), encoding="utf-8")
    config = rsm_summarize_config(path)
    assert (config.command, config.identity) == ("rsmsummarize", "s")
    assert [(one.folder, one.name) for one in config.experiments] == [(tmp_path / "x", "one"), (tmp_path / "y", "two")]


def test_an_explanation_has_its_files_and_defaults(tmp_path: Path) -> None:
    path = tmp_path / "e.json"
    options = {
        **{"experiment_id": "e", "experiment_dir": "x", "background_data": "b.csv", "explain_data": "d.csv"},
        "sample_range": "2-5",
    }
    path.write_text(json.dumps(options), encoding="utf-8")
    config = rsm_explain_config(path)
    assert (config.background_data, config.explain_data) == (tmp_path / "b.csv", tmp_path / "d.csv")
    assert (config.sample_range, config.sample_size, config.num_features_to_display) == ((2, 5), None, 15)
    assert (config.standardize_features, config.seed, config.rounds, config.section_order) == (None, 42, 100, ())


def test_flags_of_the_evaluation_are_those_of_training_unless_said_otherwise(tmp_path: Path) -> None:
    flags = {"group": ["x"]}
    assert rsm_tool_config(write_training(tmp_path, flag_column=flags)).flag_column_test == {"group": ("x",)}
    apart = rsm_tool_config(write_training(tmp_path, flag_column=flags, flag_column_test={"h2": [1]}))
    assert (apart.flag_column, apart.flag_column_test) == ({"group": ("x",)}, {"h2": (1,)})


def test_files_of_an_experiment_are_those_that_are_there(tmp_path: Path) -> None:
    (tmp_path / "features.csv").touch()
    config = rsm_tool_config(write_training(tmp_path, features="features.csv"))
    assert [path.name for path in config.files()] == ["train.csv", "test.csv", "features.csv"]
    assert config.feature_file == tmp_path / "features.csv"
    assert rsm_tool_config(write_training(tmp_path)).feature_file is None


@pytest.mark.parametrize(
    ("config", "options", "foreign"),
    [
        (rsm_eval_config, {"experiment_id": "e", "predictions_file": "s.csv", "system_score_column": "s"}, "folds"),
        (rsm_predict_config, {"experiment_id": "e", "experiment_dir": ".", "input_features_file": "n.csv"}, "folds"),
        (rsm_summarize_config, {"summary_id": "s", "experiment_dirs": ["."]}, "folds"),
    ],
)
def test_an_option_of_another_command_is_refused_unless_compat_is_asked_for(
    config: Any, options: dict[str, Any], foreign: str
) -> None:
    given = options | ({"trim_min": 1, "trim_max": 6} if config is rsm_eval_config else {})
    config(given)
    with pytest.raises(InputError, match=f"{foreign} is an option of"):
        config(given | {foreign: 3})
    config(given | {foreign: 3}, compat=True)


def test_whatever_a_configuration_is_made_of_is_refused_by_name() -> None:
    class Odd(dict[str, Any]):
        def __iter__(self) -> Any:
            raise RuntimeError("odd")

        keys = __iter__

    with pytest.raises(InputError, match="odd"):
        rsm_eval_config(Odd(experiment_id="e"))
