"""FRONT DOOR `calibrate`: a ranking model of other prompts and essays of a new one -> a `CalibratedModel`.

Any number of the new essays may have human scores. With none, scores are placed where prompts usually lie; ten to fifty
are worth about .06 quadratic weighted kappa. Essays without scores help too: features are standardised over all.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.models.calibrated.cross_prompt import CrossPromptModel, PromptSpace, median_words
from assay.essays.models.calibrated.few_labels import fit_line
from assay.essays.models.calibrated.scale_placement import Placement, safe_placement, spread_before_rounding
from assay.essays.models.calibrated.unlabeled_prompt import UnlabeledPrompt
from assay.essays.models.cutoffs import Cutoffs, rounding
from assay.essays.models.hybrid.boosting import Trees
from assay.essays.models.hybrid.fit_parts import compact
from assay.essays.models.hybrid.linear_score import LinearScore
from assay.essays.models.hybrid.reading import HybridEssays
from assay.scale import ScoreScale

Floats = NDArray[np.float64]

LEAST_POOL = 10


@dataclass(frozen=True, eq=False, slots=True)
class CalibratedModel:
    """A model of one prompt: raw = intercept + features . curved z + tree_factor * trees(z) + characters."""

    prompt: str
    scale: ScoreScale
    space: PromptSpace
    features: Floats
    """(twice the features,): weights of standardised features, then of half their squares."""
    trees: tuple[Trees, ...]
    tree_factor: float
    characters: Floats
    """(1, buckets)."""
    intercept: float
    cutoffs: Cutoffs
    percentiles: Floats
    residual: float
    """How far human scores are expected from raw scores, as a standard deviation."""
    essays: int
    scored: int
    """Essays the prompt was learned from, and how many of them had a human score."""
    notes: tuple[str, ...] = ()
    kind: str = "calibrated"
    extra: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for column in (self.features, self.characters, self.percentiles):
            column.flags.writeable = False


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
            f"a model is calibrated to one prompt, and these essays are on {len(names)}: {', '.join(names[:5])}. "
            "Give the essays of one prompt."
        )
    written = int((essays.measures[:, 0] > 0).sum())
    if written < LEAST_POOL:
        raise InputError(
            f"{written} essays with words are too few to calibrate a model: at least {LEAST_POOL} of the prompt are "
            "needed, with or without scores."
        )
    given = scores[np.isfinite(scores)]
    strange = np.unique(given[~scale.holds(given)])
    if len(strange):
        shown = ", ".join(f"{score:g}" for score in strange[:5].tolist())
        raise InputError(f"human scores {shown} are no points of the scale {scale}. Name another with --scale.")


def _notes(scored: int) -> tuple[str, ...]:
    if not scored:
        return (
            "no scored essays of this prompt: scores lie where prompts usually lie; all may be too high or too low",
        )
    return (f"calibrated with {scored} scored essays: ten are the fewest we measured",) if scored < 10 else ()
