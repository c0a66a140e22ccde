"""`UnlabeledPrompt`: the essays of a new prompt, ranked by a model of other prompts, with what calibration needs."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.essays.models.arrays import Floats
from assay.essays.models.calibrated.cross_prompt import CrossPromptModel, PromptSpace, curved, learn_prompt
from assay.essays.models.calibrated.scale_placement import residual_dual
from assay.essays.models.hybrid.kernels import fit_kernel_ridge, gram, scaled
from assay.essays.models.hybrid.ngrams import CHARACTER_BITS, character_runs, run_matrix
from assay.essays.models.hybrid.parts import Terms
from assay.essays.models.hybrid.reading import HybridEssays

LONGEST_RUN = 5
SELF_RIDGE = 3.0
SELF_WEIGHT = 0.7
"""What characters say, learned from the ranking itself, against the ranking."""


@dataclass(frozen=True, eq=False, slots=True)
class LinearScore(Terms):
    """A score of a pool of essays as a sum: constant + trees + features + characters; so it can score a new essay."""

    pool: Floats
    """(essays,): its values, what characters say of an essay learned without it."""
    constant: float
    trees: float
    features: Floats
    """(twice the features,): weights of `curved` features."""
    characters: Floats
    """(buckets,)."""

    def shifted(self, by: float) -> "LinearScore":
        return replace(self, pool=self.pool + by, constant=self.constant + by)

    def standardised(self) -> "LinearScore":
        spread = float(self.pool.std())
        return self.shifted(-float(self.pool.mean())).times(1 / spread if spread > 1e-12 else 1.0)


@dataclass(frozen=True, eq=False, slots=True)
class UnlabeledPrompt:
    """Essays of one prompt with their kernels, centred and with mean diagonal 1."""

    essays: HybridEssays
    space: PromptSpace
    z: Floats
    """(essays, features): standardised within the prompt."""
    curved: Floats
    """(essays, twice the features)."""
    runs: Any
    """(essays, buckets): sparse."""
    middle: Floats
    """(buckets,): the mean of the rows."""
    kernel: Floats
    run_scale: float
    feature_kernel: Floats
    feature_scale: float

    @classmethod
    def of(cls, essays: HybridEssays) -> "UnlabeledPrompt":
        """From essays of one prompt, scored or not."""
        space = learn_prompt(essays)
        z = space.z(essays, among=True)
        x = curved(z)
        runs = run_matrix([character_runs(text, LONGEST_RUN) for text in essays.texts], 2**CHARACTER_BITS)
        middle = np.asarray(runs.mean(axis=0)).ravel()
        return cls(essays, space, z, x, runs, middle, *scaled(gram(runs)), *scaled(x @ x.T))

    def run_weights(self, dual: Floats) -> Floats:
        """(buckets,): dual weights of the character kernel as weights per bucket."""
        weights = np.asarray(self.runs.T @ dual).ravel() - dual.sum() * self.middle
        return np.asarray(weights / self.run_scale)

    def ranked(self, transfer: CrossPromptModel) -> LinearScore:
        """The rank score g: ridge and trees in equal parts, and what characters say of their sum."""
        weights, boosted = transfer.ranker.weights, transfer.ranker.boosted(self.z)
        nothing, no_runs = np.zeros(len(weights)), np.zeros(2**CHARACTER_BITS)
        by_ridge = LinearScore(self.curved @ weights, 0.0, 0.0, weights, no_runs).standardised()
        by_trees = LinearScore(boosted, 0.0, 1.0, nothing, no_runs).standardised()
        both = by_ridge.plus(by_trees).standardised()
        fit = fit_kernel_ridge(self.kernel, both.pool, [SELF_RIDGE])
        by_run = self.run_weights(fit.dual)
        constant = fit.intercept - float(by_run @ self.middle)
        by_characters = LinearScore(fit.left_out, constant, 0.0, nothing, by_run).standardised()
        return both.plus(by_characters.times(SELF_WEIGHT)).standardised()

    def likeness(self) -> Floats:
        """(essays, essays): how far residuals of two essays go together, by characters and features alike."""
        return (self.kernel + self.feature_kernel) / 2

    def corrected(self, labelled: NDArray[np.intp], residuals: Floats) -> LinearScore:
        """The Gaussian process on the residuals of the scored essays."""
        kernel = self.likeness()
        dual = np.zeros(len(self.curved))
        dual[labelled] = residual_dual(kernel[np.ix_(labelled, labelled)], residuals)
        middle = self.curved.mean(axis=0)
        features = np.asarray((self.curved - middle).T @ dual / (2 * self.feature_scale))
        weights = self.run_weights(dual) / 2
        constant = -float(features @ middle) - float(weights @ self.middle)
        return LinearScore(kernel @ dual, constant, 0.0, features, weights)
