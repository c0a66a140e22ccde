"""A generic model of e-rater's features calibrated to a new prompt: the same features, weights moved a little.

The line and the Gaussian process of `few_labels`, here on ten features. Both are linear in them, so the result is an
`EssayModel` like any other: a weight per feature, an intercept, cutoffs at half points.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.errors import Field, InputError
from assay.essays.models.calibrated.few_labels import FittedLine, fit_line, residual_dual
from assay.essays.models.calibrated.scale_placement import Placement, check_calibration, spread_before_rounding
from assay.essays.models.cutoffs import Cutoffs, rounding
from assay.essays.models.erater.equation import Equation
from assay.essays.models.erater.model import EssayModel
from assay.essays.models.erater.shapes import model_values
from assay.essays.models.erater.weights import FeatureWeights
from assay.essays.models.feature_table import EssayFeatures
from assay.essays.models.scoring_model import ErrorBand
from assay.scale import ScoreScale

Floats = NDArray[np.float64]

NINE_TENTHS = 1.645


def calibrate_equation(model: EssayModel, table: EssayFeatures, scores: Floats, scale: ScoreScale) -> EssayModel:
    """The model for a new prompt from its essays; NaN in `scores` where an essay has no human score.

    InputError for models that need scored essays of each prompt, and with fewer than ten essays.
    """
    old = only_equation(model)
    written = np.flatnonzero(np.isfinite(model_values(table, model.features, model.shapes)).any(axis=1))
    check_calibration(len(written), scores, scale)
    values = model_values(table.at(written), model.features, model.shapes)
    filled = np.where(np.isnan(values), old.weights.mean, values)
    known = scores[written]
    slope, constant, line = _fitted(filled, known, old, model.scale, scale)
    raw = constant + filled @ slope
    weights = _weights(old.weights, filled, slope, constant)
    cuts = rounding(raw, known, scale)
    equation = Equation(
        weights,
        cuts,
        np.percentile(raw, np.arange(101)),
        _errors(cuts, line),
        int(np.isfinite(known).sum()),
        dict.fromkeys(("qwk", "kappa", "exact", "r"), float("nan")),
    )
    note = f"calibrated to a new prompt with {equation.essays} scored essays among {len(written)}"
    training = replace(model.training, notes=(*model.training.notes, note), cutoffs="rounding")
    return replace(model, scale=scale, equations={"": equation}, training=training)


def only_equation(model: EssayModel) -> Equation:
    """The equation of a model that can be taken to another prompt; InputError for one that cannot."""
    if model.known_prompts or model.grouping != "all":
        raise InputError(
            f"a {model.kind} model needs scored essays of every prompt, so it cannot be taken to a new one",
            field="model",
            remedy="Calibrate a generic10 model, or a hybrid that was trained on several prompts.",
        )
    (equation,) = model.equations.values()
    if equation.curves:
        raise InputError(
            "a model with curves is bound to the essays it was trained on",
            field="model",
            remedy=("Train one without ", Field("curves"), " to calibrate it."),
        )
    return equation


def _fitted(
    values: Floats, scores: Floats, old: Equation, old_scale: ScoreScale, scale: ScoreScale
) -> tuple[Floats, float, FittedLine]:
    """Slope per feature, intercept, and the line: raw = intercept + values . slope."""
    middle, spread = values.mean(axis=0), values.std(axis=0)
    spread = np.where(spread > 1e-9, spread, 1.0)
    z = (values - middle) / spread
    rank = old.weights.raw * spread
    size = float((z @ rank).std())
    rank = rank / (size if size > 1e-12 else 1.0)
    labelled = np.flatnonzero(np.isfinite(scores))
    expected = _expected(old, old_scale, scale)
    g = z @ rank
    kernel_scale = max(float((z**2).sum(axis=1).mean()), 1e-12)
    alike = z[labelled] @ z[labelled].T / kernel_scale
    line = fit_line(g[labelled], scores[labelled], expected, width=scale.highest - scale.lowest, kernel=alike)
    slope, constant, target = line.slope * rank, line.intercept, expected.widened
    if len(labelled):
        residuals = scores[labelled] - constant - z[labelled] @ slope
        dual = residual_dual(alike, residuals)
        slope, target = slope + z[labelled].T @ dual / kernel_scale, spread_before_rounding(line.spread, scale)
    stretch = target / max(float((z @ slope).std()), 1e-12)
    slope = slope * stretch / spread
    return slope, constant - float(middle @ slope), line


def _expected(old: Equation, old_scale: ScoreScale, scale: ScoreScale) -> Placement:
    """Where scores lay among the training essays, carried over to the new scale."""
    factor = (scale.highest - scale.lowest) / (old_scale.highest - old_scale.lowest)
    mean = scale.lowest + (float(old.percentiles.mean()) - old_scale.lowest) * factor
    sd = max(float(old.percentiles.std()), 1e-6) * factor
    return Placement(mean, sd, spread_before_rounding(sd, scale))


def _weights(old: FeatureWeights, values: Floats, slope: Floats, constant: float) -> FeatureWeights:
    mean, sd = values.mean(axis=0), values.std(axis=0)
    sd = np.where(sd > 1e-9, sd, 1.0)
    whole = float((values @ slope).std())
    return FeatureWeights(old.names, mean, sd, slope * sd / (whole if whole > 0 else 1.0), slope, constant, old.fixed)


def _errors(cuts: Cutoffs, line: FittedLine) -> ErrorBand:
    reach = np.full(len(cuts.points), NINE_TENTHS * line.residual)
    return ErrorBand(cuts.points.copy(), -reach, reach.copy())
