"""`UnlabeledPrompt`: the essays of a new prompt, ranked by a model of other prompts, with what calibration needs."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.essays.models.calibrated.cross_prompt import CrossPromptModel, PromptSpace, learn_prompt
from assay.essays.models.calibrated.few_labels import residual_dual
from assay.essays.models.calibrated.ranking import curved
from assay.essays.models.hybrid.kernel_ridge import centred, fit_kernel_ridge
from assay.essays.models.hybrid.kernels import gram
from assay.essays.models.hybrid.linear_score import LinearScore
from assay.essays.models.hybrid.ngrams import CHARACTER_BITS, character_runs, run_matrix
from assay.essays.models.hybrid.reading import HybridEssays

Floats = NDArray[np.float64]

LONGEST_RUN = 5
SELF_RIDGE = 3.0
SELF_WEIGHT = 0.7
"""What characters say, learned from the ranking itself, against the ranking."""


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
        by_runs, by_features = centred(gram(runs)), centred(x @ x.T)
        run_scale = max(float(np.trace(by_runs)) / len(z), 1e-12)
        feature_scale = max(float(np.trace(by_features)) / len(z), 1e-12)
        middle = np.asarray(runs.mean(axis=0)).ravel()
        kernels = (by_runs / run_scale, run_scale, by_features / feature_scale, feature_scale)
        return cls(essays, space, z, x, runs, middle, *kernels)

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
        told = LinearScore(fit.left_out, constant, 0.0, nothing, by_run).standardised()
        return both.plus(told.times(SELF_WEIGHT)).standardised()

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
