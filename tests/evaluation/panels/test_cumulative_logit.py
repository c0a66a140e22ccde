"""Ordered and plain logistic regression beside statsmodels."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.evaluation.panels.cumulative_logit import fit_cumulative_logit

LEVELS = [0, 1, 1, 2, 0, 2, 1, 3, 3, 2, 1, 0, 2, 3, 1]
FIRST, SECOND = [1, 2, 1, 3, 2, 2, 0, 4, 3, 3, 2, 0, 1, 3, 3], [0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1]
COVARIATES = np.column_stack([FIRST, SECOND])


def test_the_fit_is_that_of_statsmodels() -> None:
    # statsmodels 0.15.0, OrderedModel(distr="logit"), Newton then BFGS to a gradient of 1e-10
    fit = fit_cumulative_logit(LEVELS, COVARIATES)

    assert fit.slopes == pytest.approx([1.4050375, -0.0271156], abs=1e-6)
    assert fit.cuts == pytest.approx([0.7194057, 2.9381041, 4.7967403], abs=1e-6)
    assert fit.log_likelihood == pytest.approx(-16.2144417, abs=1e-7)
    assert (fit.slope(0).high - fit.slope(0).low) / 3.919928 == pytest.approx(0.5537071, abs=1e-6)
    assert fit.cautions == ()


def test_probabilities_add_up_and_rise_with_the_covariate() -> None:
    fit = fit_cumulative_logit(LEVELS, FIRST)
    shares = fit.probabilities([-50, 0, 2, 50])

    assert shares.sum(axis=1) == pytest.approx(np.ones(4))
    assert (np.diff(fit.expected([-50, 0, 2, 50])) > 0).all()


def test_weights_are_repetitions_and_gaps_are_left_out() -> None:
    weights = np.array([1, 2, 1, 3, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 0])
    rows = np.repeat(np.arange(15), weights)
    weighted = fit_cumulative_logit([*LEVELS, np.nan], [*FIRST, 2], [*weights, 1])

    assert weighted.slopes == pytest.approx(fit_cumulative_logit(np.array(LEVELS)[rows], np.array(FIRST)[rows]).slopes)


def test_levels_that_do_not_occur_have_no_cut() -> None:
    fit = fit_cumulative_logit(np.array(LEVELS) * 2, FIRST)

    assert fit.levels.tolist() == [0, 2, 4, 6]
    assert fit.slopes == pytest.approx(fit_cumulative_logit(LEVELS, FIRST).slopes)


def test_separated_levels_are_named() -> None:
    fit = fit_cumulative_logit([0, 0, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6])

    assert "separates the levels" in fit.cautions[0]
    assert fit.slope(0).reason == "the covariate is constant or separates the levels"


def test_what_cannot_be_fitted_is_refused() -> None:
    with pytest.raises(InputError, match="all levels are equal"):
        fit_cumulative_logit([1, 1], [1, 2])
    with pytest.raises(InputError, match="2 rows of covariates for 3"):
        fit_cumulative_logit([1, 0, 1], [1, 2])
    with pytest.raises(InputError, match="a list or a table"):
        fit_cumulative_logit([1], [[[1]]])
