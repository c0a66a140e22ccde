"""Comparisons and summaries of stored experiments: configuration in, tables and evaluations out."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assay.errors import InputError
from assay.evaluation.compare import Comparison
from assay.evaluation.result import Evaluation
from assay.io.rsm.configuration.other_config import ExperimentPlace, RsmGatherConfig
from assay.io.rsm.stored import OUTPUT, read_experiment, read_experiments, renamed
from assay.io.rsm.summary import SummaryTable, summary_tables, write_summary_table
from assay.io.rsm.write import check_free
from assay.io.tables.output import OutputFolder
from assay.rsm.stored import Cell, StoredExperiment
from assay.workflows.rsm.stored_evaluation import compare_stored, evaluate_stored


@dataclass(frozen=True, eq=False, slots=True)
class GatheredExperiments:
    """Stored experiments with their evaluations, in order, and the tables about all of them."""

    experiments: tuple[StoredExperiment, ...]
    """Under names that differ."""
    evaluations: tuple[Evaluation | None, ...]
    tables: Mapping[str, SummaryTable]
    comparison: Comparison | None = None
    shared: int = 0
    """Responses that all experiments scored."""


def gather_summary(config: RsmGatherConfig) -> GatheredExperiments:
    """The experiments of a summary. Tables bear RSMTool's names; files are read, none is written."""
    found = read_places(config.places)
    apart = renamed(found)
    evaluations = tuple(evaluate_stored(experiment, groups=config.subgroups or None) for experiment in apart)
    return GatheredExperiments(apart, evaluations, summary_tables(found))


def gather_comparison(config: RsmGatherConfig) -> GatheredExperiments:
    """The experiments of a comparison, and every difference between two of them."""
    apart = renamed(read_places(config.places))
    if len(apart) < 2:
        raise InputError("A comparison needs two or more experiments. Name another folder in experiment_dirs.")
    evaluations = tuple(evaluate_stored(experiment, groups=config.subgroups or None) for experiment in apart)
    comparison, shared = compare_stored(apart)
    tables = summary_tables(apart)
    if comparison is not None:
        tables["differences"] = differences_table(comparison)
    return GatheredExperiments(apart, evaluations, tables, comparison, shared)


def read_places(places: Sequence[ExperimentPlace]) -> tuple[StoredExperiment, ...]:
    """Every experiment, called and scaled as asked."""
    found: list[StoredExperiment] = []
    for place in places:
        if place.experiment_id is None:
            found += read_experiments(place.folder, place.name)
            continue
        experiment = read_experiment(place.folder, place.experiment_id, place.name)
        settings = {**experiment.settings, **({"description": place.description} if place.description else {})}
        scaled = experiment.scaled if place.scaled is None else place.scaled
        found.append(replace(experiment, settings=settings, scaled=scaled))
    return tuple(found)


def differences_table(comparison: Comparison) -> SummaryTable:
    """Every difference between two experiments with its interval; a row each."""
    columns = ("first", "second", "difference", "low", "high", "p", "p_adjusted")
    rows: list[tuple[Cell, ...]] = [
        (d.first, d.second, d.estimate.value, d.estimate.low, d.estimate.high, d.p, d.p_adjusted)
        for d in comparison.differences
    ]
    return SummaryTable(tuple(d.metric for d in comparison.differences), columns, tuple(rows))


def write_gathered(
    found: GatheredExperiments,
    config: RsmGatherConfig,
    out: Path,
    *,
    force: bool = False,
    report: Callable[[Sequence[str], Path], object] | None = None,
) -> list[str]:
    """OUT/output with every table and the configuration, all or nothing; the names of the files.

    Where OUT/output holds files already nothing is written, unless forced; then files of the same name are replaced.
    `report` is given these names and adds a report to the folder before it appears.
    """
    check_free(out / OUTPUT, force=force)
    names: list[str] = []
    with OutputFolder(out, force=True) as folder:
        (folder / OUTPUT).mkdir()
        for name, table in found.tables.items():
            names.append(f"{config.identity}_{name}.{config.file_format}")
            write_summary_table(folder / OUTPUT / names[-1], table)
        names.append(f"{config.identity}_{config.command}.json")
        saved = json.dumps(config.settings.saved, indent=4)
        (folder / OUTPUT / names[-1]).write_text(saved, encoding="utf-8")
        if report is not None:
            report(names, folder)
    return names
