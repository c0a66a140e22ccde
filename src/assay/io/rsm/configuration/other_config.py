"""Configurations of rsmcompare, rsmsummarize and rsmexplain."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.io.rsm.configuration.other_options import (
    COMPARE_SECTIONS,
    EXPLAIN_SECTIONS,
    OWN_COMPARE_OPTIONS,
    OWN_EXPLAIN_OPTIONS,
    RSMCOMPARE_OPTIONS,
    RSMEXPLAIN_OPTIONS,
    RSMSUMMARIZE_OPTIONS,
    SUMMARY_SECTIONS,
    sisters,
)
from assay.io.rsm.configuration.settings import Command, Settings, Values, located, order_contradictions, read_settings

_AS_READ = frozenset(["general_sections", "custom_sections", "subgroups", "section_order", "experiment_dirs"])
_AS_READ |= {"experiment_names", "use_thumbnails"}
RSMCOMPARE = Command("rsmcompare", RSMCOMPARE_OPTIONS, sisters("rsmcompare"), OWN_COMPARE_OPTIONS, _AS_READ)
RSMSUMMARIZE = Command("rsmsummarize", RSMSUMMARIZE_OPTIONS, sisters("rsmsummarize"), {}, _AS_READ)
RSMEXPLAIN = Command("rsmexplain", RSMEXPLAIN_OPTIONS, sisters("rsmexplain"), OWN_EXPLAIN_OPTIONS, _AS_READ)


@dataclass(frozen=True, slots=True)
class ExperimentPlace:
    """Where an experiment is, which one, and what it is called here."""

    folder: Path
    experiment_id: str | None = None
    """None: every experiment of the folder."""
    name: str | None = None
    description: str = ""
    scaled: bool | None = None
    """Whether its scaled scores count; None: as its own configuration says."""


@dataclass(frozen=True, slots=True)
class RsmGatherConfig:
    """What a comparison or a summary of experiments is to do."""

    command: str
    identity: str
    """comparison_id or summary_id."""
    description: str
    places: tuple[ExperimentPlace, ...]
    subgroups: tuple[str, ...]
    file_format: str
    sections: tuple[str, ...]
    order: tuple[str, ...]
    settings: Settings


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
    sections: tuple[str, ...]
    order: tuple[str, ...]
    seed: int
    rounds: int
    settings: Settings


def remarks(settings: Settings) -> tuple[str, ...]:
    """What was asked for and is not done, a sentence each."""
    found = []
    if settings.values.get("custom_sections"):
        found.append("custom_sections are Jupyter notebooks: they are not run, and the report does not hold them.")
    if "comparison_id" in settings.values and "features_by_group" in settings.values["general_sections"]:
        found.append("features_by_group is not in a comparison: the report of each experiment has these box plots.")
    if settings.values.get("use_wandb"):
        found.append("use_wandb is ignored: nothing leaves this machine.")
    return tuple(found)


def read_compare_config(path: Path, *, compat: bool = False) -> RsmGatherConfig:
    """The configuration of a comparison. InputError lists every mistake.

    Two experiments as RSMTool has it (`experiment_dir_old` ...), or two and more in `experiment_dirs`.
    """
    settings = read_settings(path, RSMCOMPARE, compat=compat, contradictions=_compare_contradictions)
    values = settings.values
    places = _listed_places(settings) if values["experiment_dirs"] else _old_and_new(settings)
    return _gather("rsmcompare", values["comparison_id"], places, settings)


def read_summarize_config(path: Path, *, compat: bool = False) -> RsmGatherConfig:
    """The configuration of a summary. InputError lists every mistake."""
    settings = read_settings(path, RSMSUMMARIZE, compat=compat, contradictions=_summary_contradictions)
    return _gather("rsmsummarize", settings.values["summary_id"], _listed_places(settings), settings)


def read_explain_config(path: Path, *, compat: bool = False) -> RsmExplainConfig:
    """The configuration of an explanation. InputError lists every mistake."""
    settings = read_settings(path, RSMEXPLAIN, compat=compat, contradictions=_explain_contradictions)
    values = settings.values
    same = [
        *("experiment_id", "description", "id_column", "background_kmeans_size", "num_features_to_display"),
        *("sample_range", "sample_size", "sample_ids", "show_auto_cohorts", "standardize_features"),
        *("truncate_outliers", "seed", "rounds"),
    ]
    return RsmExplainConfig(
        **{name: values[name] for name in same},
        experiment_dir=settings.located("experiment_dir"),
        background_data=settings.located("background_data"),
        explain_data=settings.located("explain_data"),
        sections=values["general_sections"],
        order=values["section_order"] or (),
        settings=settings,
    )


def _gather(command: str, identity: str, places: tuple[ExperimentPlace, ...], settings: Settings) -> RsmGatherConfig:
    values = settings.values
    return RsmGatherConfig(
        command=command,
        identity=identity,
        description=values["description"],
        places=places,
        subgroups=values["subgroups"],
        file_format=values["file_format"],
        sections=values["general_sections"],
        order=values["section_order"] or (),
        settings=settings,
    )


def _listed_places(settings: Settings) -> tuple[ExperimentPlace, ...]:
    folders = settings.values["experiment_dirs"]
    called: tuple[str | None, ...] = settings.values["experiment_names"] or (None,) * len(folders)
    return tuple(
        ExperimentPlace(located(folder, settings.folder), name=name)
        for folder, name in zip(folders, called, strict=True)
    )


def _old_and_new(settings: Settings) -> tuple[ExperimentPlace, ...]:
    values = settings.values
    return tuple(
        ExperimentPlace(
            folder=located(values[f"experiment_dir_{age}"], settings.folder),
            experiment_id=values[f"experiment_id_{age}"],
            description=values[f"description_{age}"],
            scaled=values[f"use_scaled_predictions_{age}"],
        )
        for age in ("old", "new")
    )


def _names_fit(values: Values) -> Iterator[str]:
    folders, called = values.get("experiment_dirs"), values.get("experiment_names")
    if folders and called and len(folders) != len(called):
        yield f"experiment_names must name each of the {len(folders)} experiment_dirs, got {len(called)} names."


def _summary_contradictions(values: Values, _: bool) -> Iterator[str]:
    yield from _names_fit(values)
    yield from order_contradictions(values, SUMMARY_SECTIONS)


def _compare_contradictions(values: Values, _: bool) -> Iterator[str]:
    yield from _names_fit(values)
    yield from order_contradictions(values, COMPARE_SECTIONS)
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


def _explain_contradictions(values: Values, _: bool) -> Iterator[str]:
    yield from order_contradictions(values, EXPLAIN_SECTIONS)
    given = [name for name in ("sample_range", "sample_size", "sample_ids") if values.get(name) is not None]
    if len(given) > 1:
        yield f"{' and '.join(given)} exclude each other. Keep one."
