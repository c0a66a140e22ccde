"""Records of essay models cannot be changed and take no more room than their fields; few are equal by value."""

from dataclasses import fields
from inspect import isabstract
from typing import Any

import pytest

from assay.essays import models
from tests.records import check_record, records_of

BY_VALUE = {
    *("EssayScore", "FittedLine", "Placement", "PromptLevel", "Reason", "TrainingPlan", "TrainingSummary"),
    *("ArgumentPartition", "VocabularyRule"),
}


ALL = records_of(models)
WHOLE = [record for record in ALL if fields(record) and not isabstract(record)]


@pytest.mark.parametrize("record", WHOLE, ids=lambda record: str(record.__name__))
def test_a_record_cannot_be_changed(record: Any) -> None:
    check_record(record, BY_VALUE)


def test_what_records_are_built_on_is_not_equal_by_value_either() -> None:
    bases = [record for record in ALL if record not in WHOLE]

    assert {record.__name__ for record in bases} == {"ReadOnlyArrays", "ScoringModel", "Terms"}
    assert all(record.__eq__ is object.__eq__ for record in bases)


def test_what_follows_from_other_fields_cannot_be_given() -> None:
    derived = {record.__name__: {own.name for own in fields(record) if not own.init} for record in ALL}
    of_any = {"basis", "columns", "explains_by", "has_common_scale", "known_prompts", "known_programs", "can_refit"}

    assert {name: own for name, own in derived.items() if own} == {
        "CalibratedModel": {*of_any, "can_calibrate", "training"},
        "EssayFeatures": {"position"},
        "EssayModel": {*of_any, "can_calibrate"},
        "FeatureWeights": {"relative", "average_score"},
        "GenericModel": {*of_any, "can_calibrate", "paths"},
        "HybridModel": {*of_any, "can_calibrate"},
        "JudgedEssays": {*of_any, "can_calibrate", "training"},
        "ScoringModel": {*of_any, "can_calibrate"},
        "Topic": {"position", "rank", "squares"},
        "WordStatistics": {"position"},
    }
