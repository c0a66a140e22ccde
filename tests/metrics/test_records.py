"""What every record of the metrics keeps to: it cannot be changed, and takes no more room than its fields."""

from typing import Any

import pytest

import assay.metrics
from tests.records import check_record, records_of

RECORDS = records_of(assay.metrics)
BY_VALUE = {"Coefficient", "EvenScale", "Fairness", "FairnessModel", "PairMetric"}
"""Records of plain values, equal when their values are; those that hold arrays are only equal to themselves."""


@pytest.mark.parametrize("record", RECORDS, ids=lambda c: c.__name__)
def test_a_record_cannot_be_changed_and_has_room_for_its_fields_alone(record: Any) -> None:
    check_record(record, BY_VALUE)


def test_every_record_that_is_compared_by_value_is_there() -> None:
    assert {c.__name__ for c in RECORDS} > BY_VALUE
