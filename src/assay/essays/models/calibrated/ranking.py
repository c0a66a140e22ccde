"""Ranking essays of a prompt nobody has scored: a model of the order of essays, learned from other prompts.

Every feature is standardised within its prompt, and so is the human score: what counts is how an essay stands among
the essays of its own prompt. Where the prompt's scores lie on the scale is another question (`placing`).

Two models, counted alike. Trees, and a ridge regression on the features and their squares, in which each prompt p
weighs them by w + v_p:

    sum over p of |y_p - X_p (w + v_p)|^2 + lambda |v_p|^2, and lambda |w|^2 once, is least.

A new prompt is ranked by w, what prompts have in common; v_p takes up what is peculiar to one. With G_p = X_p' X_p and
S_p = lambda (G_p + lambda I)^-1, w = (sum of S_p G_p + lambda I)^-1 sum of S_p X_p' y_p.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.essays.models.hybrid.boosting import Trees, fit_trees

Floats = NDArray[np.float64]

CLIP = 4.0
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
OTHER_GENRE = 0.1
"""The weight of a source prompt of another genre than the target's."""


@dataclass(frozen=True, eq=False, slots=True)
class Standard:
    """Mean and standard deviation of each feature in one prompt."""

    mean: Floats
    sd: Floats

    def __post_init__(self) -> None:
        self.mean.flags.writeable = False
        self.sd.flags.writeable = False

    def z(self, values: Floats) -> Floats:
        """(essays, features): in standard deviations, at most four; 0 where undefined."""
        scaled = (values - self.mean) / self.sd
        return np.asarray(np.clip(np.where(np.isfinite(scaled), scaled, 0.0), -CLIP, CLIP))


def learn_standard(values: Floats) -> Standard:
    """From (essays, features), undefined values aside; a feature that does not vary gets the spread 1."""
    known = np.isfinite(values)
    count = np.maximum(known.sum(axis=0), 1)
    mean = np.where(known, values, 0.0).sum(axis=0) / count
    spread = np.sqrt((np.where(known, values - mean, 0.0) ** 2).sum(axis=0) / count)
    return Standard(mean, np.where(spread > 1e-9, spread, 1.0))


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
class Ranker:
    """Weights of a ridge regression and trees, both for features standardised within their prompt."""

    weights: Floats
    """(twice the features,): of `curved` features."""
    trees: tuple[Trees, ...]

    def __post_init__(self) -> None:
        self.weights.flags.writeable = False

    def boosted(self, z: Floats) -> Floats:
        """(essays,): what the trees say."""
        return np.asarray(np.mean([trees.predict(z) for trees in self.trees], axis=0))


def fit_ranker(sources: Sequence[SourcePrompt], *, seeds: int = 2) -> Ranker:
    """The model of several source prompts; each weighs the same, whatever its number of essays, times its weight."""
    if not sources:
        raise InputError("ranking essays of a new prompt is learned from other prompts, and none was given")
    z = np.concatenate([source.z for source in sources])
    target = np.concatenate([standardised(source.scores) for source in sources])
    weight = np.concatenate([np.full(len(s.scores), s.weight * 1000 / len(s.scores)) for s in sources])
    trees = tuple(
        fit_trees(z, target, seed=seed, weights=weight, rounds=TREE_ROUNDS, settings=TREE_SETTINGS)
        for seed in range(seeds)
    )
    return Ranker(shared_weights(sources), trees)


def shared_weights(sources: Sequence[SourcePrompt]) -> Floats:
    """(twice the features,): w, the weights of `curved` features that source prompts have in common."""
    size = 2 * sources[0].z.shape[1]
    ridge = RIDGE * np.eye(size)
    total, told = ridge.copy(), np.zeros(size)
    for source in sources:
        x = curved(source.z)
        x = (x - x.mean(axis=0)) * np.sqrt(1000 / len(x))
        gram, product = x.T @ x, x.T @ standardised(source.scores) * np.sqrt(1000 / len(x))
        shared = source.weight * RIDGE * np.linalg.inv(gram + ridge)
        total += shared @ gram
        told += shared @ product
    return np.asarray(np.linalg.solve(total, told))


def standardised(values: Floats) -> Floats:
    """Mean 0 and spread 1; zeros where all are equal.

    >>> standardised(np.array([1.0, 3.0])).tolist()
    [-1.0, 1.0]
    """
    spread = float(values.std())
    return np.asarray((values - values.mean()) / (spread if spread > 1e-12 else 1.0))
