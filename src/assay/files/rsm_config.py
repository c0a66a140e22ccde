"""RSMTool's rsmeval configuration: a JSON file with comments -> `RsmEvalConfig`, all mistakes reported at once."""

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.files.json_comments import read_json_object
from assay.files.rsm_options import OTHER_COMMANDS, RSMEVAL_OPTIONS, BadValue, yes_or_no

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

COMPAT = "compat"
"""Our one option more: reproduce RSMTool's defects too."""


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
    use_thumbnails: bool
    scale_with: str | None
    """None or "raw": raw scores; "asis": scores that come scaled already; otherwise `scale_file` is set."""
    second_human_score_column: str | None
    file_format: str
    candidate_column: str | None
    general_sections: tuple[str, ...]
    custom_sections: tuple[str, ...] | None
    rater_error_variance: float | None
    trim_tolerance: float
    subgroups: tuple[str, ...]
    min_n_per_group: Mapping[str, int]
    """For each subgroup column, from how many responses on a group is shown in the report."""
    section_order: tuple[str, ...] | None
    flag_column: Mapping[str, tuple[Any, ...]]
    min_items_per_candidate: int
    use_wandb: bool
    wandb_project: str | None
    wandb_entity: str | None
    scale_file: Path | None
    """Training predictions and human scores to scale with."""
    compat: bool
    saved: Mapping[str, Any]
    """The configuration as RSMTool would save it: the user's options first, then the defaults."""

    def remarks(self) -> tuple[str, ...]:
        """What was asked for and is not done, a sentence each."""
        found = []
        if self.custom_sections:
            found.append("custom_sections are Jupyter notebooks: they are not run, and the report does not hold them.")
        if self.use_wandb:
            found.append("use_wandb is ignored: nothing leaves this machine.")
        return tuple(found)


def read_rsm_eval_config(path: Path, *, compat: bool = False) -> RsmEvalConfig:
    """The configuration in a file. InputError lists every mistake, each with its remedy.

    An option of another RSMTool command is a mistake; RSMTool drops it in silence, and so does `compat`.
    """
    given = read_json_object(path)
    mistakes: list[str] = []
    compat = _compat(given.pop(COMPAT, False), mistakes) or compat
    mistakes += _misplaced(given, compat=compat)
    values = _values(given, mistakes)
    mistakes += _contradictions(values, compat=compat)
    if mistakes:
        listed = "".join(f"\n  - {mistake}" for mistake in mistakes)
        raise InputError(f"{path.name} cannot be used as an rsmeval configuration:{listed}")
    return _config(values, _saved(given, values), path.parent, compat=compat)


def _compat(value: Any, mistakes: list[str]) -> bool:
    try:
        return yes_or_no(value)
    except BadValue as problem:
        mistakes.append(f"{COMPAT} must be {problem}, got {value!r}.")
        return False


def _misplaced(given: Mapping[str, Any], *, compat: bool) -> Iterator[str]:
    commands = {option: command for command, options in OTHER_COMMANDS.items() for option in options}
    for name in given:
        if name in RSMEVAL_OPTIONS or (compat and name in commands):
            continue
        if name in commands:
            yield f"{name} is an option of {commands[name]}, not of rsmeval. Remove it, or ignore it with --compat."
            continue
        near = difflib.get_close_matches(name, RSMEVAL_OPTIONS, n=1, cutoff=0)
        yield f"There is no option {name}. Did you mean {near[0]}?"


def _values(given: Mapping[str, Any], mistakes: list[str]) -> dict[str, Any]:
    """The value of every option that could be read."""
    values: dict[str, Any] = {}
    for name, option in RSMEVAL_OPTIONS.items():
        value = given.get(name)
        if value is None:
            values[name] = option.default
            if option.required:
                mistakes.append(f"{name} is missing. rsmeval needs it.")
            continue
        try:
            values[name] = option.read(value)
        except BadValue as problem:
            mistakes.append(f"{name} must be {problem}, got {value!r}.")
    return values


def _contradictions(values: Mapping[str, Any], *, compat: bool) -> Iterator[str]:
    """Options that do not go together."""
    low, high = values.get("trim_min"), values.get("trim_max")
    if low is not None and high is not None and low >= high:
        yield f"trim_min ({low:g}) must be below trim_max ({high:g})."
    yield from _columns_used_twice(values, compat=compat)
    if values.get("min_items_per_candidate") and not values.get("candidate_column"):
        yield "min_items_per_candidate needs candidate_column: the column that says who wrote a response."
    least = values.get("min_n_per_group")
    if isinstance(least, dict) and "subgroups" in values and set(least) != set(values["subgroups"]):
        yield f"min_n_per_group must name the same columns as subgroups: {', '.join(values['subgroups']) or 'none'}."


def _columns_used_twice(values: Mapping[str, Any], *, compat: bool) -> Iterator[str]:
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
    taken = {*COUNT_NAMES, *(OWN_NAMES[role] for role in used.values())}
    for role in ("subgroups", "flag_column"):
        for column in values.get(role) or ():
            if column in used:
                yield f"{role} names the column {column!r}, which is the {used[column]} already."
            elif column in taken:
                yield f"{role} names the column {column!r}, but RSMTool's tables use this name. Rename the column."


def _config(values: Mapping[str, Any], saved: Mapping[str, Any], folder: Path, *, compat: bool) -> RsmEvalConfig:
    found = dict(values)
    if found["second_human_score_column"] == found["system_score_column"]:
        found["second_human_score_column"] = None
    scale_with = found["scale_with"]
    from_file = scale_with not in (None, "asis", "raw")
    return RsmEvalConfig(
        **found
        | {
            "predictions_file": _located(found["predictions_file"], folder),
            "min_n_per_group": _per_group(found["min_n_per_group"], found["subgroups"]),
            "flag_column": found["flag_column"] or {},
            "min_items_per_candidate": found["min_items_per_candidate"] or 0,
        },
        scale_file=_located(scale_with, folder) if from_file else None,
        compat=compat,
        saved=saved,
    )


def _located(name: str, folder: Path) -> Path:
    """The file as seen from the configuration file, or else from where the command was called."""
    beside = folder / name
    return beside if beside.exists() or not Path(name).exists() else Path(name)


def _per_group(least: int | Mapping[str, int] | None, subgroups: tuple[str, ...]) -> dict[str, int]:
    if least is None:
        return {}
    return dict(least) if isinstance(least, Mapping) else dict.fromkeys(subgroups, least)


def _saved(given: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    as_read = {"exclude_zero_scores", "use_thumbnails", "general_sections", "custom_sections", "subgroups"}
    as_read |= {"section_order"}
    saved: dict[str, Any] = {}
    for name in [*(n for n in given if n in RSMEVAL_OPTIONS), *RSMEVAL_OPTIONS]:
        value = values[name] if name in as_read or given.get(name) is None else given[name]
        saved.setdefault(name, list(value) if isinstance(value, tuple) else value)
    if saved["min_n_per_group"]:
        saved["min_n_per_group"] = _per_group(values["min_n_per_group"], values["subgroups"])
    return saved
