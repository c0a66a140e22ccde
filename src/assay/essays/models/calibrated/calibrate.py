"""FRONT DOOR `calibrate_model`: a ranking model of other prompts and essays of a new one -> a `CalibratedModel`.

Any number of the new essays may have human scores. With none, scores are placed where prompts usually lie; ten to fifty
are worth about .06 quadratic weighted kappa. Essays without scores help too: features are standardised over all.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from assay.errors import Field, InputError
from assay.essays.models.calibrated.calibrate_equation import calibrate_equation, only_equation
from assay.essays.models.calibrated.cross_prompt import CrossPromptModel, median_words
from assay.essays.models.calibrated.few_labels import fit_line
from assay.essays.models.calibrated.model import CalibratedModel
from assay.essays.models.calibrated.scale_placement import (
    Placement,
    check_calibration,
    safe_placement,
    spread_before_rounding,
)
from assay.essays.models.calibrated.unlabeled_prompt import UnlabeledPrompt
from assay.essays.models.cutoffs import rounding
from assay.essays.models.erater.model import EssayModel
from assay.essays.models.feature_table import EssayFeatures
from assay.essays.models.hybrid.fit_parts import compact
from assay.essays.models.hybrid.linear_score import LinearScore
from assay.essays.models.hybrid.model import HybridModel
from assay.essays.models.hybrid.reading import HybridEssays
from assay.essays.models.scoring_model import ScoringModel
from assay.scale import ScoreScale

Floats = NDArray[np.float64]


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
        return calibrate_equation(model, features(), scores, scale)
    if not isinstance(model, HybridModel):
        raise InputError(
            "the model is calibrated to a prompt already", field="model", remedy="Name the model it was made from."
        )
    if model.transfer is None:
        raise InputError(
            "this hybrid was trained on one prompt, so it does not know what carries over to another",
            field="model",
            remedy=("Train it on essays of several prompts, named with ", Field("prompt"), "."),
        )
    return calibrate(model.transfer, measures(), scores, scale)


def calibrate(
    transfer: CrossPromptModel,
    essays: HybridEssays,
    scores: Floats,
    scale: ScoreScale,
    *,
    placement: Placement | None = None,
) -> CalibratedModel:
    """The model of a new prompt from its essays; NaN in `scores` where an essay has no human score."""
    _check(essays, scores, scale)
    pool = UnlabeledPrompt.of(essays)
    rank = pool.ranked(transfer)
    expected = placement or expected_placement(transfer, essays, scale)
    placed, residual = placed_scores(pool, rank, scores, expected, scale)
    scored = int(np.isfinite(scores).sum())
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
        notes=_notes(scored),
    )


def placed_scores(
    pool: UnlabeledPrompt, rank: LinearScore, scores: Floats, expected: Placement, scale: ScoreScale
) -> tuple[LinearScore, float]:
    """The raw scores of the pool in score points, and the spread of human scores around them."""
    labelled = np.flatnonzero(np.isfinite(scores))
    alike = pool.likeness()[np.ix_(labelled, labelled)]
    line = fit_line(rank.pool[labelled], scores[labelled], expected, width=scale.highest - scale.lowest, kernel=alike)
    fitted = rank.times(line.slope).shifted(line.intercept)
    if not len(labelled):
        return fitted.standardised().times(expected.widened).shifted(line.intercept), line.residual
    fitted = fitted.plus(pool.corrected(labelled, scores[labelled] - fitted.pool[labelled]))
    middle = float(fitted.pool.mean())
    return fitted.standardised().times(spread_before_rounding(line.spread, scale)).shifted(middle), line.residual


def expected_placement(transfer: CrossPromptModel, essays: HybridEssays, scale: ScoreScale) -> Placement:
    """Where the scores of a new prompt are expected before any is known."""
    if transfer.same_scale != scale:
        return safe_placement(transfer.levels, words=median_words(essays), scale=scale)
    width = scale.highest - scale.lowest
    means = np.array([level.mean for level in transfer.levels])
    sd = float(np.mean([level.sd for level in transfer.levels]))
    spread = spread_before_rounding(width * float(np.hypot(sd, means.std())), scale)
    return Placement(scale.lowest + width * float(means.mean()), width * sd, spread)


def _check(essays: HybridEssays, scores: Floats, scale: ScoreScale) -> None:
    names = sorted(set(essays.prompts))
    if len(names) > 1:
        raise InputError(
            f"a model is calibrated to one prompt, and these essays are on {len(names)}: {', '.join(names[:5])}",
            field="essays",
            remedy="Give the essays of one prompt.",
        )
    check_calibration(int((essays.measures[:, 0] > 0).sum()), scores, scale)


def _notes(scored: int) -> tuple[str, ...]:
    if not scored:
        return (
            "no scored essays of this prompt: scores lie where prompts usually lie; all may be too high or too low",
        )
    return (f"calibrated with {scored} scored essays: ten are the fewest we measured",) if scored < 10 else ()
