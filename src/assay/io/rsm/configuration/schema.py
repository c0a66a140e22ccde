"""The one schema of RSMTool's options: each once, with how it is read, its default, and the commands that have it.

Names, defaults and the order of each command's options are those of RSMTool 12.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from assay.io.rsm.configuration import values
from assay.scale import TRIM_TOLERANCE


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a configuration file: how its value is read, and what it is when it is not given."""

    read: Callable[[Any], Any]
    default: Any = None
    required: bool = False
    as_read: bool = False
    """Its value is saved as it was understood, not as it was written."""
    file: bool = False
    """It names a file or a folder, seen from the folder of the configuration."""


_FILE = Option(values.text, file=True)
_YES, _NO = Option(values.yes_or_no, True), Option(values.yes_or_no, False)
_LIST = Option(values.names, as_read=True)
_SEVERAL = Option(values.several_names, as_read=True)
_COUNT, _POSITIVE = Option(values.whole_from(0)), Option(values.whole_from(1))

OPTIONS: Mapping[str, Option] = {
    # what the experiment is
    **dict.fromkeys(("experiment_id", "comparison_id", "summary_id"), Option(values.experiment_id)),
    **dict.fromkeys(("description", "description_old", "description_new"), Option(values.any_text, "")),
    **dict.fromkeys(("model", "experiment_id_old", "experiment_id_new"), Option(values.text)),
    **dict.fromkeys(("experiment_dirs", "experiment_names"), _SEVERAL),
    # files
    **dict.fromkeys(("train_file", "test_file", "predictions_file", "input_features_file", "folds_file"), _FILE),
    **dict.fromkeys(("experiment_dir", "experiment_dir_old", "experiment_dir_new", "feature_subset_file"), _FILE),
    **dict.fromkeys(("background_data", "explain_data"), _FILE),
    "scale_with": Option(values.text),
    "file_format": Option(values.one_of(values.FILE_FORMATS, "csv, tsv or xlsx"), "csv"),
    # columns
    "id_column": Option(values.text, "spkitemid"),
    **dict.fromkeys(("human_score_column", "train_label_column", "test_label_column"), Option(values.text, "sc1")),
    **dict.fromkeys(("system_score_column", "second_human_score_column"), Option(values.text)),
    **dict.fromkeys(("length_column", "candidate_column"), Option(values.text)),
    "subgroups": Option(values.distinct_names, (), as_read=True),
    "min_n_per_group": Option(values.smallest_groups),
    **dict.fromkeys(("flag_column", "flag_column_test"), Option(values.flags)),
    "min_items_per_candidate": _COUNT,
    # features
    "features": Option(values.features),
    **dict.fromkeys(("feature_subset", "sign"), Option(values.text)),
    **dict.fromkeys(("standardize_features", "truncate_outliers"), _YES),
    **dict.fromkeys(("select_transformations", "use_truncation_thresholds"), replace(_NO, as_read=True)),
    "missing_features": Option(values.one_of(values.MISSING, f"one of {', '.join(values.MISSING)}"), "drop"),
    # scores
    "exclude_zero_scores": replace(_YES, as_read=True),
    **dict.fromkeys(("use_scaled_predictions", "predict_expected_scores"), replace(_NO, as_read=True)),
    **dict.fromkeys(("use_scaled_predictions_old", "use_scaled_predictions_new"), Option(values.yes_or_no)),
    **dict.fromkeys(("trim_min", "trim_max"), Option(values.number)),
    "trim_tolerance": Option(values.not_negative, TRIM_TOLERANCE),
    "rater_error_variance": Option(values.not_negative),
    # training
    "skll_fixed_parameters": Option(values.parameters, {}),
    "skll_objective": Option(values.text),
    "skll_grid_search_jobs": replace(_COUNT, default=1),
    "folds": Option(values.whole_from(2), 5),
    # explanations
    **dict.fromkeys(("background_kmeans_size", "sample_size"), _POSITIVE),
    "num_features_to_display": replace(_POSITIVE, default=15),
    "sample_range": Option(values.row_range),
    "sample_ids": Option(values.several_names),
    "show_auto_cohorts": _NO,
    "seed": replace(_COUNT, default=42),
    "rounds": replace(_POSITIVE, default=100),
    # the report; the sections differ from command to command
    "general_sections": Option(values.names, ("all",), as_read=True),
    **dict.fromkeys(("custom_sections", "section_order"), _LIST),
    "use_thumbnails": replace(_NO, as_read=True),
    "use_wandb": _NO,
    **dict.fromkeys(("wandb_project", "wandb_entity"), Option(values.any_text)),
}


OWN_NAMES = {
    "id_column": "spkitemid",
    "human_score_column": "sc1",
    "system_score_column": "raw",
    "second_human_score_column": "sc2",
    "candidate_column": "candidate",
}
"""What RSMTool calls the columns a configuration names."""
COUNT_NAMES = ("partition", "responses", "candidates", "N responses")
"""Columns of RSMTool's tables beside those of the subgroups."""


@dataclass(frozen=True, slots=True)
class Command:
    """One of RSMTool's commands and its options."""

    name: str
    options: Mapping[str, Option]
    """In the order in which RSMTool saves those that were not given."""
    own: Mapping[str, Option]
    """Options that RSMTool does not have; they are not saved for it."""
    sections: tuple[str, ...] = ()
    """Of its report."""

    @property
    def known(self) -> dict[str, Option]:
        """All of them."""
        return {**self.options, **self.own}


def _command(name: str, options: str, own: str = "", sections: str = "", **changed: Option) -> Command:
    """A command from the names of its options, `!` after those it needs; some may be read in another way."""
    listed = tuple(sections.split())
    known = {
        **OPTIONS,
        "general_sections": replace(OPTIONS["general_sections"], read=values.sections_of(listed)),
        **changed,
    }
    needed = {word.rstrip("!"): word.endswith("!") for word in options.split()}
    return Command(
        name,
        {option: replace(known[option], required=required) for option, required in needed.items()},
        {option: known[option] for option in own.split()},
        listed,
    )


_WANDB = "use_wandb wandb_project wandb_entity"
_TRAINING = (
    "exclude_zero_scores use_scaled_predictions select_transformations standardize_features truncate_outliers "
    "use_thumbnails use_truncation_thresholds predict_expected_scores sign features length_column "
    "second_human_score_column file_format candidate_column"
)
_SUBSETS_AND_SCALE = (
    "feature_subset_file feature_subset rater_error_variance trim_min trim_max trim_tolerance subgroups "
    "min_n_per_group skll_fixed_parameters skll_objective"
)
_FLAGS = "flag_column flag_column_test min_items_per_candidate"
_TOOL_SECTIONS = (
    "data_description data_description_by_group feature_descriptives features_by_group preprocessed_features "
    "dff_by_group consistency model evaluation true_score_evaluation evaluation_by_group fairness_analyses pca "
    "intermediate_file_paths sysinfo"
)

RSMTOOL = _command(
    "rsmtool",
    "experiment_id! model! train_file! test_file! id_column description train_label_column test_label_column "
    f"{_TRAINING} general_sections custom_sections {_SUBSETS_AND_SCALE} section_order {_FLAGS} "
    f"skll_grid_search_jobs {_WANDB}",
    own="missing_features",
    sections=_TOOL_SECTIONS,
)
RSMEVAL = _command(
    "rsmeval",
    "experiment_id! predictions_file! system_score_column! trim_min! trim_max! id_column description "
    "human_score_column exclude_zero_scores use_thumbnails scale_with second_human_score_column file_format "
    "candidate_column general_sections custom_sections rater_error_variance trim_tolerance subgroups "
    f"min_n_per_group section_order flag_column min_items_per_candidate {_WANDB}",
    sections="data_description data_description_by_group consistency evaluation true_score_evaluation "
    "evaluation_by_group fairness_analyses intermediate_file_paths sysinfo",
    trim_tolerance=Option(values.number, TRIM_TOLERANCE),
)
RSMXVAL = _command(
    "rsmxval",
    f"experiment_id! model! train_file! id_column description train_label_column {_TRAINING} {_SUBSETS_AND_SCALE} "
    f"{_FLAGS} folds_file folds skll_grid_search_jobs {_WANDB}",
    own="missing_features general_sections",
    sections=_TOOL_SECTIONS,
)
RSMPREDICT = _command(
    "rsmpredict",
    "experiment_id! experiment_dir! input_features_file! id_column human_score_column standardize_features "
    "truncate_outliers predict_expected_scores second_human_score_column file_format candidate_column subgroups "
    f"flag_column {_WANDB}",
)
RSMCOMPARE = _command(
    "rsmcompare",
    # RSMTool asks for both ids and folders; with our experiment_dirs they may be left out
    "comparison_id! experiment_id_old experiment_dir_old experiment_id_new experiment_dir_new description_old "
    "description_new use_scaled_predictions_old use_scaled_predictions_new subgroups general_sections "
    f"custom_sections section_order use_thumbnails {_WANDB}",
    own="experiment_dirs experiment_names file_format description",
    sections="feature_descriptives features_by_group preprocessed_features preprocessed_features_by_group "
    "consistency score_distributions model evaluation true_score_evaluation pca notes sysinfo",
)
RSMSUMMARIZE = _command(
    "rsmsummarize",
    "summary_id! experiment_dirs! description experiment_names file_format general_sections subgroups "
    f"custom_sections section_order use_thumbnails {_WANDB}",
    sections="preprocessed_features model evaluation true_score_evaluation intermediate_file_paths sysinfo",
)
RSMEXPLAIN = _command(
    "rsmexplain",
    "background_data! explain_data! experiment_id! experiment_dir! description id_column background_kmeans_size "
    "num_features_to_display sample_range sample_size sample_ids show_auto_cohorts standardize_features "
    f"truncate_outliers general_sections custom_sections section_order {_WANDB}",
    own="seed rounds",
    sections="data_description shap_values shap_plots sysinfo",
    standardize_features=Option(values.yes_or_no),
    truncate_outliers=Option(values.yes_or_no),
)
COMMANDS = (RSMTOOL, RSMEVAL, RSMXVAL, RSMPREDICT, RSMCOMPARE, RSMSUMMARIZE, RSMEXPLAIN)
"""Of several commands that have an option, the first is named where it does not belong."""
