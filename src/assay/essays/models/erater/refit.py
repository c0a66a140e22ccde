"""A model moved towards what people decided, no further than their number allows."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from assay.errors import Field, InputError, go_on
from assay.essays.models.arrays import Floats
from assay.essays.models.cutoffs import Cutoffs, cutoff_rule
from assay.essays.models.erater.equation import Equation
from assay.essays.models.erater.model import (
    EssayModel,
    model_features,
    score_table,
)
from assay.essays.models.erater.prompt_vocabulary import dealt_folds
from assay.essays.models.erater.weights import FeatureWeights
from assay.essays.models.feature_table import EssayFeatures
from assay.essays.models.scoring_model import ScoringModel

WEIGHTS_WORTH = 200.0
"""How many essays the old weight of a feature is worth."""
LINE_WORTH = 10.0
"""How many essays the old place and spread of scores are worth: teachers differ in strictness before all else."""
CUTOFFS_WORTH = 200.0
LEAST_OVERRIDES = 10
FOLDS = 5


def refittable(model: ScoringModel) -> EssayModel:
    """The model as one of weighted features; InputError for a kind that cannot be moved."""
    if isinstance(model, EssayModel) and model.can_refit:
        return model
    problem = f"a {model.kind} model cannot be refitted: only models of weighted features can"
    raise InputError(problem, field="model", remedy="Train a new one on the scored essays instead.")


def refit_model(model: EssayModel, table: EssayFeatures, *, version: str = "") -> EssayModel:
    """The next revision of a model, from essays and the scores people gave in place of the model's.

    Equations without new scores stay as they are; so do content vectors, percentiles and intervals.
    """
    scores, training = table.human.resolved(model.scale.step), model.training
    _check(scores, model)
    values = model_features(table, model)
    keys = {"prompt": table.prompts, "program": table.programs}.get(model.grouping) or ("",) * len(table)
    equations, used = dict(model.equations), 0
    for group, equation in model.equations.items():
        rows = np.flatnonzero((np.array(keys) == group) & np.isfinite(scores))
        if len(rows):
            equations[group], used = _refitted(equation, values[rows], scores[rows], model), used + len(rows)
    if not used:
        problem = f"the model knows no {model.grouping} of these essays"
        raise InputError(problem, field=model.grouping, remedy=("Name their column with ", Field(model.grouping), "."))
    revision = training.revision + 1
    notes = (*training.notes, f"revision {revision}: moved towards {used} new scores")
    summary = replace(training, revision=revision, notes=notes, version=version or training.version)
    return replace(model, equations=equations, training=summary)


def refitted_unseen(
    model: EssayModel, table: EssayFeatures, check: Callable[[], None] = go_on
) -> tuple[Floats, Floats]:
    """Scores of the same essays before and after, each new one by a model refitted without the essay (five folds).

    `check` is called before each fold: it raises Cancelled where the scores are no longer asked for.
    """
    before = np.array([score.score for score in score_table(table, model)])
    after = np.full(len(table), np.nan)
    fold = dealt_folds(table.human.resolved(model.scale.step), FOLDS)
    for number in range(FOLDS):
        check()
        inside, outside = np.flatnonzero(fold == number), np.flatnonzero(fold != number)
        if len(inside):
            refitted = refit_model(model, table.at(outside))
            after[inside] = [score.score for score in score_table(table.at(inside), refitted)]
    return before, after


def _check(scores: Floats, model: EssayModel) -> None:
    given = scores[np.isfinite(scores)]
    strange = given[~model.scale.holds(given)]
    if len(given) < LEAST_OVERRIDES:
        problem = f"{len(given)} new scores are too few to refit a model: at least {LEAST_OVERRIDES} are needed"
        raise InputError(problem, field="overrides", remedy="Give more essays that people scored.")
    if len(strange):
        problem = f"the new score {strange[0]:g} is no point of the model's scale, {model.scale}"
        raise InputError(problem, field="overrides", remedy="Give scores on that scale.")


def _refitted(equation: Equation, values: Floats, scores: Floats, model: EssayModel) -> Equation:
    values = equation.curves.worth(values) if equation.curves else values
    weights = refit_weights(equation.weights, values, scores)
    raw = weights.predict(values)
    fresh = cutoff_rule(model.training.cutoffs)(raw, scores, model.scale).cuts
    share = len(scores) / (len(scores) + CUTOFFS_WORTH)
    cuts = np.maximum.accumulate((1 - share) * equation.cutoffs.cuts + share * fresh)
    return replace(equation, weights=weights, cutoffs=Cutoffs(equation.cutoffs.points.copy(), cuts))


def refit_weights(weights: FeatureWeights, values: Floats, scores: Floats) -> FeatureWeights:
    """The old weights plus a ridge regression of what they miss; shares fixed in advance keep their share.

    A feature whose weight would change its sign gets zero.
    """
    z = (np.where(np.isnan(values), weights.mean, values) - weights.mean) / weights.sd
    points = weights.raw * weights.sd  # score points for one standard deviation
    free = np.array([name not in weights.fixed for name in weights.names], dtype=np.bool_)
    missed = scores - weights.predict(values)
    missed -= missed.mean()
    pull = z[:, free].T @ z[:, free] + WEIGHTS_WORTH * np.eye(int(free.sum()))
    moved = points.copy()
    moved[free] += np.linalg.solve(pull, z[:, free].T @ missed)
    moved = np.where(moved * points < 0, 0.0, moved)
    shares = np.array([weights.fixed.get(name, 0.0) for name in weights.names])
    if free.any():
        fixed = shares * np.abs(moved[free]).sum() / (1 - shares.sum())
        moved = np.where(free, moved, np.sign(points) * fixed)
    interim = weights.average_score + z @ moved
    a, b = _pulled_line(interim, scores, weights.average_score)
    raw = b * moved / weights.sd
    intercept = a + b * weights.average_score - float((raw * weights.mean).sum())
    in_sd = weights.raw * weights.sd
    largest = np.abs(in_sd).argmax()
    scale = weights.standardised[largest] / in_sd[largest]
    return replace(weights, raw=raw, standardised=b * moved * scale, intercept=intercept)


def _pulled_line(interim: Floats, scores: Floats, centre: float) -> tuple[float, float]:
    """Intercept and slope of scores on interim scores, pulled to 0 and 1 as if so many essays lay on that line."""
    x = interim - centre
    spread = float(x.std()) or 1.0
    design = np.column_stack([np.ones(len(x)), x / spread])
    line = np.linalg.solve(design.T @ design + LINE_WORTH * np.eye(2), design.T @ (scores - interim))
    slope = max(1 + float(line[1]) / spread, 0.1)
    return float(line[0]) + centre - slope * centre, slope
