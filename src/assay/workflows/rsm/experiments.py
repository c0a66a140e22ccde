"""`rsm_compare` and `rsm_summarize`: stored experiments side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from assay.errors import InputError
from assay.evaluation.compare import Comparison
from assay.evaluation.result import Evaluation
from assay.execution.observer import SILENT, Observer
from assay.io.results.result_json import plain
from assay.io.rsm import stored
from assay.io.rsm.configuration.configs import RsmExperimentsConfig, rsm_compare_config, rsm_summarize_config
from assay.io.rsm.configuration.settings import ConfigSource
from assay.io.rsm.configuration.values import FILE_FORMATS
from assay.provenance import Provenance
from assay.rsm.stored import StoredExperiment
from assay.workflows.arguments import check_arguments
from assay.workflows.rsm.evaluations import compare_stored, evaluate_stored
from assay.workflows.rsm.outputs import (
    COMPAT_OPTIONS,
    OUTPUT,
    RsmResult,
    begin,
    documented,
    own_sections,
    provenance_of,
    write_json,
)

if TYPE_CHECKING:
    from assay.report.document.document import Document
    from assay.report.rsm.experiments import EvaluatedExperiment

SCHEMA = "assay.rsm-experiments/1"
COMPARED = """A configuration file of {tool}, or its options by name: an old and a new experiment as RSMTool names them,
or any number of folders in `experiment_dirs`."""


@dataclass(frozen=True, eq=False, repr=False)
class RsmExperimentsResult(RsmResult):
    """Stored experiments with their evaluations, in order, and the tables about all of them."""

    config: RsmExperimentsConfig
    experiments: tuple[StoredExperiment, ...]
    """Under names that differ."""
    evaluations: tuple[Evaluation | None, ...]
    """None where an experiment holds no scores."""
    tables: Mapping[str, stored.SummaryTable]
    provenance: Provenance

    @property
    def identity(self) -> str:
        return self.config.identity

    def summary(self) -> list[tuple[str, str]]:
        rows = zip(self.experiments, self.evaluations, strict=True)
        qwk = [(e.name, "no scores" if v is None else f"QWK {v.figures()['qwk'].value:.2f}") for e, v in rows]
        return [(self.config.command, self.identity), *qwk]

    def to_dict(self) -> dict[str, Any]:
        rows = zip(self.experiments, self.evaluations, strict=True)
        return {
            "schema": SCHEMA,
            "command": self.config.command,
            "id": self.identity,
            "provenance": plain(self.provenance),
            "experiments": [
                {"name": e.name, "experiment_id": e.experiment_id, "figures": None if v is None else plain(v.figures())}
                for e, v in rows
            ],
            "tables": {name: stored.summary_frame(table).to_dicts() for name, table in self.tables.items()},
        }

    def write_files(self, folder: Path) -> None:
        """Every table and the configuration as RSMTool saves it."""
        config, output = self.config, folder / OUTPUT
        output.mkdir()
        for name, table in self.tables.items():
            stored.write_summary_table(output / f"{config.identity}_{name}.{config.file_format}", table)
        write_json(output / f"{config.identity}_{config.command}.json", config.saved)

    def pages(self) -> "tuple[list[EvaluatedExperiment], dict[str, Any]]":
        """Each experiment with its evaluation, and what every report is told."""
        from assay.report.rsm.experiments import EvaluatedExperiment  # noqa: PLC0415 - reports are not always asked for

        word = "Summary" if self.config.command == "rsmsummarize" else "Comparison"
        known = {
            "title": self.config.description or f"{word} “{self.identity}”",
            "provenance": self.provenance,
            "sections": self.config.general_sections,
            "order": self.config.section_order,
            "own": own_sections(self.config.custom_sections),
        }
        return [EvaluatedExperiment(*pair) for pair in zip(self.experiments, self.evaluations, strict=True)], known


@dataclass(frozen=True, eq=False, repr=False)
class RsmSummarizeResult(RsmExperimentsResult):
    """What came out of a summary."""

    def to_polars(self) -> pl.DataFrame:
        """The short evaluation of every experiment that has one."""
        table = self.tables.get("eval_short")
        return pl.DataFrame() if table is None else stored.summary_frame(table)

    def document(self, files: Sequence[str] = ()) -> "Document":
        from assay.report.rsm.summary_report import summary_report  # noqa: PLC0415 - not always asked for

        experiments, known = self.pages()
        return summary_report(experiments, files=files, **known)


@dataclass(frozen=True, eq=False, repr=False)
class RsmCompareResult(RsmExperimentsResult):
    """What came out of a comparison."""

    comparison: Comparison | None
    """None when an experiment has no scores to compare."""
    shared: int
    """Responses that all experiments scored."""

    def to_polars(self) -> pl.DataFrame:
        """Every difference between two experiments with its interval; empty where scores cannot be compared."""
        table = self.tables.get("differences")
        return pl.DataFrame() if table is None else stored.summary_frame(table).rename({"": "figure"})

    def document(self, files: Sequence[str] = ()) -> "Document":  # noqa: ARG002 - RSMTool lists none in a comparison
        from assay.report.rsm.compare_report import rsm_comparison_report  # noqa: PLC0415 - not always asked for

        experiments, known = self.pages()
        return rsm_comparison_report(experiments, self.comparison, self.shared, **known)


@documented("rsmsummarize", compat=COMPAT_OPTIONS)
def rsm_summarize(
    config: ConfigSource,
    out: str | Path | None = None,
    *,
    force: bool = False,
    compat: bool = False,
    pdf: bool = False,
    command: str = "",
    observer: Observer = SILENT,
) -> RsmSummarizeResult:
    """Summarize any number of experiments side by side, as RSMTool's rsmsummarize does.

    Returns
    -------
    RsmSummarizeResult
        The experiments, their evaluations and RSMTool's tables; `.write(folder)` writes what the command writes.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from assay import rsm_tool
    >>> options = {"model": "LinearRegression", "id_column": "id", "train_file": "examples/training.csv"}
    >>> options |= {"train_label_column": "human", "test_file": "examples/scores.csv", "test_label_column": "human"}
    >>> with TemporaryDirectory() as folder:
    ...     for name in ("words", "engine_a"):
    ...         own = {"experiment_id": name, "features": [name]}
    ...         experiment = rsm_tool(options | own, Path(folder, name), no_report=True)
    ...     folders = [str(Path(folder, name)) for name in ("words", "engine_a")]
    ...     result = rsm_summarize({"summary_id": "both", "experiment_dirs": folders})
    >>> result.to_polars().get_column("N").to_list()
    [589, 586]
    """
    check_arguments(rsm_summarize, locals())
    settings = rsm_summarize_config(config, compat=compat)
    begin(out, settings.remarks, observer, force=force)
    experiments = _read(settings)
    apart, evaluations, origin = _evaluated(experiments, config, settings, command)
    # tables bear RSMTool's names, also where two are the same
    result = RsmSummarizeResult(settings, apart, evaluations, stored.summary_tables(experiments), origin)
    observer.check()
    return result.written(out, force=force, pdf=pdf)


@documented("rsmcompare", compat=COMPAT_OPTIONS, config=COMPARED)
def rsm_compare(
    config: ConfigSource,
    out: str | Path | None = None,
    *,
    force: bool = False,
    compat: bool = False,
    pdf: bool = False,
    command: str = "",
    observer: Observer = SILENT,
) -> RsmCompareResult:
    """Compare two or more experiments, as RSMTool's rsmcompare does for two; differences come with intervals.

    Returns
    -------
    RsmCompareResult
        Every difference with its interval, on the responses that all experiments scored; `.write(folder)` writes it.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from assay import rsm_tool
    >>> options = {"model": "LinearRegression", "id_column": "id", "train_file": "examples/training.csv"}
    >>> options |= {"train_label_column": "human", "test_file": "examples/scores.csv", "test_label_column": "human"}
    >>> with TemporaryDirectory() as folder:
    ...     for name in ("words", "engine_a"):
    ...         own = {"experiment_id": name, "features": [name]}
    ...         experiment = rsm_tool(options | own, Path(folder, name), no_report=True)
    ...     folders = [str(Path(folder, name)) for name in ("words", "engine_a")]
    ...     result = rsm_compare({"comparison_id": "both", "experiment_dirs": folders})
    >>> result.shared, result.to_polars().filter(figure="qwk").get_column("difference").round(2).to_list()
    (586, [-0.34])
    """
    check_arguments(rsm_compare, locals())
    settings = rsm_compare_config(config, compat=compat)
    begin(out, settings.remarks, observer, force=force)
    experiments = _read(settings)
    if len(experiments) < 2:
        remedy = "Name another folder in experiment_dirs."
        raise InputError("a comparison needs two or more experiments", field="experiment_dirs", remedy=remedy)
    apart, evaluations, origin = _evaluated(experiments, config, settings, command)
    comparison, shared = compare_stored(apart)
    tables = stored.summary_tables(apart)
    if comparison is not None:
        columns = ("first", "second", "difference", "low", "high", "p", "p_adjusted")
        rows = tuple(
            (d.first, d.second, d.estimate.value, d.estimate.low, d.estimate.high, d.p, d.p_adjusted)
            for d in comparison.differences
        )
        tables["differences"] = stored.SummaryTable(tuple(d.metric for d in comparison.differences), columns, rows)
    result = RsmCompareResult(settings, apart, evaluations, tables, origin, comparison, shared)
    observer.check()
    return result.written(out, force=force, pdf=pdf)


def _read(config: RsmExperimentsConfig) -> tuple[StoredExperiment, ...]:
    """Every experiment, called and scaled as asked."""
    experiments: list[StoredExperiment] = []
    for source in config.experiments:
        if source.experiment_id is None:
            experiments += stored.read_experiments(source.folder, source.name)
            continue
        experiment = stored.read_experiment(source.folder, source.experiment_id, source.name)
        settings = {**experiment.settings, **({"description": source.description} if source.description else {})}
        scaled = experiment.scaled if source.scaled is None else source.scaled
        experiments.append(replace(experiment, settings=settings, scaled=scaled))
    return tuple(experiments)


def _evaluated(
    experiments: Sequence[StoredExperiment], config: ConfigSource, settings: RsmExperimentsConfig, command: str
) -> tuple[tuple[StoredExperiment, ...], tuple[Evaluation | None, ...], Provenance]:
    """The experiments under names that differ, their evaluations, and the files of scores these were made from."""
    apart = stored.renamed(experiments)
    evaluations = tuple(evaluate_stored(experiment, groups=settings.subgroups or None) for experiment in apart)
    folders = {source.folder for source in settings.experiments}
    ids = {experiment.experiment_id for experiment in apart}
    paths = (f / OUTPUT / f"{i}_pred_processed.{e}" for f in folders for i in ids for e in FILE_FORMATS)
    files = sorted(path for path in paths if path.is_file())
    return apart, evaluations, provenance_of(config, files, command=command)
