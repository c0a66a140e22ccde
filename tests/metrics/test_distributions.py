"""Probabilities and quantiles equal those of scipy.special."""

from math import inf, isnan, nan

import numpy as np
import pytest
from scipy import special

from assay.metrics.distributions import f_survival, normal_cdf, normal_quantile, t_cdf, t_quantile

FREEDOM = (1, 2, 3, 4.5, 7, 30, 99, 101, 498, 2999, 29_999, 30_001, 1e6, 1e8)
CLOSE = 1e-10


def test_normal_quantiles_of_every_part_of_the_range() -> None:
    shares = np.concatenate([np.linspace(0.0005, 0.9995, 1999), [1e-300, 1e-12, 1e-9, 1 - 1e-9, 0.0, 1.0]])

    np.testing.assert_allclose(normal_quantile(shares), special.ndtri(shares), rtol=1e-13, atol=1e-15)
    assert float(normal_quantile(0.975)) == pytest.approx(1.959963984540054, rel=1e-15)
    assert np.isnan(normal_quantile([-0.1, 1.1, nan])).all()


@pytest.mark.parametrize("z", [-38, -8, -1.5, 0, 0.3, 5])
def test_normal_probabilities(z: float) -> None:
    assert normal_cdf(z) == pytest.approx(float(special.ndtr(z)), rel=1e-13)


@pytest.mark.parametrize("freedom", FREEDOM)
def test_t_probabilities_and_quantiles(freedom: float) -> None:
    for t in (-30, -6, -1.96, -1, -1e-3, 0, 0.5, 2, 4):
        assert t_cdf(freedom, t) == pytest.approx(float(special.stdtr(freedom, t)), rel=1e-8 if t < -20 else CLOSE)
    for share in (0.025, 0.3, 0.5, 0.6, 0.9, 0.95, 0.975, 0.995, 0.99999):
        exact = float(special.stdtrit(freedom, share))
        assert t_quantile(freedom, share) == pytest.approx(exact, rel=CLOSE, abs=1e-12)


@pytest.mark.parametrize("freedom", FREEDOM)
@pytest.mark.parametrize("numerator", [1, 2, 3, 9, 150])
def test_f_probabilities(numerator: int, freedom: float) -> None:
    for ratio in (1e-3, 0.2, 0.9, 1.1, 2.5, 12.0):
        exact = float(special.fdtrc(numerator, freedom, ratio))
        assert f_survival(numerator, freedom, ratio) == pytest.approx(exact, rel=1e-8, abs=1e-300)


def test_where_nothing_is_defined_nothing_is_said() -> None:
    assert all(isnan(value) for value in (t_cdf(0, 1), t_cdf(3, nan), t_quantile(0, 0.9), t_quantile(5, 1.5)))
    assert isnan(f_survival(0, 3, 1))
    assert isnan(f_survival(2, 3, nan))
    assert (f_survival(2, 3, 0), f_survival(2, 3, inf)) == (1.0, 0.0)
    assert (t_cdf(4, inf), t_cdf(4, -inf), t_cdf(1e9, inf)) == (1.0, 0.0, 1.0)
