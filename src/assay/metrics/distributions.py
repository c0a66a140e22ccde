"""Probabilities and quantiles of the normal, t and F distributions.

scipy.special has them too, but importing it takes as long as evaluating ten thousand responses (decision 0527).
Within 1e-10 of its values, relative to them; the tests compare.
Sources: Wichura (1988), algorithm AS 241, for the normal quantile; Didonato & Morris (1992) for the continued fraction
of the incomplete beta function; Fisher & Cornish (1960) for t with very many degrees of freedom.
"""

from functools import lru_cache
from math import copysign, erfc, exp, inf, isnan, lgamma, log, log1p, nan, pi, sqrt, tan

import numpy as np
from numpy.typing import ArrayLike, NDArray

MANY = 30_000.0
"""Degrees of freedom from which t is expanded around the normal."""
MOST_STEPS = 20_000

_CENTRAL = (
    (3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125, 45921.953931549871457),
    (67265.770927008700853, 33430.575583588128105, 2509.0809287301226727),
    (1.0, 42.313330701600911252, 687.18700749205790830, 5394.1960214247511077, 21213.794301586595867),
    (39307.895800092710610, 28729.085735721942674, 5226.4952788528545610),
)
_MIDDLE = (
    (1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504),
    (1.27045825245236838258, 0.241780725177450611770, 0.0227238449892691845833, 7.74545014278341407640e-4),
    (1.0, 2.05319162663775882187, 1.67638483018380384940, 0.689767334985100004550),
    (0.148103976427480074590, 0.0151986665636164571966, 5.47593808499534494600e-4, 1.05075007164441684324e-9),
)
_FAR = (
    (6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580, 0.296560571828504891230),
    (0.0265321895265761230930, 0.00124266094738807843860, 2.71155556874348757815e-5, 2.01033439929228813265e-7),
    (1.0, 0.599832206555887937690, 0.136929880922735805310, 0.0148753612908506148525),
    (7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15),
)


def normal_cdf(z: float) -> float:
    """The share of the standard normal distribution below z."""
    return erfc(-z / sqrt(2)) / 2


def normal_quantile(shares: ArrayLike) -> NDArray[np.float64]:
    """Below which value each share of the standard normal distribution lies; NaN outside of 0 to 1.

    >>> float(normal_quantile(0.975).round(6))
    1.959964
    """
    p = np.atleast_1d(np.asarray(shares, dtype=np.float64))
    q = p - 0.5
    with np.errstate(divide="ignore", invalid="ignore"):
        values = q * _ratio(_CENTRAL, 0.180625 - q * q)
        outside = ~(np.abs(q) <= 0.425)
        values[outside] = _tail_quantile(p[outside])
    return values.reshape(np.shape(shares))


def _tail_quantile(p: NDArray[np.float64]) -> NDArray[np.float64]:
    r = np.sqrt(-np.log(np.minimum(p, 1 - p)))
    far = np.where(r <= 5, _ratio(_MIDDLE, r - 1.6), _ratio(_FAR, np.minimum(r, 1e6) - 5))
    return np.asarray(np.copysign(np.where(np.isinf(r), inf, far), p - 0.5), dtype=np.float64)


def _ratio(coefficients: tuple[tuple[float, ...], ...], x: NDArray[np.float64]) -> NDArray[np.float64]:
    """The quotient of two polynomials, lowest powers first."""
    first, second, third, fourth = coefficients
    above, below = np.zeros_like(x), np.zeros_like(x)
    for a, b in zip(reversed((*first, *second)), reversed((*third, *fourth)), strict=True):
        above, below = above * x + a, below * x + b
    return np.asarray(above / below, dtype=np.float64)


def t_cdf(freedom: float, t: float) -> float:
    """The share of Student's t distribution below t."""
    if isnan(t) or not freedom > 0:
        return nan
    if freedom >= MANY:
        return normal_cdf(_as_normal(freedom, t))
    square = t * t
    if square == inf:
        return float(t > 0)
    tail = _beta_share(freedom / 2, 0.5, freedom / (freedom + square), square / (freedom + square)) / 2
    return 1 - tail if t > 0 else tail


def _as_normal(n: float, t: float) -> float:
    """The standard normal value with as much below it; for very large n."""
    if abs(t) > 40:  # nothing that a float can hold lies beyond
        return copysign(inf, t)
    steps = (
        -(t**3 + t) / 4,
        (13 * t**5 + 8 * t**3 + 3 * t) / 96,
        -(35 * t**7 + 19 * t**5 + t**3 - 15 * t) / 384,
        (6271 * t**9 + 3224 * t**7 - 102 * t**5 - 1680 * t**3 - 945 * t) / 92_160,
    )
    return t + sum(step / n**power for power, step in enumerate(steps, start=1))


@lru_cache(maxsize=4096)
def t_quantile(freedom: float, share: float) -> float:
    """Below which value a share of Student's t distribution lies.

    >>> round(t_quantile(10, 0.975), 4), round(t_quantile(1, 0.975), 4)
    (2.2281, 12.7062)
    """
    if not (freedom > 0 and 0 < share < 1):
        return nan
    if share < 0.5:
        return -t_quantile(freedom, 1 - share)
    if freedom == 1:
        return tan(pi * (share - 0.5))
    if share == 0.5:
        return 0.0
    return _t_by_newton(freedom, share)


def _t_by_newton(n: float, share: float) -> float:
    """Steps towards the value whose upper tail is right; the tail is convex there, so that none goes too far."""
    t, tail = float(normal_quantile(share)), 1 - share
    log_constant = _log_gamma_step(n / 2) - log(n * pi) / 2
    for _ in range(200):
        density = exp(log_constant - (n + 1) / 2 * log1p(t * t / n))
        step = (t_cdf(n, -t) - tail) / density
        t += step
        if abs(step) <= 1e-14 * t:
            break
    return t


def f_survival(numerator: float, denominator: float, ratio: float) -> float:
    """The share of the F distribution above a ratio of variances; the numerator's degrees of freedom are whole."""
    if isnan(ratio) or not (numerator > 0 and denominator > 0):
        return nan
    if ratio <= 0 or ratio == inf:
        return float(ratio <= 0)
    whole = numerator * ratio + denominator
    return _beta_share(denominator / 2, numerator / 2, denominator / whole, numerator * ratio / whole)


def _beta_share(a: float, b: float, x: float, y: float) -> float:
    """The regularized incomplete beta function; y is 1 - x, b is whole or half."""
    if x <= 0 or y <= 0:
        return float(y <= 0)
    log_front = _log_gamma_ratio(a, b) - lgamma(b) + a * (log1p(-y) if y < 0.5 else log(x))
    front = exp(log_front + b * (log1p(-x) if x < 0.5 else log(y)))
    if x < (a + 1) / (a + b + 2):
        return front / a / _continued(a, b, x)
    return 1 - front / b / _continued(b, a, y)


def _continued(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, MOST_STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1 / (1 + even * d), 1 + even / c
        value *= c * d
        d, c = 1 / (1 + odd * d), 1 + odd / c
        value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return 1 / value


def _log_gamma_ratio(a: float, b: float) -> float:
    """Logarithm of gamma(a + b) / gamma(a) without the loss of digits of a difference; b is whole or half."""
    if a < 50:
        return lgamma(a + b) - lgamma(a)
    whole = int(b)
    total = sum(log(a + b - 1 - i) for i in range(whole))
    return total + (_log_gamma_step(a) if b > whole else 0.0)


def _log_gamma_step(a: float) -> float:
    """Logarithm of gamma(a + 1/2) / gamma(a)."""
    if a < 50:
        return lgamma(a + 0.5) - lgamma(a)
    return log(a) / 2 - 1 / (8 * a) + 1 / (192 * a**3) - 1 / (640 * a**5)
