"""The further sixty phrasings: on the day they were written 34 were understood, one of the others was misread."""

import pytest

from assay.annotations.rubric.edits import apply_edits
from assay.annotations.rubric.instructions import read_instructions
from tests.annotations.rubric.further_phrasings import FURTHER, Check
from tests.annotations.rubric.test_phrasings import RUBRIC, said


@pytest.mark.parametrize(("phrasing", "check"), FURTHER, ids=[phrasing for phrasing, _ in FURTHER])
def test_a_further_phrasing_does_what_it_says_or_is_refused(phrasing: str, check: Check) -> None:
    reading = read_instructions(phrasing, RUBRIC)
    assert reading.not_understood or check(apply_edits(RUBRIC, reading.edits).rubric)


def test_at_least_fifty_seven_of_the_further_sixty_are_understood() -> None:
    assert len(FURTHER) == 60
    assert sum(not read_instructions(phrasing, RUBRIC).not_understood for phrasing, _ in FURTHER) >= 57


@pytest.mark.parametrize(
    "phrasing",
    [
        "they are hard to see, so be careful",
        "cars are big, so ignore the rest of the street",
        "it's not okay to skip pedestrians",
        "spaces matter in class names",
        "boxes may match only sometimes",
        "anyone above 60 fails",
    ],
)
def test_what_only_sounds_like_a_rule_is_refused(phrasing: str) -> None:
    assert said(phrasing) == []
