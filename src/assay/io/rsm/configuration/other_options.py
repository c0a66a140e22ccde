"""The options of rsmcompare, rsmsummarize and rsmexplain."""

import re
from collections.abc import Mapping
from typing import Any

from assay.io.rsm.configuration.model_options import RSMPREDICT_OPTIONS, RSMTOOL_OPTIONS, RSMXVAL_OPTIONS
from assay.io.rsm.configuration.options import (
    RSMEVAL_OPTIONS,
    BadValue,
    Option,
    any_text,
    distinct_names,
    experiment_id,
    file_format,
    names,
    text,
    whole_number,
    yes_or_no,
)

COMPARE_SECTIONS = (
    *("feature_descriptives", "features_by_group", "preprocessed_features", "preprocessed_features_by_group"),
    *("consistency", "score_distributions", "model", "evaluation", "true_score_evaluation", "pca", "notes", "sysinfo"),
)
SUMMARY_SECTIONS = (
    *("preprocessed_features", "model", "evaluation", "true_score_evaluation", "intermediate_file_paths", "sysinfo"),
)
EXPLAIN_SECTIONS = ("data_description", "shap_values", "shap_plots", "sysinfo")


def sections_out_of(known: tuple[str, ...]) -> Any:
    """A reader of lists of sections."""

    def read(value: Any) -> tuple[str, ...]:
        found = names(value)
        unknown = [name for name in found if name not in ("all", *known)]
        if unknown:
            listed = ", ".join(map(repr, unknown))
            raise BadValue(f"a list of sections out of all, {', '.join(known)}; not {listed}")
        return found

    return read


def positive(value: Any) -> int:
    found = whole_number(value)
    if found < 1:
        raise BadValue("a whole number of 1 or more")
    return found


def row_range(value: Any) -> tuple[int, int]:
    """First and last place, counted from 0, both included: "10-20".

    >>> row_range("10-20")
    (10, 20)
    """
    found = re.fullmatch(r"\s*(\d+)\s*-\s*(\d+)\s*", value) if isinstance(value, str) else None
    if found is None or int(found[1]) > int(found[2]):
        raise BadValue('a text such as "10-20": the first and the last row, counted from 0')
    return int(found[1]), int(found[2])


def several_names(value: Any) -> tuple[str, ...]:
    found = names(value)
    if not found or "" in found:
        raise BadValue("a list of names, at least one and none of them empty")
    return found


_REPORT = {
    "custom_sections": Option(names),
    "section_order": Option(names),
    "use_thumbnails": Option(yes_or_no, False),
    "use_wandb": Option(yes_or_no, False),
    "wandb_project": Option(any_text),
    "wandb_entity": Option(any_text),
}

RSMCOMPARE_OPTIONS: Mapping[str, Option] = {
    "comparison_id": Option(experiment_id, required=True),
    "experiment_id_old": Option(text),
    "experiment_dir_old": Option(text),
    "experiment_id_new": Option(text),
    "experiment_dir_new": Option(text),
    "description_old": Option(any_text, ""),
    "description_new": Option(any_text, ""),
    "use_scaled_predictions_old": Option(yes_or_no),
    "use_scaled_predictions_new": Option(yes_or_no),
    "subgroups": Option(distinct_names, ()),
    "general_sections": Option(sections_out_of(COMPARE_SECTIONS), ("all",)),
    **_REPORT,
}
"""RSMTool asks for both ids and folders; with our `experiment_dirs` they may be left out."""

OWN_COMPARE_OPTIONS: Mapping[str, Option] = {
    "experiment_dirs": Option(several_names),
    "experiment_names": Option(several_names),
    "file_format": Option(file_format, "csv"),
    "description": Option(any_text, ""),
}

RSMSUMMARIZE_OPTIONS: Mapping[str, Option] = {
    "summary_id": Option(experiment_id, required=True),
    "experiment_dirs": Option(several_names, required=True),
    "description": Option(any_text, ""),
    "experiment_names": Option(several_names),
    "file_format": Option(file_format, "csv"),
    "general_sections": Option(sections_out_of(SUMMARY_SECTIONS), ("all",)),
    "subgroups": Option(distinct_names, ()),
    **_REPORT,
}

RSMEXPLAIN_OPTIONS: Mapping[str, Option] = {
    "background_data": Option(text, required=True),
    "explain_data": Option(text, required=True),
    "experiment_id": Option(experiment_id, required=True),
    "experiment_dir": Option(text, required=True),
    "description": Option(any_text, ""),
    "id_column": Option(text, "spkitemid"),
    "background_kmeans_size": Option(positive),
    "num_features_to_display": Option(positive, 15),
    "sample_range": Option(row_range),
    "sample_size": Option(positive),
    "sample_ids": Option(several_names),
    "show_auto_cohorts": Option(yes_or_no, False),
    "standardize_features": Option(yes_or_no),
    "truncate_outliers": Option(yes_or_no),
    "general_sections": Option(sections_out_of(EXPLAIN_SECTIONS), ("all",)),
    "custom_sections": Option(names),
    "section_order": Option(names),
    "use_wandb": Option(yes_or_no, False),
    "wandb_project": Option(any_text),
    "wandb_entity": Option(any_text),
}
OWN_EXPLAIN_OPTIONS: Mapping[str, Option] = {"seed": Option(whole_number, 42), "rounds": Option(positive, 100)}

ALL_OPTIONS: Mapping[str, Mapping[str, Option]] = {
    "rsmtool": RSMTOOL_OPTIONS,
    "rsmeval": RSMEVAL_OPTIONS,
    "rsmxval": RSMXVAL_OPTIONS,
    "rsmpredict": RSMPREDICT_OPTIONS,
    "rsmcompare": RSMCOMPARE_OPTIONS,
    "rsmsummarize": RSMSUMMARIZE_OPTIONS,
    "rsmexplain": RSMEXPLAIN_OPTIONS,
}


def sisters(command: str) -> dict[str, tuple[str, ...]]:
    """Every other command with the options that this one does not have; of several, the first is named."""
    own = ALL_OPTIONS[command]
    found = {name: tuple(o for o in options if o not in own) for name, options in ALL_OPTIONS.items()}
    del found[command]
    return dict(reversed(found.items()))
