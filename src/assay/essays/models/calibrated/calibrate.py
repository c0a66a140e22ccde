"""FRONT DOOR `calibrate_model`: a ranking model of other prompts and essays of a new one -> a `CalibratedModel`.

Any number of the new essays may have human scores. With none, scores are placed where prompts usually lie; ten to fifty
are worth about .06 quadratic weighted kappa. Essays without scores help too: features are standardised over all.

A generic model of e-rater's features stays one: the same line and Gaussian process, here on ten features, are both
linear in them, so the result is an `EssayModel` like any other: a weight per feature, an intercept, cutoffs at half
points.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from assay.errors import Field, InputError
from assay.essays.models.arrays import Floats
from assay.essays.models.calibrated import scale_placement as placement
from assay.essays.models.calibrated.choice import LEAST_SCORED, calibration_helps, left_out_points, unhelpful
from assay.essays.models.calibrated.cross_prompt import CrossPromptModel, LinearScore, UnlabeledPrompt, median_words
from assay.essays.models.calibrated.model import CalibratedModel
from assay.essays.models.cutoffs import rounding
from assay.essays.models.erater.equation import Equation
from assay.essays.models.erater.model import EssayModel, score_table
from assay.essays.models.erater.weights import FeatureWeights
from assay.essays.models.feature_table import EssayFeatures, model_values
from assay.essays.models.generic import GenericModel
from assay.essays.models.hybrid.model import HybridModel
from assay.essays.models.hybrid.parts import compact
from assay.essays.models.hybrid.reading import LOG_WORDS, HybridEssays
from assay.essays.models.scoring_model import ErrorBand, ScoringModel
from assay.scale import ScoreScale


def calibrate_model(
    model: ScoringModel,
    scores: Floats,
    scale: ScoreScale,
    *,
    features: Callable[[], EssayFeatures],
    measures: Callable[[], HybridEssays],
) -> ScoringModel:
    """The model for a new prompt from a model of any kind; essays are read as the kind needs them."""
    if isinstance(model, EssayModel):
        only_equation(model)
        return chosen_equation(model, features(), scores, scale)
    if isinstance(model, GenericModel):
        return chosen_generic(model, measures(), scores, scale)
    if isinstance(model, HybridModel) and model.transfer is not None:
        return calibrate(model.transfer, measures(), scores, scale)
    if isinstance(model, HybridModel):
        problem = "this hybrid was trained on one prompt, so it does not know what carries over to another"
        remedy = ("Train it on essays of several prompts, named with ", Field("prompt"), ".")
        raise InputError(problem, field="model", remedy=remedy)
    already = "the model is calibrated to a prompt already"
    raise InputError(already, field="model", remedy="Name the model it was made from.")


def calibrate(transfer: CrossPromptModel, essays: HybridEssays, scores: Floats, scale: ScoreScale) -> CalibratedModel:
    """The model of a new prompt from its essays; NaN in `scores` where an essay has no human score."""
    names = sorted(set(essays.prompts))
    if len(names) > 1:
        problem = f"a model is calibrated to one prompt, and these essays are on {len(names)}: {', '.join(names[:5])}"
        raise InputError(problem, field="essays", remedy="Give the essays of one prompt.")
    placement.check_calibration(int((essays.measures[:, LOG_WORDS] > 0).sum()), scores, scale)
    pool = UnlabeledPrompt.of(essays)
    expected = expected_placement(transfer, essays, scale)
    placed, residual = placed_scores(pool, pool.ranked(transfer), scores, expected, scale)
    scored = int(np.isfinite(scores).sum())
    note = f"calibrated with {scored} scored essays: ten are the fewest we measured"
    if not scored:
        note = "no scored essays of this prompt: scores lie where prompts usually lie; all may be too high or too low"
    return CalibratedModel(
        prompt=essays.prompts[0],
        scale=scale,
        space=pool.space,
        features=placed.features,
        trees=transfer.ranker.trees,
        tree_factor=placed.trees,
        characters=compact(placed.characters[None]),
        intercept=placed.constant,
        cutoffs=rounding(placed.pool, scores, scale),
        percentiles=np.percentile(placed.pool, np.arange(101)),
        residual=residual,
        essays=len(essays),
        scored=scored,
        notes=(note,) if scored < 10 else (),
    )


def placed_scores(
    pool: UnlabeledPrompt, rank: LinearScore, scores: Floats, expected: placement.Placement, scale: ScoreScale
) -> tuple[LinearScore, float]:
    """The raw scores of the pool in score points, and the spread of human scores around them."""
    labelled = np.flatnonzero(np.isfinite(scores))
    alike = pool.likeness()[np.ix_(labelled, labelled)]
    line = placement.fit_line(
        rank.pool[labelled], scores[labelled], expected, width=scale.highest - scale.lowest, kernel=alike
    )
    fitted = rank.times(line.slope).shifted(line.intercept)
    if not len(labelled):
        return fitted.standardised().times(expected.widened).shifted(line.intercept), line.residual
    fitted = fitted.plus(pool.corrected(labelled, scores[labelled] - fitted.pool[labelled]))
    middle = float(fitted.pool.mean())
    return fitted.standardised().times(placement.spread_before_rounding(line.spread, scale)).shifted(
        middle
    ), line.residual


def expected_placement(transfer: CrossPromptModel, essays: HybridEssays, scale: ScoreScale) -> placement.Placement:
    """Where the scores of a new prompt are expected before any is known."""
    if transfer.same_scale != scale:
        return placement.safe_placement(transfer.levels, words=median_words(essays), scale=scale)
    width = scale.highest - scale.lowest
    means = np.array([level.mean for level in transfer.levels])
    sd = float(np.mean([level.sd for level in transfer.levels]))
    spread = placement.spread_before_rounding(width * float(np.hypot(sd, means.std())), scale)
    return placement.Placement(scale.lowest + width * float(means.mean()), width * sd, spread)


def chosen_equation(model: EssayModel, table: EssayFeatures, scores: Floats, scale: ScoreScale) -> EssayModel:
    """The calibrated model, or the model as it was where calibration does not help."""
    new = calibrate_equation(model, table, scores, scale)
    scored = np.isfinite(scores)
    if model.scale != scale or int(scored.sum()) < LEAST_SCORED:
        return new

    def points(known: Floats) -> Floats:
        return np.array([score.score for score in score_table(table, calibrate_equation(model, table, known, scale))])

    before = np.array([score.score for score in score_table(table, model)])[scored]
    after, human = left_out_points(points, scores), scores[scored]
    both = np.isfinite(before) & np.isfinite(after)
    if calibration_helps(human[both], before[both], after[both]):
        return new
    note = unhelpful(int(scored.sum()), len(table))
    return replace(model, training=replace(model.training, notes=(*model.training.notes, note)))


def chosen_generic(model: GenericModel, essays: HybridEssays, scores: Floats, scale: ScoreScale) -> GenericModel:
    """The same for a model of any prompt; with no scored essay the model as it was."""
    written = essays.measures[:, LOG_WORDS] > 0
    placement.check_calibration(int(written.sum()), scores, scale)
    measures, known = essays.measures[written], scores[written]
    scored = np.isfinite(known)
    new = calibrated_generic(model, measures, known, scale)
    if model.scale != scale or 0 < int(scored.sum()) < LEAST_SCORED:
        return new

    def points(some_known: Floats) -> Floats:
        other = calibrated_generic(model, measures, some_known, scale)
        return other.cutoffs.assign(other.raw(measures))

    before = model.cutoffs.assign(model.raw(measures))[scored]
    if scored.any() and calibration_helps(known[scored], before, left_out_points(points, known)):
        return new
    note = (
        unhelpful(int(scored.sum()), len(known))
        if scored.any()
        else "no scored essays of this prompt: the model is as it was"
    )
    return replace(model, training=replace(model.training, notes=(*model.training.notes, note)))


def calibrated_generic(model: GenericModel, measures: Floats, scores: Floats, scale: ScoreScale) -> GenericModel:
    """Raw scores moved and stretched to where a line through the scored essays has them."""
    raw, labelled = model.raw(measures), np.flatnonzero(np.isfinite(scores))
    middle, size = float(raw.mean()), max(float(raw.std()), 1e-9)
    factor = (scale.highest - scale.lowest) / (model.scale.highest - model.scale.lowest)
    expected = placement.Placement(
        scale.lowest + (middle - model.scale.lowest) * factor, size * factor / placement.EXPECTED_R, size * factor
    )
    g = (raw - middle) / size
    line = placement.fit_line(
        g[labelled],
        scores[labelled],
        expected,
        width=scale.highest - scale.lowest,
        kernel=np.zeros((len(labelled),) * 2),
    )
    stretch = placement.spread_before_rounding(line.spread, scale) / size
    cuts = rounding(raw, scores, scale)
    note = f"calibrated to a new prompt with {len(labelled)} scored essays among {len(measures)}"
    return replace(
        model,
        scale=scale,
        weights=model.weights * stretch,
        tree_factor=model.tree_factor * stretch,
        intercept=line.intercept + (model.intercept - middle) * stretch,
        cutoffs=cuts,
        percentiles=np.percentile(line.intercept + (raw - middle) * stretch, np.arange(101)),
        errors=ErrorBand.even(cuts.points, line.residual),
        training=replace(model.training, notes=(*model.training.notes, note), cutoffs="rounding"),
    )


def calibrate_equation(model: EssayModel, table: EssayFeatures, scores: Floats, scale: ScoreScale) -> EssayModel:
    """The model for a new prompt from its essays; NaN in `scores` where an essay has no human score.

    InputError for models that need scored essays of each prompt, and with fewer than ten essays.
    """
    old = only_equation(model)
    written = np.flatnonzero(np.isfinite(model_values(table, model.features, model.shapes)).any(axis=1))
    placement.check_calibration(len(written), scores, scale)
    values = model_values(table.at(written), model.features, model.shapes)
    filled = np.where(np.isnan(values), old.weights.mean, values)
    known = scores[written]
    slope, constant, line = _fitted(filled, known, old, model.scale, scale)
    raw = constant + filled @ slope
    mean, sd, whole = filled.mean(axis=0), filled.std(axis=0), float((filled @ slope).std())
    sd = np.where(sd > 1e-9, sd, 1.0)
    standardised = slope * sd / (whole if whole > 0 else 1.0)
    cuts = rounding(raw, known, scale)
    equation = Equation(
        FeatureWeights(old.weights.names, mean, sd, standardised, slope, constant, old.weights.fixed),
        cuts,
        np.percentile(raw, np.arange(101)),
        ErrorBand.even(cuts.points, line.residual),
        int(np.isfinite(known).sum()),
        dict.fromkeys(("qwk", "kappa", "exact", "r"), float("nan")),
    )
    note = f"calibrated to a new prompt with {equation.essays} scored essays among {len(written)}"
    training = replace(model.training, notes=(*model.training.notes, note), cutoffs="rounding")
    return replace(model, scale=scale, equations={"": equation}, training=training)


def only_equation(model: EssayModel) -> Equation:
    """The equation of a model that can be taken to another prompt; InputError for one that cannot."""
    if model.known_prompts or model.grouping != "all":
        problem = f"a {model.kind} model needs scored essays of every prompt, so it cannot be taken to a new one"
        remedy = "Calibrate a generic10 model, or a hybrid that was trained on several prompts."
        raise InputError(problem, field="model", remedy=remedy)
    (equation,) = model.equations.values()
    if equation.curves:
        problem = "a model with curves is bound to the essays it was trained on"
        raise InputError(problem, field="model", remedy=("Train one without ", Field("curves"), " to calibrate it."))
    return equation


def _fitted(
    values: Floats, scores: Floats, old: Equation, old_scale: ScoreScale, scale: ScoreScale
) -> tuple[Floats, float, placement.FittedLine]:
    """Slope per feature, intercept, and the line: raw = intercept + values . slope."""
    middle, spread = values.mean(axis=0), values.std(axis=0)
    spread = np.where(spread > 1e-9, spread, 1.0)
    z = (values - middle) / spread
    rank = old.weights.raw * spread
    size = float((z @ rank).std())
    rank = rank / (size if size > 1e-12 else 1.0)
    labelled = np.flatnonzero(np.isfinite(scores))
    # scores are expected where they lay among the training essays, carried over to the new scale
    factor = (scale.highest - scale.lowest) / (old_scale.highest - old_scale.lowest)
    mean = scale.lowest + (float(old.percentiles.mean()) - old_scale.lowest) * factor
    sd = max(float(old.percentiles.std()), 1e-6) * factor
    expected = placement.Placement(mean, sd, placement.spread_before_rounding(sd, scale))
    g = z @ rank
    kernel_scale = max(float((z**2).sum(axis=1).mean()), 1e-12)
    alike = z[labelled] @ z[labelled].T / kernel_scale
    line = placement.fit_line(g[labelled], scores[labelled], expected, width=scale.highest - scale.lowest, kernel=alike)
    slope, constant, target = line.slope * rank, line.intercept, expected.widened
    if len(labelled):
        residuals = scores[labelled] - constant - z[labelled] @ slope
        dual = placement.residual_dual(alike, residuals)
        slope, target = (
            slope + z[labelled].T @ dual / kernel_scale,
            placement.spread_before_rounding(line.spread, scale),
        )
    stretch = target / max(float((z @ slope).std()), 1e-12)
    slope = slope * stretch / spread
    return slope, constant - float(middle @ slope), line
