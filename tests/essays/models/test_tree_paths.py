"""Trees asked without LightGBM say what LightGBM says."""

import numpy as np
import pytest

from assay.essays.models.tree_paths import tree_paths

pytest.importorskip("lightgbm")

from assay.essays.models.hybrid.boosting import fit_trees


def test_shares_and_roots_add_up_to_what_lightgbm_predicts() -> None:
    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(300, 5))
    target = inputs[:, 0] + np.abs(inputs[:, 1]) + 3
    fitted = [fit_trees(inputs, target, seed=seed, rounds=20) for seed in (0, 1)]

    paths = tree_paths(tuple(trees.text for trees in fitted))

    predicted = np.mean([trees.predict(inputs) for trees in fitted], axis=0)
    for row, expected in zip(inputs[:40], predicted[:40], strict=True):
        shares, root = paths.shares(row, 5)
        assert shares.sum() + root == pytest.approx(expected, abs=1e-9)
        assert root == pytest.approx(target.mean(), abs=0.01)


@pytest.mark.parametrize("text", ["", "tree\n", "tree\n\nTree=0\nnum_leaves=2\nleaf_value=1 nan\nsplit_feature=0\n"])
def test_damaged_trees_are_refused(text: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        tree_paths((text,))
