"""Pairs of raters against the metrics of two raters, and their intervals against leaving out items one by one."""

from dataclasses import replace

import numpy as np
import pytest

from assay.evaluation.raters.pair_matrix import pair_matrix
from assay.evaluation.raters.panel_ratings import Labels
from assay.evaluation.raters.uncertainty import Spread, crossed_estimate
from assay.metrics.kappa import cohen_kappa, quadratic_weighted_kappa
from tests.evaluation.raters.panels import panel_from, random_table

CATEGORIES = Labels("category", ("", "a", "b", "c", "d", "e"))


@pytest.mark.parametrize(
    ("labels", "metric"), [(Labels("number"), quadratic_weighted_kappa), (CATEGORIES, cohen_kappa)]
)
def test_each_pair_is_the_metric_of_the_items_they_share(labels: Labels, metric: object) -> None:
    table = random_table(1)
    matrix = pair_matrix(panel_from(table, 2, labels))

    for a in range(6):
        for b in range(6):
            both = np.isfinite(table[:, a]) & np.isfinite(table[:, b])
            if a != b:
                assert matrix.items[a][b] == both.sum()
                assert matrix.agreement[a][b] == pytest.approx(metric(table[both, a], table[both, b]), abs=1e-12)  # type: ignore[operator]


def test_pairs_with_few_items_in_common_have_no_figure() -> None:
    table = random_table(2, gaps=0.0)
    table[5:, 1] = np.nan

    assert np.isnan(pair_matrix(panel_from(table, 2)).agreement[0][1])


@pytest.mark.parametrize(
    ("labels", "metric"), [(Labels("number"), quadratic_weighted_kappa), (CATEGORIES, cohen_kappa)]
)
def test_the_interval_of_a_pair_is_that_of_leaving_out_each_item(labels: Labels, metric: object) -> None:
    table = random_table(3, gaps=0.0)
    matrix = pair_matrix(panel_from(table, 2, labels))
    first, second = table[:, 0], table[:, 4]
    rest = np.array([metric(np.delete(first, i), np.delete(second, i)) for i in range(60)])  # type: ignore[operator]

    expected = crossed_estimate(matrix.agreement[0][4], Spread(rest, np.zeros(0)), even="fisher")

    # items that move nothing are no blocks of their own: degrees of freedom differ by a few
    assert matrix.low[0][4] == pytest.approx(expected.low, abs=0.01)
    assert matrix.high[0][4] == pytest.approx(expected.high, abs=0.01)
    assert matrix.low[4][0] == pytest.approx(matrix.low[0][4], abs=1e-12)


def test_weights_count_as_repeated_items() -> None:
    table, weights = random_table(4, gaps=0.2), np.random.default_rng(1).integers(1, 4, 60)
    weighted = pair_matrix(replace(panel_from(table, 2), item_weight=weights.astype(float)))

    repeated = pair_matrix(panel_from(np.repeat(table, weights, axis=0), 2))

    np.testing.assert_allclose(weighted.agreement, repeated.agreement, atol=1e-12)


def test_raters_who_agree_on_everything_have_no_interval() -> None:
    table = random_table(5, gaps=0.0)
    table[:, 1] = table[:, 0]
    matrix = pair_matrix(panel_from(table, 2))

    assert matrix.agreement[0][1] == 1
    assert np.isnan(matrix.low[0][1])
