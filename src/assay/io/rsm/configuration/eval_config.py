"""RSMTool's rsmeval configuration: JSON with comments, or TOML -> `RsmEvalConfig`, all mistakes reported at once."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.io.rsm.configuration.options import OTHER_COMMANDS, REPORT_SECTIONS, RSMEVAL_OPTIONS
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

RSMEVAL = Command(
    "rsmeval",
    RSMEVAL_OPTIONS,
    OTHER_COMMANDS,
    own={},
    as_read=frozenset(
        ["exclude_zero_scores", "use_thumbnails", "general_sections", "custom_sections", "subgroups", "section_order"]
    ),
)


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
    settings = read_settings(path, RSMEVAL, compat=compat, contradictions=_contradictions)
    return _config(settings)


def rsm_eval_config(options: Mapping[str, Any], folder: Path, *, compat: bool = False) -> RsmEvalConfig:
    """The same from options at hand; paths are seen from a folder."""
    return _config(settings_of(options, folder, RSMEVAL, compat=compat, contradictions=_contradictions))


def _contradictions(values: Mapping[str, Any], compat: bool) -> Iterator[str]:
    """Options that do not go together."""
    yield from _columns_used_twice(values, compat=compat)
    yield from common_contradictions(values)
    yield from order_contradictions(values, REPORT_SECTIONS)


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


def _config(settings: Settings) -> RsmEvalConfig:
    found, folder = dict(settings.values), settings.folder
    if found["second_human_score_column"] == found["system_score_column"]:
        found["second_human_score_column"] = None
    scale_with = found["scale_with"]
    from_file = scale_with not in (None, "asis", "raw")
    return RsmEvalConfig(
        **found
        | {
            "predictions_file": settings.located("predictions_file"),
            "min_n_per_group": per_group(found["min_n_per_group"], found["subgroups"]),
            "flag_column": found["flag_column"] or {},
            "min_items_per_candidate": found["min_items_per_candidate"] or 0,
        },
        scale_file=located(scale_with, folder) if from_file else None,
        compat=settings.compat,
        saved=settings.saved,
    )
