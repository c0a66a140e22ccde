"""A generated configuration has every option, and works once its marks are filled in."""

import json
from typing import Any

import pytest

from assay.errors import InputError
from assay.io.rsm.configuration import schema
from assay.io.rsm.configuration.generate import (
    ENTER,
    TOOLS,
    command_named,
    config_json,
    generated,
    needed_options,
)
from assay.io.rsm.configuration.settings import read_settings

ANSWERS = {"trim_min": "1", "trim_max": "6", "experiment_dirs": "a, b", "model": "LinearRegression"}


@pytest.mark.parametrize("tool", TOOLS)
def test_a_configuration_with_its_marks_filled_in_is_taken(tool: str) -> None:
    command = TOOLS[tool]
    values = {option.name: option.checked(ANSWERS.get(option.name, option.name)) for option in needed_options(command)}
    options = generated(command, values, groups=True)

    settings = read_settings(json.loads(config_json(options)), command, compat=False)

    assert list(options) == [*values, *(name for name in command.options if name not in values)]
    assert set(settings.values) == set(command.known)
    for name, option in command.options.items():
        if name not in values and name != "general_sections":
            assert settings.values[name] == option.default, name


def test_needed_options_come_first_and_are_marked() -> None:
    options = generated(schema.RSMEVAL, {}, groups=False)
    assert list(options)[:5] == ["experiment_id", "predictions_file", "system_score_column", "trim_min", "trim_max"]
    assert set(list(options.values())[:5]) == {ENTER}
    assert options["trim_tolerance"] == 0.4998
    assert [option.name for option in needed_options(schema.RSMCOMPARE)][1:] == [
        *("experiment_id_old", "experiment_dir_old", "experiment_id_new", "experiment_dir_new")
    ]


def test_sections_about_groups_are_there_when_asked_for() -> None:
    plain, grouped = (generated(schema.RSMTOOL, {}, groups=groups)["general_sections"] for groups in (False, True))
    assert grouped == list(schema.RSMTOOL.sections)
    assert set(grouped) - set(plain) == {
        *("data_description_by_group", "features_by_group", "dff_by_group"),
        *("evaluation_by_group", "fairness_analyses"),
    }


@pytest.mark.parametrize(
    ("tool", "name", "answer", "value"),
    [
        ("eval", "trim_min", " 1.5 ", 1.5),
        ("eval", "experiment_id", "ours", "ours"),
        ("summarize", "experiment_dirs", "a, b", ["a", "b"]),
    ],
)
def test_an_answer_is_read_as_the_option_is(tool: str, name: str, answer: str, value: Any) -> None:
    option = next(option for option in needed_options(TOOLS[tool]) if option.name == name)
    assert option.checked(answer) == value


def test_a_wrong_answer_says_what_it_must_be() -> None:
    by_name = {option.name: option for option in needed_options(schema.RSMEVAL)}
    for name, answer in (("trim_min", "low"), ("experiment_id", "a b"), ("predictions_file", " ")):
        with pytest.raises(InputError, match=f"{name} must be"):
            by_name[name].checked(answer)


def test_a_command_is_known_with_and_without_rsm() -> None:
    assert command_named("rsmtool") is command_named("Tool") is schema.RSMTOOL
    with pytest.raises(InputError, match="Choose one of tool, eval"):
        command_named("train")
