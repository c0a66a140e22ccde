"""What produced a result."""

from dataclasses import FrozenInstanceError, fields

import pytest

from assay.provenance import Provenance


def test_only_the_version_must_be_known() -> None:
    bare = Provenance("1.2")

    assert (bare.version, bare.command, dict(bare.inputs), bare.seed, bare.created) == ("1.2", "", {}, 0, "")


def test_two_results_of_the_same_making_are_equal_and_cannot_be_changed() -> None:
    one, same = (Provenance("1.2", "evaluate", {"scores.csv": "ab"}, 7, "2026-01-02T03:04:05+00:00") for _ in "ab")

    assert one == same
    assert one != Provenance("1.2", "evaluate", {"scores.csv": "cd"}, 7, "2026-01-02T03:04:05+00:00")
    with pytest.raises(FrozenInstanceError):
        one.seed = 8  # type: ignore[misc]


def test_inputs_of_one_result_are_not_those_of_another() -> None:
    assert Provenance("1").inputs is not Provenance("1").inputs


def test_files_call_the_time_of_making_made() -> None:
    names = {field.name: field.metadata.get("json", field.name) for field in fields(Provenance)}

    assert names == {
        "version": "version", "command": "command", "inputs": "inputs", "seed": "seed", "created": "made",
    }  # fmt: skip
