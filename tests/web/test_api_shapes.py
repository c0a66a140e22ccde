"""What the API takes is strict, and what it gives says what is undefined."""

from math import nan

import pytest
from pydantic import ValidationError

from assay.metrics.intervals import Estimate
from assay.store.items import Item
from assay.store.schema import Json
from assay.web.api_shapes import FigureShape, NewDecision, NewWorkspace, ResultShape, StartJob
from tests.store.scored import NOW


@pytest.mark.parametrize("body", [{"kind": "essays"}, {"kind": "essays", "name": " "}, {"kind": "poems", "name": "a"}])
def test_a_workspace_without_kind_or_name_is_refused(body: Json) -> None:
    with pytest.raises(ValidationError):
        NewWorkspace.model_validate(body)


def test_a_field_that_is_not_known_is_a_mistake() -> None:
    with pytest.raises(ValidationError, match="settingz"):
        StartJob.model_validate({"settingz": {}})


def test_a_job_scores_unless_it_says_otherwise() -> None:
    assert StartJob.model_validate({}).model_dump() == {"task": "score", "settings": {}}


def test_a_figure_has_a_verdict_where_it_has_a_threshold_and_null_where_it_is_undefined() -> None:
    good, unknown = (
        FigureShape.of("qwk", Estimate(0.9, 0.85, 0.95)),
        FigureShape.of("mae", Estimate(nan, nan, nan, "no")),
    )

    assert (good.value, good.verdict) == (0.9, "met")
    assert (unknown.value, unknown.low, unknown.reason, unknown.verdict) == (None, None, "no", None)


def test_an_item_without_a_result_has_no_score() -> None:
    item = Item(1, "w", 1, "d", "ada", None, None, {}, NOW, None)

    shape = ResultShape.of(item, None, [])

    assert (shape.score, shape.final_score, shape.reviewed, shape.payload) == (None, None, False, {})


def test_a_decision_is_about_the_score_unless_it_says_otherwise() -> None:
    assert NewDecision(kind="confirm").target == "score"
