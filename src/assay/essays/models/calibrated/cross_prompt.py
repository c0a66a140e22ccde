"""What a model of several prompts knows about any prompt, and the essays of a new one ranked by it.

Every feature is standardised within its prompt, and so is the human score: what counts is how an essay stands among
the essays of its own prompt. Where the prompt's scores lie on the scale is another question (`scale_placement`).

Two models, counted alike. Trees, and a ridge regression on the features and their squares, in which each prompt p
weighs them by w + v_p:

    sum over p of |y_p - X_p (w + v_p)|^2 + lambda |v_p|^2, and lambda |w|^2 once, is least.

A new prompt is ranked by w, what prompts have in common; v_p takes up what is peculiar to one. With G_p = X_p' X_p and
S_p = lambda (G_p + lambda I)^-1, w = (sum of S_p G_p + lambda I)^-1 sum of S_p X_p' y_p.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.models.arrays import Floats, ReadOnlyArrays
from assay.essays.models.calibrated.scale_placement import PromptLevel, prompt_level, residual_dual
from assay.essays.models.erater.prompt_vocabulary import essay_content
from assay.essays.models.hybrid.boosting import Trees, fit_trees
from assay.essays.models.hybrid.ngrams import (
    CHARACTER_BITS,
    Topic,
    character_runs,
    learn_topic,
    run_matrix,
    topic_measures,
)
from assay.essays.models.hybrid.parts import Terms, fit_kernel_ridge, gram, scaled
from assay.essays.models.hybrid.reading import LOG_WORDS, HybridEssays, Standard, learn_standard
from assay.scale import ScoreScale

CURVE_CLIP = 3.0
RIDGE = 1000.0
"""lambda, for 1,000 essays of a source prompt."""
TREE_ROUNDS = 400
TREE_SETTINGS: Mapping[str, object] = MappingProxyType(
    {
        "learning_rate": 0.03,
        "num_leaves": 15,
        "min_child_samples": 50,
        "feature_fraction": 0.3,
        "bagging_fraction": 0.7,
        "lambda_l2": 10.0,
        "extra_trees": True,  # one random threshold a feature: thresholds of a prompt do not carry over to another
    }
)
LONGEST_RUN = 5
SELF_RIDGE = 3.0
SELF_WEIGHT = 0.7
"""What characters say, learned from the ranking itself, against the ranking."""


@dataclass(frozen=True, eq=False, slots=True)
class PromptSpace:
    """The topic of a prompt and the spread of every feature among its essays, learned without scores."""

    topic: Topic
    standard: Standard

    def z(self, essays: HybridEssays, *, among: bool) -> Floats:
        """(essays, features): standardised within the prompt; `among` for the essays it was learned from."""
        return self.standard.z(_values(essays, self.topic, among=among))


def learn_prompt(essays: HybridEssays) -> PromptSpace:
    """From essays of one prompt, scored or not."""
    topic = learn_topic([essay_content(text) for text in essays.texts])
    return PromptSpace(topic, learn_standard(_values(essays, topic, among=True)))


def _values(essays: HybridEssays, topic: Topic, *, among: bool) -> Floats:
    rows = [topic_measures(essay_content(text), topic, among=among) for text in essays.texts]
    return np.hstack([essays.measures, np.array(rows)])


@dataclass(frozen=True, eq=False, slots=True)
class SourcePrompt:
    """The essays of a prompt that people scored, as a ranking model sees them."""

    z: Floats
    """(essays, features): standardised within the prompt."""
    scores: Floats
    weight: float = 1.0


def curved(z: Floats) -> Floats:
    """(essays, twice the features): the features, then half their squares, so that each may count by a bent line.

    >>> curved(np.array([[-2.0, 4.0]])).tolist()
    [[-2.0, 4.0, 2.0, 4.5]]
    """
    return np.hstack([z, np.clip(z, -CURVE_CLIP, CURVE_CLIP) ** 2 / 2])


@dataclass(frozen=True, eq=False, slots=True)
class Ranker(ReadOnlyArrays):
    """Weights of a ridge regression and trees, both for features standardised within their prompt."""

    weights: Floats
    """(twice the features,): of `curved` features."""
    trees: tuple[Trees, ...]

    def boosted(self, z: Floats) -> Floats:
        """(essays,): what the trees say."""
        return np.asarray(np.mean([trees.predict(z) for trees in self.trees], axis=0))


@dataclass(frozen=True, eq=False, slots=True)
class CrossPromptModel:
    """The ranking model and the levels of the source prompts."""

    ranker: Ranker
    levels: tuple[PromptLevel, ...]
    same_scale: ScoreScale | None
    """The scale all source prompts share, if they do: a new prompt of the same program is then placed by it."""


def learn_transfer(essays: HybridEssays, scores: Floats, scales: Mapping[str, ScoreScale]) -> CrossPromptModel:
    """From scored essays of several prompts, each on the scale given for it."""
    sources, levels = [], []
    for prompt in sorted(set(essays.prompts)):
        rows = np.flatnonzero(np.array(essays.prompts) == prompt)
        own = essays.at(rows)
        z = learn_prompt(own).z(own, among=True)
        sources.append(SourcePrompt(z, scores[rows]))
        levels.append(prompt_level(scores[rows], median_words(own), scales[prompt]))
    same_scale = next(iter(scales.values())) if len(set(scales.values())) == 1 else None
    return CrossPromptModel(fit_ranker(sources), tuple(levels), same_scale)


def median_words(essays: HybridEssays) -> float:
    """Words in the median essay."""
    return float(np.median(np.expm1(essays.measures[:, LOG_WORDS])))


def fit_ranker(sources: Sequence[SourcePrompt]) -> Ranker:
    """The model of several source prompts; each weighs the same, whatever its number of essays, times its weight."""
    if not sources:
        raise InputError("ranking essays of a new prompt is learned from other prompts, and none was given")
    z = np.concatenate([source.z for source in sources])
    target = np.concatenate([standardised(source.scores) for source in sources])
    weight = np.concatenate([np.full(len(s.scores), s.weight * 1000 / len(s.scores)) for s in sources])
    trees = tuple(
        fit_trees(z, target, seed=seed, weights=weight, rounds=TREE_ROUNDS, settings=TREE_SETTINGS) for seed in (0, 1)
    )
    return Ranker(shared_weights(sources), trees)


def shared_weights(sources: Sequence[SourcePrompt]) -> Floats:
    """(twice the features,): w, the weights of `curved` features that source prompts have in common."""
    size = 2 * sources[0].z.shape[1]
    ridge = RIDGE * np.eye(size)
    total, products = ridge.copy(), np.zeros(size)
    for source in sources:
        x = curved(source.z)
        x = (x - x.mean(axis=0)) * np.sqrt(1000 / len(x))
        gram, product = x.T @ x, x.T @ standardised(source.scores) * np.sqrt(1000 / len(x))
        shared = source.weight * RIDGE * np.linalg.inv(gram + ridge)
        total += shared @ gram
        products += shared @ product
    return np.asarray(np.linalg.solve(total, products))


def standardised(values: Floats) -> Floats:
    """Mean 0 and spread 1; zeros where all are equal.

    >>> standardised(np.array([1.0, 3.0])).tolist()
    [-1.0, 1.0]
    """
    spread = float(values.std())
    return np.asarray((values - values.mean()) / (spread if spread > 1e-12 else 1.0))


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
