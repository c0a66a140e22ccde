"""Analyses of features: laws, worked examples, and what happens where something is undefined."""

import numpy as np
import pytest

from assay.rsm.analyses import (
    analyse_training,
    grouped_correlations,
    partial_correlations,
    principal_components,
    target_correlations,
)

RNG = np.random.default_rng(11)
VALUES = RNG.normal(size=(60, 3))
HUMAN = np.clip(np.rint(3 + VALUES @ [0.7, 0.4, 0.0] + RNG.normal(size=60) * 0.5), 1, 6)


def texts(*values: str | None) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    return np.array(values, dtype=object)


def test_a_partial_correlation_is_that_of_the_residues() -> None:
    others = np.column_stack([np.ones(60), VALUES[:, 2]])
    residues = [
        column - others @ np.linalg.lstsq(others, column, rcond=None)[0] for column in (VALUES[:, 0], VALUES[:, 1])
    ]

    found = partial_correlations(VALUES)

    assert found[0, 1] == pytest.approx(np.corrcoef(*residues)[0, 1])
    assert found == pytest.approx(found.T)


def test_partial_correlations_do_not_depend_on_the_unit_of_measurement() -> None:
    scaled = VALUES * [1e-6, 1.0, 1e6]

    assert partial_correlations(scaled) == pytest.approx(partial_correlations(VALUES))


def test_more_columns_than_rows_leave_partial_correlations_undefined() -> None:
    found = partial_correlations(VALUES[:2])

    assert np.isnan(found[0, 1])
    assert found.diagonal().tolist() == [1, 1, 1]


def test_length_held_constant_takes_away_what_length_explains() -> None:
    feature, length = VALUES[:, :1] + 0.3 * np.sin(np.arange(60.0))[:, None], 100 + 20 * VALUES[:, 0]

    found = target_correlations(feature, HUMAN, length)

    assert found.without_length is not None
    assert found.marginal[0] > 0.4
    assert abs(found.without_length[0]) < 0.2


def test_a_group_called_all_data_is_merged_only_where_rsmtool_is_copied() -> None:
    groups = {"L1": texts(*["All data"] * 20, *["x"] * 40)}

    plain = grouped_correlations(VALUES, HUMAN, groups, name="sc1")
    merged = grouped_correlations(VALUES, HUMAN, groups, name="sc1", merge_all_data=True)

    assert plain.groups["L1"]["All data"].n == 20
    assert merged.groups["L1"]["All data"].n == 80


def test_components_span_the_whole_variance_and_are_upright() -> None:
    found = principal_components(VALUES)

    assert found.eigenvalues.sum() == pytest.approx(VALUES.var(axis=0, ddof=1).sum())
    assert found.loadings.T @ found.loadings == pytest.approx(np.eye(3))
    assert found.share.sum() == pytest.approx(1)


def test_many_features_are_not_drawn_by_group() -> None:
    wide = RNG.normal(size=(30, 151))

    found = analyse_training(
        [f"f{i}" for i in range(151)], wide, wide, HUMAN[:30], groups={"L1": texts(*["a", "b"] * 15)}
    )

    assert not found.boxes
    assert not found.functioning
    assert len(found.with_score.groups["L1"]) == 2
