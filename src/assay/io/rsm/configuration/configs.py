"""What each of RSMTool's commands is asked to do: a configuration file, or options at hand -> a frozen value."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from assay.io.rsm.configuration import contradictions as clashes
from assay.io.rsm.configuration.schema import (
    RSMCOMPARE,
    RSMEVAL,
    RSMEXPLAIN,
    RSMPREDICT,
    RSMSUMMARIZE,
    RSMTOOL,
    RSMXVAL,
    Command,
)
from assay.io.rsm.configuration.settings import ConfigSource, Settings, per_group, read_settings


@dataclass(frozen=True, slots=True)
class RsmEvalConfig:
    """What an rsmeval experiment is to do. Relative paths start from the folder of the configuration file."""

    experiment_id: str
    predictions_file: Path
    system_score_column: str
    trim_min: float
    trim_max: float
    id_column: str
    description: str
    human_score_column: str
    exclude_zero_scores: bool
    scale_with: str | None
    """None or "raw": raw scores; "asis": scores that come scaled already; otherwise `scale_file` is set."""
    second_human_score_column: str | None
    file_format: str
    candidate_column: str | None
    general_sections: tuple[str, ...]
    rater_error_variance: float | None
    trim_tolerance: float
    subgroups: tuple[str, ...]
    min_n_per_group: Mapping[str, int]
    """For each subgroup column, from how many responses on a group is shown in the report."""
    section_order: tuple[str, ...]
    flag_column: Mapping[str, tuple[Any, ...]]
    min_items_per_candidate: int
    scale_file: Path | None
    """Training predictions and human scores to scale with."""
    compat: bool
    saved: Mapping[str, Any]
    """The configuration as RSMTool would save it: the user's options first, then the defaults."""
    remarks: tuple[str, ...]
    """What was asked for and is not done, a sentence each."""


@dataclass(frozen=True, slots=True)
class RsmModelConfig:
    """What an rsmtool or rsmxval experiment is to do."""

    command: str
    experiment_id: str
    model: str
    train_file: Path
    test_file: Path | None
    """None for a cross-validation."""
    id_column: str
    description: str
    train_label_column: str
    test_label_column: str
    exclude_zero_scores: bool
    use_scaled_predictions: bool
    select_transformations: bool
    standardize_features: bool
    truncate_outliers: bool
    use_truncation_thresholds: bool
    predict_expected_scores: bool
    sign: str | None
    features: str | tuple[str, ...] | None
    length_column: str | None
    second_human_score_column: str | None
    file_format: str
    candidate_column: str | None
    general_sections: tuple[str, ...]
    section_order: tuple[str, ...]
    feature_subset_file: Path | None
    feature_subset: str | None
    rater_error_variance: float | None
    trim_min: float | None
    trim_max: float | None
    trim_tolerance: float
    subgroups: tuple[str, ...]
    min_n_per_group: Mapping[str, int]
    skll_fixed_parameters: Mapping[str, Any]
    skll_objective: str | None
    flag_column: Mapping[str, tuple[Any, ...]]
    flag_column_test: Mapping[str, tuple[Any, ...]]
    """Of the evaluation responses; the same as `flag_column` where nothing is said."""
    min_items_per_candidate: int
    skll_grid_search_jobs: int
    missing_features: str
    folds: int
    folds_file: Path | None
    feature_file: Path | None
    compat: bool
    saved: Mapping[str, Any]
    remarks: tuple[str, ...]

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


@dataclass(frozen=True, slots=True)
class RsmExperimentsConfig:
    """What a comparison or a summary of experiments is to do."""

    command: str
    identity: str
    """comparison_id or summary_id."""
    description: str
    experiments: tuple[ExperimentSource, ...]
    subgroups: tuple[str, ...]
    file_format: str
    general_sections: tuple[str, ...]
    section_order: tuple[str, ...]
    saved: Mapping[str, Any]
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RsmExplainConfig:
    """What an explanation is to do."""

    experiment_id: str
    experiment_dir: Path
    background_data: Path
    explain_data: Path
    description: str
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
    general_sections: tuple[str, ...]
    section_order: tuple[str, ...]
    seed: int
    rounds: int
    saved: Mapping[str, Any]
    remarks: tuple[str, ...]


def rsm_eval_config(source: ConfigSource, *, compat: bool = False, folder: Path | None = None) -> RsmEvalConfig:
    """The configuration of an rsmeval experiment. InputError lists every mistake.

    Paths of options at hand are seen from `folder`, the current one without it.
    """
    settings = read_settings(source, RSMEVAL, clashes.eval_contradictions, compat=compat, folder=folder)
    values = settings.values
    second, scale_with = values["second_human_score_column"], values["scale_with"]
    return RsmEvalConfig(
        **_fields(RsmEvalConfig, settings)
        | {
            "second_human_score_column": None if second == values["system_score_column"] else second,
            "scale_file": settings.located(None if scale_with in ("asis", "raw") else scale_with),
        }
    )


def rsm_tool_config(source: ConfigSource, *, compat: bool = False, folder: Path | None = None) -> RsmModelConfig:
    """The configuration of an rsmtool experiment. InputError lists every mistake."""
    return _model_config(source, RSMTOOL, compat=compat, folder=folder)


def rsm_xval_config(source: ConfigSource, *, compat: bool = False, folder: Path | None = None) -> RsmModelConfig:
    """The configuration of an rsmxval experiment. InputError lists every mistake."""
    return _model_config(source, RSMXVAL, compat=compat, folder=folder)


def rsm_predict_config(source: ConfigSource, *, compat: bool = False, folder: Path | None = None) -> RsmPredictConfig:
    """The configuration of an rsmpredict experiment. InputError lists every mistake."""
    settings = read_settings(source, RSMPREDICT, clashes.predict_contradictions, compat=compat, folder=folder)
    left_open = () if settings.compat else ("standardize_features", "truncate_outliers", "file_format")
    unsaid = {name: None for name in left_open if name not in settings.given}
    return RsmPredictConfig(**_fields(RsmPredictConfig, settings) | unsaid)


def rsm_compare_config(source: ConfigSource, *, compat: bool = False) -> RsmExperimentsConfig:
    """The configuration of a comparison. InputError lists every mistake.

    Two experiments as RSMTool has it (`experiment_dir_old` ...), or two and more in `experiment_dirs`.
    """
    settings = read_settings(source, RSMCOMPARE, clashes.compare_contradictions, compat=compat)
    experiments = _listed(settings) if settings.values["experiment_dirs"] else _old_and_new(settings)
    return _experiments_config(settings, settings.values["comparison_id"], experiments)


def rsm_summarize_config(source: ConfigSource, *, compat: bool = False) -> RsmExperimentsConfig:
    """The configuration of a summary. InputError lists every mistake."""
    settings = read_settings(source, RSMSUMMARIZE, clashes.summary_contradictions, compat=compat)
    return _experiments_config(settings, settings.values["summary_id"], _listed(settings))


def rsm_explain_config(source: ConfigSource, *, compat: bool = False) -> RsmExplainConfig:
    """The configuration of an explanation. InputError lists every mistake."""
    settings = read_settings(source, RSMEXPLAIN, clashes.explain_contradictions, compat=compat)
    return RsmExplainConfig(**_fields(RsmExplainConfig, settings))


def _model_config(source: ConfigSource, command: Command, *, compat: bool, folder: Path | None) -> RsmModelConfig:
    settings = read_settings(source, command, clashes.model_contradictions, compat=compat, folder=folder)
    common = _fields(RsmModelConfig, settings)
    listed = settings.values["features"]
    elsewhere = {
        "test_file": None,
        "test_label_column": common["train_label_column"],
        "section_order": (),
        "folds": 0,
        "folds_file": None,
    }
    own = {
        "command": command.name,
        "flag_column_test": common["flag_column_test"] or common["flag_column"],
        "feature_file": settings.located(listed if isinstance(listed, str) else None),
    }
    return RsmModelConfig(**elsewhere | common | own)


def _fields(kind: type[Any], settings: Settings) -> dict[str, Any]:
    """The values of the options that a configuration has, files located and nothing said as an empty value."""
    empty = {"section_order": (), "flag_column": {}, "flag_column_test": {}, "min_items_per_candidate": 0}
    names = {field.name for field in fields(kind)}
    known: dict[str, Any] = {"compat": settings.compat, "saved": settings.saved, "remarks": settings.remarks()}
    for name, option in settings.command.known.items():
        value = settings.values[name]
        known[name] = settings.located(value) if option.file else value or empty.get(name, value)
    if "min_n_per_group" in names:
        known["min_n_per_group"] = per_group(known["min_n_per_group"], known["subgroups"])
    return {name: value for name, value in known.items() if name in names}


def _experiments_config(
    settings: Settings, identity: str, experiments: tuple[ExperimentSource, ...]
) -> RsmExperimentsConfig:
    common = _fields(RsmExperimentsConfig, settings)
    return RsmExperimentsConfig(**common, command=settings.command.name, identity=identity, experiments=experiments)


def _listed(settings: Settings) -> tuple[ExperimentSource, ...]:
    folders = settings.values["experiment_dirs"]
    called: tuple[str | None, ...] = settings.values["experiment_names"] or (None,) * len(folders)
    return tuple(_source(settings, folder, name=name) for folder, name in zip(folders, called, strict=True))


def _old_and_new(settings: Settings) -> tuple[ExperimentSource, ...]:
    values = settings.values
    return tuple(
        _source(
            settings,
            values[f"experiment_dir_{age}"],
            experiment_id=values[f"experiment_id_{age}"],
            description=values[f"description_{age}"],
            scaled=values[f"use_scaled_predictions_{age}"],
        )
        for age in ("old", "new")
    )


def _source(settings: Settings, folder: str, **known: Any) -> ExperimentSource:
    located = settings.located(folder)
    assert located is not None  # checked with the values
    return ExperimentSource(located, **known)
