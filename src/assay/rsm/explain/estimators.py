"""Estimators of scikit-learn and LightGBM taken apart: a line, or a sum of trees; None where they are neither."""

from typing import Any

import numpy as np

from assay.rsm.explain.explanation import Background
from assay.rsm.explain.trees import Tree, TreeSum
from assay.rsm.types import Matrix, Scores

AVERAGED = ("RandomForestRegressor", "ExtraTreesRegressor")


def line_of(estimator: Any, count: int) -> Scores | None:
    """The coefficients of a linear regressor with so many features."""
    weights = getattr(estimator, "coef_", None)
    if weights is None:
        return None
    dense = np.asarray(weights.toarray() if hasattr(weights, "toarray") else weights, dtype=float).reshape(-1)
    return dense if len(dense) == count else None


def trees_of(estimator: Any) -> TreeSum | None:
    """The trees of a regressor that is a tree, a mean of trees, or a boosted sum of them."""
    name = type(estimator).__name__
    if name in ("DecisionTreeRegressor", "ExtraTreeRegressor"):
        return TreeSum([_sklearn_tree(estimator)], [1.0], single=True)
    if name in AVERAGED:
        trees = [_sklearn_tree(tree) for tree in estimator.estimators_]
        return TreeSum(trees, [1 / len(trees)] * len(trees), single=True)
    if name == "GradientBoostingRegressor":
        return _boosted(estimator)
    if name == "HistGradientBoostingRegressor":
        return _histogram_boosted(estimator)
    return _lightgbm(estimator) if name == "LGBMRegressor" else None


def _sklearn_tree(estimator: Any) -> Tree:
    inner = estimator.tree_
    return Tree(
        feature=np.where(inner.children_left < 0, -1, inner.feature).astype(np.int64),
        threshold=np.asarray(inner.threshold, dtype=float),
        left=inner.children_left.astype(np.int64),
        right=inner.children_right.astype(np.int64),
        value=np.asarray(inner.value, dtype=float)[:, 0, 0],
    )


def _boosted(estimator: Any) -> TreeSum:
    trees = [_sklearn_tree(tree) for tree in estimator.estimators_[:, 0]]
    start = 0.0 if estimator.init_ == "zero" else float(np.ravel(estimator.init_.constant_)[0])
    return TreeSum(trees, [float(estimator.learning_rate)] * len(trees), start, single=True)


def _histogram_boosted(estimator: Any) -> TreeSum | None:
    trees = []
    for (predictor,) in estimator._predictors:
        nodes = predictor.nodes
        if nodes["is_categorical"].any():
            return None
        leaf = nodes["is_leaf"].astype(bool)
        trees.append(
            Tree(
                feature=np.where(leaf, -1, nodes["feature_idx"]).astype(np.int64),
                threshold=nodes["num_threshold"].astype(float),
                left=nodes["left"].astype(np.int64),
                right=nodes["right"].astype(np.int64),
                value=nodes["value"].astype(float),
            )
        )
    return TreeSum(trees, [1.0] * len(trees), float(np.ravel(estimator._baseline_prediction)[0]))


def _lightgbm(estimator: Any) -> TreeSum | None:
    trees = []
    for info in estimator.booster_.dump_model()["tree_info"]:
        tree = _lightgbm_tree(info["tree_structure"])
        if tree is None:
            return None
        trees.append(tree)
    return TreeSum(trees, [1.0] * len(trees))


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


def linear_shares(coefficients: Scores, matrix: Matrix, background: Background) -> Matrix:
    """The share of feature j: b_j (x_j - mean of the background). (responses, features).

    >>> import numpy as np
    >>> linear_shares(np.array([2.0, -1.0]), np.array([[3.0, 1.0]]), Background.of(np.array([[1.0, 1.0], [1.0, 5.0]])))
    array([[4., 2.]])
    """
    centre = background.weights @ background.matrix
    shares: Matrix = coefficients * (matrix - centre)
    return shares
