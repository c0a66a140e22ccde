"""What people call takes two lists of scores and says so; its formula takes tallies."""

import inspect

import numpy as np
import pytest

import assay
from assay.errors import InputError
from assay.metrics.bins import Bins
from assay.metrics.correlation import pearson_r
from assay.metrics.pair_metric import pair_metric, why_undefined
from assay.metrics.tally import PairTally

HUMAN = np.array([1, 2, 3, 4, 3, 2, 4, 1, 2, 3], dtype=float)
SYSTEM = np.array([1, 2, 4, 4, 3, 3, 4, 2, 2, 2], dtype=float)
OF_TWO_LISTS = [
    "adjacent_agreement",
    "cohen_kappa",
    "exact_agreement",
    "mean_squared_error",
    "pearson_r",
    "quadratic_weighted_kappa",
    "r_squared",
    "root_mean_squared_error",
    "standardized_mean_difference",
]


@pytest.mark.parametrize("name", OF_TWO_LISTS)
def test_the_signature_of_a_metric_is_how_it_is_called(name: str) -> None:
    metric = getattr(assay, name)
    signature = inspect.signature(metric)
    assert list(signature.parameters) == ["human", "system", "weights"]
    assert signature.return_annotation is float
    assert isinstance(metric(human=HUMAN, system=SYSTEM, weights=np.ones(10)), float)
    assert metric.__name__ == name
    assert ">>>" in (inspect.getdoc(metric) or "")


@pytest.mark.parametrize(
    ("human", "system", "reason"),
    [
        ([2], [3], "only one response"),
        ([2, 2], [3, 3], "all scores of either rater are equal"),
        ([2, 2], [3, 4], "all human scores are equal"),
        ([2, 3], [3, 3], "all system scores are equal"),
        ([2, 2.1], [2.2, 1.9], "all scores round to one point"),
        ([2, 3], [2, 4], ""),
    ],
)
def test_the_reason_why_a_figure_may_be_undefined_is_named(
    human: list[float], system: list[float], reason: str
) -> None:
    assert why_undefined(PairTally.of(human, system)) == reason


def test_the_formula_of_a_tally_gives_what_its_two_lists_give() -> None:
    assert pearson_r.of_tally(PairTally.of(HUMAN, SYSTEM)) == pearson_r(HUMAN, SYSTEM)


def test_one_tally_gives_a_float_and_an_array_of_tallies_an_array() -> None:
    blocks = PairTally.of(HUMAN, SYSTEM, bins=Bins.of(np.arange(10) % 2, (2,)))
    assert isinstance(pearson_r(HUMAN, SYSTEM), float)
    assert pearson_r.of_tally(blocks).shape == (2,)


def test_a_formula_keeps_its_name_and_its_words() -> None:
    @pair_metric
    def responses(tally: PairTally) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        """How many there are."""
        return tally.n

    assert (responses.__name__, responses.__doc__, responses([1, 2], [2, 2])) == ("responses", "How many there are.", 2)


@pytest.mark.parametrize(
    ("human", "system", "field"),
    [
        (["a"], [1], "human"),
        ([1], None, "system"),
        ([[1, 2]], [1], "human"),
        ([1, 2], [1], "system"),
        ({}, [1], "human"),
    ],
)
def test_what_is_no_list_of_scores_is_refused_by_the_name_of_its_argument(
    human: object, system: object, field: str
) -> None:
    with pytest.raises(InputError) as refused:
        pearson_r(human, system)  # type: ignore[arg-type]
    assert refused.value.field == field
