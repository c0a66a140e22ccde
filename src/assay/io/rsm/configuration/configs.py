"""What each of RSMTool's commands is asked to do: a configuration file, or options at hand -> a frozen value."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

from assay.io.rsm.configuration import schema
from assay.io.rsm.configuration.settings import ConfigSource, Settings, per_group, read_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedConfig:
    """What every command with a report is asked. Relative paths start from the folder of the configuration file."""

    description: str
    general_sections: tuple[str, ...]
    section_order: tuple[str, ...]
    custom_sections: Mapping[str, str]
    """The user's own sections: name -> Markdown."""
    saved: Mapping[str, Any]
    """The configuration as RSMTool would save it: the user's options first, then the defaults."""
    remarks: tuple[str, ...]
    """What was asked for and is not done, a sentence each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatedConfig(ReportedConfig):
    """What every experiment that ends in an evaluation is asked."""

    experiment_id: str
    id_column: str
    second_human_score_column: str | None
    candidate_column: str | None
    subgroups: tuple[str, ...]
    min_n_per_group: Mapping[str, int]
    """For each subgroup column, from how many responses on a group is shown in the report."""
    flag_column: Mapping[str, tuple[Any, ...]]
    min_items_per_candidate: int
    exclude_zero_scores: bool
    rater_error_variance: float | None
    trim_tolerance: float
    file_format: str
    compat: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RsmEvalConfig(EvaluatedConfig):
    """What an rsmeval experiment is to do."""

    predictions_file: Path
    system_score_column: str
    human_score_column: str
    trim_min: float
    trim_max: float
    scale_with: str | None
    """None or "raw": raw scores; "asis": scores that come scaled already; otherwise `scale_file` is set."""
    scale_file: Path | None
    """Training predictions and human scores to scale with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RsmModelConfig(EvaluatedConfig):
    """What an rsmtool or rsmxval experiment is to do."""

    command: str
    model: str
    train_file: Path
    test_file: Path | None
    """None for a cross-validation."""
    train_label_column: str
    test_label_column: str
    use_scaled_predictions: bool
    select_transformations: bool
    standardize_features: bool
    truncate_outliers: bool
    use_truncation_thresholds: bool
    predict_expected_scores: bool
    sign: str | None
    features: str | tuple[str, ...] | None
    length_column: str | None
    feature_subset_file: Path | None
    feature_subset: str | None
    trim_min: float | None
    trim_max: float | None
    skll_fixed_parameters: Mapping[str, Any]
    skll_objective: str | None
    flag_column_test: Mapping[str, tuple[Any, ...]]
    """Of the evaluation responses; the same as `flag_column` where nothing is said."""
    skll_grid_search_jobs: int
    missing_features: str
    folds: int
    folds_file: Path | None
    feature_file: Path | None

    def files(self) -> list[Path]:
        """The tables an experiment is made from."""
        files = (self.train_file, self.test_file, self.feature_file, self.feature_subset_file, self.folds_file)
        return [path for path in files if path is not None and path.is_file()]


@dataclass(frozen=True, slots=True)
class RsmPredictConfig:
    """What an rsmpredict experiment is to do."""

    experiment_id: str
    experiment_dir: Path
    input_features_file: Path
    id_column: str
    human_score_column: str
    standardize_features: bool | None
    """None: as the model says."""
    truncate_outliers: bool | None
    predict_expected_scores: bool
    second_human_score_column: str | None
    file_format: str | None
    """None: as the ending of the output says."""
    candidate_column: str | None
    subgroups: tuple[str, ...]
    flag_column: Mapping[str, tuple[Any, ...]]
    compat: bool


@dataclass(frozen=True, slots=True)
class ExperimentSource:
    """Where an experiment is, which one, and what it is called here."""

    folder: Path
    experiment_id: str | None = None
    """None: every experiment of the folder."""
    name: str | None = None
    description: str = ""
    scaled: bool | None = None
    """Whether its scaled scores count; None: as its own configuration says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RsmExperimentsConfig(ReportedConfig):
    """What a comparison or a summary of experiments is to do."""

    command: str
    identity: str
    """comparison_id or summary_id."""
    experiments: tuple[ExperimentSource, ...]
    subgroups: tuple[str, ...]
    file_format: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RsmExplainConfig(ReportedConfig):
    """What an explanation is to do."""

    experiment_id: str
    experiment_dir: Path
    background_data: Path
    explain_data: Path
    id_column: str
    background_kmeans_size: int | None
    """None: the background as it is."""
    num_features_to_display: int
    sample_range: tuple[int, int] | None
    sample_size: int | None
    sample_ids: tuple[str, ...] | None
    show_auto_cohorts: bool
    standardize_features: bool | None
    truncate_outliers: bool | None
    seed: int
    rounds: int


def rsm_eval_config(source: ConfigSource, *, compat: bool = False, folder: Path | None = None) -> RsmEvalConfig:
    """The configuration of an rsmeval experiment. InputError lists every mistake.

    Paths of options at hand are seen from `folder`, the current one without it.
    """
    settings = read_settings(source, schema.RSMEVAL, compat=compat, folder=folder)
    known, scale_with = _fields(RsmEvalConfig, settings), settings.values["scale_with"]
    known["scale_file"] = settings.located(None if scale_with in ("asis", "raw") else scale_with)
    if known["second_human_score_column"] == known["system_score_column"]:
        known["second_human_score_column"] = None
    return RsmEvalConfig(**known)


def rsm_predict_config(source: ConfigSource, *, compat: bool = False, folder: Path | None = None) -> RsmPredictConfig:
    """The configuration of an rsmpredict experiment. InputError lists every mistake."""
    settings = read_settings(source, schema.RSMPREDICT, compat=compat, folder=folder)
    left_open = () if settings.compat else ("standardize_features", "truncate_outliers", "file_format")
    unsaid = {name: None for name in left_open if name not in settings.given}
    return RsmPredictConfig(**_fields(RsmPredictConfig, settings) | unsaid)


def rsm_explain_config(source: ConfigSource, *, compat: bool = False) -> RsmExplainConfig:
    """The configuration of an explanation. InputError lists every mistake."""
    return RsmExplainConfig(**_fields(RsmExplainConfig, read_settings(source, schema.RSMEXPLAIN, compat=compat)))


def _model_config(
    command: schema.Command, source: ConfigSource, *, compat: bool = False, folder: Path | None = None
) -> RsmModelConfig:
    settings = read_settings(source, command, compat=compat, folder=folder)
    common, listed = _fields(RsmModelConfig, settings), settings.values["features"]
    elsewhere: dict[str, Any] = {
        "test_file": None,
        "section_order": (),
        "custom_sections": {},
        "folds": 0,
        "folds_file": None,
    }
    own = {
        "command": command.name,
        "flag_column_test": common["flag_column_test"] or common["flag_column"],
        "feature_file": settings.located(listed if isinstance(listed, str) else None),
    }
    return RsmModelConfig(**{"test_label_column": common["train_label_column"]} | elsewhere | common | own)


rsm_tool_config, rsm_xval_config = (partial(_model_config, command) for command in (schema.RSMTOOL, schema.RSMXVAL))
"""The configuration of an rsmtool or an rsmxval experiment. InputError lists every mistake."""


def _experiments_config(
    command: schema.Command, identity: str, source: ConfigSource, *, compat: bool = False
) -> RsmExperimentsConfig:
    settings = read_settings(source, command, compat=compat)
    values = settings.values
    listed: list[tuple[str, dict[str, Any]]]
    if folders := values["experiment_dirs"]:
        names = values["experiment_names"] or (None,) * len(folders)
        listed = [(folder, {"name": name}) for folder, name in zip(folders, names, strict=True)]
    else:
        options = {"experiment_id": "experiment_id", "description": "description", "scaled": "use_scaled_predictions"}
        listed = [
            (values[f"experiment_dir_{age}"], {name: values[f"{option}_{age}"] for name, option in options.items()})
            for age in ("old", "new")
        ]
    return RsmExperimentsConfig(
        **_fields(RsmExperimentsConfig, settings),
        command=command.name,
        identity=values[identity],
        experiments=tuple(ExperimentSource(settings.located(folder) or Path(), **known) for folder, known in listed),
    )


rsm_compare_config = partial(_experiments_config, schema.RSMCOMPARE, "comparison_id")
"""Of a comparison: two experiments as RSMTool has it (`experiment_dir_old` ...), or more in `experiment_dirs`."""
rsm_summarize_config = partial(_experiments_config, schema.RSMSUMMARIZE, "summary_id")


def _fields(kind: type[Any], settings: Settings) -> dict[str, Any]:
    """The values of the options that a configuration has, files located and nothing said as an empty value."""
    empty = {"section_order": (), "flag_column": {}, "flag_column_test": {}, "min_items_per_candidate": 0}
    names = {field.name for field in fields(kind)}
    known: dict[str, Any] = {"compat": settings.compat, "saved": settings.saved, "remarks": settings.remarks()}
    for name, option in settings.command.known.items():
        value = settings.values[name]
        known[name] = settings.located(value) if option.file else value or empty.get(name, value)
    if "custom_sections" in known:
        known["custom_sections"] = settings.own_sections()
    if "min_n_per_group" in names:
        known["min_n_per_group"] = per_group(known["min_n_per_group"], known["subgroups"])
    return {name: value for name, value in known.items() if name in names}
