"""Equating, by the examples of its textbook and its own laws."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.evaluation.panels.equating import equate_equipercentile, equate_linear, log_linear


def scores(seed: int = 1, n: int = 1000) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    quality = rng.normal(0, 1, n)
    engine = np.clip(np.rint(3 + 0.8 * quality + rng.normal(0, 0.4, n)), 1, 6)
    return engine, np.clip(np.rint(3.6 + 1.2 * quality + rng.normal(0, 0.6, n)), 1, 6)


def test_the_example_of_kolen_and_brennan() -> None:
    # Kolen & Brennan (2014), tables 2.1 to 2.3
    x, y = np.repeat([0, 1, 2, 3, 4], [2, 3, 2, 2, 1]), np.repeat([0, 1, 2, 3, 4], [1, 2, 2, 3, 2])

    assert equate_equipercentile(x, y).human == pytest.approx([0.5, 1.75, 2.8333, 3.5, 4.25], abs=5e-5)


def test_linear_equating_gives_mean_and_spread_of_the_people() -> None:
    engine, human = scores()
    fit = equate_linear(engine, human)

    assert fit(engine).mean() == pytest.approx(human.mean())
    assert fit(engine).std() == pytest.approx(human.std())


def test_a_scale_equated_to_itself_stays() -> None:
    _, human = scores()

    assert equate_equipercentile(human, human).human == pytest.approx(np.unique(human))
    assert equate_linear(human, human).human == pytest.approx(np.unique(human))


@pytest.mark.parametrize("smoothing", [None, 4])
def test_equated_scores_rise_and_have_errors(smoothing: int | None) -> None:
    engine, human = scores()
    fit = equate_equipercentile(engine, human, smoothing=smoothing)

    assert (np.diff(fit.human) > 0).all()
    assert ((fit.standard_error > 0) & (fit.standard_error < 0.5)).all()
    assert fit(engine).mean() == pytest.approx(human.mean(), abs=0.1)


def test_the_jackknife_says_how_far_samples_differ() -> None:
    values = np.stack([equate_linear(*scores(seed)).human[:5] for seed in range(60)])

    assert equate_linear(*scores()).standard_error[:5] == pytest.approx(values.std(axis=0), rel=0.35)


def test_smoothing_keeps_moments() -> None:
    counts, x = np.array([3, 9, 4, 15, 6, 2]), np.arange(6)
    shares = log_linear(counts, 3)

    for power in range(4):
        assert shares @ x**power == pytest.approx(counts @ x**power / counts.sum(), rel=1e-9)


def test_real_valued_engines_are_equated_without_smoothing() -> None:
    _, human = scores()
    raw = human + np.random.default_rng(1).normal(0, 0.3, human.size)

    assert (np.diff(equate_equipercentile(raw, human).human) >= 0).all()
    with pytest.raises(InputError, match="whole-number"):
        equate_equipercentile(raw, human, smoothing=3)


def test_what_cannot_be_equated_is_refused_or_named() -> None:
    with pytest.raises(InputError, match="one score only"):
        equate_linear([1, 1], [1, 2])
    with pytest.raises(InputError, match="whole-number"):
        equate_equipercentile([1, 2], [1.5, 2])
    with pytest.raises(InputError, match="1 to 10 moments"):
        equate_equipercentile([1, 2], [1, 2], smoothing=0)
    with pytest.raises(InputError, match="more than 10,000 points"):
        equate_equipercentile([1, 2, 3], [1, 2, 10**9])
    few = equate_linear([1, 2, 3], [1, 2, 3])
    assert np.isnan(few.standard_error).all()
    assert "3 responses" in few.cautions[0]
