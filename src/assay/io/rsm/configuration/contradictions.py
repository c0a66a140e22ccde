"""Options that do not go together, a sentence each."""

import difflib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.io.rsm.configuration.schema import RSMCOMPARE, RSMEVAL, RSMEXPLAIN, RSMSUMMARIZE, RSMTOOL, Command

Values = Mapping[str, Any]

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
_ROLES = ("id_column", "train_label_column", "length_column")
"""Options that must name different columns. A candidate may be the response itself."""
_MORE_ROLES = ("test_label_column", "second_human_score_column", "candidate_column", "human_score_column")
"""Options whose columns can be no subgroups and no flags either."""
FAKE = "fake"
"""The label column that stands for random labels in RSMTool, which does not work there."""


def eval_contradictions(values: Values, compat: bool) -> Iterator[str]:
    yield from _eval_columns(values, compat=compat)
    yield from _common(values)
    yield from _order(values, RSMEVAL)


def model_contradictions(values: Values, _: bool) -> Iterator[str]:
    yield from _features(values)
    yield from _training_columns(values)
    yield from _common(values)
    yield from _order(values, RSMTOOL)
    if values.get("model"):
        yield from _model(values)


def predict_contradictions(values: Values, _: bool) -> Iterator[str]:
    yield from _used_twice(values, ("id_column", "human_score_column"))
    yield from _common(values)


def summary_contradictions(values: Values, _: bool) -> Iterator[str]:
    yield from _experiment_names(values)
    yield from _order(values, RSMSUMMARIZE)


def compare_contradictions(values: Values, _: bool) -> Iterator[str]:
    yield from _experiment_names(values)
    yield from _order(values, RSMCOMPARE)
    pairs = ("experiment_id_old", "experiment_dir_old", "experiment_id_new", "experiment_dir_new")
    given = [name for name in pairs if values.get(name)]
    if values.get("experiment_dirs"):
        if given:
            yield f"experiment_dirs and {given[0]} exclude each other. List all, or name an old and a new one."
        elif len(values["experiment_dirs"]) < 2:
            yield "experiment_dirs must list two or more folders to compare."
    elif len(given) < len(pairs):
        missing = ", ".join(name for name in pairs if name not in given)
        yield f"{missing} missing. rsmcompare needs an old and a new experiment, or a list of experiment_dirs."


def explain_contradictions(values: Values, _: bool) -> Iterator[str]:
    yield from _order(values, RSMEXPLAIN)
    given = [name for name in ("sample_range", "sample_size", "sample_ids") if values.get(name) is not None]
    if len(given) > 1:
        yield f"{' and '.join(given)} exclude each other. Keep one."


def _common(values: Values) -> Iterator[str]:
    low, high = values.get("trim_min"), values.get("trim_max")
    if low is not None and high is not None and low >= high:
        yield f"trim_min ({low:g}) must be below trim_max ({high:g})."
    if values.get("min_items_per_candidate") and not values.get("candidate_column"):
        yield "min_items_per_candidate needs candidate_column: the column that says who wrote a response."
    least = values.get("min_n_per_group")
    if isinstance(least, dict) and "subgroups" in values and set(least) != set(values["subgroups"]):
        yield f"min_n_per_group must name the same columns as subgroups: {', '.join(values['subgroups']) or 'none'}."


def _order(values: Values, command: Command) -> Iterator[str]:
    """Sections that have a place but are not in the report. RSMTool asks for all of them; here some will do."""
    custom = [Path(name).stem for name in values.get("custom_sections") or ()]
    general = values.get("general_sections") or ("all",)
    for name in values.get("section_order") or ():
        if name in custom:
            continue
        if name not in command.sections:
            near = difflib.get_close_matches(name, [*command.sections, *custom], n=1, cutoff=0)
            yield f"section_order names {name!r}, which is no section. Did you mean {near[0]}?"
        elif "all" not in general and name not in general:
            yield f"section_order names {name!r}, which is not among general_sections. Add it there, or remove it here."


def _experiment_names(values: Values) -> Iterator[str]:
    folders, called = values.get("experiment_dirs"), values.get("experiment_names")
    if folders and called and len(folders) != len(called):
        yield f"experiment_names must name each of the {len(folders)} experiment_dirs, got {len(called)} names."


def _eval_columns(values: Values, *, compat: bool) -> Iterator[str]:
    used: dict[str, str] = {}
    for role in OWN_NAMES:
        column = values.get(role)
        if column is None:
            continue
        # RSMTool takes the system score for what it is, and leaves out the second human score
        excused = compat and (used.get(column), role) == ("system_score_column", "second_human_score_column")
        if column in used and not excused:
            yield f"{role} and {used[column]} both name the column {column!r}. Give each its own."
        used.setdefault(column, role)
    reserved = {*COUNT_NAMES, *(OWN_NAMES[role] for role in used.values())}
    for role in ("subgroups", "flag_column"):
        for column in values.get(role) or ():
            if column in used:
                yield f"{role} names the column {column!r}, which is the {used[column]} already."
            elif column in reserved:
                yield f"{role} names the column {column!r}, but RSMTool's tables use this name. Rename the column."


def _features(values: Values) -> Iterator[str]:
    listed = values.get("features")
    for option in ("feature_subset_file", "feature_subset"):
        if listed and values.get(option):
            yield f"features and {option} cannot be used together. Keep one of them."
    for option in ("feature_subset", "sign"):
        if values.get(option) and not values.get("feature_subset_file"):
            yield f"{option} needs feature_subset_file: the table that says what it means."
    if values.get("use_truncation_thresholds") and not isinstance(listed, str):
        yield "use_truncation_thresholds needs a feature file in features, with columns min and max."


def _training_columns(values: Values) -> Iterator[str]:
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


def _used_twice(values: Values, roles: tuple[str, ...]) -> Iterator[str]:
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


def _model(values: Values) -> Iterator[str]:
    from assay.rsm.learners.estimators import (  # noqa: PLC0415 - learners are slow to import
        BUILT_IN,
        ESTIMATORS,
        check_model,
        check_objective,
    )
    from assay.rsm.types import ExperimentPlan  # noqa: PLC0415

    expected = bool(values.get("predict_expected_scores"))
    try:
        check_model(ExperimentPlan(values["model"], predict_expected_scores=expected))
        objective = values.get("skll_objective")
        if objective and values["model"] not in BUILT_IN:
            check_objective(objective, classifier=ESTIMATORS[values["model"]].classifier)
    except InputError as problem:
        yield str(problem)
