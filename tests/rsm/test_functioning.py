"""Whether a feature means the same in every group."""

import numpy as np
import pytest

from assay.rsm.functioning import feature_functioning

RNG = np.random.default_rng(11)


def texts(*values: str | None) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    return np.array(values, dtype=object)


def test_functioning_finds_the_shift_of_a_group_at_equal_scores() -> None:
    human = np.tile([1.0, 2.0, 3.0, 4.0], 100)
    group = texts(*["a", "a", "a", "a", "b", "b", "b", "b"] * 50)
    feature = human + 0.5 * (group == "b") + RNG.normal(size=400) * 0.1

    found = feature_functioning(["f"], feature[:, None], human, "L1", group)

    (b,) = [part for part in found.parts if part.group == "b"]
    assert b.low < 0.5 < b.high
    assert b.difference == pytest.approx(0.5, abs=0.05)
    assert [(mean.score, mean.n) for mean in b.means] == [(1, 50), (2, 50), (3, 50), (4, 50)]


def test_a_group_that_shares_no_score_with_others_cannot_be_compared() -> None:
    human = np.array([1.0, 1.0, 2.0, 2.0])

    found = feature_functioning(["f"], np.arange(4.0)[:, None], human, "L1", texts("a", "a", "b", "b"))

    assert all(np.isnan(part.difference) for part in found.parts)


def test_means_at_each_score_have_their_t_interval() -> None:
    human, values = np.array([1.0, 1, 1, 2]), np.array([[1.0], [2.0], [6.0], [5.0]])

    found = feature_functioning(["f"], values, human, "L1", texts("a", "a", "a", None))

    ((low, high),) = [(mean.low, mean.high) for mean in found.parts[0].means]
    reach = 4.302652729911275 * np.std([1, 2, 6], ddof=1) / 3**0.5  # t with two degrees of freedom
    assert (low, high) == pytest.approx((3 - reach, 3 + reach))
    everyone = found.everyone[0]
    assert [(mean.score, mean.n, mean.mean) for mean in everyone.means] == [(1, 3, 3), (2, 1, 5)]
    assert np.isnan([everyone.means[1].low, everyone.means[1].high, everyone.difference]).all()
    assert (found.groups, found.column, everyone.n, found.parts[0].n) == (("a",), "L1", 4, 3)


def test_the_difference_is_that_of_a_regression_on_score_points_and_group() -> None:
    human = np.array([1.0, 1, 1, 2, 2, 2, 3, 3])
    group = texts("a", "b", "b", "a", "a", "b", "a", "b")
    feature = np.array([1.0, 2, 2.5, 3, 3.5, 4.5, 6, 5])

    (_, b) = feature_functioning(["f"], feature[:, None], human, "L1", group).parts

    design = np.column_stack([*(human == score for score in (1, 2, 3)), group == "b"]).astype(float)
    line, squares, *_ = np.linalg.lstsq(design, feature, rcond=None)
    error = np.sqrt(squares[0] / 4 * np.linalg.inv(design.T @ design)[-1, -1])
    assert b.difference == pytest.approx(line[-1])
    assert b.high - b.difference == pytest.approx(2.7764451051977987 * error)  # t with four degrees of freedom
    assert 0 < b.p < 1
