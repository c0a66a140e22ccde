"""RSMTool's rsmeval configuration: what is read, what is refused and how."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.io.rsm.configuration.configs import RsmEvalConfig, rsm_eval_config

NEEDED = {
    "experiment_id": "e",
    "predictions_file": "scores.csv",
    "system_score_column": "system",
    "trim_min": 1,
    "trim_max": 6,
}


def read(folder: Path, *, by_option: bool = False, **options: Any) -> RsmEvalConfig:
    """The configuration with these options beside the needed ones; an option of `...` is left out."""
    path = folder / "config.json"
    given = {name: value for name, value in {**NEEDED, **options}.items() if value is not ...}
    path.write_text(json.dumps(given), encoding="utf-8")
    return rsm_eval_config(path, compat=by_option)


def refusal(folder: Path, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        read(folder, **options)
    return str(caught.value)


def test_the_defaults_are_those_of_rsmtool(tmp_path: Path) -> None:
    config = read(tmp_path)

    assert (config.id_column, config.human_score_column, config.second_human_score_column) == ("spkitemid", "sc1", None)
    assert (config.exclude_zero_scores, config.file_format, config.trim_tolerance) == (True, "csv", 0.4998)
    assert (config.subgroups, config.flag_column, config.scale_with, config.compat) == ((), {}, None, False)


def test_values_may_be_written_as_text(tmp_path: Path) -> None:
    config = read(
        tmp_path,
        trim_min="0",
        trim_max="4.5",
        exclude_zero_scores="False",
        subgroups="L1 ,gender",
        rater_error_variance="0.25",
        candidate_column="who",
        min_items_per_candidate="3",
    )

    assert (config.trim_min, config.trim_max, config.rater_error_variance) == (0.0, 4.5, 0.25)
    assert (config.exclude_zero_scores, config.subgroups) == (False, ("L1", "gender"))
    assert config.min_items_per_candidate == 3


def test_null_and_an_empty_text_are_no_subgroups(tmp_path: Path) -> None:
    # RSMTool fails with a TypeError and a KeyError
    assert read(tmp_path, subgroups=None).subgroups == ()
    assert read(tmp_path, subgroups="").subgroups == ()


def test_a_single_flag_value_and_a_single_least_number_stand_for_all(tmp_path: Path) -> None:
    config = read(tmp_path, flag_column={"flag": 0}, subgroups=["a", "b"], min_n_per_group=10)

    assert config.flag_column == {"flag": (0,)}
    assert config.min_n_per_group == {"a": 10, "b": 10}


def test_files_are_looked_for_beside_the_configuration(tmp_path: Path) -> None:
    config = read(tmp_path, scale_with="train.csv")

    assert config.predictions_file == tmp_path / "scores.csv"
    assert config.scale_file == tmp_path / "train.csv"
    assert read(tmp_path, scale_with="asis").scale_file is None


def test_every_mistake_is_named_in_one_message(tmp_path: Path) -> None:
    message = refusal(
        tmp_path,
        trim_mim=1,
        folds=5,
        trim_max=...,
        trim_min="low",
        file_format="parquet",
        exclude_zero_scores="yes",
        human_score_column="system",
    )

    for said in (
        "There is no option trim_mim. Did you mean trim_min?",
        "folds is an option of rsmxval, not of rsmeval",
        "trim_max is missing",
        "trim_min must be a number, got 'low'",
        "file_format must be csv, tsv or xlsx, got 'parquet'",
        "exclude_zero_scores must be true or false, got 'yes'",
        "system_score_column and human_score_column both name the column 'system'",
    ):
        assert said in message


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"trim_min": 6}, "trim_min (6) must be below trim_max (6)"),
        ({"trim_max": None}, "trim_max is missing"),
        ({"experiment_id": "a b"}, "without blanks"),
        ({"experiment_id": "../x"}, "slashes"),
        ({"min_items_per_candidate": 2}, "needs candidate_column"),
        ({"subgroups": ["a", "a"]}, "'a' occurs more than once"),
        ({"subgroups": ["a"], "min_n_per_group": {"b": 3}}, "same columns as subgroups: a"),
        ({"subgroups": ["system"]}, "which is the system_score_column already"),
        ({"subgroups": ["raw"]}, "RSMTool's tables use this name"),
        ({"candidate_column": "spkitemid"}, "candidate_column and id_column"),
        ({"second_human_score_column": "system"}, "second_human_score_column and system_score_column"),
        ({"flag_column": "flag"}, "flag_column must be an object"),
        ({"general_sections": ["nothing"]}, "not 'nothing'"),
        ({"scale_with": ""}, "scale_with must be a text"),
        ({"rater_error_variance": -1}, "0 or more"),
        ({"trim_tolerance": True}, "trim_tolerance must be a number"),
        ({"compat": "perhaps"}, "compat must be true or false"),
    ],
)
def test_a_contradiction_is_refused(options: dict[str, Any], said: str, tmp_path: Path) -> None:
    assert said in refusal(tmp_path, **options)


def test_compat_ignores_options_of_other_commands_as_rsmtool_does(tmp_path: Path) -> None:
    by_option = read(tmp_path, by_option=True, folds=5, model="LinearRegression")
    by_file = read(tmp_path, compat=True, second_human_score_column="system")

    assert by_option.compat
    assert "folds" not in by_option.saved
    assert by_file.second_human_score_column is None
    assert "compat" not in by_file.saved


def test_an_unknown_option_is_refused_even_with_compat(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="trim_mim"):
        read(tmp_path, by_option=True, trim_mim=1)


def test_what_is_not_done_is_said(tmp_path: Path) -> None:
    config = read(tmp_path, custom_sections=["mine.ipynb"], use_wandb=True)

    assert [remark.split()[0] for remark in config.remarks] == ["custom_sections", "use_wandb"]
    assert read(tmp_path).remarks == ()
