"""Leave-one-out predictions of kernel ridge against fits that really leave one out."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.models.hybrid.parts import centred, fit_kernel_ridge


def example(seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(30, 6))
    kernel = centred(x @ x.T)
    return kernel / (np.trace(kernel) / 30), x @ rng.normal(size=6) + rng.normal(size=30)


def test_the_closed_form_equals_fits_without_each_essay() -> None:
    kernel, scores = example()
    fit = fit_kernel_ridge(kernel, scores, [0.5])
    target = scores - scores.mean()
    for out in range(30):
        rest = np.delete(np.arange(30), out)
        dual = np.linalg.solve(kernel[np.ix_(rest, rest)] + 0.5 * np.eye(29), target[rest])
        assert fit.left_out[out] == pytest.approx(scores.mean() + kernel[out, rest] @ dual)


def test_the_ridge_with_the_least_left_out_error_is_taken() -> None:
    kernel, scores = example()
    chosen = fit_kernel_ridge(kernel, scores, [0.01, 0.1, 1.0, 10.0, 100.0])
    errors = {
        ridge: np.sum((fit_kernel_ridge(kernel, scores, [ridge]).left_out - scores) ** 2) for ridge in (0.01, 100.0)
    }
    assert np.sum((chosen.left_out - scores) ** 2) <= min(errors.values())


def test_a_kernel_that_is_no_kernel_is_refused() -> None:
    with pytest.raises(InputError, match="too much alike"):
        fit_kernel_ridge(-5 * np.eye(4), np.arange(4.0), [0.1])
