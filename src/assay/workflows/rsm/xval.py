"""`rsm_xval`: a model per fold, the scores of all folds evaluated together, and a model of all responses."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import polars as pl

from assay.evaluation.result import Evaluation
from assay.execution.executor import Executor, SerialExecutor
from assay.execution.observer import SILENT, Observer
from assay.io.results.result_json import plain
from assay.io.rsm.configuration.configs import RsmModelConfig, rsm_eval_config, rsm_xval_config
from assay.io.rsm.configuration.settings import ConfigSource
from assay.io.rsm.read import response_file, training_roles
from assay.io.rsm.stored import read_experiments, summary_tables, write_summary_table
from assay.io.rsm.table import write_rsm_table
from assay.provenance import Provenance
from assay.rsm.stored import StoredExperiment
from assay.workflows.arguments import check_arguments
from assay.workflows.rsm import outputs, training
from assay.workflows.rsm.eval import RsmEvalResult, evaluate_predictions
from assay.workflows.rsm.tool import RsmToolResult, train_and_evaluate

if TYPE_CHECKING:
    from assay.report.document.document import Document

FOLDS, SUMMARY, EVALUATION, FINAL = "folds", "fold-summary", "evaluation", "final-model"
"""The folders of a cross-validation, as RSMTool calls them."""
PREDICTIONS = "xval_predictions"
SCHEMA = "assay.rsm-cross-validation/1"


@dataclass(frozen=True, eq=False, repr=False)
class RsmXvalResult(outputs.EvaluatedResult):
    """What came out of a cross-validation."""

    config: RsmModelConfig
    folds: tuple[RsmToolResult, ...]
    evaluated: RsmEvalResult
    """All responses, each scored by the model that was not trained on it."""
    evaluation: Evaluation
    """The same: its figures."""
    final: RsmToolResult
    """The model of all responses; evaluated on a tenth of them, which says nothing about it."""
    predictions: pl.DataFrame
    """The scores of all folds."""
    splits: tuple[training.Split, ...]
    """The responses of each fold and of the final model."""
    stored: pl.DataFrame
    """The training table."""
    provenance: Provenance
    guarded = FOLDS

    def summary(self) -> list[tuple[str, str]]:
        model = f"{self.config.model}, {len(self.folds)} folds"
        return [("rsmxval", self.identity), ("Model", model), *self.facts()]

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "experiment_id": self.identity,
            "provenance": plain(self.provenance),
            "evaluation": self.evaluated.to_dict()["evaluation"],
            "folds": [plain(fold.evaluation.figures()) for fold in self.folds],
            "final_model": self.final.to_dict()["model"],
        }

    @property
    def title(self) -> str:
        return self.config.description or f"Cross-validation “{self.identity}”"

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know about the final model, a sentence each."""
        return self.final.notes

    def document(self, files: Sequence[str] = ()) -> "Document":
        from assay.report.rsm.xval_report import xval_report  # noqa: PLC0415 - not always asked for

        return xval_report(
            [(fold.experiment, fold.evaluation) for fold in self.folds],
            self.evaluation,
            self.final.experiment,
            title=self.title,
            provenance=self.provenance,
            files=files,
            sections=self.config.general_sections,
        )

    def write_files(self, folder: Path) -> None:
        """Folds, their summary, the evaluation of their scores and the final model, each as RSMTool lays it out."""
        ending = self.config.file_format
        for split, result, place in self._experiments(folder):
            training.write_split(split, self.stored, place)
            result.write_files(place)
            if split.train is not None:
                outputs.write_json(place / "rsmtool.json", result.config.saved)
                for path in (self.config.feature_file, self.config.feature_subset_file):
                    if path is not None:
                        (place / path.name).write_bytes(path.read_bytes())
        output = folder / SUMMARY / outputs.OUTPUT
        output.mkdir(parents=True)
        for name, table in summary_tables(self._stored_folds(folder)).items():
            write_summary_table(output / f"{self.identity}_fold_summary_{name}.{ending}", table)
        self.evaluated.write_files(folder / EVALUATION)
        write_rsm_table(folder / EVALUATION / f"{PREDICTIONS}.{ending}", self.predictions)
        outputs.write_json(folder / "rsmxval.json", self.config.saved)

    def write_reports(self, folder: Path, *, pdf: bool = False) -> None:
        """A report on the cross-validation, and where RSMTool puts them, on folds, summary, evaluation, final model."""
        from assay.report.evaluation.report import evaluation_report  # noqa: PLC0415 - not always asked for
        from assay.report.rsm.experiments import EvaluatedExperiment  # noqa: PLC0415
        from assay.report.rsm.summary_report import summary_report  # noqa: PLC0415

        files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
        for _, result, place in self._experiments(folder):
            result.write_reports(place)
        stored = zip(self._stored_folds(folder), self.folds, strict=True)
        summary = summary_report(
            [EvaluatedExperiment(experiment, fold.evaluation) for experiment, fold in stored],
            title=f"{self.title}: the folds",
            provenance=self.provenance,
            files=[Path(name).name for name in files if name.startswith(SUMMARY)],
            sections=self.config.general_sections,
        )
        outputs.write_report(summary, folder / SUMMARY / "report" / f"{self.identity}_fold_summary_report.html")
        evaluation = evaluation_report(
            self.evaluation,
            title=f"{self.title}: scores of all folds",
            source=self.config.train_file.name,
            provenance=self.provenance,
            files=[Path(name).name for name in files if name.startswith(EVALUATION)],
            sections=self.config.general_sections,
        )
        outputs.write_report(evaluation, self.evaluated.report_path(folder / EVALUATION))
        outputs.write_report(self.document(files), self.report_path(folder), pdf=pdf)

    def _experiments(self, folder: Path) -> Iterator[tuple[training.Split, RsmToolResult, Path]]:
        """Each fold and the final model, and its folder."""
        for number, (split, result) in enumerate(zip(self.splits, (*self.folds, self.final), strict=True), start=1):
            yield split, result, folder / FINAL if split.train is None else folder / FOLDS / f"{number:02}"

    def _stored_folds(self, folder: Path) -> list[StoredExperiment]:
        places = sorted((folder / FOLDS).iterdir())
        return [experiment for place in places for experiment in read_experiments(place)]


@outputs.documented(
    "rsmxval",
    "folds, their evaluation and the final model",
    force="Write even if the folder `folds` in it holds files already.",
)
def rsm_xval(
    config: ConfigSource,
    out: str | Path | None = None,
    *,
    force: bool = False,
    compat: bool = False,
    no_report: bool = False,
    pdf: bool = False,
    command: str = "",
    executor: Executor | None = None,
    observer: Observer = SILENT,
) -> RsmXvalResult:
    """Cross-validate a model on a table of features, as RSMTool's rsmxval does.

    Returns
    -------
    RsmXvalResult
        A result for each fold, the evaluation of all scores together, and the model of all responses.

    Examples
    --------
    >>> options = {"train_file": "examples/scores.csv", "id_column": "id", "train_label_column": "human"}
    >>> options |= {"experiment_id": "words", "model": "LinearRegression", "features": ["words"], "folds": 2}
    >>> len(rsm_xval(options).folds)
    2
    """
    check_arguments(rsm_xval, locals())
    settings = rsm_xval_config(config, compat=compat)
    outputs.begin(out, settings.remarks, observer, guarded=FOLDS, force=force)
    origin = outputs.provenance_of(config, settings.files(), command=command)
    result = cross_validated(settings, origin, executor or SerialExecutor(), observer)
    observer.check()
    return result.written(out, force=force, no_report=no_report, pdf=pdf)


def cross_validated(
    config: RsmModelConfig, provenance: Provenance, executor: Executor, observer: Observer = SILENT
) -> RsmXvalResult:
    """The models of all folds, their evaluation and the final model; nothing is written."""
    material = training.read_material(config)
    splits = training.splits_of(config, material.stored)
    results: list[RsmToolResult] = []
    for result in executor.map_ordered(train_split, splits, material, provenance):
        observer.check()
        results.append(result)
    *folds, final = results
    predictions = _pooled(config, folds, material)
    with TemporaryDirectory(
        ignore_cleanup_errors=True
    ) as folder:  # all scores together, evaluated as rsmeval does it: from their file
        path = Path(folder) / f"{PREDICTIONS}.{config.file_format}"
        write_rsm_table(path, predictions)
        options = _evaluation_options(config, final, path.name)
        settings = rsm_eval_config(options, folder=path.parent, compat=config.compat)
        evaluated = evaluate_predictions(settings, provenance)
    figures, stored = evaluated.evaluation, material.stored
    return RsmXvalResult(config, tuple(folds), evaluated, figures, final, predictions, splits, stored, provenance)


def train_split(
    split: training.Split, material: training.CrossValidationTable, provenance: Provenance
) -> RsmToolResult:
    """The experiment of one split; what a worker does."""
    config, plan = split.config, training.training_plan(split.config)
    if config.compat:
        # as RSMTool has the responses: from the files of the fold, where a group 01 has become 1 and NA is empty
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            training.write_split(split, material.stored, Path(folder))
            *train_files, test_file = (Path(folder) / name for name in split.files)
            train_file = train_files[0] if train_files else config.train_file
            files = training.read_training_files(replace(config, train_file=train_file, test_file=test_file))
    else:
        train = material.training if split.train is None else material.training[split.train]
        names, source = training.feature_names(plan, train, config), config.train_file.name
        files = training.TrainingFiles(
            response_file(train, training_roles(config), names, source=source),
            response_file(
                material.evaluation[split.test], training_roles(config, evaluation=True), names, source=source
            ),
            plan,
        )
    return train_and_evaluate(files, config, provenance)


def _pooled(
    config: RsmModelConfig, folds: Iterable[RsmToolResult], material: training.CrossValidationTable
) -> pl.DataFrame:
    scores = pl.concat([fold.tables["pred_processed"] for fold in folds])
    columns = [*config.subgroups, config.second_human_score_column]
    # RSMTool forgets the candidates, and stops when they are asked for
    columns += [] if config.candidate_column == config.id_column else [config.candidate_column]
    names = [name for name in columns if name is not None]
    if not names:
        return scores
    ids = material.stored.get_column(config.id_column)
    further = pl.DataFrame([ids.alias("spkitemid"), *(material.stored.get_column(name) for name in names)])
    return scores.join(further, on="spkitemid", how="inner", maintain_order="left")


def _evaluation_options(config: RsmModelConfig, final: RsmToolResult, predictions: str) -> dict[str, Any]:
    """Flags were looked at in the folds. RSMTool says scale_with "raw" and means no scaling, but scales."""
    after, scaled = final.experiment.postprocessing, config.use_scaled_predictions
    return {
        "experiment_id": f"{config.experiment_id}_evaluation",
        "description": f"{config.description} (Evaluating Fold Predictions)",
        "predictions_file": predictions,
        "system_score_column": "scale" if scaled else "raw",
        **({"scale_with": "asis"} if scaled else {"scale_with": "raw"} if config.compat else {}),
        "trim_min": after.trim_min if config.trim_min is None else config.trim_min,
        "trim_max": after.trim_max if config.trim_max is None else config.trim_max,
        "file_format": config.file_format,
        "second_human_score_column": config.second_human_score_column,
        "candidate_column": None if config.candidate_column == config.id_column else config.candidate_column,
        "exclude_zero_scores": config.exclude_zero_scores,
        "rater_error_variance": config.rater_error_variance,
        "subgroups": list(config.subgroups),
        "trim_tolerance": config.trim_tolerance,
    }
