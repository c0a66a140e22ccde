"""Gradient boosted trees: fitted alike each time, kept as text, with the share of each input."""

import sys
from pathlib import Path

import numpy as np
import pytest

from assay.errors import MissingExtra
from assay.essays.models.hybrid.boosting import ROUNDS, SETTINGS, Trees, _booster, fit_trees, out_of_fold

pytest.importorskip("lightgbm")


def made(essays: int = 160) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(2)
    inputs = rng.normal(size=(essays, 3))
    return inputs, np.where(inputs[:, 0] > 0, 2.0, 0.0) + 0.5 * inputs[:, 1]


def small(inputs: np.ndarray, target: np.ndarray, **given: object) -> Trees:
    return fit_trees(inputs, target, **{"seed": 0, "rounds": 20, **given})  # type: ignore[arg-type]


def test_trees_learn_what_goes_with_the_target() -> None:
    inputs, target = made()

    predicted = fit_trees(inputs, target, seed=0, rounds=60, settings={"feature_fraction": 1.0}).predict(inputs)

    assert predicted.shape == (160,)
    assert np.corrcoef(predicted, target)[0, 1] > 0.9


def test_shares_of_inputs_and_the_start_add_up_to_the_prediction() -> None:
    inputs, target = made()
    trees = small(inputs, target)

    shares = trees.shares(inputs)

    assert shares.shape == (160, 4)
    assert shares.sum(axis=1) == pytest.approx(trees.predict(inputs))
    assert np.ptp(shares[:, -1]) == 0
    assert np.abs(shares[:, 0]).mean() > np.abs(shares[:, 2]).mean()


def test_the_same_essays_and_seed_give_the_same_trees_and_another_seed_others() -> None:
    inputs, target = made()
    one, again, other = (small(inputs, target, seed=seed).text for seed in (0, 0, 1))

    assert one == again
    assert one != other


def test_trees_read_from_their_text_predict_alike() -> None:
    inputs, target = made()
    trees = small(inputs, target)

    assert Trees(str(trees.text)).predict(inputs).tolist() == trees.predict(inputs).tolist()


def test_rounds_are_the_number_of_trees_and_settings_may_be_overridden() -> None:
    inputs, target = made()

    assert small(inputs, target).text.count("\nTree=") == 20
    assert fit_trees(inputs, target, seed=0).text.count("\nTree=") == ROUNDS == 300
    assert "[num_leaves: 10]" in small(inputs, target).text
    assert "[num_leaves: 4]" in small(inputs, target, settings={"num_leaves": 4}).text
    assert "[seed: 7]" in small(inputs, target, seed=7).text


def test_essays_of_more_weight_count_for_more() -> None:
    inputs, target = np.tile([[0.0]], (100, 1)), np.repeat([0.0, 1.0], 50)
    heavy = np.repeat([1.0, 3.0], 50)

    plain, weighted = (small(inputs, target, weights=weights).predict(inputs[:1])[0] for weights in (None, heavy))

    assert (plain, weighted) == pytest.approx((0.5, 0.75))


def test_each_essay_is_predicted_by_trees_of_the_other_folds_with_the_fold_as_seed() -> None:
    inputs, target = made(90)
    fold = np.arange(90) % 3

    found = out_of_fold(inputs, target, fold)

    for number in range(3):
        inside = fold == number
        others = fit_trees(inputs[~inside], target[~inside], seed=number)
        assert found[inside].tolist() == others.predict(inputs[inside]).tolist()


def test_trees_are_fitted_by_one_thread_and_without_chance() -> None:
    assert (SETTINGS["num_threads"], SETTINGS["deterministic"], SETTINGS["force_row_wise"]) == (1, True, True)
    assert SETTINGS["verbose"] == -1


def test_without_the_library_the_extra_to_install_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lightgbm", None)

    with pytest.raises(MissingExtra, match="Hybrid models"):
        fit_trees(*made(), seed=0)


def test_trees_are_small_slow_and_held_back() -> None:
    fixed = {"objective": "regression", "num_threads": 1, "deterministic": True, "force_row_wise": True, "verbose": -1}
    sizes = {"learning_rate": 0.03, "num_leaves": 10, "min_child_samples": 20, "lambda_l2": 5.0}
    samples = {"feature_fraction": 0.15, "bagging_fraction": 0.8, "bagging_freq": 1}

    assert dict(SETTINGS) == {**fixed, **sizes, **samples}


def test_fitting_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    inputs = np.zeros((30, 2))  # features that do not vary: LightGBM would warn

    fit_trees(inputs, np.arange(30.0), seed=0, rounds=1)

    assert capfd.readouterr() == ("", "")


def test_trees_are_read_from_their_text_once() -> None:
    trees = small(*made(40))

    assert _booster(trees.text) is _booster(trees.text)
    assert _booster.cache_info().maxsize == 64


def test_without_the_libraries_of_the_system_the_extra_is_named_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "lightgbm.py").write_text("raise OSError('libgomp.so.1: cannot open shared object file')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "lightgbm")

    with pytest.raises(MissingExtra, match="Hybrid models"):
        fit_trees(*made(), seed=0)
