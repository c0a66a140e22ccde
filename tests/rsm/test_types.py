"""Tables of features from columns at hand."""

from typing import Any

import numpy as np
import pytest

from assay.errors import InputError
from assay.rsm.experiment import cross_validate, feature_model, train_experiment
from assay.rsm.explain import explain_responses
from assay.rsm.feature_model import predict
from assay.rsm.types import ExperimentPlan, FeatureTable
from tests.rsm.tables import feature_table

TRAIN = feature_table(60)


def test_columns_are_copied_and_stay_as_they_were() -> None:
    length, human = np.array([1.0, 2.0]), np.array([3.0, 4.0])

    table = FeatureTable.of({"length": length}, human, ids=[7, "b"], groups={"country": ["Peru", None]})
    length[0] = human[0] = 9

    assert (table.matrix.tolist(), table.human.tolist()) == ([[1.0], [2.0]], [3.0, 4.0])
    assert table.ids.tolist() == ["7", "b"]
    assert table.groups["country"].tolist() == ["Peru", None]


@pytest.mark.parametrize(
    ("features", "human", "words"),
    [
        ({"a": [1, 2], "b": [1]}, None, "a 2, b 1"),
        ({"a": ["x", "y"]}, None, "a must hold numbers"),
        ({"a": [[1], [2]]}, None, "shape (2, 1)"),
        ({"a": [1, 2]}, [1], "expected 2 values"),
        ({}, None, "at least one feature"),
    ],
)
def test_columns_that_make_no_table_are_refused(features: dict[str, Any], human: list[int] | None, words: str) -> None:
    with pytest.raises(InputError, match=words.replace("(", r"\(").replace(")", r"\)")):
        FeatureTable.of(features, human)


def test_a_group_for_each_response_is_needed() -> None:
    with pytest.raises(InputError, match="expected 2 values"):
        FeatureTable.of({"a": [1, 2]}, groups={"country": ["Peru"]})


def test_folds_may_be_a_number_and_all_scores_come_together() -> None:
    found = cross_validate(TRAIN, ExperimentPlan(), folds=3)

    human, system = found.paired("raw")
    assert sorted(human.tolist()) == sorted(TRAIN.human.tolist())
    first = found.folds[0].test
    assert (
        predict(feature_model(found.folds[0]), first.used).variants["raw"].tolist()
        == system[: len(first.used)].tolist()
    )


def test_shares_from_features_as_they_come_add_up_to_the_score() -> None:
    model = feature_model(train_experiment(TRAIN, TRAIN, ExperimentPlan()))
    new = feature_table(5, seed=4)

    found = explain_responses(model, new, TRAIN)

    assert found.base + found.values.sum(axis=1) == pytest.approx(predict(model, new).variants["raw"])
    assert found.base == pytest.approx(TRAIN.human.mean())  # least squares meets the mean of its training responses
