"""Essay models as a scikit-learn estimator."""

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils import estimator_checks

from assay.errors import InputError
from assay.sklearn_estimator import EssayScorer
from assay.workflows.essays.score_essays import score_essays
from tests.paths import EXAMPLES

CHECKS = [
    estimator_checks.check_estimator_cloneable,
    estimator_checks.check_estimator_repr,
    estimator_checks.check_estimator_tags_renamed,
    estimator_checks.check_valid_tag_types,
    estimator_checks.check_no_attributes_set_in_init,
    estimator_checks.check_parameters_default_constructible,
    estimator_checks.check_get_params_invariance,
    estimator_checks.check_set_params,
]
"""Every check that calls neither fit nor predict; the others pass a numeric matrix, and essays are texts."""


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_checks_of_scikit_learn_that_need_no_numeric_matrix_pass(check: Callable[[str, EssayScorer], None]) -> None:
    check("EssayScorer", EssayScorer())


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_scikit_learn_finds_nothing_wrong_with_it() -> None:
    checks = estimator_checks.check_estimator(EssayScorer(), on_fail="raise", on_skip=None)
    assert {check["status"] for check in checks} == {"passed"}


def test_fit_and_predict_are_train_and_score() -> None:
    table = (
        pl.read_csv(EXAMPLES / "essays.csv")
        .filter(pl.read_csv(EXAMPLES / "essays.csv")["text"].str.len_chars() < 900)
        .head(60)
    )
    texts, scores = table["text"].to_list(), table["score"].to_list()
    scorer = EssayScorer(scale="1-6").fit(texts, scores)

    given = scorer.predict(texts[:3])
    raw = clone(scorer).set_params(raw=True)
    raw.model_ = scorer.model_

    own = score_essays(texts[:3], scorer.model_)
    assert given.tolist() == [score.score for score in own]
    assert raw.predict(texts[:3]).tolist() == [score.raw for score in own]
    assert np.isfinite(scorer.score(texts[:5], scores[:5]))


def test_mistakes_name_the_argument() -> None:
    with pytest.raises(NotFittedError):
        EssayScorer().predict(["A text."])
    with pytest.raises(InputError, match="type int") as refused:
        EssayScorer().fit([7], [3])  # type: ignore[list-item]
    assert refused.value.field == "X"
    with pytest.raises(InputError, match="2 scores for 1 texts"):
        EssayScorer().fit(["A text."], [3, 4])
