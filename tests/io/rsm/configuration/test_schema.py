"""The schema of RSMTool's options: each declared once, and used."""

import pytest

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
