"""The one check every metric starts with."""

from typing import Any

import numpy as np
import pytest

from assay.errors import InputError
from assay.metrics.pairs import paired, response_weights


def test_lists_tuples_and_numeric_words_become_float_arrays() -> None:
    human, system = paired([1, 2], ("1.5", "2"))
    assert human.dtype == system.dtype == np.float64
    assert (human.tolist(), system.tolist()) == ([1, 2], [1.5, 2])


@pytest.mark.parametrize(
    ("human", "system", "message"),
    [
        ([], [], "got 0 system scores for 0 human"),
        ([1, 2], [1], "got 1 system scores for 2 human"),
        ([[1, 2]], [1, 2], "human is an array with 2 axes"),
        (1, 1, "human is a single value"),
        ([1, "x"], [1, 2], "human holds something that is no number"),
        ([1, 2], [1, None], "system is nan at position 1"),
        ([1, np.nan, np.nan], [1, 2, 3], r"nan at position 1 \(2 such in all\)"),
        ([1, 2], [np.inf, 2], "system is inf at position 0"),
        ([1, object()], [1, 2], "human holds something that is no number"),
    ],
)
def test_scores_that_do_not_pair_are_refused_by_name(human: Any, system: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        paired(human, system)


def test_a_missing_score_says_what_to_do() -> None:
    with pytest.raises(InputError, match="Leave out responses that were not scored"):
        paired([1.0, np.nan], [1, 2])


@pytest.mark.parametrize("weights", [[1, 2], [1, 2, -1], [0, 0, 0], [1, 2, np.nan], [1, 2, np.inf], [[1, 2, 3]]])
def test_weights_are_one_per_response_finite_not_negative_and_not_all_zero(weights: Any) -> None:
    with pytest.raises(InputError):
        response_weights(weights, 3)


def test_a_response_may_weigh_nothing() -> None:
    assert response_weights([0, 1, 2], 3).tolist() == [0, 1, 2]
