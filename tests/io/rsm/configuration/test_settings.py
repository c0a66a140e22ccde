"""Configurations of RSMTool: JSON with comments, what is read of it, what is refused and how."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.io.rsm.configuration import schema
from assay.io.rsm.configuration.configs import RsmEvalConfig, rsm_eval_config
from assay.io.rsm.configuration.settings import (
    per_group,
    read_json_object,
    read_section,
    read_settings,
    without_comments,
)

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


def test_a_path_that_is_too_long_and_options_nested_too_deeply_are_refused(tmp_path: Path) -> None:
    assert "File name too long" in refusal(tmp_path, scale_with="x" * 5000)
    (tmp_path / "deep.json").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(InputError, match=r"deep\.json: it is nested too deeply"):
        rsm_eval_config(tmp_path / "deep.json", compat=False)


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
    config = read(tmp_path, custom_sections=["mine.ipynb"], use_wandb=True, by_option=True)

    assert [remark.split()[0] for remark in config.remarks] == ["custom_sections:", "use_wandb"]
    assert read(tmp_path).remarks == ()


COMPARED = {
    "comparison_id": "c",
    "experiment_id_old": "a",
    "experiment_dir_old": "x",
    "experiment_id_new": "b",
    "experiment_dir_new": "y",
}
TRAINED = {"experiment_id": "e", "model": "LinearRegression", "train_file": "train.csv", "test_file": "test.csv"}


def mistakes(command: schema.Command, options: dict[str, Any]) -> str:
    with pytest.raises(InputError) as caught:
        read_settings(options, command, compat=False)
    assert caught.value.field == "config"
    return str(caught.value)


@pytest.mark.parametrize(
    ("command", "options", "said"),
    [
        (schema.RSMCOMPARE, {"comparison_id": "c", "experiment_dirs": ["x"]}, "must list two or more folders"),
        (schema.RSMCOMPARE, {**COMPARED, "experiment_dirs": ["x", "y"]}, "and experiment_id_old exclude each other"),
        (
            schema.RSMCOMPARE,
            {**COMPARED, "experiment_dir_new": None},
            "experiment_dir_new missing. rsmcompare needs an",
        ),
        (
            schema.RSMSUMMARIZE,
            {"summary_id": "s", "experiment_dirs": ["x", "y"], "experiment_names": ["a"]},
            "must name each of the 2 experiment_dirs, got 1 names",
        ),
        (schema.RSMTOOL, {**TRAINED, "sign": "A"}, "sign needs feature_subset_file"),
        (schema.RSMTOOL, {**TRAINED, "feature_subset": "A"}, "feature_subset needs feature_subset_file"),
        (
            schema.RSMTOOL,
            {**TRAINED, "features": ["a"], "use_truncation_thresholds": True},
            "needs a feature file in features, with columns min and max",
        ),
        (schema.RSMTOOL, {**TRAINED, "id_column": "x", "length_column": "x"}, "length_column and id_column both name"),
        (schema.RSMTOOL, {**TRAINED, "test_label_column": "fake"}, "test_label_column 'fake' stands for random"),
        (
            schema.RSMTOOL,
            {**TRAINED, "features": ["a"], "second_human_score_column": "a"},
            "'a' is the second_human_score_column and cannot be a feature",
        ),
        (schema.RSMEVAL, {**NEEDED, "flag_column": {"system": [1]}}, "flag_column names the column 'system', which is"),
        (schema.RSMEXPLAIN, {"sample_size": 3, "sample_ids": "a"}, "sample_size and sample_ids exclude each other"),
    ],
)
def test_options_that_do_not_go_together_are_named(command: schema.Command, options: dict[str, Any], said: str) -> None:
    assert said in mistakes(command, options)


def test_a_good_comparison_names_two_experiments_or_lists_them() -> None:
    assert read_settings(COMPARED, schema.RSMCOMPARE, compat=False).given == frozenset(COMPARED)
    listed = {"comparison_id": "c", "experiment_dirs": ["x", "y"]}
    assert read_settings(listed, schema.RSMCOMPARE, compat=False).values["experiment_dirs"] == ("x", "y")


def test_a_mistake_of_a_file_names_it_and_of_options_at_hand_does_not(tmp_path: Path) -> None:
    assert refusal(tmp_path, trim_min="low").startswith("config.json")
    assert mistakes(schema.RSMEVAL, {**NEEDED, "trim_min": "low"}).startswith("cannot be used as an rsmeval")


def test_what_is_saved_has_the_options_given_first_as_they_were_given_and_then_the_defaults() -> None:
    options = {**NEEDED, "subgroups": "L1, sex", "min_n_per_group": 5, "trim_max": "6"}
    settings = read_settings(options, schema.RSMEVAL, compat=False)
    assert list(settings.saved)[: len(options)] == list(options)
    assert set(settings.saved) == set(schema.RSMEVAL.options)
    assert settings.saved["min_n_per_group"] == {"L1": 5, "sex": 5}
    assert (settings.saved["id_column"], settings.values["trim_max"]) == ("spkitemid", 6.0)
    assert settings.compat is False


def test_files_are_seen_from_the_configuration_then_from_here_and_stores_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "beside").mkdir()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "only_here.csv").touch()
    settings = read_settings(NEEDED, schema.RSMEVAL, compat=True, folder=tmp_path / "beside")
    assert settings.located(None) is None
    assert settings.located("s3://bucket/x.csv") == Path("s3://bucket/x.csv")
    assert settings.located("only_here.csv") == Path("only_here.csv")
    assert settings.located("nowhere.csv") == tmp_path / "beside/nowhere.csv"
    (tmp_path / "beside/only_here.csv").touch()
    assert settings.located("only_here.csv") == tmp_path / "beside/only_here.csv"


def test_folds_that_are_not_there_and_sections_that_are_elsewhere_are_remarked() -> None:
    options = {"experiment_id": "e", "model": "LinearRegression", "train_file": "t.csv", "folds_file": "folds.csv"}
    (remark,) = read_settings(options, schema.RSMXVAL, compat=False).remarks()
    assert remark == "folds_file folds.csv does not exist: 5 folds are drawn instead."
    compared = {**COMPARED, "general_sections": ["features_by_group"]}
    (remark,) = read_settings(compared, schema.RSMCOMPARE, compat=False).remarks()
    assert remark.startswith("features_by_group is not in a comparison")


def test_least_numbers_are_those_of_each_group() -> None:
    assert per_group(None, ["a"]) == {}
    assert per_group(3, ["a", "b"]) == {"a": 3, "b": 3}
    assert per_group({"a": 2}, ["a", "b"]) == {"a": 2}


def test_a_toml_file_that_is_not_there_or_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes(b'experiment_id = "\xe9"')
    for name, said in (("none.toml", "does not exist"), ("latin.toml", "cannot be read as a text file")):
        with pytest.raises(InputError, match=said) as caught:
            read_settings(tmp_path / name, schema.RSMEVAL, compat=False)
        assert caught.value.field == "config"


def test_an_option_of_another_command_comes_with_the_nearest_of_this_one() -> None:
    said = mistakes(
        schema.RSMXVAL, {"experiment_id": "e", "model": "LinearRegression", "train_file": "t", "test_file": "x"}
    )
    assert "test_file is an option of rsmtool, not of rsmxval" in said
    far = mistakes(schema.RSMEVAL, {**NEEDED, "select_transformations": True})
    assert "select_transformations is an option of rsmtool, not of rsmeval. Remove it, or ignore it with" in far


# JSON with comments


def test_slashes_inside_a_text_are_no_comment() -> None:
    text = '{"a": "x//y", "b": "/* z */", "c": "say \\"//\\"", "d": 1} // end'

    found = json.loads(without_comments(text))

    assert found == {"a": "x//y", "b": "/* z */", "c": 'say "//"', "d": 1}


def test_comments_over_several_lines_keep_the_line_numbers(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text('/* one\ntwo */\n{\n"a": 1\n"b": 2}', encoding="utf-8")

    with pytest.raises(InputError, match=r"config\.json, row 5: Expecting ',' delimiter"):
        read_json_object(path)


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}')

    assert read_json_object(path) == {"a": 1}


@pytest.mark.parametrize(
    ("text", "said"),
    [('{"a": 1, "a": 2}', "sets 'a' more than once"), ("[1]", "it holds no object"), ("", "row 1: ")],
)
def test_what_is_no_object_with_distinct_names_is_refused(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(InputError, match=said):
        read_json_object(path)


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "latin.json").write_bytes(b'{"a": "\xe9"}')

    with pytest.raises(InputError, match="does not exist"):
        read_json_object(tmp_path / "none.json")
    with pytest.raises(InputError, match="cannot be read"):
        read_json_object(tmp_path / "latin.json")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("config.json", '{"trim_min": ' + "[" * 5000 + "]" * 5000 + "}", "nested too deeply"),
        ("config.json", '{"trim_min": ' + "1" * 5000 + "}", "a number cannot be read"),
        ("config.toml", "trim_min = " + "[" * 5000 + "]" * 5000, "too deeply"),
        ("config.toml", "trim_min = " + "1" * 5000, "not valid TOML"),
    ],
)
def test_nesting_and_numbers_beyond_all_bounds_are_refused(name: str, text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        rsm_eval_config(tmp_path / name)


def test_a_number_that_no_float_holds_is_no_number(tmp_path: Path) -> None:
    assert "trim_min must be a number" in refusal(tmp_path, trim_min=10**400)


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b", "\ud800"])
def test_a_name_that_no_file_can_have_is_refused(name: str, tmp_path: Path) -> None:
    assert "is no name that a file can have" in refusal(tmp_path, predictions_file=name)


@pytest.mark.parametrize(
    ("command", "options", "said"),
    [
        (schema.RSMTOOL, {**TRAINED, "section_order": ["modle"]}, "'modle', which is no section. Did you mean model?"),
        (
            schema.RSMTOOL,
            {**TRAINED, "section_order": ["model"], "general_sections": ["pca"]},
            "section_order names 'model', which is not among general_sections. Add it there, or remove it here.",
        ),
        (
            schema.RSMTOOL,
            {**TRAINED, "features": "f.csv", "feature_subset_file": "s.csv"},
            "features and feature_subset_file cannot be used together",
        ),
        (
            schema.RSMTOOL,
            {**TRAINED, "features": "f.csv", "feature_subset": "A", "feature_subset_file": "s.csv"},
            "features and feature_subset cannot be used together",
        ),
        (schema.RSMTOOL, {**TRAINED, "train_label_column": "fake"}, "train_label_column 'fake' stands for"),
        (
            schema.RSMTOOL,
            {**TRAINED, "second_human_score_column": "sc1"},
            "second_human_score_column and the label column are both 'sc1'. Give each its own.",
        ),
        (schema.RSMTOOL, {**TRAINED, "features": ["n"], "length_column": "n"}, "'n' is the length_column and cannot"),
        (schema.RSMTOOL, {**TRAINED, "use_truncation_thresholds": True}, "use_truncation_thresholds needs a feature"),
        (schema.RSMTOOL, {**TRAINED, "trim_min": 4, "trim_max": 3}, "trim_min (4) must be below trim_max (3)."),
        (schema.RSMTOOL, {**TRAINED, "model": "NoSuchModel"}, "NoSuchModel"),
        (schema.RSMTOOL, {**TRAINED, "predict_expected_scores": True}, "predict_expected_scores"),
        (
            schema.RSMEVAL,
            {**NEEDED, "subgroups": ["responses"]},
            "subgroups names the column 'responses', but RSMTool's tables use this name. Rename the column.",
        ),
        (schema.RSMEVAL, {**NEEDED, "subgroups": [], "min_n_per_group": {"b": 3}}, "as subgroups: none."),
        (schema.RSMCOMPARE, {**COMPARED, "experiment_dir_old": None, "experiment_id_new": None},
         "experiment_dir_old, experiment_id_new missing."),
        (schema.RSMEVAL, {**NEEDED, "trim_mni": 1, "compat": True}, "no option trim_mni. Did you mean trim_min?"),
    ],
)  # fmt: skip
def test_more_options_that_do_not_go_together_are_named(
    command: schema.Command, options: dict[str, Any], said: str
) -> None:
    assert said in mistakes(command, options)


@pytest.mark.parametrize(
    ("command", "options"),
    [
        (schema.RSMTOOL, {**TRAINED, "trim_min": 4}),
        (schema.RSMTOOL, {**TRAINED, "trim_max": 4}),
        (schema.RSMTOOL, {**TRAINED, "trim_min": 3, "trim_max": 4}),
        (schema.RSMTOOL, {**TRAINED, "section_order": ["model", "mine"], "custom_sections": ["x/mine.md"]}),
        (
            schema.RSMTOOL,
            {
                **TRAINED,
                "general_sections": ["model"],
                "section_order": ["mine", "model"],
                "custom_sections": ["mine.md"],
            },
        ),
        (schema.RSMTOOL, {**TRAINED, "feature_subset": "A", "sign": "B", "feature_subset_file": "s.csv"}),
        (schema.RSMTOOL, {**TRAINED, "features": "f.csv", "use_truncation_thresholds": True}),
        (schema.RSMTOOL, {**TRAINED, "id_column": "x", "candidate_column": "x", "min_items_per_candidate": 2}),
        (schema.RSMEVAL, {**NEEDED, "subgroups": ["a", "b"], "min_n_per_group": {"b": 3, "a": 2}}),
        (schema.RSMEVAL, {**NEEDED, "compat": "true", "folds": 3}),
        (
            schema.RSMSUMMARIZE,
            {"summary_id": "s", "experiment_dirs": ["x", "y"], "experiment_names": ["a", "b"]},
        ),
    ],
)
def test_options_that_go_together_are_taken(command: schema.Command, options: dict[str, Any]) -> None:
    settings = read_settings(options, command, compat=False)
    assert settings.folder == Path()
    assert settings.compat == (options.get("compat") == "true")
    assert settings.given == frozenset(options) - {"compat"}
    assert settings.remarks() == ()


def test_a_mistake_in_json_names_line_column_and_remedy(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text('{\n"a": 1,\n"b" 2}', encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_json_object(path)
    assert (caught.value.source, caught.value.row) == ("config.json", 3)
    assert caught.value.problem == "Expecting ':' delimiter (column 5)"
    path.write_text('{"b": 1, "a": 1, "b": 2, "a": 3, "c": 1}', encoding="utf-8")
    with pytest.raises(InputError, match="it sets 'a', 'b' more than once"):
        read_json_object(path)


def test_more_names_than_experiments_are_a_mistake_too() -> None:
    options = {"summary_id": "s", "experiment_dirs": ["x"], "experiment_names": ["a", "b"]}
    assert "must name each of the 1 experiment_dirs, got 2 names" in mistakes(schema.RSMSUMMARIZE, options)


@pytest.mark.parametrize(
    ("sections", "said"),
    [
        (["mine.ipynb"], "notebooks are not run"),
        (["mine.html"], "not Markdown"),
        (["a/mine.md", "b/mine.md"], "Rename the file"),
        (["model.md"], "Rename the file"),
    ],
)
def test_a_section_of_ones_own_is_markdown_under_a_name_of_its_own(sections: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_settings({**TRAINED, "custom_sections": sections}, schema.RSMTOOL, compat=False)


def test_a_section_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.md"
    with pytest.raises(InputError, match="does not exist"):
        read_section(path)
    path.write_bytes(b"\xff")
    with pytest.raises(InputError, match="UTF-8"):
        read_section(path)
    path.write_bytes(b"# A\xc3\xa4")
    assert read_section(path) == "# A\u00e4"
    monkeypatch.setenv("ASSAY_LIMIT_SECTION_BYTES", "2")
    with pytest.raises(InputError, match="ASSAY_LIMIT_SECTION_BYTES"):
        read_section(path)
