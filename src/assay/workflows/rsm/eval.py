"""`rsm_eval`: the scores of any engine evaluated as RSMTool's rsmeval does it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.evaluation.chunks import tally_parts
from assay.evaluation.evaluate import evaluation_of
from assay.evaluation.exclusions import Exclusions
from assay.evaluation.plan import Plan
from assay.evaluation.result import Evaluation
from assay.evaluation.score_variants import Scaling
from assay.evaluation.tallying import EvaluationTally
from assay.execution.observer import SILENT, Observer
from assay.io.results.result_json import plain
from assay.io.rsm.configuration.configs import RsmEvalConfig, rsm_eval_config
from assay.io.rsm.configuration.settings import ConfigSource
from assay.io.rsm.fairness import fairness_tables
from assay.io.rsm.figures import figure_tables, point_kappa, point_tables
from assay.io.rsm.read import Predictions, read_predictions, read_scaling
from assay.io.rsm.responses import UsedResponses
from assay.io.rsm.rows import composition_tables, row_tables
from assay.provenance import Provenance
from assay.scale import ScoreScale
from assay.workflows.rsm.outputs import (
    OUTPUT,
    RsmResult,
    begin,
    evaluation_facts,
    figures_frame,
    provenance_of,
    write_json,
    write_tables,
)

if TYPE_CHECKING:
    from assay.report.document.document import Document

SCHEMA = "assay.rsm-evaluation/1"


@dataclass(frozen=True, eq=False, repr=False)
class RsmEvalResult(RsmResult):
    """What came out of an rsmeval experiment."""

    config: RsmEvalConfig
    evaluation: Evaluation
    tables: Mapping[str, pl.DataFrame]
    """RSMTool's tables by name, the experiment's id left out."""
    provenance: Provenance

    @property
    def identity(self) -> str:
        return self.config.experiment_id

    def summary(self) -> list[tuple[str, str]]:
        return [("rsmeval", self.identity), *evaluation_facts(self.evaluation)]

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "experiment_id": self.identity,
            "provenance": plain(self.provenance),
            "evaluation": plain(self.evaluation) | {"figures": plain(self.evaluation.figures())},
        }

    def to_polars(self) -> pl.DataFrame:
        """Every headline figure with its interval."""
        return figures_frame(self.evaluation)

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
        )

    def write_files(self, folder: Path) -> None:
        """Every table that has rows, and the configuration as RSMTool saves it."""
        write_tables(self.tables, folder / OUTPUT, prefix=self.identity, file_format=self.config.file_format)
        write_json(folder / OUTPUT / f"{self.identity}_rsmeval.json", self.config.saved)


def rsm_eval(
    config: ConfigSource,
    out: str | Path | None = None,
    *,
    force: bool = False,
    compat: bool = False,
    command: str = "",
    observer: Observer = SILENT,
) -> RsmEvalResult:
    """Evaluate the scores of any engine, as RSMTool's rsmeval does.

    Parameters
    ----------
    config
        A configuration file of rsmeval, JSON with comments or TOML, or its options by name.
    out
        The folder for tables and report, all or nothing; without it nothing is written.
    force
        Write even if the folder `output` in it holds files already.
    compat
        Reproduce RSMTool's known defects, and ignore options of its other commands.
    command
        What is recorded as the command that was run.
    observer
        Who hears of the work: its stages, progress and remarks.

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
    settings = rsm_eval_config(config, compat=compat)
    begin(out, settings.remarks, observer, guarded=OUTPUT, force=force)
    files = [settings.predictions_file, *([settings.scale_file] if settings.scale_file else [])]
    result = evaluate_predictions(settings, provenance_of(config, files, command=command))
    if out is not None:
        result.write(out, force=force)
    return result


def evaluate_predictions(config: RsmEvalConfig, provenance: Provenance) -> RsmEvalResult:
    """The evaluation and the tables of an experiment; files are read, none is written."""
    predictions = read_predictions(config)
    plan = _plan(config)
    tally, exclusions = tally_parts([predictions.ratings], plan)
    responses = UsedResponses.of(predictions.ratings, plan)
    tables = _response_tables(predictions, responses, plan, config)
    tables |= figure_tables(tally, plan, kappas=wide_kappas(tally, responses), merge_all_data=config.compat)
    return RsmEvalResult(config, _evaluation(tally, exclusions, responses, plan, config), tables, provenance)


def _plan(config: RsmEvalConfig) -> Plan:
    return Plan(
        scale=ScoreScale(config.trim_min, config.trim_max),
        scaling=_scaling(config),
        trim_tolerance=config.trim_tolerance,
        leave_out_zeros=config.exclude_zero_scores,
        error_variance=config.rater_error_variance,
        least_group=max(config.min_n_per_group.values(), default=1),
        least_items=config.min_items_per_candidate,
        base="scale" if config.scale_with == "asis" else "raw",
    )


def _scaling(config: RsmEvalConfig) -> Scaling | None:
    """RSMTool documents scale_with "raw" as no scaling, but scales to the same scores; so does `compat`."""
    if config.scale_file is not None:
        return read_scaling(config.scale_file)
    as_it_is = Scaling(system_mean=0.0, system_sd=1.0, human_mean=0.0, human_sd=1.0)
    return as_it_is if config.scale_with == "raw" and config.compat else None


def _response_tables(
    predictions: Predictions, responses: UsedResponses, plan: Plan, config: RsmEvalConfig
) -> dict[str, pl.DataFrame]:
    """The tables that need the responses themselves."""
    assert plan.rounded is not None  # an rsmeval experiment always has a scale
    tables = row_tables(predictions, responses.reasons, responses.forms, config)
    tables |= composition_tables(predictions, responses.reasons, config)
    tables |= point_tables(responses.human, responses.forms[plan.rounded], plan)
    used = predictions.frame.filter(responses.reasons < 0)
    for column in config.subgroups:
        tables |= fairness_tables(column, used.get_column(column), responses.first, responses.forms[plan.trimmed])
    return tables


def wide_kappas(tally: EvaluationTally, responses: UsedResponses) -> dict[str, float]:
    """Kappa of the forms whose points are too many for a tally, as a single stray raw score makes them."""
    wide = [form for form, blocks in tally.system.items() if not blocks.merged().has_points]
    return {form: point_kappa(responses.first, responses.forms[form]) for form in wide}


def _evaluation(
    tally: EvaluationTally, exclusions: Exclusions, responses: UsedResponses, plan: Plan, config: RsmEvalConfig
) -> Evaluation:
    raters = [config.human_score_column, config.second_human_score_column]
    return evaluation_on_all_points(
        tally, exclusions, responses, plan, engine=config.system_score_column, raters=raters
    )


def evaluation_on_all_points(
    tally: EvaluationTally,
    exclusions: Exclusions,
    responses: UsedResponses,
    plan: Plan,
    *,
    engine: str,
    raters: Sequence[str | None],
) -> Evaluation:
    """The evaluation on a scale that holds every human score; it shows the plan as it was asked for."""
    all_points, on_all_points = responses.on_all_points(tally, plan)
    with np.errstate(over="ignore"):  # a stray raw score makes an interval endless, which is as it should be
        evaluation = evaluation_of(
            all_points,
            exclusions,
            on_all_points,
            engine=engine,
            raters=[rater for rater in raters if rater is not None],
        )
    return replace(evaluation, plan=plan)
