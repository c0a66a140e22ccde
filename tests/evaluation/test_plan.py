"""Which form of the score decides."""

import pytest

from assay.errors import InputError
from assay.evaluation.plan import Plan, scale_from
from assay.evaluation.score_variants import Scaling
from assay.scale import ScoreScale

SCALE, SCALING = ScoreScale(1, 4), Scaling(0, 1, 0, 1)


def decisive(plan: Plan) -> tuple[str, str, str | None]:
    return plan.primary, plan.trimmed, plan.rounded


def test_the_scaled_score_decides_when_there_is_one() -> None:
    assert decisive(Plan(SCALE)) == ("raw", "raw_trim", "raw_trim_round")
    assert decisive(Plan(SCALE, scaling=SCALING)) == ("scale", "scale_trim", "scale_trim_round")
    assert decisive(Plan(SCALE, base="scale")) == ("scale", "scale_trim", "scale_trim_round")


def test_without_a_scale_the_score_decides_as_it_is() -> None:
    assert decisive(Plan(None)) == ("raw", "raw", None)
    assert decisive(Plan(None, scaling=SCALING)) == ("scale", "scale", None)


def test_zeros_are_left_out_and_groups_shown_unless_said_otherwise() -> None:
    plan = Plan(SCALE)
    assert (plan.leave_out_zeros, plan.least_group, plan.least_items, plan.cuts) == (True, 1, 0, ())


def test_a_scale_may_be_written_as_people_write_it() -> None:
    assert Plan("1-6:0.5") == Plan(ScoreScale(1, 6, 0.5))  # type: ignore[arg-type]


def test_a_scale_of_another_kind_is_refused_with_how_to_write_it() -> None:
    with pytest.raises(InputError, match="'1-6'") as refused:
        Plan((1, 6))  # type: ignore[arg-type]
    assert refused.value.field == "scale"


def test_the_raw_score_decides_where_it_is_preferred() -> None:
    plan = Plan(SCALE, scaling=SCALING, prefer_scaled=False)
    assert decisive(plan) == ("raw", "raw_trim", "raw_trim_round")
    assert decisive(Plan(None, prefer_scaled=False, base="scale")) == ("scale", "scale", None)


def test_a_plan_takes_nothing_for_granted() -> None:
    plan = Plan(SCALE)
    assert (plan.scaling, plan.trim_tolerance, plan.error_variance, plan.scale_declared) == (None, None, None, None)
    assert (plan.by_candidate, plan.prefer_scaled, plan.base) == (False, True, "raw")


def test_a_scale_that_is_one_already_or_none_is_left_alone() -> None:
    assert scale_from(SCALE) is SCALE
    assert scale_from(None) is None
    assert scale_from("0-3") == ScoreScale(0, 3)
