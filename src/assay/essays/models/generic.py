"""`GenericModel`: a score for essays of any prompt from some 150 measures, by ridge regression and boosted trees.

    raw = intercept + sum over measures of weights . (z, z^2 / 2) + tree_factor * trees(z)

with z standardised over the training essays of all prompts; the regression counts a quarter, the trees three. Nothing
in it depends on the prompt, so an essay can be scored alone. Cutoffs, percentiles and the interval come from prompts
left out in turn: what is said of a score holds for prompts the model has not seen. With essays of the new prompt, a few
of them scored, `calibrate` moves and stretches the raw score.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import nan
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.essays.features.features import Analysis
from assay.essays.features.measures import NAMES, measures_of
from assay.essays.feedback.advisories import Advisory
from assay.essays.models import scoring_model as scoring
from assay.essays.models.arrays import Floats, ReadOnlyArrays
from assay.essays.models.calibrated.cross_prompt import TREE_SETTINGS as CROSS_PROMPT_TREES
from assay.essays.models.cutoffs import CUTOFFS, Cutoffs
from assay.essays.models.erater.equation import judged
from assay.essays.models.hybrid.boosting import Trees, fit_trees
from assay.essays.models.hybrid.reading import LOG_WORDS, HybridEssays, Standard, learn_standard
from assay.essays.models.tree_paths import TreePaths, tree_paths
from assay.essays.text.text import Essay
from assay.scale import ScoreScale

RIDGE = 300.0
"""Essays' worth of pull to zero, where every prompt counts as 1,000 essays."""
CURVE_CLIP = 3.0
TREE_SHARE = 0.75
TREE_ROUNDS, TREE_SEEDS = 300, (0, 1)
TREE_SETTINGS: Mapping[str, object] = MappingProxyType(
    {**CROSS_PROMPT_TREES, "learning_rate": 0.04, "feature_fraction": 0.2}
)
CUTOFF_RULE = "signal-detection-common, a quarter balanced"


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class GenericModel(scoring.ScoringModel):
    """A model of essays on any prompt."""

    kind: str = "generic"
    standard: Standard
    weights: Floats
    """(2, measures): of standardised measures, and of half their squares."""
    intercept: float
    trees: tuple[Trees, ...]
    tree_factor: float
    cutoffs: Cutoffs
    percentiles: Floats
    errors: scoring.ErrorBand
    words: tuple[float, float]
    """The numbers of words between which 98 of 100 training essays lie."""
    paths: TreePaths = field(init=False, repr=False)

    def __post_init__(self) -> None:
        qwk, kappa, exact, r = (self.agreement[name] for name in ("qwk", "kappa", "exact", "r"))
        derived = {
            "basis": "Agreement with human scores of prompts that were left out in turn: quadratic weighted kappa "
            f"{qwk:.2f}, kappa {kappa:.2f}, exact agreement {exact:.0f} %, r {r:.2f}.",
            "columns": NAMES,
            "paths": tree_paths(tuple(trees.text for trees in self.trees)),
            "can_calibrate": True,
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)
        ReadOnlyArrays.__post_init__(self)

    def raw(self, measures: Floats) -> Floats:
        """(essays,): raw scores of (essays, measures)."""
        return np.array([start + float(shares.sum()) for start, shares in map(self.by_measure, measures)])

    def by_measure(self, measures: Floats) -> tuple[float, Floats]:
        """What all essays start from, and (measures,): the score points that each measure of an essay adds to it."""
        z = self.standard.z(measures)
        first, second = curves(z)
        by_tree, root = self.paths.shares(z, len(z))
        shares = first * self.weights[0] + second * self.weights[1] + by_tree * self.tree_factor
        return self.intercept + root * self.tree_factor, shares

    def score(self, essay: Essay, analysis: Analysis, program: str = "") -> scoring.EssayScore:  # noqa: ARG002 - knows none
        """See `ScoringModel.score`."""
        one = HybridEssays.of(essay, analysis, measures_of(analysis))
        measures, doubts = one.measures, one.advisories[0]
        if not measures[0, LOG_WORDS] > 0:
            return scoring.unscored(essay, dict.fromkeys(NAMES, nan), doubts)
        start, shares = self.by_measure(measures[0])
        raw = round(start + float(shares.sum()), scoring.RAW_DECIMALS)
        placed = scoring.placed_score(raw, self.cutoffs, self.percentiles, self.errors, self.scale)
        features, by_name = (dict(zip(NAMES, row.tolist(), strict=True)) for row in (measures[0], shares))
        doubts = (*doubts, *self.outside(float(np.expm1(measures[0, LOG_WORDS]))))
        return scoring.EssayScore(essay.essay_id, essay.prompt, raw, *placed, features, by_name, start, doubts)

    def outside(self, words: float) -> tuple[Advisory, ...]:
        """An advisory for essays shorter or longer than those it was trained on."""
        low, high = self.words
        if low <= words <= high:
            return ()
        evidence = f"it has {words:.0f} words; 98 of 100 training essays have {low:.0f} to {high:.0f}"
        return (Advisory("beyond_training", evidence),)


def curves(z: Floats) -> tuple[Floats, Floats]:
    """The standardised measures and half their squares."""
    return z, np.clip(z, -CURVE_CLIP, CURVE_CLIP) ** 2 / 2


def fit_generic(
    measures: Floats, scores: Floats, prompts: Sequence[str], *, scale: ScoreScale, training: scoring.TrainingSummary
) -> GenericModel:
    """From (essays, measures) with human scores; at least three prompts, so that one can be left out."""
    prompt = np.array(prompts, dtype=np.str_)
    left_out = np.empty(len(scores))
    for name in sorted(set(prompts)):
        own = prompt == name
        left_out[own] = _raw(measures[own], _fitted(measures[~own], scores[~own], prompt[~own]))
    fit = _fitted(measures, scores, prompt)
    figures = judged(left_out, scores, _cutoffs(left_out, scores, scale), step=scale.step)
    words = np.percentile(np.expm1(measures[:, LOG_WORDS]), [1, 99])
    return GenericModel(
        scale=scale,
        training=replace(training, cutoffs=CUTOFF_RULE),
        standard=fit.standard,
        weights=fit.weights,
        intercept=fit.intercept,
        trees=fit.trees,
        tree_factor=TREE_SHARE,
        words=(float(words[0]), float(words[1])),
        **figures,
    )


class _Fit(NamedTuple):
    standard: Standard
    weights: Floats
    intercept: float
    trees: tuple[Trees, ...]


def _cutoffs(raw: Floats, scores: Floats, scale: ScoreScale) -> Cutoffs:
    """A quarter of the way from where exact agreement is highest to where quadratic weighted kappa is."""
    exact, balanced = (CUTOFFS[name](raw, scores, scale) for name in ("signal-detection-common", "balanced"))
    return Cutoffs(exact.points, 0.75 * exact.cuts + 0.25 * balanced.cuts)


def _fitted(measures: Floats, scores: Floats, prompt: NDArray[np.str_]) -> _Fit:
    """Ridge regression and trees, in which every prompt counts alike."""
    standard = learn_standard(measures)
    z = standard.z(measures)
    x = np.hstack(curves(z))
    names, place = np.unique(prompt, return_inverse=True)
    share = (1000 / np.bincount(place, minlength=len(names)))[place]
    middle, level = np.average(x, axis=0, weights=share), float(np.average(scores, weights=share))
    centred = x - middle
    gram = centred.T @ (centred * share[:, None]) + RIDGE * np.eye(x.shape[1])
    weights = np.asarray(np.linalg.solve(gram, centred.T @ (share * (scores - level))), dtype=np.float64)
    trees = tuple(
        fit_trees(z, scores, seed=seed, weights=share, rounds=TREE_ROUNDS, settings=TREE_SETTINGS)
        for seed in TREE_SEEDS
    )
    part = 1 - TREE_SHARE
    return _Fit(standard, part * weights.reshape(2, -1), part * (level - float(middle @ weights)), trees)


def _raw(measures: Floats, fit: _Fit) -> Floats:
    z = fit.standard.z(measures)
    first, second = curves(z)
    by_trees = np.mean([trees.predict(z) for trees in fit.trees], axis=0)
    return np.asarray(fit.intercept + first @ fit.weights[0] + second @ fit.weights[1] + TREE_SHARE * by_trees)
