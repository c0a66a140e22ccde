"""The options of rsmtool, rsmxval and rsmpredict, and of every command by name.

Names, defaults and their order are those of RSMTool 12.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from assay.io.rsm.configuration.options import (
    OTHER_COMMANDS,
    RSMEVAL_OPTIONS,
    BadValue,
    Option,
    any_text,
    distinct_names,
    experiment_id,
    file_format,
    flags,
    names,
    number,
    sections_of,
    smallest_groups,
    text,
    variance,
    whole_number,
    yes_or_no,
)
from assay.scale import TRIM_TOLERANCE

RSMTOOL_SECTIONS = (
    *("data_description", "data_description_by_group", "feature_descriptives", "features_by_group"),
    *("preprocessed_features", "dff_by_group", "consistency", "model", "evaluation", "true_score_evaluation"),
    *("evaluation_by_group", "fairness_analyses", "pca", "intermediate_file_paths", "sysinfo"),
)
MISSING = ("drop", "mean", "median", "zero")


def features(value: Any) -> str | tuple[str, ...]:
    """A list of features, or the name of a feature file."""
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, list) and value and all(isinstance(name, str) and name for name in value):
        twice = sorted({name for name in value if value.count(name) > 1})
        if twice:
            raise BadValue(f"a list without repetitions; {', '.join(map(repr, twice))} occurs more than once")
        return tuple(value)
    raise BadValue("the name of a feature file, or a list of features")


def parameters(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadValue('an object such as {"max_depth": 3}: arguments of the estimator')
    return dict(value)


def folds(value: Any) -> int:
    found = whole_number(value)
    if found < 2:
        raise BadValue("a whole number of 2 or more")
    return found


def missing(value: Any) -> str:
    if value not in MISSING:
        raise BadValue(f"one of {', '.join(MISSING)}")
    return str(value)


def tolerance(value: Any) -> float:
    found = number(value)
    if found < 0:
        raise BadValue("a number of 0 or more")
    return found


_COLUMNS_AND_SCORES = {
    "exclude_zero_scores": Option(yes_or_no, True),
    "use_scaled_predictions": Option(yes_or_no, False),
    "select_transformations": Option(yes_or_no, False),
    "standardize_features": Option(yes_or_no, True),
    "truncate_outliers": Option(yes_or_no, True),
    "use_thumbnails": Option(yes_or_no, False),
    "use_truncation_thresholds": Option(yes_or_no, False),
    "predict_expected_scores": Option(yes_or_no, False),
    "sign": Option(text),
    "features": Option(features),
    "length_column": Option(text),
    "second_human_score_column": Option(text),
    "file_format": Option(file_format, "csv"),
    "candidate_column": Option(text),
}
_SUBSETS_AND_SCALE = {
    "feature_subset_file": Option(text),
    "feature_subset": Option(text),
    "rater_error_variance": Option(variance),
    "trim_min": Option(number),
    "trim_max": Option(number),
    "trim_tolerance": Option(tolerance, TRIM_TOLERANCE),
    "subgroups": Option(distinct_names, ()),
    "min_n_per_group": Option(smallest_groups),
    "skll_fixed_parameters": Option(parameters, {}),
    "skll_objective": Option(text),
}
_FLAGS = {
    "flag_column": Option(flags),
    "flag_column_test": Option(flags),
    "min_items_per_candidate": Option(whole_number),
}
_WANDB = {
    "use_wandb": Option(yes_or_no, False),
    "wandb_project": Option(any_text),
    "wandb_entity": Option(any_text),
}

RSMTOOL_OPTIONS: Mapping[str, Option] = {
    "experiment_id": Option(experiment_id, required=True),
    "model": Option(text, required=True),
    "train_file": Option(text, required=True),
    "test_file": Option(text, required=True),
    "id_column": Option(text, "spkitemid"),
    "description": Option(any_text, ""),
    "train_label_column": Option(text, "sc1"),
    "test_label_column": Option(text, "sc1"),
    **_COLUMNS_AND_SCORES,
    "general_sections": Option(sections_of(RSMTOOL_SECTIONS), ("all",)),
    "custom_sections": Option(names),
    **_SUBSETS_AND_SCALE,
    "section_order": Option(names),
    **_FLAGS,
    "skll_grid_search_jobs": Option(whole_number, 1),
    **_WANDB,
}
RSMXVAL_OPTIONS: Mapping[str, Option] = {
    "experiment_id": Option(experiment_id, required=True),
    "model": Option(text, required=True),
    "train_file": Option(text, required=True),
    "id_column": Option(text, "spkitemid"),
    "description": Option(any_text, ""),
    "train_label_column": Option(text, "sc1"),
    **_COLUMNS_AND_SCORES,
    **_SUBSETS_AND_SCALE,
    **_FLAGS,
    "folds_file": Option(text),
    "folds": Option(folds, 5),
    "skll_grid_search_jobs": Option(whole_number, 1),
    **_WANDB,
}
RSMPREDICT_OPTIONS: Mapping[str, Option] = {
    "experiment_id": Option(experiment_id, required=True),
    "experiment_dir": Option(text, required=True),
    "input_features_file": Option(text, required=True),
    "id_column": Option(text, "spkitemid"),
    "human_score_column": Option(text, "sc1"),
    "standardize_features": Option(yes_or_no, True),
    "truncate_outliers": Option(yes_or_no, True),
    "predict_expected_scores": Option(yes_or_no, False),
    "second_human_score_column": Option(text),
    "file_format": Option(file_format, "csv"),
    "candidate_column": Option(text),
    "subgroups": Option(distinct_names, ()),
    "flag_column": Option(flags),
    **_WANDB,
}

OWN_TRAINING_OPTIONS: Mapping[str, Option] = {"missing_features": Option(missing, "drop")}
"""Options of rsmtool and rsmxval that RSMTool does not have."""

OWN_XVAL_OPTIONS: Mapping[str, Option] = {
    **OWN_TRAINING_OPTIONS,
    "general_sections": Option(sections_of(RSMTOOL_SECTIONS), ("all",)),
}

ALL_OPTIONS: Mapping[str, Iterable[str]] = {
    "rsmtool": RSMTOOL_OPTIONS,
    "rsmeval": RSMEVAL_OPTIONS,
    "rsmxval": RSMXVAL_OPTIONS,
    "rsmpredict": RSMPREDICT_OPTIONS,
    **{name: OTHER_COMMANDS[name] for name in ("rsmcompare", "rsmsummarize", "rsmexplain")},
}
"""Command -> the names of its options; of the last three only those that rsmeval does not have."""


def sisters_of(command: str) -> dict[str, tuple[str, ...]]:
    """Every other command with the options that this one does not have."""
    own = set(ALL_OPTIONS[command])
    found = {name: tuple(o for o in options if o not in own) for name, options in ALL_OPTIONS.items()}
    del found[command]
    return dict(reversed(found.items()))  # of several commands that have an option, the first is named
