"""`rsm_tool`: a model trained on a table of features and evaluated, as RSMTool's rsmtool does it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from assay.evaluation.result import Evaluation
from assay.execution.observer import SILENT, Observer
from assay.io.models.feature_model import write_feature_model
from assay.io.results.experiment_json import experiment_json
from assay.io.rsm import analyses as tables_of
from assay.io.rsm.configuration.configs import RsmModelConfig, rsm_tool_config
from assay.io.rsm.configuration.settings import ConfigSource
from assay.io.rsm.rows import prediction_tables, response_tables
from assay.provenance import Provenance
from assay.rsm.analyses import TrainingAnalyses, analyse_training
from assay.rsm.experiment import Experiment, feature_model, train_experiment
from assay.rsm.filtering import Composition, data_composition, usable_length
from assay.workflows.arguments import check_arguments
from assay.workflows.rsm import outputs
from assay.workflows.rsm.evaluations import evaluate_experiment
from assay.workflows.rsm.training import TrainingFiles, read_training_files

if TYPE_CHECKING:
    from assay.report.document.document import Document

FEATURE = "feature"
"""The folder of the feature file, as RSMTool calls it."""


@dataclass(frozen=True, eq=False, repr=False)
class RsmToolResult(outputs.EvaluatedResult):
    """What came out of an rsmtool experiment."""

    config: RsmModelConfig
    experiment: Experiment
    evaluation: Evaluation
    analyses: TrainingAnalyses
    composition: Composition
    tables: Mapping[str, pl.DataFrame]
    """RSMTool's tables by name, the experiment's id left out."""
    selected: pl.DataFrame
    """The features of the model as a feature file."""
    provenance: Provenance

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know about the experiment, a sentence each."""
        unscored = 0 if self.experiment.unscored is None else len(self.experiment.unscored.used)
        words = "evaluation response has" if unscored == 1 else "evaluation responses have"
        note = f"{unscored} {words} no human score; the scores are in pred_without_human_score."
        return (*self.experiment.notes, *([note] if unscored else []))

    def summary(self) -> list[tuple[str, str]]:
        model = f"{self.config.model}, {len(self.experiment.model.features)} features"
        return [("rsmtool", self.identity), ("Model", model), *self.facts()]

    def to_dict(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self._json())
        return content

    def document(self, files: Sequence[str] = ()) -> "Document":
        from assay.report.rsm import experiment_report as report  # noqa: PLC0415 - not always asked for

        config = self.config
        pages = report.ExperimentPages(
            *(self.experiment, self.analyses, self.composition, self.evaluation, self.provenance),
            *(config.min_n_per_group, files),
        )
        title = config.description or f"Experiment “{self.identity}”"
        own = outputs.own_sections(config.custom_sections)
        return report.experiment_report(
            pages, title=title, sections=config.general_sections, order=config.section_order, own=own
        )

    def write_files(self, folder: Path) -> None:
        """Every table that has rows, the model, experiment.json and the configuration as RSMTool saves it."""
        config, output, fit = self.config, folder / outputs.OUTPUT, self.experiment.fit
        for tables, place in ((self.tables, output), ({tables_of.SELECTED: self.selected}, folder / FEATURE)):
            outputs.write_tables(tables, place, prefix=self.identity, file_format=config.file_format)
        if fit is not None:
            summary = tables_of.fit_summary(config.model, fit)
            (output / f"{self.identity}_ols_summary.txt").write_text(summary, encoding="utf-8")
        table = config.train_file.name
        trained_on = {
            "experiment_id": self.identity,
            "table": table,
            "sha256": self.provenance.inputs.get(table, ""),
            "responses": len(self.experiment.train.used),
            "human_scores": config.train_label_column,
            "made": self.provenance.created,
        }
        write_feature_model(output / f"{self.identity}.model.json", feature_model(self.experiment), trained_on)
        (folder / "experiment.json").write_text(self._json(), encoding="utf-8")
        outputs.write_json(output / f"{self.identity}_{config.command}.json", config.saved)

    def _json(self) -> str:
        return experiment_json(self.experiment, self.evaluation, self.provenance, experiment_id=self.identity)


@outputs.documented("rsmtool", "tables, model and report")
def rsm_tool(
    config: ConfigSource,
    out: str | Path | None = None,
    *,
    force: bool = False,
    compat: bool = False,
    no_report: bool = False,
    pdf: bool = False,
    mlflow: str | None = None,
    command: str = "",
    observer: Observer = SILENT,
) -> RsmToolResult:
    """Train a model on a table of features and evaluate its scores, as RSMTool's rsmtool does.

    Returns
    -------
    RsmToolResult
        The model, its evaluation and RSMTool's tables; `.write(folder)` writes what the command writes.

    Examples
    --------
    >>> table = {"train_file": "examples/scores.csv", "test_file": "examples/scores.csv", "id_column": "id"}
    >>> label = {"train_label_column": "human", "test_label_column": "human"}
    >>> options = {"experiment_id": "words", "model": "LinearRegression", "features": ["words"], **table, **label}
    >>> result = rsm_tool(options)
    >>> result.experiment.model.features
    ('words',)
    """
    check_arguments(rsm_tool, locals())
    settings = rsm_tool_config(config, compat=compat)
    outputs.begin(out, settings.remarks, observer, force=force, mlflow=mlflow)
    origin = outputs.provenance_of(config, settings.files(), command=command)
    result = train_and_evaluate(read_training_files(settings), settings, origin)
    observer.check()
    return result.written(out, force=force, no_report=no_report, pdf=pdf, mlflow=mlflow)


def train_and_evaluate(files: TrainingFiles, config: RsmModelConfig, provenance: Provenance) -> RsmToolResult:
    """The model, the evaluation and the tables of an experiment; nothing is written."""
    experiment = train_experiment(files.train.table, files.test.table, files.plan)
    evaluation, evaluated = evaluate_experiment(experiment, config)
    train, chosen = experiment.train, experiment.model.features
    columns = [experiment.names.index(name) for name in chosen]
    analyses = analyse_training(
        chosen,
        train.used.matrix[:, columns],
        train.preprocessed[:, columns],
        train.used.human,
        length=usable_length(train),
        groups=train.used.groups,
        merge_all_data=config.compat,
        small_is_zero=config.compat,
    )
    composition = data_composition(train, experiment.test)
    tables = response_tables(experiment, files.train, files.test, config)
    tables |= tables_of.experiment_composition(composition, config)
    tables |= tables_of.model_tables(experiment, compat=config.compat) | tables_of.analysis_tables(analyses)
    tables |= prediction_tables(experiment) | evaluated
    selected = tables_of.selected_features(experiment, config)
    return RsmToolResult(config, experiment, evaluation, analyses, composition, tables, selected, provenance)
