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
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

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
            node = np.zeros(len(rows), dtype=np.int64)
            while (inner := tree.feature[node] >= 0).any():
                at = node[inner]
                goes_left = rows[inner, tree.feature[at]] <= tree.threshold[at]
                node[inner] = np.where(goes_left, tree.left[at], tree.right[at])
            predictions += weight * tree.value[node]
        return predictions


def leaves(tree: Tree) -> list[tuple[float, dict[int, tuple[float, float]]]]:
    """Every leaf that a response could reach: its value, and the interval (low, high] of each feature on its path."""
    reached = []
    waiting: list[tuple[int, dict[int, tuple[float, float]]]] = [(0, {})]
    while waiting:
        node, box = waiting.pop()
        feature = int(tree.feature[node])
        if feature < 0:
            reached.append((float(tree.value[node]), box))
            continue
        low_end, high_end = box.get(feature, (-np.inf, np.inf))
        cut = float(tree.threshold[node])
        if low_end < cut:
            waiting.append((int(tree.left[node]), {**box, feature: (low_end, min(cut, high_end))}))
        if cut < high_end:
            waiting.append((int(tree.right[node]), {**box, feature: (max(cut, low_end), high_end)}))
    return reached


def tree_shares(model: TreeSum, matrix: Matrix, background: Matrix, weights: Scores) -> Matrix:
    """The exact share of each feature in each score, against weighted background responses. (responses, features)."""
    rows, others = model.rounded(matrix), model.rounded(background)
    shares = np.zeros(matrix.shape)
    for tree, weight in zip(model.trees, model.weights, strict=True):
        for value, box in leaves(tree):
            if box and value:
                columns, ends = list(box), np.array(list(box.values())).T
                of_leaf = _leaf_shares(ends, rows[:, columns], others[:, columns], weights)
                shares[:, columns] += weight * (value * of_leaf)
    return shares


def _leaf_shares(ends: Matrix, rows: Matrix, others: Matrix, weights: Scores) -> Matrix:
    """What a leaf of value 1 adds to the share of each feature on its path. (responses, features of the path)."""
    mine, place, _ = _patterns(ends, rows, np.ones(len(rows)))
    theirs, _, weight = _patterns(ends, others, weights)
    together = ~((~mine[:, None, :] & ~theirs[None, :, :]).any(axis=2))  # (patterns of x, patterns of z)
    a, b = (~theirs).sum(axis=1)[None, :], (~mine).sum(axis=1)[:, None]
    reached = together * weight[None, :]
    orders = _orders(ends.shape[1])
    for_x = (reached * np.where(a > 0, orders[np.maximum(a - 1, 0), b], 0.0)) @ (~theirs).astype(float)
    for_z = (reached * np.where(b > 0, orders[a, np.maximum(b - 1, 0)], 0.0)).sum(axis=1, keepdims=True) * ~mine
    return np.asarray((for_x - for_z)[place])


@cache
def _orders(most: int) -> Matrix:
    """a! b! / (a + b + 1)!: the share of orders in which a given features come before one, and b after."""
    a, b = np.arange(most + 1)[:, None], np.arange(most + 1)[None, :]
    return np.asarray(np.exp(gammaln(a + 1) + gammaln(b + 1) - gammaln(a + b + 2)))


def _patterns(ends: Matrix, rows: Matrix, weights: Scores) -> tuple[NDArray[np.bool_], Cells, Scores]:
    """The distinct patterns of hits, where each row's is among them, and the weight of each."""
    hits = (rows > ends[0]) & (rows <= ends[1])
    if hits.shape[1] <= MOST_BITS:  # a number per pattern: sorting numbers is far quicker than sorting rows
        codes = hits @ (1 << np.arange(hits.shape[1], dtype=np.int64))
        _, first, place = np.unique(codes, return_index=True, return_inverse=True)
    else:
        _, first, place = np.unique(np.packbits(hits, axis=1), axis=0, return_index=True, return_inverse=True)
        place = place.reshape(-1)
    gathered: Scores = np.bincount(place, weights, minlength=len(first)).astype(float)
    return hits[first], place.astype(np.int64), gathered


def line_of(estimator: Any, count: int) -> Scores | None:
    """The coefficients of a linear regressor with so many features."""
    weights = getattr(estimator, "coef_", None)
    if weights is None:
        return None
    dense = np.asarray(weights.toarray() if hasattr(weights, "toarray") else weights, dtype=float).reshape(-1)
    return dense if len(dense) == count else None


def trees_of(estimator: Any) -> TreeSum | None:
    """The trees of a regressor that is a tree, a mean of trees, or a boosted sum of them; None where it is not."""
    match type(estimator).__name__:
        case "DecisionTreeRegressor" | "ExtraTreeRegressor":
            return TreeSum([_sklearn_tree(estimator)], [1.0], single=True)
        case "RandomForestRegressor" | "ExtraTreesRegressor":
            trees = [_sklearn_tree(tree) for tree in estimator.estimators_]
            return TreeSum(trees, [1 / len(trees)] * len(trees), single=True)
        case "GradientBoostingRegressor":
            trees = [_sklearn_tree(tree) for tree in estimator.estimators_[:, 0]]
            start = 0.0 if estimator.init_ == "zero" else float(np.ravel(estimator.init_.constant_)[0])
            return TreeSum(trees, [float(estimator.learning_rate)] * len(trees), start, single=True)
        case "HistGradientBoostingRegressor":
            return _histogram_boosted(estimator)
        case "LGBMRegressor":
            dumped = estimator.booster_.dump_model()["tree_info"]
            read = [tree for info in dumped if (tree := _lightgbm_tree(info["tree_structure"])) is not None]
            return TreeSum(read, [1.0] * len(read)) if len(read) == len(dumped) else None
    return None


def _sklearn_tree(estimator: Any) -> Tree:
    inner = estimator.tree_
    left, right = (side.astype(np.int64) for side in (inner.children_left, inner.children_right))
    feature = np.where(left < 0, -1, inner.feature).astype(np.int64)
    value = np.asarray(inner.value, dtype=float)[:, 0, 0]
    return Tree(feature, np.asarray(inner.threshold, dtype=float), left, right, value)


def _histogram_boosted(estimator: Any) -> TreeSum | None:
    trees = []
    for (predictor,) in estimator._predictors:
        nodes = predictor.nodes
        if nodes["is_categorical"].any():
            return None
        feature = np.where(nodes["is_leaf"].astype(bool), -1, nodes["feature_idx"]).astype(np.int64)
        left, right = (nodes[side].astype(np.int64) for side in ("left", "right"))
        trees.append(Tree(feature, nodes["num_threshold"].astype(float), left, right, nodes["value"].astype(float)))
    return TreeSum(trees, [1.0] * len(trees), float(np.ravel(estimator._baseline_prediction)[0]))


def _lightgbm_tree(root: dict[str, Any]) -> Tree | None:
    rows: list[list[float]] = []
    waiting = [(root, -1, 0)]
    while waiting:
        node, parent, side = waiting.pop()
        if parent >= 0:
            rows[parent][side] = len(rows)
        if "leaf_value" in node:
            rows.append([-1, 0.0, -1, -1, node["leaf_value"]])
            continue
        if node["decision_type"] != "<=":
            return None
        waiting += [(node["left_child"], len(rows), 2), (node["right_child"], len(rows), 3)]
        rows.append([node["split_feature"], node["threshold"], -1, -1, 0.0])
    table = np.array(rows, dtype=float)
    whole = table[:, [0, 2, 3]].astype(np.int64)
    return Tree(whole[:, 0], table[:, 1], whole[:, 1], whole[:, 2], table[:, 4])
