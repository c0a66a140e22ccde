"""The schema of RSMTool's options: each declared once, and used."""

import pytest

from assay.io.rsm.configuration import schema
from assay.io.rsm.configuration.schema import COMMANDS, OPTIONS, RSMEVAL, RSMEXPLAIN, RSMSUMMARIZE, RSMTOOL, RSMXVAL
from assay.io.rsm.configuration.values import BadValue


def test_every_option_belongs_to_a_command() -> None:
    used = {name for command in COMMANDS for name in command.known}

    assert sorted(OPTIONS.keys() - used) == []


def test_commands_need_what_rsmtool_needs() -> None:
    needed = {command.name: [n for n, option in command.options.items() if option.required] for command in COMMANDS}

    assert needed == {
        "rsmtool": ["experiment_id", "model", "train_file", "test_file"],
        "rsmeval": ["experiment_id", "predictions_file", "system_score_column", "trim_min", "trim_max"],
        "rsmxval": ["experiment_id", "model", "train_file"],
        "rsmpredict": ["experiment_id", "experiment_dir", "input_features_file"],
        "rsmcompare": ["comparison_id"],
        "rsmsummarize": ["summary_id", "experiment_dirs"],
        "rsmexplain": ["background_data", "explain_data", "experiment_id", "experiment_dir"],
    }


def test_a_section_is_known_to_the_commands_that_write_it() -> None:
    for command in (RSMTOOL, RSMXVAL):
        assert command.known["general_sections"].read(["pca"]) == ("pca",)
    for command in (RSMEVAL, RSMSUMMARIZE, RSMEXPLAIN):
        with pytest.raises(BadValue, match="not 'pca'"):
            command.known["general_sections"].read(["pca"])


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("folds", 1, "a whole number of 2 or more"),
        ("folds", 2.5, "a whole number of 2 or more"),
        ("sample_size", 0, "a whole number of 1 or more"),
        ("min_items_per_candidate", -1, "a whole number of 0 or more"),
        ("sample_range", "9-3", "counted from 0"),
        ("features", [], "a list of features"),
        ("experiment_names", ["a", ""], "none of them empty"),
        ("skll_fixed_parameters", [1], "an object"),
    ],
)
def test_a_value_that_will_not_do_is_refused_in_words(option: str, value: object, words: str) -> None:
    with pytest.raises(BadValue, match=words):
        OPTIONS[option].read(value)


def test_a_model_may_leave_open_what_an_explanation_must_be_told() -> None:
    assert (RSMTOOL.options["standardize_features"].default, RSMEXPLAIN.options["standardize_features"].default) == (
        True,
        None,
    )


EMPTY = ("None", "''", "False", "True")


def test_the_defaults_are_those_of_rsmtool() -> None:
    stated = {name: option.default for name, option in OPTIONS.items() if repr(option.default) not in EMPTY}
    assert stated == {
        "file_format": "csv",
        "id_column": "spkitemid",
        **dict.fromkeys(("human_score_column", "train_label_column", "test_label_column"), "sc1"),
        "subgroups": (),
        "missing_features": "drop",
        "trim_tolerance": 0.4998,
        "skll_fixed_parameters": {},
        "skll_grid_search_jobs": 1,
        "folds": 5,
        "num_features_to_display": 15,
        "seed": 42,
        "rounds": 100,
        "general_sections": ("all",),
    }
    assert sorted(name for name, option in OPTIONS.items() if option.default is True) == [
        *("exclude_zero_scores", "standardize_features", "truncate_outliers"),
    ]


def test_some_options_are_saved_as_they_were_understood() -> None:
    assert sorted(name for name, option in OPTIONS.items() if option.as_read) == [
        *("custom_sections", "exclude_zero_scores", "experiment_dirs", "experiment_names", "general_sections"),
        *("predict_expected_scores", "section_order", "select_transformations", "subgroups", "use_scaled_predictions"),
        *("use_thumbnails", "use_truncation_thresholds"),
    ]


def test_files_and_folders_are_known_as_such() -> None:
    assert sorted(name for name, option in OPTIONS.items() if option.file) == [
        *("background_data", "experiment_dir", "experiment_dir_new", "experiment_dir_old", "explain_data"),
        *("feature_subset_file", "folds_file", "input_features_file", "predictions_file", "test_file", "train_file"),
    ]


def test_defaults_are_those_of_rsmtool_and_a_few_of_our_own() -> None:
    defaults = {name: option.default for name, option in schema.OPTIONS.items() if option.default is not None}
    assert defaults == {
        **dict.fromkeys(("description", "description_old", "description_new"), ""),
        **dict.fromkeys(("human_score_column", "train_label_column", "test_label_column"), "sc1"),
        **{"file_format": "csv", "id_column": "spkitemid", "subgroups": (), "missing_features": "drop"},
        **dict.fromkeys(("standardize_features", "truncate_outliers", "exclude_zero_scores"), True),
        **dict.fromkeys(("select_transformations", "use_truncation_thresholds", "use_scaled_predictions"), False),
        **dict.fromkeys(("predict_expected_scores", "show_auto_cohorts", "use_thumbnails", "use_wandb"), False),
        **{"trim_tolerance": 0.4998, "skll_fixed_parameters": {}, "skll_grid_search_jobs": 1, "folds": 5},
        **{"num_features_to_display": 15, "seed": 42, "rounds": 100, "general_sections": ("all",)},
    }


def test_lists_and_switches_are_saved_as_they_were_understood() -> None:
    assert {name for name, option in schema.OPTIONS.items() if option.as_read} == {
        *("experiment_dirs", "experiment_names", "subgroups", "select_transformations", "use_truncation_thresholds"),
        *("exclude_zero_scores", "use_scaled_predictions", "predict_expected_scores", "general_sections"),
        *("custom_sections", "section_order", "use_thumbnails"),
    }
    assert not any(option.required for option in schema.OPTIONS.values())


def test_files_are_known_as_such() -> None:
    assert {name for name, option in schema.OPTIONS.items() if option.file} == {
        *("train_file", "test_file", "predictions_file", "input_features_file", "folds_file", "experiment_dir"),
        *("experiment_dir_old", "experiment_dir_new", "feature_subset_file", "background_data", "explain_data"),
    }


@pytest.mark.parametrize(
    ("name", "least"),
    [
        *(("min_items_per_candidate", 0), ("skll_grid_search_jobs", 0), ("seed", 0), ("folds", 2), ("rounds", 1)),
        *(("background_kmeans_size", 1), ("sample_size", 1), ("num_features_to_display", 1)),
    ],
)
def test_whole_numbers_have_a_least(name: str, least: int) -> None:
    read = schema.OPTIONS[name].read
    assert read(least) == least
    with pytest.raises(BadValue, match=f"a whole number of {least} or more"):
        read(least - 1)


def test_an_option_is_optional_unless_it_is_marked() -> None:
    assert schema.Option(str) == schema.Option(str, None, False, False, False)
    assert schema.RSMEXPLAIN.options["standardize_features"].default is None
    assert schema.RSMEVAL.options["trim_tolerance"].read(-1) == -1
    assert schema.RSMTOOL.sections[0] == "data_description"
    assert schema.RSMPREDICT.sections == ()
