"""Configurations cannot be changed, and are made of named values."""

from assay.io.rsm import configuration
from tests.frozen import compared_by_identity, keyword_only, mutable_dataclasses, without_slots


def test_all_values_are_frozen() -> None:
    assert mutable_dataclasses(configuration) == []


def test_all_values_are_compared_by_what_they_hold() -> None:
    assert compared_by_identity(configuration) == []


def test_all_values_have_slots() -> None:
    assert without_slots(configuration) == []


def test_settings_are_given_by_name() -> None:
    assert keyword_only(configuration) == [
        "EvaluatedConfig",
        "ReportedConfig",
        "RsmEvalConfig",
        "RsmExperimentsConfig",
        "RsmExplainConfig",
        "RsmModelConfig",
    ]
