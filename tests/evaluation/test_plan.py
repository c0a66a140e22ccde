"""Which form of the score decides."""

import pytest

from assay.errors import InputError
from assay.evaluation.plan import Plan
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
