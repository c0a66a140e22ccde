"""The options of RSMTool's commands: which there are, and how the value of each is read.

Names, defaults and their order are those of RSMTool 12.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.scale import TRIM_TOLERANCE

REPORT_SECTIONS = (
    "data_description",
    "data_description_by_group",
    "consistency",
    "evaluation",
    "true_score_evaluation",
    "evaluation_by_group",
    "fairness_analyses",
    "intermediate_file_paths",
    "sysinfo",
)
FILE_FORMATS = ("csv", "tsv", "xlsx")


class BadValue(Exception):
    """The value of an option is not what it must be; the message completes the sentence "option must be ..."."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a configuration file: how its value is read, and what it is when it is not given."""

    read: Callable[[Any], Any]
    default: Any = None
    required: bool = False


def text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise BadValue("a text")
    return value


def any_text(value: Any) -> str:
    if not isinstance(value, str):
        raise BadValue("a text")
    return value


def experiment_id(value: Any) -> str:
    """A name that can begin a file name."""
    if not isinstance(value, str) or not value or len(value) > 200 or re.search(r"[\s/\\\0]", value):
        raise BadValue("a text of up to 200 letters without blanks or slashes, since file names begin with it")
    return value


def number(value: Any) -> float:
    """A number, perhaps written as text."""
    try:
        found = float("not a number" if isinstance(value, bool) else value)
    except (TypeError, ValueError):
        found = math.nan
    if not math.isfinite(found):
        raise BadValue("a number")
    return found


def variance(value: Any) -> float:
    found = number(value)
    if found < 0:
        raise BadValue("a number of 0 or more")
    return found


def whole_number(value: Any) -> int:
    found = number(value)
    if found < 0 or not found.is_integer():
        raise BadValue("a whole number of 0 or more")
    return int(found)


def yes_or_no(value: Any) -> bool:
    """true or false, perhaps written as text in any case."""
    words = {"true": True, "false": False}
    found = value if isinstance(value, bool) else words.get(str(value).strip().lower())
    if found is None:
        raise BadValue("true or false")
    return found


def names(value: Any) -> tuple[str, ...]:
    """A list of names, or one text with commas between them."""
    listed = value.split(",") if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(name, str) for name in listed):
        raise BadValue("a list of names")
    found = [name.strip() if isinstance(value, str) else name for name in listed]
    return tuple(found if any(found) else ())


def distinct_names(value: Any) -> tuple[str, ...]:
    found = names(value)
    twice = sorted({name for name in found if found.count(name) > 1})
    if twice:
        raise BadValue(f"a list without repetitions; {_quoted(twice)} occurs more than once")
    if "" in found:
        raise BadValue("a list of names, none of them empty")
    return found


def sections_of(known: tuple[str, ...]) -> Callable[[Any], tuple[str, ...]]:
    """A reader of report sections, by the sections a command has."""

    def sections(value: Any) -> tuple[str, ...]:
        found = names(value)
        unknown = [name for name in found if name not in ("all", *known)]
        if unknown:
            raise BadValue(f"a list of sections out of all, {', '.join(known)}; not {_quoted(unknown)}")
        return found

    return sections


def file_format(value: Any) -> str:
    if value not in FILE_FORMATS:
        raise BadValue("csv, tsv or xlsx")
    return str(value)


def flags(value: Any) -> dict[str, tuple[Any, ...]]:
    """Column -> allowed values; a single value may stand without a list."""
    if not isinstance(value, dict):
        raise BadValue('an object such as {"advisory": [0]}: for each column the values that are allowed')
    return {column: tuple(allowed) if isinstance(allowed, list) else (allowed,) for column, allowed in value.items()}


def smallest_groups(value: Any) -> int | dict[str, int]:
    """One number for all subgroups, or one for each."""
    if isinstance(value, dict):
        return {group: whole_number(least) for group, least in value.items()}
    return whole_number(value)


def _quoted(found: list[str]) -> str:
    return ", ".join(repr(name) for name in found)


RSMEVAL_OPTIONS: Mapping[str, Option] = {
    "experiment_id": Option(experiment_id, required=True),
    "predictions_file": Option(text, required=True),
    "system_score_column": Option(text, required=True),
    "trim_min": Option(number, required=True),
    "trim_max": Option(number, required=True),
    "id_column": Option(text, "spkitemid"),
    "description": Option(any_text, ""),
    "human_score_column": Option(text, "sc1"),
    "exclude_zero_scores": Option(yes_or_no, True),
    "use_thumbnails": Option(yes_or_no, False),
    "scale_with": Option(text),
    "second_human_score_column": Option(text),
    "file_format": Option(file_format, "csv"),
    "candidate_column": Option(text),
    "general_sections": Option(sections_of(REPORT_SECTIONS), ("all",)),
    "custom_sections": Option(names),
    "rater_error_variance": Option(variance),
    "trim_tolerance": Option(number, TRIM_TOLERANCE),
    "subgroups": Option(distinct_names, ()),
    "min_n_per_group": Option(smallest_groups),
    "section_order": Option(names),
    "flag_column": Option(flags),
    "min_items_per_candidate": Option(whole_number),
    "use_wandb": Option(yes_or_no, False),
    "wandb_project": Option(any_text),
    "wandb_entity": Option(any_text),
}
"""In the order in which RSMTool saves those that were not given."""

OTHER_COMMANDS: Mapping[str, tuple[str, ...]] = {
    "rsmtool": (
        *("model", "train_file", "test_file", "features", "feature_subset_file", "feature_subset", "sign"),
        *("train_label_column", "test_label_column", "length_column", "flag_column_test", "predict_expected_scores"),
        *("select_transformations", "use_scaled_predictions", "use_truncation_thresholds", "skll_fixed_parameters"),
        *("skll_objective", "standardize_features", "truncate_outliers", "skll_grid_search_jobs"),
    ),
    "rsmxval": ("folds", "folds_file"),
    "rsmpredict": ("experiment_dir", "input_features_file"),
    "rsmcompare": (
        *("comparison_id", "experiment_id_old", "experiment_dir_old", "description_old", "use_scaled_predictions_old"),
        *("experiment_id_new", "experiment_dir_new", "description_new", "use_scaled_predictions_new"),
    ),
    "rsmsummarize": ("summary_id", "experiment_dirs", "experiment_names"),
    "rsmexplain": (
        *("background_data", "explain_data", "background_kmeans_size", "num_features_to_display", "sample_range"),
        *("sample_size", "sample_ids", "show_auto_cohorts"),
    ),
}
"""Options that rsmeval does not have, by the command that does."""
