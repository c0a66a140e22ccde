"""An instruction on the terminal: shown, agreed to, applied; never by half without a person."""

import pytest

from assay.annotations.rubric.rubric import AttributeRule, LabelRule, Rubric
from assay.cli.annotations.screens import confirm_by
from assay.errors import InputError
from assay.workflows.annotations.rules import instruct

RUBRIC = Rubric(labels=(LabelRule("Car", (AttributeRule("color"),)),))


def instructed_rubric(rubric: Rubric, text: str, *, attributes: tuple[str, ...] = (), yes: bool = False) -> Rubric:
    return instruct(rubric, text, attributes=attributes, confirm=confirm_by(yes=yes)).after


def test_with_yes_the_changes_are_said_in_words_and_applied(capsys: pytest.CaptureFixture[str]) -> None:
    rubric = instructed_rubric(RUBRIC, "ignore color, label twice as important", yes=True)

    shown = capsys.readouterr()
    assert rubric.labels == (LabelRule("Car"),)
    assert rubric.weights.label == 50
    assert "'color' is not scored." in shown.err
    assert "position 40%, label 40%, attributes 20% (before: position 50%, label 25%, attributes 25%)" in shown.err
    assert " = " not in shown.err
    assert shown.out == ""


def test_an_instruction_that_the_rules_follow_already_is_no_mistake() -> None:
    assert instructed_rubric(RUBRIC, "beta 0.5") == RUBRIC


def test_an_attribute_that_only_the_ground_truth_has_can_be_included() -> None:
    rubric = instructed_rubric(RUBRIC, "include occluded", attributes=("occluded",), yes=True)

    assert [attribute.name for attribute in rubric.attributes_of("Car")] == ["color", "occluded"]


@pytest.mark.parametrize(
    ("instruction", "yes", "why"),
    [
        ("ignore color, be kind", True, "yes applies none of it"),
        ("ignore color", False, "nobody is there to agree"),
        ("be kind", True, "changes nothing"),
        ("only count class Bus", True, "There is no label .Bus."),
    ],
)
def test_nothing_is_applied_without_full_understanding_and_consent(instruction: str, yes: bool, why: str) -> None:
    with pytest.raises(InputError, match=why):
        instructed_rubric(RUBRIC, instruction, yes=yes)
