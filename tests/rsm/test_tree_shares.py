"""Exact shares of a sum of trees, against Shapley's formula over all sets of features."""

from itertools import combinations
from math import factorial

import numpy as np
import pytest

from assay.rsm.explain import Background
from assay.rsm.tree_shares import MOST_BITS, Tree, TreeSum, leaves, line_of, tree_shares, trees_of

STUMP = Tree(
    np.array([0, -1, -1]), np.array([0.5, 0, 0]), np.array([1, -1, -1]), np.array([2, -1, -1]), np.array([0.0, 1, 3])
)


def test_a_response_goes_left_up_to_the_threshold() -> None:
    forest = TreeSum([STUMP, STUMP], [1.0, 0.5], start=10.0)

    assert forest.predict(np.array([[0.5], [0.6]])).tolist() == [11.5, 14.5]


def test_features_are_rounded_to_32_bits_where_the_trees_were_grown_so() -> None:
    value = np.array([[0.5 + 1e-12]])

    assert TreeSum([STUMP], [1.0]).predict(value).tolist() == [3]
    assert TreeSum([STUMP], [1.0], single=True).predict(value).tolist() == [1]


def test_leaves_have_the_interval_of_each_feature_and_those_out_of_reach_are_left_out() -> None:
    tree = Tree(
        feature=np.array([0, 0, -1, -1, -1]),
        threshold=np.array([1.0, 2.0, 0, 0, 0]),
        left=np.array([1, 3, -1, -1, -1]),
        right=np.array([2, 4, -1, -1, -1]),
        value=np.array([0.0, 0, 7, 5, 9]),
    )

    # beyond the first threshold the second is always met: the leaf of 9 cannot be reached
    assert sorted(leaves(tree)) == [(5.0, {0: (-np.inf, 1.0)}), (7.0, {0: (1.0, np.inf)})]


def shapley(forest: TreeSum, row: np.ndarray, background: np.ndarray, weights: np.ndarray) -> list[float]:
    count = len(row)

    def worth(features: tuple[int, ...]) -> float:
        mixed = background.copy()
        mixed[:, list(features)] = row[list(features)]
        return float(weights @ forest.predict(mixed))

    shares = []
    for one in range(count):
        others = [other for other in range(count) if other != one]
        sets = [chosen for size in range(count) for chosen in combinations(others, size)]
        each = [
            factorial(len(s)) * factorial(count - len(s) - 1) / factorial(count) * (worth((*s, one)) - worth(s))
            for s in sets
        ]
        shares.append(sum(each))
    return shares


def test_shares_are_those_of_shapleys_formula() -> None:
    tree = pytest.importorskip("sklearn.tree")
    rng = np.random.default_rng(3)
    matrix = rng.normal(size=(60, 3))
    grown = tree.DecisionTreeRegressor(max_depth=4, random_state=1).fit(matrix, matrix[:, 0] * matrix[:, 1])
    forest = trees_of(grown)
    assert forest is not None
    background, weights = matrix[:5], np.array([0.1, 0.2, 0.3, 0.3, 0.1])

    shares = tree_shares(forest, matrix[10:13], background, weights)

    for row, own in zip(matrix[10:13], shares, strict=True):
        assert own.tolist() == pytest.approx(shapley(forest, row, background, weights))
    assert forest.predict(matrix).tolist() == pytest.approx(grown.predict(matrix).tolist())


def test_a_path_of_more_features_than_a_number_has_bits_is_dealt_with_too() -> None:
    # a chain: right at every feature leads to a leaf of value 1
    size = MOST_BITS + 3
    feature = np.concatenate([np.arange(size), np.full(size + 1, -1)])
    left = np.concatenate([size + np.arange(size), np.full(size + 1, -1)])
    right = np.concatenate([np.arange(1, size), [2 * size], np.full(size + 1, -1)])
    value = np.zeros(2 * size + 1)
    value[-1] = 1
    chain = Tree(feature, np.zeros(2 * size + 1), left, right, value)

    shares = tree_shares(TreeSum([chain], [1.0]), np.ones((1, size)), -np.ones((1, size)), np.ones(1))

    assert shares[0].tolist() == pytest.approx([1 / size] * size)


def test_coefficients_are_those_of_a_line_with_as_many_features() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    line = linear.LinearRegression().fit([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]], [1.0, 2.0, 3.0])

    found = line_of(line, 2)
    assert found is not None
    assert found.tolist() == pytest.approx(line.coef_.tolist())
    assert line_of(line, 3) is None
    assert line_of(object(), 2) is None
    assert trees_of(line) is None


def test_a_tree_that_asks_twice_about_a_feature_is_one_interval() -> None:
    tree = Tree(
        feature=np.array([0, -1, 0, -1, -1]),
        threshold=np.array([0.0, 0, 1.0, 0, 0]),
        left=np.array([1, -1, 3, -1, -1]),
        right=np.array([2, -1, 4, -1, -1]),
        value=np.array([0.0, 1, 0, 5, 9]),
    )
    background = Background.of(np.array([[-1.0]]))

    forest, rows = TreeSum([tree], [1.0]), np.array([[0.5], [2.0], [-3.0]])
    shares = tree_shares(forest, rows, background.matrix, background.weights)

    assert shares.ravel().tolist() == [4, 8, 0]
