"""Which human score an engine is judged by."""

from math import isnan
from statistics import mean, median, multimode

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.evaluation.reference import REFERENCES, reference_from, reference_scores

NAN = float("nan")
ratings = st.lists(
    st.lists(st.sampled_from([NAN, 0.0, 1.0, 2.0, 3.0]), min_size=4, max_size=4), min_size=1, max_size=12
)


@pytest.mark.parametrize("reference", REFERENCES)
def test_one_rater_is_taken_as_is_and_nobody_is_none(reference: str) -> None:
    assert reference_scores(np.array([[2.0], [NAN], [np.inf]]), reference_from(reference)) == pytest.approx(
        np.array([2, NAN, NAN]), nan_ok=True
    )
    nobody = reference_scores(np.full((2, 3), NAN), reference_from(reference))
    assert np.isnan(nobody).all()


@settings(deadline=None, max_examples=60)
@given(ratings)
def test_each_reference_is_what_python_says_of_the_scores_there_are(rows: list[list[float]]) -> None:
    table = np.array(rows)
    for row, *found in zip(rows, *(reference_scores(table, name).tolist() for name in REFERENCES), strict=True):
        given = [score for score in row if not isnan(score)]
        if not given:
            assert np.isnan(found).all()
            continue
        modes = multimode(given)
        expected = [given[0], mean(given), median(given), modes[0] if len(modes) == 1 else NAN]
        assert found == pytest.approx(expected, nan_ok=True)


def test_an_unknown_reference_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="first, mean, median or majority, got 'best'") as refused:
        reference_from("best")
    assert refused.value.field == "reference"
