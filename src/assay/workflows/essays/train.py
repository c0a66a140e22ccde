"""`train` and `calibrate`: essays that people scored -> a model of their scores, or one taken to a new prompt."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay import __version__
from assay.errors import Field, InputError
from assay.essays.models.calibrated.calibrate import calibrate_model
from assay.essays.models.card import with_card
from assay.essays.models.cutoffs import cutoff_rule
from assay.essays.models.erater.model import KIND_FEATURES, TrainingPlan
from assay.essays.models.erater.train import check_scores, fixed_shares, train_model
from assay.essays.models.feature_table import EssayFeatures
from assay.essays.models.hybrid.train import train_hybrid
from assay.essays.models.scoring_model import ScoringModel, check_parts, reading_parts
from assay.execution.executor import Executor, SerialExecutor
from assay.execution.observer import SILENT, Observer
from assay.io.essays.scored_essays import FurtherColumns, read_scored_essays
from assay.io.essays.table import EssayColumns
from assay.io.models.scoring_models import bundled_discourse_model, write_scoring_model
from assay.io.results.result_json import plain
from assay.provenance import Provenance
from assay.report.document.document import Document
from assay.report.essays.scores_report import model_report
from assay.scale import ScoreScale
from assay.workflows.arguments import check_arguments
from assay.workflows.essays.essay_inputs import EssaysLike, ModelLike, essay_source, heard_by, made_now, model_input
from assay.workflows.essays.measured_essays import feature_table, hybrid_essays, v1_feature_table
from assay.workflows.results import Result

SCHEMA = "assay.trained-model/1"
KINDS = (*KIND_FEATURES, "v1", "hybrid")
LENGTH_SHARE = 0.2
"""Share of essay length in all weights unless told otherwise."""


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class TrainedModel(Result):
    """A model that training, calibrating or refitting made."""

    model: ScoringModel
    provenance: Provenance

    def summary(self) -> list[tuple[str, str]]:
        """Kind, essays, scale, agreement and notes."""
        training = self.model.training
        figures = {name: f"{value:.2f}" for name, value in self.model.agreement.items() if np.isfinite(value)}
        return [
            (f"{self.model.kind} model", f"from {training.essays:,} essays, scale {self.model.scale}"),
            *((f"{name}, essays not seen", value) for name, value in figures.items()),
            *(("note", note) for note in training.notes),
        ]

    def to_dict(self) -> dict[str, Any]:
        """What it is and how well it agrees; `save` writes the model itself."""
        model, training = self.model, self.model.training
        document: dict[str, Any] = {
            "schema": SCHEMA,
            "kind": model.kind,
            "scale": str(model.scale),
            "essays": training.essays,
            "prompts": list(training.prompts),
            "left_out": dict(training.left_out),
            "equations": {group: dict(equation.agreement) for group, equation in model.equations.items()},
            "agreement": dict(model.agreement),
            "notes": list(training.notes),
            "revision": training.revision,
            "reads_with": dict(model.reads_with),
        }
        cleaned: dict[str, Any] = plain(document)
        return cleaned

    def to_polars(self) -> pl.DataFrame:
        """The weights: a row for each feature of each equation; no rows for models that are made of no equations."""
        numbers = ("percent", "standardized", "raw", "mean", "sd")
        schema = {"equation": pl.String, "feature": pl.String, **dict.fromkeys(numbers, pl.Float64)}
        rows = [
            (group, *row)
            for group, equation in self.model.equations.items()
            for w in (equation.weights,)
            for row in zip(w.names, 100 * w.relative, w.standardised, w.raw, w.mean, w.sd, strict=True)
        ]
        return pl.DataFrame(rows, schema=schema, orient="row")

    def document(self) -> Document:
        """Agreement, weights and notes."""
        return model_report(self.model, provenance=self.provenance)

    def save(self, path: str | Path) -> Path:
        """Write the model file, complete or not at all."""
        write_scoring_model(self.model, Path(path))
        return Path(path)


def train(
    essays: EssaysLike,
    *,
    score: str,
    text: str | None = None,
    file: str | None = None,
    id: str | None = None,
    prompt: str | None = None,
    second_score: str | None = None,
    third_score: str | None = None,
    program: str | None = None,
    kind: str = "generic12",
    length_weight: float | None = LENGTH_SHARE,
    fix: Mapping[str, float] | None = None,
    cutoffs: str = "balanced",
    curves: bool = False,
    scale: str | ScoreScale | None = None,
    paper: bool = False,
    features: str | Path | None = None,
    executor: Executor | None = None,
    observer: Observer = SILENT,
) -> TrainedModel:
    """Build a score model from essays that people scored.

    Parameters
    ----------
    essays
        A table (pandas, Polars, pyarrow), or the path of one.
    score, second_score, third_score
        The columns with the human score, that of a second rater, and a third where two disagreed.
    text, id, prompt, program
        The columns with the essay (the likely one without it), its name, the prompt it answers, and the grade or test:
        an equation for each.
    file
        The column that names the file of each essay, relative to the table, in place of `text`.
    kind
        specific, generic12, generic10, v1 or hybrid.
    length_weight
        Share of essay length in all weights, 0 to 1; None lets the essays decide.
    fix
        Shares of all weights that features get, fixed in advance.
    cutoffs
        The rule that turns raw scores into points, a name of `CUTOFFS`.
    curves
        Give each feature a curve: what its values are worth among these essays.
    scale
        Scale of the scores, as "1-6"; observed without it.
    paper
        Build it as the paper did: features as measured, cutoffs by signal detection.
    features
        A file of features of these essays: read if it is there, else measured and kept there.
    executor, observer
        Who does the work, and who hears of it.

    Returns
    -------
    TrainedModel
        `.model` scores essays, `.save(path)` writes it.

    Examples
    --------
    >>> train([{"essay": "A text.", "score": 3}], text="essay", score="score", kind="huge")
    Traceback (most recent call last):
    ...
    assay.errors.InputError: no model is called 'huge'. Choose one of: specific, generic12, generic10, v1, hybrid.
    """
    check_arguments(train, locals())
    plan = training_plan(kind, length_weight, fix or {}, cutoffs, curves=curves, paper=paper)
    declared = ScoreScale.parse(scale) if isinstance(scale, str) else scale
    with observer.stage("read"):
        source = essay_source(essays, EssayColumns(text, id, prompt, score, file=file))
        read = read_scored_essays(*source, FurtherColumns(second_score, third_score, program), **heard_by(observer))
        check_scores(read.human, declared)
    observer.check()
    with observer.stage("trained"):
        executor = executor or SerialExecutor()
        if kind == "hybrid":
            measured = hybrid_essays(read.essays, executor, observer)
            model: ScoringModel = train_hybrid(
                measured, read.human, scale=declared, cutoffs=cutoffs, version=__version__, check=observer.check
            )
            return TrainedModel(stated(model), made_now("train"))
        table_of = v1_feature_table if kind == "v1" else feature_table
        table = table_of(read, None if features is None else Path(features), executor, observer)
        return trained(table, plan, declared, observer)


def trained(
    table: EssayFeatures, plan: TrainingPlan, scale: ScoreScale | None, observer: Observer = SILENT
) -> TrainedModel:
    """A model of weighted features from essays that were measured before."""
    model = train_model(table, plan, scale=scale, version=__version__, check=observer.check)
    return TrainedModel(stated(model), made_now("train"))


def stated(model: ScoringModel) -> ScoringModel:
    """The model with its card, and with the parts named that this program reads essays with."""
    return with_card(replace(model, reads_with=reading_parts(bundled_discourse_model(), model.kind)))


def training_plan(
    kind: str, length_weight: float | None, fix: Mapping[str, float], cutoffs: str, *, curves: bool, paper: bool
) -> TrainingPlan:
    """How a model is to be built; InputError for choices that do not go together, before any essay is read."""
    if kind not in KINDS:
        raise InputError(f"no model is called {kind!r}", field="kind", remedy=f"Choose one of: {', '.join(KINDS)}.")
    if curves and (paper or kind not in KIND_FEATURES):
        problem = (Field("curves"), " is for specific, generic12 and generic10, without ", Field("paper"))
        raise InputError(problem, field="curves", remedy=("Leave out ", Field("curves"), "."))
    shares = {**({} if length_weight is None else {"length": length_weight}), **fix}
    fixed = {name: float(share) for name, share in shares.items()}
    if kind in KIND_FEATURES:
        fixed_shares(KIND_FEATURES[kind], fixed)
    if paper:
        return replace(TrainingPlan.paper(kind), fixed=fixed)
    cutoff_rule(cutoffs)
    return TrainingPlan(kind=kind, fixed=fixed, cutoffs=cutoffs, curved=curves)


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Calibration(TrainedModel):
    """A model calibrated to a new prompt, and what it was calibrated with."""

    essays: int
    scored: int
    notes: tuple[str, ...]


def calibrate(
    model: ModelLike,
    essays: EssaysLike,
    *,
    text: str | None = None,
    file: str | None = None,
    id: str | None = None,
    prompt: str | None = None,
    score: str | None = None,
    scale: str | ScoreScale | None = None,
    executor: Executor | None = None,
    observer: Observer = SILENT,
) -> Calibration:
    """Take a model to a prompt it has not seen.

    Ten to fifty of the essays should have a score; the others, which need none, show how essays on the prompt usually
    are. Without any score the model ranks the essays and places them where prompts usually lie.

    Parameters
    ----------
    model
        A generic10 model, a hybrid trained on several prompts, or the path of either.
    essays
        Essays of the new prompt: a list of texts, a table, or a path.
    text, id, prompt, score
        The columns of a table; the score may be empty where an essay has none.
    file
        The column that names the file of each essay, relative to the table, in place of `text`.
    scale
        Scale of the new prompt, as "1-6"; that of the model without it.
    executor, observer
        Who does the work, and who hears of it.

    Returns
    -------
    Calibration
        `.model` scores essays of the prompt, `.save(path)` writes it.

    Examples
    --------
    >>> calibrate(None, ["One essay.", "Another."])
    Traceback (most recent call last):
    ...
    assay.errors.InputError: 2 essays with words are too few to calibrate a model: at least 10 are needed. \
Give more essays of the prompt, with or without scores.
    """
    check_arguments(calibrate, locals())
    old, _ = model_input(model)
    check_parts(old.reads_with, bundled_discourse_model())
    executor = executor or SerialExecutor()
    columns = EssayColumns(text, id, prompt, score, file=file)
    read = read_scored_essays(*essay_source(essays, columns), **heard_by(observer))
    declared = ScoreScale.parse(scale) if isinstance(scale, str) else scale or old.scale
    features = partial(feature_table, read, None, executor, observer)
    measures = partial(hybrid_essays, read.essays, executor, observer)
    new = calibrate_model(old, read.human.first, declared, features=features, measures=measures)
    scored = int(np.isfinite(read.human.first).sum())
    notes = new.training.notes[-1:] if new.equations else new.training.notes
    return Calibration(stated(new), made_now("calibrate"), len(read), scored, notes)
