"""`rsm_eval`: scores of any engine, evaluated as RSMTool's rsmeval does it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from assay.evaluation.plan import Plan
from assay.evaluation.result import Evaluation
from assay.evaluation.score_variants import Scaling
from assay.execution.observer import SILENT, Observer
from assay.io.results.result_json import plain
from assay.io.rsm.configuration.configs import RsmEvalConfig, rsm_eval_config
from assay.io.rsm.configuration.settings import ConfigSource
from assay.io.rsm.read import read_predictions, read_scaling
from assay.io.rsm.rows import composition_tables, row_tables
from assay.provenance import Provenance
from assay.scale import ScoreScale
from assay.workflows.arguments import check_arguments
from assay.workflows.rsm import outputs
from assay.workflows.rsm.evaluations import evaluate_responses

if TYPE_CHECKING:
    from assay.report.document.document import Document

SCHEMA = "assay.rsm-evaluation/1"


@dataclass(frozen=True, eq=False, repr=False)
class RsmEvalResult(outputs.EvaluatedResult):
    """What came out of an rsmeval experiment."""

    config: RsmEvalConfig
    evaluation: Evaluation
    tables: Mapping[str, pl.DataFrame]
    """RSMTool's tables by name, the experiment's id left out."""
    provenance: Provenance

    def summary(self) -> list[tuple[str, str]]:
        return [("rsmeval", self.identity), *self.facts()]

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "experiment_id": self.identity,
            "provenance": plain(self.provenance),
            "evaluation": plain(self.evaluation) | {"figures": plain(self.evaluation.figures())},
        }

    def document(self, files: Sequence[str] = ()) -> "Document":
        from assay.report.evaluation.report import evaluation_report  # noqa: PLC0415 - not always asked for

        return evaluation_report(
            self.evaluation,
            title=self.config.description or f"Evaluation of “{self.identity}”",
            source=self.config.predictions_file.name,
            provenance=self.provenance,
            files=files,
            sections=self.config.general_sections,
            order=self.config.section_order,
            own=outputs.own_sections(self.config.custom_sections),
        )

    def write_files(self, folder: Path) -> None:
        """Every table that has rows, and the configuration as RSMTool saves it."""
        outputs.write_tables(
            self.tables, folder / outputs.OUTPUT, prefix=self.identity, file_format=self.config.file_format
        )
        outputs.write_json(folder / outputs.OUTPUT / f"{self.identity}_rsmeval.json", self.config.saved)


@outputs.documented("rsmeval")
def rsm_eval(
    config: ConfigSource,
    out: str | Path | None = None,
    *,
    force: bool = False,
    compat: bool = False,
    mlflow: str | None = None,
    command: str = "",
    observer: Observer = SILENT,
) -> RsmEvalResult:
    """Evaluate the scores of any engine, as RSMTool's rsmeval does.

    Returns
    -------
    RsmEvalResult
        The evaluation and RSMTool's tables; `.write(folder)` writes what the command writes.

    Examples
    --------
    >>> result = rsm_eval(
    ...     {
    ...         "experiment_id": "ours",
    ...         "predictions_file": "examples/scores.csv",
    ...         "id_column": "id",
    ...         "human_score_column": "human",
    ...         "system_score_column": "engine_a",
    ...         "trim_min": 1,
    ...         "trim_max": 6,
    ...     }
    ... )
    >>> round(result.evaluation.figures()["qwk"].value, 2)
    0.82
    """
    check_arguments(rsm_eval, locals())
    settings = rsm_eval_config(config, compat=compat)
    outputs.begin(out, settings.remarks, observer, force=force, mlflow=mlflow)
    files = [settings.predictions_file, *([settings.scale_file] if settings.scale_file else [])]
    result = evaluate_predictions(settings, outputs.provenance_of(config, files, command=command))
    observer.check()
    return result.written(out, force=force, mlflow=mlflow)


def evaluate_predictions(config: RsmEvalConfig, provenance: Provenance) -> RsmEvalResult:
    """The evaluation and the tables of an experiment; files are read, none is written.

    RSMTool documents scale_with "raw" as no scaling, but scales to the same scores; so does `compat`.
    """
    frame, ratings = read_predictions(config)
    scaling = None if config.scale_file is None else read_scaling(config.scale_file)
    if config.scale_with == "raw" and config.compat:
        scaling = Scaling(system_mean=0.0, system_sd=1.0, human_mean=0.0, human_sd=1.0)
    plan = Plan(
        scale=ScoreScale(config.trim_min, config.trim_max),
        scaling=scaling,
        trim_tolerance=config.trim_tolerance,
        leave_out_zeros=config.exclude_zero_scores,
        error_variance=config.rater_error_variance,
        least_doubles=0,
        least_group=max(config.min_n_per_group.values(), default=1),
        least_items=config.min_items_per_candidate,
        base="scale" if config.scale_with == "asis" else "raw",
    )
    evaluated = evaluate_responses(
        ratings,
        plan,
        {column: frame.get_column(column) for column in config.subgroups},
        engine=config.system_score_column,
        raters=[config.human_score_column, config.second_human_score_column],
        compat=config.compat,
    )
    tables = row_tables(frame, ratings, evaluated.reasons, evaluated.variants, config)
    tables |= composition_tables(frame, ratings, evaluated.reasons, config) | evaluated.tables
    return RsmEvalResult(config, evaluated.evaluation, tables, provenance)
