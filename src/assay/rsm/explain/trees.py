"""Exact shares of a sum of regression trees, against a background.

A leaf is a box: for each feature on its path an interval. Replace some features of a response x by those of a
background response z: the mixture falls into the leaf when every feature on the path comes from one that lies in its
interval. Let a features lie in it for x alone and b for z alone (and every other one for both). Then of all orders of
adding features, the share of a feature of the first kind is v (a-1)! b! / (a+b)! and of the second
-v a! (b-1)! / (a+b)!, v the leaf's value. Responses with the same pattern of hits are dealt with at once.
Source: Lundberg et al. (2020), From local explanations to global understanding with explainable AI for trees
("interventional" TreeSHAP), written here over leaves instead of down the tree.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from assay.rsm.explain.explanation import Background
from assay.rsm.types import Matrix, Scores

Cells = NDArray[np.int64]

MOST_BITS = 62


@dataclass(frozen=True, eq=False, slots=True)
class Tree:
    """A regression tree: x goes left where x[feature] <= threshold. A leaf has no feature (-1)."""

    feature: Cells
    threshold: Scores
    left: Cells
    right: Cells
    value: Scores


@dataclass(frozen=True, eq=False, slots=True)
class TreeSum:
    """Trees whose values, times their weight, add up to the score."""

    trees: Sequence[Tree]
    weights: Sequence[float]
    start: float = 0.0
    """What is there before the first tree."""
    single: bool = False
    """Whether features are rounded to 32 bits before they are compared, as scikit-learn does."""

    def rounded(self, matrix: Matrix) -> Matrix:
        return matrix.astype(np.float32).astype(np.float64) if self.single else matrix

    def predict(self, matrix: Matrix) -> Scores:
        """The score of each response."""
        rows = self.rounded(matrix)
        predictions = np.full(len(rows), self.start)
        for tree, weight in zip(self.trees, self.weights, strict=True):
            predictions += weight * tree.value[_leaf_of(tree, rows)]
        return predictions


def _leaf_of(tree: Tree, rows: Matrix) -> Cells:
    node = np.zeros(len(rows), dtype=np.int64)
    while (inner := tree.feature[node] >= 0).any():
        at = node[inner]
        goes_left = rows[inner, tree.feature[at]] <= tree.threshold[at]
        node[inner] = np.where(goes_left, tree.left[at], tree.right[at])
    return node


@dataclass(frozen=True, slots=True)
class Leaf:
    """A box: per feature on the path the interval (low, high]."""

    value: float
    features: tuple[int, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


def leaves(tree: Tree) -> list[Leaf]:
    """Every leaf that some response could reach."""
    leaves: list[Leaf] = []
    waiting: list[tuple[int, dict[int, tuple[float, float]]]] = [(0, {})]
    while waiting:
        node, box = waiting.pop()
        feature = int(tree.feature[node])
        if feature < 0:
            low, high = zip(*box.values(), strict=True) if box else ((), ())
            leaves.append(Leaf(float(tree.value[node]), tuple(box), low, high))
            continue
        low_end, high_end = box.get(feature, (-np.inf, np.inf))
        cut = float(tree.threshold[node])
        if low_end < cut:
            waiting.append((int(tree.left[node]), {**box, feature: (low_end, min(cut, high_end))}))
        if cut < high_end:
            waiting.append((int(tree.right[node]), {**box, feature: (max(cut, low_end), high_end)}))
    return leaves


def tree_shares(model: TreeSum, matrix: Matrix, background: Background) -> Matrix:
    """The exact share of each feature in each score. (responses, features)."""
    rows, others = model.rounded(matrix), model.rounded(background.matrix)
    shares = np.zeros(matrix.shape)
    for tree, weight in zip(model.trees, model.weights, strict=True):
        for leaf in leaves(tree):
            if leaf.features and leaf.value:
                columns = list(leaf.features)
                shares[:, columns] += weight * _leaf_shares(leaf, rows[:, columns], others[:, columns], background)
    return shares


def _leaf_shares(leaf: Leaf, rows: Matrix, others: Matrix, background: Background) -> Matrix:
    """What one leaf adds to the share of each feature on its path. (responses, features of the path)."""
    mine, place, _ = _patterns(leaf, rows, np.ones(len(rows)))
    theirs, _, weight = _patterns(leaf, others, background.weights)
    together = ~((~mine[:, None, :] & ~theirs[None, :, :]).any(axis=2))  # (patterns of x, patterns of z)
    a, b = (~theirs).sum(axis=1)[None, :], (~mine).sum(axis=1)[:, None]
    reached = together * weight[None, :]
    count = len(leaf.features)
    for_x = (reached * _orders(a - 1, b, count)) @ (~theirs).astype(float)
    for_z = (reached * _orders(a, b - 1, count)).sum(axis=1, keepdims=True) * ~mine
    shares: Matrix = leaf.value * (for_x - for_z)[place]
    return shares


def _patterns(leaf: Leaf, rows: Matrix, weights: Scores) -> tuple[NDArray[np.bool_], Cells, Scores]:
    """The distinct patterns of hits, where each row's is among them, and the weight of each."""
    hits = (rows > np.array(leaf.low)) & (rows <= np.array(leaf.high))
    if hits.shape[1] <= MOST_BITS:  # a number per pattern: sorting numbers is far quicker than sorting rows
        codes = hits @ (1 << np.arange(hits.shape[1], dtype=np.int64))
        _, first, place = np.unique(codes, return_index=True, return_inverse=True)
    else:
        _, first, place = np.unique(np.packbits(hits, axis=1), axis=0, return_index=True, return_inverse=True)
        place = place.reshape(-1)
    gathered: Scores = np.bincount(place, weights, minlength=len(first)).astype(float)
    return hits[first], place.astype(np.int64), gathered


def _orders(a: Cells, b: Cells, most: int) -> Matrix:
    """a! b! / (a + b + 1)!: the share of orders in which a given features come before one, and b after; 0 if a < 0."""
    return np.where((a >= 0) & (b >= 0), _shares_of_orders(most)[np.maximum(a, 0), np.maximum(b, 0)], 0.0)


@cache
def _shares_of_orders(most: int) -> Matrix:
    a, b = np.arange(most + 1)[:, None], np.arange(most + 1)[None, :]
    return np.asarray(np.exp(gammaln(a + 1) + gammaln(b + 1) - gammaln(a + b + 2)))
