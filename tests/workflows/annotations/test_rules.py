"""`rules`: inferred from a ground truth, changed by instructions, written without losing what somebody edited."""

from pathlib import Path

import pytest

from assay.errors import InputError
from assay.io.annotations.rubric_toml import read_rubric
from assay.workflows.annotations.rules import rules
from tests.annotations.drawn import annotation_set, box

TRUTH = annotation_set(
    box("a.png", "car", 0, 0, 100, 100, colour="red"), box("a.png", "car", 200, 0, 300, 100, colour="blue")
)


def test_the_toml_is_the_rubric() -> None:
    result = rules(TRUTH, profile="strict")

    assert result.rubric.profile == "strict-1.0"
    assert read_rubric(result.toml()) == result.rubric
    assert "car: colour" in result.pseudocode()
    assert result.to_dict()["schema"] == "assay.rules/1"
    assert result.to_polars().rows() == [("car", "colour", "text", 1.0)]
    assert "strict-1.0" in repr(result)


def test_an_instruction_changes_the_rules_and_says_what_it_changed() -> None:
    result = rules(TRUTH, instructions="ignore colour, IoU at least 0.7")

    assert result.rubric.attributes_of("car") == ()
    assert result.rubric.thresholds.box == 0.7
    assert result.proposal is not None
    assert result.proposal.before == rules(TRUTH).rubric


@pytest.mark.parametrize("instructions", ["ignore colour, be kind", "be kind"])
def test_an_instruction_that_is_understood_by_half_is_refused(instructions: str) -> None:
    with pytest.raises(InputError, match="be kind") as caught:
        rules(TRUTH, instructions=instructions)
    assert caught.value.field == "instructions"


def test_whoever_asks_may_agree_to_what_was_understood() -> None:
    result = rules(TRUTH, instructions="ignore colour, be kind", confirm=lambda proposal: None)

    assert result.rubric.attributes_of("car") == ()


def test_rules_that_somebody_edited_are_only_replaced_by_force(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text("beta = 1\n", encoding="utf-8")

    with pytest.raises(InputError, match="other rules") as caught:
        rules(TRUTH).write(path)
    assert caught.value.field == "out"
    rules(TRUTH).write(path, force=True)
    assert rules(TRUTH).write(path).read_text(encoding="utf-8") == rules(TRUTH).toml()


def test_the_report_shows_the_rules(tmp_path: Path) -> None:
    assert "colour" in rules(TRUTH).report(tmp_path / "rules.html").read_text(encoding="utf-8")
