"""What every record of an evaluation keeps to: it cannot be changed, and takes no more room than its fields."""

from typing import Any

import pytest

import assay.evaluation
from tests.records import check_record, records_of

RECORDS = records_of(assay.evaluation)
BY_VALUE = {
    "Accuracy",
    "AlternativeTest",
    "CalibrationError",
    "CalibrationMethod",
    "ChunkTally",
    "Comparison",
    "Corrected",
    "CorrectedRate",
    "CorrectionPlan",
    "Criterion",
    "Crossed",
    "CurvePoint",
    "CutDecision",
    "DecisionStudy",
    "Design",
    "Difference",
    "Disagreement",
    "Disattenuated",
    "EquatedScale",
    "Errors",
    "Example",
    "Exclusions",
    "Gate",
    "GateResult",
    "GroupBias",
    "GroupFigures",
    "Grouping",
    "JudgeCalibration",
    "JudgeErrors",
    "JudgeJury",
    "JudgeRatings",
    "JudgeReplacement",
    "JudgeRubric",
    "JudgedItem",
    "Judgement",
    "JuryMember",
    "Labels",
    "LevelError",
    "Mantel",
    "MantelHaenszel",
    "MeasurementError",
    "MixedDecision",
    "Models",
    "MoreItems",
    "Next",
    "NextItem",
    "PairFigures",
    "PairMatrix",
    "Panel",
    "PanelReliability",
    "PanelUse",
    "PassRate",
    "Person",
    "Pick",
    "Plan",
    "PlattMap",
    "PointShare",
    "Precision",
    "PreferenceAgreement",
    "Prices",
    "Probe",
    "ProbeFigures",
    "Rank",
    "RaterAgreement",
    "RaterModel",
    "RaterPair",
    "Rating",
    "Readings",
    "Replacement",
    "ReplacementPlan",
    "RubricLevel",
    "Scaling",
    "Severity",
    "Strengths",
    "SubsetGap",
    "Summary",
    "Swaps",
    "Threshold",
    "TrueScore",
    "TrustPart",
    "Usage",
}
"""Records of plain values, equal when their values are; those that hold arrays are only equal to themselves."""


REMEMBERING = {"HumanRatings", "PanelRatings"}
"""Records that keep figures once they were worked out, for which slots leave no room."""


@pytest.mark.parametrize("record", RECORDS, ids=lambda c: c.__name__)
def test_a_record_cannot_be_changed_and_has_room_for_its_fields_alone(record: Any) -> None:
    check_record(record, BY_VALUE, REMEMBERING)


def test_every_record_that_is_compared_by_value_is_there() -> None:
    assert {c.__name__ for c in RECORDS} > BY_VALUE
