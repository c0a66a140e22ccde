"""Training, scoring and cross-validating on feature tables."""

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError
from assay.rsm.experiment import cross_validate, feature_model, train_experiment
from assay.rsm.feature_model import predict
from assay.rsm.filtering import drawn_folds, sampled
from assay.rsm.types import (
    FEW_ITEMS,
    FLAGGED,
    NO_FEATURE,
    NO_HUMAN,
    ZERO_HUMAN,
    ExperimentPlan,
    FeatureSpec,
    FeatureTable,
)
from tests.rsm.tables import feature_table

TRAIN, TEST = feature_table(seed=1), feature_table(40, seed=2)
TRANSFORMED = ExperimentPlan(
    features=(FeatureSpec("a", "raw"), FeatureSpec("b", "raw", -1.0), FeatureSpec("c", "raw", low=-3.0, high=0.0))
)


def with_cells(table: FeatureTable, **columns: dict[int, float]) -> FeatureTable:
    """Some cells replaced: feature or `human` -> row -> value."""
    matrix, human = table.matrix.copy(), table.human.copy()
    for name, cells in columns.items():
        for place, value in cells.items():
            if name == "human":
                human[place] = value
            else:
                matrix[place, table.names.index(name)] = value
    return replace(table, matrix=matrix, human=human)


def test_prepared_training_features_have_mean_0_and_spread_1() -> None:
    experiment = train_experiment(TRAIN, TEST, ExperimentPlan(truncate_outliers=False))

    assert experiment.train.preprocessed.mean(axis=0) == pytest.approx(0, abs=1e-12)
    assert experiment.train.preprocessed.std(axis=0, ddof=1) == pytest.approx(1)


def test_the_model_of_an_experiment_scores_the_same_responses_the_same() -> None:
    experiment = train_experiment(TRAIN, TEST, TRANSFORMED)

    again = predict(feature_model(experiment), TEST)

    for form, scores in experiment.test_predictions.items():
        assert again.variants[form] == pytest.approx(scores)


def test_responses_are_left_out_by_the_first_reason_that_holds_and_the_counts_add_up() -> None:
    test = with_cells(TEST, human={0: np.nan, 1: 0.0, 2: np.inf}, a={3: np.nan, 1: np.nan})
    flagged = np.zeros(len(test), dtype=bool)
    flagged[4] = True
    candidate = np.array(["one" if i == 5 else "many" for i in range(len(test))], dtype=object)
    test = replace(test, flagged=flagged, candidate=candidate)
    train = replace(TRAIN, candidate=np.array(["x"] * len(TRAIN), dtype=object))

    experiment = train_experiment(train, test, ExperimentPlan(min_items_per_candidate=2))

    assert experiment.test.left_out() == {FLAGGED: 1, NO_HUMAN: 2, ZERO_HUMAN: 1, NO_FEATURE: 1, FEW_ITEMS: 1}
    assert len(experiment.test.used) + 6 == len(test)


def test_evaluation_responses_without_a_human_score_are_scored_in_the_same_step() -> None:
    test = with_cells(TEST, human={0: np.nan, 7: np.nan}, a={7: np.nan})

    experiment = train_experiment(TRAIN, test, ExperimentPlan())

    assert experiment.unscored is not None
    assert experiment.unscored.used.ids.tolist() == ["r0"]  # the other lacks a feature
    assert experiment.unscored_predictions is not None
    whole = train_experiment(TRAIN, TEST, ExperimentPlan())
    assert experiment.unscored_predictions["raw"][0] == pytest.approx(whole.test_predictions["raw"][0])


@pytest.mark.parametrize(("missing", "value"), [("zero", 0.0), ("mean", None), ("median", None)])
def test_missing_features_can_be_filled_in_and_it_is_said(missing: str, value: float | None) -> None:
    train = with_cells(TRAIN, a={0: np.nan, 5: np.nan})
    test = with_cells(TEST, a={1: np.nan})

    experiment = train_experiment(train, test, ExperimentPlan(missing=missing))  # type: ignore[arg-type]

    present = np.delete(TRAIN.column("a"), [0, 5])
    expected = {"mean": present.mean(), "median": np.median(present)}.get(missing, value)
    fill = next(p.fill for p in experiment.parameters if p.feature == "a")
    assert fill == pytest.approx(expected)
    assert (len(experiment.train.used), len(experiment.test.used)) == (len(TRAIN), len(TEST))
    assert (experiment.train.filled, experiment.test.filled) == (2, 1)
    assert sum("missing feature value" in note for note in experiment.notes) == 2


def test_a_feature_that_does_not_vary_is_left_out_unless_it_was_asked_for() -> None:
    same = with_cells(TRAIN, a=dict.fromkeys(range(len(TRAIN)), 2.0))

    experiment = train_experiment(same, TEST, ExperimentPlan())

    assert experiment.dropped == ("a",)
    assert experiment.names == ("b", "c")
    asked = ExperimentPlan(features=(FeatureSpec("a"), FeatureSpec("b")))
    with pytest.raises(InputError, match="do not vary on the training responses: a"):
        train_experiment(same.with_features(("a", "b")), TEST, asked)


def test_the_scale_is_as_given_also_when_it_starts_at_0() -> None:
    ends = ExperimentPlan(trim_min=0, trim_max=7)

    mended = train_experiment(TRAIN, TEST, ends).postprocessing
    compat = train_experiment(TRAIN, TEST, replace(ends, compat=True)).postprocessing

    assert (mended.trim_min, mended.trim_max) == (0, 7)
    assert (compat.trim_min, compat.trim_max) == (TRAIN.human.min(), 7)


def test_outliers_are_told_by_the_training_mean_also_when_it_is_0() -> None:
    centred = TRAIN.matrix - TRAIN.matrix.mean(axis=0)
    centred[40:] = -centred[:40]  # so that the mean is exactly 0
    train = replace(TRAIN, matrix=centred)
    stray = with_cells(TEST, a={0: 1000.0})

    mended = train_experiment(train, stray, ExperimentPlan())
    compat = train_experiment(train, stray, ExperimentPlan(compat=True))

    spread = centred[:, 1].std(ddof=1)
    assert mended.test.preprocessed[0, 1] == pytest.approx((4 * spread) / spread, rel=1e-3)
    assert compat.test.preprocessed[0, 1] > mended.test.preprocessed[0, 1]


def test_transformations_are_chosen_and_inverting_ones_turn_the_sign() -> None:
    names = ("growing", "shrinking")
    human = np.tile(np.arange(1.0, 7.0), 10)
    noise = np.random.default_rng(0).normal(0, 0.01, 60)
    matrix = np.column_stack([human**2 + np.abs(noise), 1 / human + np.abs(noise)])
    table = FeatureTable(np.array([str(i) for i in range(60)], dtype=object), names, matrix, human)

    experiment = train_experiment(table, table, ExperimentPlan(select_transformations=True))

    assert [(p.transform, p.sign) for p in experiment.parameters] == [("sqrt", 1.0), ("addOneInv", -1.0)]


def test_an_evaluation_on_the_training_responses_is_said_to_flatter() -> None:
    experiment = train_experiment(TRAIN, TRAIN, ExperimentPlan())

    assert experiment.test is experiment.train
    assert any("better than it is" in note for note in experiment.notes)


def test_folds_cover_every_response_once_and_models_never_see_their_fold() -> None:
    folds = drawn_folds(len(TRAIN), 5)
    found = cross_validate(TRAIN, ExperimentPlan(), folds, sampled(len(TRAIN)))

    scored = [i for fold in found.folds for i in fold.test.used.ids]
    assert sorted(scored) == sorted(TRAIN.ids)
    for fold in found.folds:
        assert not set(fold.train.used.ids) & set(fold.test.used.ids)
    assert len(found.final.train.used) == len(TRAIN)


def test_columns_of_words_are_named_when_they_leave_no_response() -> None:
    words = with_cells(TRAIN, b=dict.fromkeys(range(len(TRAIN)), float("nan")))

    with pytest.raises(InputError, match="hold no number at all: b"):
        train_experiment(words, TEST, ExperimentPlan())


def test_flags_that_leave_no_response_are_named() -> None:
    flagged = replace(TRAIN, flagged=np.ones(len(TRAIN), dtype=bool))

    with pytest.raises(InputError, match="every training response has a flag that is not allowed"):
        train_experiment(flagged, TEST, ExperimentPlan("LinearRegression"))
