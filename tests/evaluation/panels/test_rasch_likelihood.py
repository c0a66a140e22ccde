"""The marginal likelihood, beside one written out item by item and its numerical derivatives."""

import numpy as np
import pytest

from assay.evaluation.panels.design import LongRatings
from assay.evaluation.panels.rasch_likelihood import (
    Groups,
    ParameterLayout,
    Parameters,
    even_grid,
    exact_information,
    grouped,
    slope,
    summed_information,
)
from assay.metrics.bins import Scores, Whole

NODES = 61


def table(seed: int = 4, items: int = 40) -> tuple[LongRatings, ParameterLayout, Groups, Whole]:
    rng = np.random.default_rng(seed)
    quality = rng.normal(0, 1, (items, 1, 1)) - np.array([-0.5, 0.0, 0.5])[:, None] - np.array([0.3, -0.3])
    levels = np.clip(np.rint(1.5 + quality + rng.normal(0, 0.7, quality.shape)), 0, 3)
    levels[rng.random(levels.shape) < 0.2] = np.nan
    ratings = LongRatings.of(levels, rng.uniform(0.5, 2, items))
    arrays = (ratings.item, ratings.rater, ratings.criterion, ratings.levels())
    groups, cell = grouped(*arrays, shape=(3, 2, 4), weight=ratings.weight, sets=2)
    return ratings, ParameterLayout.of(groups), groups, cell


def plain_log_likelihood(ratings: LongRatings, given: Parameters) -> float:
    """The likelihood of each item, summed over the grid, level by level."""
    z, log_weight = even_grid(NODES)
    theta, value = given.mean + given.spread * z, 0.0
    for item in range(ratings.items):
        terms = log_weight.copy()
        for place in np.flatnonzero(ratings.item == item):
            rater, criterion = ratings.rater[place], ratings.criterion[place]
            logits = np.outer(theta - given.severity[rater] - given.difficulty[criterion], np.arange(4))
            logits -= given.steps[criterion]
            terms += logits[:, int(ratings.score[place])] - np.log(np.exp(logits).sum(axis=1))
        value += ratings.weight[item] * np.log(np.exp(terms).sum())
    return float(value)


def point(layout: ParameterLayout) -> Scores:
    return np.asarray(np.random.default_rng(2).normal(0.2, 0.5, layout.size))


def test_the_log_likelihood_is_the_one_written_out() -> None:
    ratings, layout, _, _ = table()
    vector = point(layout)

    assert slope(layout, vector, NODES).value == pytest.approx(
        plain_log_likelihood(ratings, layout.parameters(vector)), rel=1e-10
    )


def test_the_gradient_is_the_slope() -> None:
    _, layout, _, _ = table()
    vector, step = point(layout), 1e-5
    numeric = [
        (slope(layout, vector + step * e, NODES).value - slope(layout, vector - step * e, NODES).value) / (2 * step)
        for e in np.eye(layout.size)
    ]

    assert slope(layout, vector, NODES).gradient == pytest.approx(np.array(numeric), rel=1e-6, abs=1e-6)


def test_the_information_is_the_second_derivative() -> None:
    _, layout, _, _ = table()
    vector, step = point(layout), 1e-5
    numeric = [
        (slope(layout, vector - step * e, NODES).gradient - slope(layout, vector + step * e, NODES).gradient)
        / (2 * step)
        for e in np.eye(layout.size)
    ]

    assert exact_information(layout, vector, NODES) == pytest.approx(np.array(numeric), rel=1e-5, abs=1e-5)


def test_the_summed_information_has_the_scores_of_the_items() -> None:
    ratings, layout, _, cell = table()
    vector, step = point(layout), 1e-5
    row, weight = np.unique(ratings.item, return_inverse=True)[1], ratings.weight[np.unique(ratings.item)]
    levels = ratings.levels()
    summed = summed_information(layout, vector, NODES, row=row, cell=cell, level=levels, weight=weight).toarray()

    expected = np.zeros((layout.size, layout.size))
    for item in np.unique(ratings.item):
        mine = ratings.item == item
        none, rater, criterion = np.zeros(int(mine.sum())), ratings.rater[mine], ratings.criterion[mine]
        own = LongRatings.of_long(none, rater, ratings.score[mine], criterion)
        score = np.array(
            [
                plain_log_likelihood(own, layout.parameters(vector + step * e))
                - plain_log_likelihood(own, layout.parameters(vector - step * e))
                for e in np.eye(layout.size)
            ]
        ) / (2 * step)
        expected += ratings.weight[item] * np.outer(score, score)

    assert summed == pytest.approx(expected, rel=1e-5, abs=1e-6)


def test_items_rated_alike_are_one_group() -> None:
    levels = np.array([[0, 1], [1, 0], [1, 1], [2, 0]], dtype=float)
    ratings = LongRatings.of(levels)
    arrays = (ratings.item, ratings.rater, ratings.criterion, ratings.levels())
    groups, _ = grouped(*arrays, shape=(2, 1, 3), weight=ratings.weight, sets=1)

    assert sorted(groups.weight) == [2, 2]
    assert groups.item_group[0] == groups.item_group[1] != groups.item_group[2] == groups.item_group[3]


def test_the_grid_is_a_distribution() -> None:
    z, log_weight = even_grid(41)

    assert np.exp(log_weight).sum() == pytest.approx(1)
    assert np.exp(log_weight) @ z**2 == pytest.approx(1, abs=1e-8)
