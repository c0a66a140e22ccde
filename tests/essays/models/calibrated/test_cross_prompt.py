"""What several prompts have in common, learned by a ridge regression with room for each prompt's own."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.models.calibrated.cross_prompt import (
    RIDGE,
    SourcePrompt,
    curved,
    fit_ranker,
    shared_weights,
    standardised,
)


def source(slopes: tuple[float, float], *, seed: int, weight: float = 1.0, essays: int = 500) -> SourcePrompt:
    """Essays whose scores follow two features as told, with some noise."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(essays, 2))
    return SourcePrompt(z, z @ np.array(slopes) + 0.1 * rng.normal(size=essays), weight)


def test_what_prompts_share_counts_more_than_what_they_contradict_each_other_in() -> None:
    shared, disputed, *_ = shared_weights([source((1.0, 1.0), seed=1), source((1.0, -1.0), seed=2)])
    assert shared > 0.3
    assert abs(disputed) < 0.05


def test_weights_are_those_of_the_whole_least_squares_problem() -> None:
    # w and every v_p as one ridge regression: [X_p ... X_p ...], weighted by prompt
    sources = [source((1.0, 0.3), seed=1), source((0.5, 0.8), seed=2, weight=0.1, essays=300)]
    size = 4
    rows, scores = [], []
    for place, one in enumerate(sources):
        x = curved(one.z)
        block = np.zeros((len(x), size * 3))
        block[:, :size] = x - x.mean(axis=0)
        block[:, size * (place + 1) : size * (place + 2)] = block[:, :size]
        factor = np.sqrt(one.weight * 1000 / len(x))
        rows.append(block * factor)
        scores.append(standardised(one.scores) * factor)
    penalty = RIDGE * np.repeat([1.0, *(one.weight for one in sources)], size)
    x, y = np.concatenate(rows), np.concatenate(scores)
    whole = np.linalg.solve(x.T @ x + np.diag(penalty), x.T @ y)
    assert shared_weights(sources) == pytest.approx(whole[:size])


def test_a_feature_that_stops_to_count_gets_a_bent_line() -> None:
    z = np.random.default_rng(3).normal(size=(800, 1))
    slope, bend = shared_weights([SourcePrompt(z, -np.exp(-z[:, 0]))])
    assert slope > 0
    assert bend < 0


def test_without_a_source_prompt_nothing_can_be_learned() -> None:
    with pytest.raises(InputError, match="other prompts"):
        fit_ranker([])
