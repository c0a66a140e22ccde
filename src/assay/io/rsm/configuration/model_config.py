"""Configurations of rsmtool and rsmxval -> `RsmModelConfig`; of rsmpredict -> `RsmPredictConfig`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.io.rsm.configuration.model_options import (
    OWN_TRAINING_OPTIONS,
    OWN_XVAL_OPTIONS,
    RSMPREDICT_OPTIONS,
    RSMTOOL_OPTIONS,
    RSMTOOL_SECTIONS,
    RSMXVAL_OPTIONS,
    sisters_of,
)
from assay.io.rsm.configuration.settings import (
    Command,
    Settings,
    common_contradictions,
    located,
    order_contradictions,
    per_group,
    read_settings,
    settings_of,
)

_AS_READ = frozenset(
    [
        *("exclude_zero_scores", "use_thumbnails", "general_sections", "custom_sections", "subgroups", "section_order"),
        *("use_scaled_predictions", "select_transformations", "use_truncation_thresholds", "predict_expected_scores"),
    ]
)
RSMTOOL = Command("rsmtool", RSMTOOL_OPTIONS, sisters_of("rsmtool"), OWN_TRAINING_OPTIONS, _AS_READ)
RSMXVAL = Command("rsmxval", RSMXVAL_OPTIONS, sisters_of("rsmxval"), OWN_XVAL_OPTIONS, _AS_READ)
RSMPREDICT = Command("rsmpredict", RSMPREDICT_OPTIONS, sisters_of("rsmpredict"), {}, _AS_READ)

_ROLES = ("id_column", "train_label_column", "length_column")
"""Options that must name different columns. A candidate may be the response itself."""
_MORE_ROLES = ("test_label_column", "second_human_score_column", "candidate_column", "human_score_column")
"""Options whose columns can be no subgroups and no flags either."""
FAKE = "fake"
"""The label column that stands for random labels in RSMTool, which does not work there."""


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
    custom_sections: tuple[str, ...] | None
    use_wandb: bool
    feature_file: Path | None
    folder: Path
    compat: bool
    saved: Mapping[str, Any]

    def remarks(self) -> tuple[str, ...]:
        """What was asked for and is not done, a sentence each."""
        found = []
        if self.custom_sections:
            found.append("custom_sections are Jupyter notebooks: they are not run, and the report does not hold them.")
        if self.use_wandb:
            found.append("use_wandb is ignored: nothing leaves this machine.")
        if self.folds_file is not None and not self.folds_file.exists():
            found.append(f"folds_file {self.folds_file.name} does not exist: {self.folds} folds are drawn instead.")
        return tuple(found)


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


def read_rsm_tool_config(path: Path, *, compat: bool = False) -> RsmModelConfig:
    """The configuration of an rsmtool experiment, JSON or TOML. InputError lists every mistake."""
    return _model_config(read_settings(path, RSMTOOL, compat=compat, contradictions=_contradictions), RSMTOOL)


def read_rsm_xval_config(path: Path, *, compat: bool = False) -> RsmModelConfig:
    """The configuration of an rsmxval experiment, JSON or TOML. InputError lists every mistake."""
    return _model_config(read_settings(path, RSMXVAL, compat=compat, contradictions=_contradictions), RSMXVAL)


def rsm_tool_config(options: Mapping[str, Any], folder: Path, *, compat: bool = False) -> RsmModelConfig:
    """The same from options at hand; paths are seen from a folder."""
    settings = settings_of(options, folder, RSMTOOL, compat=compat, contradictions=_contradictions)
    return _model_config(settings, RSMTOOL)


def rsm_xval_config(options: Mapping[str, Any], folder: Path, *, compat: bool = False) -> RsmModelConfig:
    """The same for a cross-validation."""
    settings = settings_of(options, folder, RSMXVAL, compat=compat, contradictions=_contradictions)
    return _model_config(settings, RSMXVAL)


def rsm_predict_config(options: Mapping[str, Any], folder: Path, *, compat: bool = False) -> RsmPredictConfig:
    """The same for scoring new responses."""
    return _predict_config(
        settings_of(options, folder, RSMPREDICT, compat=compat, contradictions=_predict_contradictions)
    )


def read_rsm_predict_config(path: Path, *, compat: bool = False) -> RsmPredictConfig:
    """The configuration of an rsmpredict experiment, JSON or TOML. InputError lists every mistake."""
    return _predict_config(read_settings(path, RSMPREDICT, compat=compat, contradictions=_predict_contradictions))


def _predict_contradictions(values: Mapping[str, Any], _: bool) -> Iterator[str]:
    yield from _used_twice(values, ("id_column", "human_score_column"))
    yield from common_contradictions(values)


def _predict_config(settings: Settings) -> RsmPredictConfig:
    found = {name: settings.values[name] for name in _names(RsmPredictConfig) if name in settings.values}
    for name in ("standardize_features", "truncate_outliers", "file_format"):
        if name not in settings.given and not settings.compat:
            found[name] = None
    found |= {name: settings.located(name) for name in ("experiment_dir", "input_features_file")}
    return RsmPredictConfig(**found | {"flag_column": found["flag_column"] or {}, "compat": settings.compat})


def _model_config(settings: Settings, command: Command) -> RsmModelConfig:
    values, folder = dict(settings.values), settings.folder
    found = {name: values[name] for name in _names(RsmModelConfig) if name in values}
    found |= {name: _file(values.get(name), folder) for name in ("train_file", "test_file", "feature_subset_file")}
    flag = found["flag_column"] or {}
    feature_file = values["features"] if isinstance(values["features"], str) else None
    found |= {
        "flag_column": flag,
        "flag_column_test": found["flag_column_test"] or flag,
        "min_items_per_candidate": found["min_items_per_candidate"] or 0,
        "min_n_per_group": per_group(values["min_n_per_group"], values["subgroups"]),
        "test_label_column": values.get("test_label_column", values["train_label_column"]),
        "folds": values.get("folds", 0),
        "folds_file": _file(values.get("folds_file"), folder),
        "custom_sections": values.get("custom_sections"),
        "feature_file": _file(feature_file, folder),
    }
    return RsmModelConfig(**found, command=command.name, folder=folder, compat=settings.compat, saved=settings.saved)


def _names(kind: type[RsmModelConfig] | type[RsmPredictConfig]) -> list[str]:
    return [field.name for field in fields(kind)]


def _file(name: str | None, folder: Path) -> Path | None:
    return None if name is None else located(name, folder)


def _contradictions(values: Mapping[str, Any], _: bool) -> Iterator[str]:
    """Options that do not go together."""
    yield from _feature_contradictions(values)
    yield from _column_contradictions(values)
    yield from common_contradictions(values)
    yield from order_contradictions(values, RSMTOOL_SECTIONS)
    if values.get("model"):
        yield from _model_contradictions(values)


def _feature_contradictions(values: Mapping[str, Any]) -> Iterator[str]:
    listed = values.get("features")
    for option in ("feature_subset_file", "feature_subset"):
        if listed and values.get(option):
            yield f"features and {option} cannot be used together. Keep one of them."
    for option in ("feature_subset", "sign"):
        if values.get(option) and not values.get("feature_subset_file"):
            yield f"{option} needs feature_subset_file: the table that says what it means."
    if values.get("use_truncation_thresholds") and not isinstance(listed, str):
        yield "use_truncation_thresholds needs a feature file in features, with columns min and max."


def _column_contradictions(values: Mapping[str, Any]) -> Iterator[str]:
    second = values.get("second_human_score_column")
    # the second human score is one of the evaluation responses: in training its column may be the label
    if second and second == values.get("test_label_column", values.get("train_label_column")):
        yield f"second_human_score_column and the label column are both {second!r}. Give each its own."
    yield from _used_twice(values, _ROLES)
    for option in ("train_label_column", "test_label_column"):
        if values.get(option) == FAKE:
            yield f"{option} 'fake' stands for random labels in RSMTool and fails there. Name a column of human scores."
    listed = values.get("features")
    if isinstance(listed, tuple):
        for option in ("length_column", "second_human_score_column"):
            if values.get(option) in listed:
                yield f"{values[option]!r} is the {option} and cannot be a feature as well."


def _used_twice(values: Mapping[str, Any], roles: tuple[str, ...]) -> Iterator[str]:
    used: dict[str, str] = {}
    for role in roles:
        column = values.get(role)
        if column is not None and column in used:
            yield f"{role} and {used[column]} both name the column {column!r}. Give each its own."
        elif column is not None:
            used[column] = role
    for role in (*_MORE_ROLES, *roles):
        if values.get(role) is not None:
            used.setdefault(values[role], role)
    for role in ("subgroups", "flag_column", "flag_column_test"):
        for column in values.get(role) or ():
            if column in used:
                yield f"{role} names the column {column!r}, which is the {used[column]} already."


def _model_contradictions(values: Mapping[str, Any]) -> Iterator[str]:
    from assay.rsm.learners.built_in import BUILT_IN  # noqa: PLC0415
    from assay.rsm.learners.estimators import ESTIMATORS  # noqa: PLC0415
    from assay.rsm.learners.objectives import check_objective  # noqa: PLC0415
    from assay.rsm.learners.train import check_model  # noqa: PLC0415
    from assay.rsm.plan import ExperimentPlan  # noqa: PLC0415

    expected = bool(values.get("predict_expected_scores"))
    try:
        check_model(ExperimentPlan(values["model"], predict_expected_scores=expected))
        objective = values.get("skll_objective")
        if objective and values["model"] not in BUILT_IN:
            check_objective(objective, classifier=ESTIMATORS[values["model"]].classifier)
    except InputError as problem:
        yield str(problem)
