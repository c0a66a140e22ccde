"""RSMTool's fairness tables. That they match RSMTool's is tested in tests/reference."""

import numpy as np
import polars as pl

from assay.io.rsm.analyses import fairness_tables

HUMAN = np.array([1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 2.0])
SYSTEM = HUMAN + np.array([0.5, 0.4, 0.6, -0.1, 0.1, 0.0, 0.3])


def test_the_largest_group_comes_first_and_ties_go_by_value_not_by_text() -> None:
    groups = pl.Series(["10", "10", "9", "9", "2", "2", "2"])

    found = fairness_tables("g", groups, HUMAN, SYSTEM)["estimates_osd_by_g"]

    assert found.get_column("").to_list() == ["Intercept (2)", "9", "10"]


def test_the_estimates_are_differences_of_mean_errors() -> None:
    groups = pl.Series(["a", "a", "a", "b", "b", "b", "a"])

    found = fairness_tables("g", groups, HUMAN, SYSTEM)["estimates_osd_by_g"].get_column("estimate").to_list()

    np.testing.assert_allclose(found, [0.45, -0.45], atol=1e-12)


def test_a_single_group_has_nothing_to_explain() -> None:
    found = fairness_tables("g", pl.Series(["a"] * 7), HUMAN, SYSTEM)["fairness_metrics_by_g"]

    assert found.get_column("Overall score difference").to_list() == ["0.0", "nan"]
    assert found.get_column("base_category").to_list() == ["a", "a"]


def test_responses_without_a_group_are_left_out_and_none_at_all_gives_no_table() -> None:
    some = fairness_tables("g", pl.Series(["a", "a", "b", "b", "NA", None, ""]), HUMAN, SYSTEM)

    assert some["estimates_osa_by_g"].get_column("").to_list() == ["Intercept (a)", "b"]
    assert fairness_tables("g", pl.Series([None] * 7, dtype=pl.String), HUMAN, SYSTEM) == {}


def test_a_model_with_thousands_of_human_scores_is_not_fitted() -> None:
    human = np.arange(2100) / 1000
    groups = pl.Series(["a", "b", "a"] * 700)

    found = fairness_tables("g", groups, human, human + np.sin(human * 50))

    assert "estimates_csd_by_g" not in found
    assert found["fairness_metrics_by_g"].get_column("Conditional score difference").to_list() == [None, None]
    assert found["fairness_metrics_by_g"].get_column("Overall score difference").null_count() == 0
