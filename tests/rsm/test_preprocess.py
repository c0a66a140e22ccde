"""How features are prepared: what is learned on training responses, and used on any others."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.rsm.preprocess import FeatureParameters, Preparation, learned, prepared
from assay.rsm.types import FeatureSpec

VALUES = np.array([1.0, 2.0, 4.0, 9.0])
PLAIN = Preparation(standardize=False, truncate=False)


def test_training_values_are_standardised_over_n_minus_1() -> None:
    parameters, values = learned(VALUES, FeatureSpec("f"), Preparation())

    assert (parameters.train_mean, parameters.train_sd) == pytest.approx((4, np.std(VALUES, ddof=1)))
    assert (values.mean(), values.std(ddof=1)) == pytest.approx((0, 1))
    assert parameters.bounds == pytest.approx((4 - 4 * parameters.train_sd, 4 + 4 * parameters.train_sd))
    assert (parameters.feature, parameters.transform, parameters.sign, parameters.fill) == ("f", "raw", 1.0, None)


def test_a_feature_is_cut_then_transformed_then_standardised_then_turned() -> None:
    spec = FeatureSpec("f", "sqrt", -1.0, low=1.0, high=4.0)

    parameters, values = learned(VALUES, spec, Preparation(standardize=False))

    assert values.tolist() == pytest.approx([-1, -(2**0.5), -2, -2])
    assert list(parameters.bounds) == [1, 4]
    roots = np.array([1, 2**0.5, 2, 2])
    moments = (parameters.train_transformed_mean, parameters.train_transformed_sd)
    assert moments == pytest.approx((roots.mean(), roots.std(ddof=1)))
    assert learned(VALUES, spec, PLAIN)[1].tolist() == pytest.approx([-1, -(2**0.5), -2, -3])


@pytest.mark.parametrize(("missing", "fill"), [("mean", 16 / 3), ("median", 4.0), ("zero", 0.0)])
def test_a_gap_is_filled_with_what_training_says(missing: str, fill: float) -> None:
    gappy = np.array([3.0, np.nan, 4.0, 9.0])

    parameters, values = learned(gappy, FeatureSpec("f"), PLAIN, missing=missing)  # type: ignore[arg-type]

    assert parameters.fill == pytest.approx(fill)
    assert values[1] == pytest.approx(fill)
    other = prepared(np.array([[np.nan], [7.0]]), [parameters], PLAIN, strict=True)
    assert other.ravel().tolist() == pytest.approx([fill, 7])


def test_a_feature_that_does_not_vary_once_prepared_is_refused() -> None:
    with pytest.raises(InputError, match=r"feature 'f' does not vary once it is prepared. Leave it out"):
        learned(np.array([5.0, 6.0, 7.0]), FeatureSpec("f", high=5.0), Preparation())


def test_a_transformation_without_a_value_is_refused_in_training_and_may_be_nan_later() -> None:
    with pytest.raises(InputError, match="negative values"):
        learned(np.array([-1.0, 4.0]), FeatureSpec("f", "sqrt"), PLAIN)
    parameters, _ = learned(VALUES, FeatureSpec("f", "sqrt"), PLAIN)
    assert np.isnan(prepared(np.array([[-1.0]]), [parameters], PLAIN, strict=False)).all()
    with pytest.raises(InputError, match="negative values"):
        prepared(np.array([[-1.0]]), [parameters], PLAIN, strict=True)


def test_other_responses_are_prepared_with_what_was_learned() -> None:
    parameters, _ = learned(VALUES, FeatureSpec("f"), Preparation())

    found = prepared(np.array([[4.0], [1000.0]]), [parameters], Preparation(), strict=True)

    assert found.ravel().tolist() == pytest.approx([0, 4])
    assert prepared(np.ones((2, 0)), [], Preparation(), strict=True).shape == (2, 0)


def test_where_the_mean_is_0_rsmtool_takes_the_mean_at_hand() -> None:
    centred = FeatureParameters("f", "raw", 1.0, 0.0, 1.0, 0.0, 1.0)
    rows = np.array([[10.0], [20.0]])

    ours, theirs = (prepared(rows, [centred], Preparation(compat=compat), strict=True) for compat in (False, True))

    assert ours.ravel().tolist() == [4, 4]
    assert theirs.ravel().tolist() == [11, 19]  # 15 - 4 and 15 + 4
