"""How sure a habit is: shares and means with their intervals and p values, checked by hand."""

from math import comb, sqrt

import numpy as np
import pytest

from assay.annotations.diagnosis.evidence import (
    Evidence,
    images_with_most,
    mean_beyond,
    per_cent,
    share_above,
    share_larger,
)
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.metrics.intervals import wilson_interval
from tests.annotations.drawn import annotation_set


def test_a_share_is_compared_with_slips_by_the_exact_binomial() -> None:
    by_hand = sum(comb(10, k) * 0.02**k * 0.98 ** (10 - k) for k in range(3, 11))
    assert share_above(3, 10, 0.02).p == pytest.approx(by_hand)


def test_two_shares_are_compared_by_fishers_exact_test() -> None:
    # the lady tasting tea, Fisher (1935): three or four cups of four right by chance in 17 of 70 ways
    assert share_larger((3, 4), (1, 4)).p == pytest.approx(17 / 70)


def test_a_mean_within_the_margin_is_no_evidence() -> None:
    values = np.array([0.009, 0.010, 0.0095, 0.0098])
    assert mean_beyond(values, margin=0.01).p > 0.5
    assert mean_beyond(values, margin=0.0).p < 0.001


def test_a_mean_has_students_interval_and_p_value() -> None:
    # mean 3, standard deviation sqrt(2.5), t of 4 degrees of freedom: 2.776 (Student's table)
    evidence = mean_beyond(np.array([1.0, 2, 3, 4, 5]), margin=1.0)
    reach = 2.7764451 * sqrt(2.5 / 5)
    assert (evidence.n, evidence.effect) == (5, 3)
    assert (evidence.low, evidence.high) == pytest.approx((3 - reach, 3 + reach))
    # two-sided at t = (3 - 1) / sqrt(0.5) = 2.828: between the 5 % point 2.776 and the 4 % point 2.999
    assert 0.04 < evidence.p < 0.05
    below = mean_beyond(np.array([-1.0, -2, -3, -4, -5]), margin=1.0)
    assert (below.effect, below.p) == (-3, evidence.p)


def test_values_that_are_all_equal_are_beyond_the_margin_or_not() -> None:
    assert [mean_beyond(np.full(4, value), margin=0.5).p for value in (0.75, 0.5, -0.75)] == [0.0, 1.0, 0.0]


def test_a_mean_inside_the_margin_is_certainly_not_beyond_it() -> None:
    assert mean_beyond(np.array([-0.1, 0.1, 0.0]), margin=0.5).p == 1.0


def test_a_share_of_none_is_no_evidence_and_has_wilsons_interval() -> None:
    none, all_of_them = share_above(0, 10, 0.02), share_above(10, 10, 0.02)
    assert (none.effect, none.p) == (0.0, 1.0)
    assert (none.low, none.high) == wilson_interval(0.0, 10)
    assert all_of_them.p == pytest.approx(0.02**10)
    assert (all_of_them.n, all_of_them.effect) == (10, 1.0)


def test_the_difference_of_two_shares_has_newcombes_interval() -> None:
    # Newcombe (1998), Statistics in Medicine 17, table II, method 10: 56/70 and 48/80 differ by 0.2, 0.0524 to 0.3339
    evidence = share_larger((56, 70), (48, 80))
    assert evidence.n == 150
    assert (evidence.effect, evidence.low, evidence.high) == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
    by_hand = sum(comb(70, k) * comb(80, 104 - k) for k in range(56, 71)) / comb(150, 104)
    assert evidence.p == pytest.approx(by_hand)


def test_a_share_that_is_smaller_is_no_evidence_that_it_is_larger() -> None:
    assert share_larger((0, 10), (9, 10)).p == 1.0
    assert share_larger((0, 10), (0, 10)).p == 1.0
    assert share_larger((10, 10), (0, 3)).p == pytest.approx(1 / comb(13, 10))


def test_a_share_is_shown_by_its_interval_in_per_cent() -> None:
    assert per_cent(Evidence(8, 0.25, 0.0715, 0.5907, 0.1)) == "7 to 59 %"


def test_images_with_most_cases_come_first_and_at_most_five() -> None:
    images = annotation_set(images=[f"{i}.jpg" for i in range(8)])
    score = score_submission(prepare_truth(images), images)
    cases = np.array([7, 7, 7, 2, 2, 0, 1, 3, 4, 5])
    assert images_with_most(score, cases) == ("7.jpg", "2.jpg", "0.jpg", "1.jpg", "3.jpg")
    assert images_with_most(score, np.array([1, 2, 3]), np.array([0.5, 2.0, 0.0])) == ("2.jpg", "1.jpg")
    assert images_with_most(score, np.array([], np.intp)) == ()
