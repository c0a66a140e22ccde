"""Phrasings that were written before the grammar was looked at for them: each does what it says or is refused.

On the day they were written 28 of the sixty were understood, and 18, 25, 19 and 20 of four times thirty that followed,
each after the grammar had learned from those before it. Four readings of the 180 were wrong, and are now right.
"""

import pytest

from assay.annotations.rubric.edits import apply_edits
from assay.annotations.rubric.instructions import read_instructions
from tests.annotations.rubric.final_phrasings import FINAL
from tests.annotations.rubric.fresh_phrasings import FRESH
from tests.annotations.rubric.further_phrasings import Check
from tests.annotations.rubric.last_phrasings import LAST
from tests.annotations.rubric.later_phrasings import LATER
from tests.annotations.rubric.test_phrasings import RUBRIC, said
from tests.annotations.rubric.unseen_phrasings import UNSEEN

ALL = (*UNSEEN, *FRESH, *LATER, *LAST, *FINAL)


@pytest.mark.parametrize(("phrasing", "check"), ALL, ids=[phrasing for phrasing, _ in ALL])
def test_an_unseen_phrasing_does_what_it_says_or_is_refused_with_offers(phrasing: str, check: Check) -> None:
    reading = read_instructions(phrasing, RUBRIC)
    if reading.not_understood:
        assert all("Try “" in refusal.why or "Did you mean" in refusal.why for refusal in reading.not_understood)
    else:
        assert check(apply_edits(RUBRIC, reading.edits).rubric)


@pytest.mark.parametrize(("phrasings", "least"), [(UNSEEN, 55), (FRESH, 30), (LATER, 27), (LAST, 28), (FINAL, 28)])
def test_most_of_the_unseen_phrasings_are_understood(phrasings: list[tuple[str, Check]], least: int) -> None:
    assert sum(not read_instructions(phrasing, RUBRIC).not_understood for phrasing, _ in phrasings) >= least


@pytest.mark.parametrize(
    "phrasing",
    [
        "ignore occluded cars",
        "cars that are truncated don't count",
        "anyone who passes with less than 40 is lucky",
        "resized images",
        "images of another size are interesting",
        "near misses hurt",
        "hardly any color matters",
        "unless occluded, cars matter",
        "first, boxes",
        "yolo attributes",
    ],
)
def test_what_would_have_to_be_guessed_is_refused(phrasing: str) -> None:
    assert said(phrasing) == []


def test_a_contrast_denies_only_what_comes_after_the_not() -> None:
    (sentence,) = said("Only look at the labels, not the position")

    assert sentence.startswith("A match counts: position 0%, label 100%, attributes 0%")


def test_a_setting_has_phrasings_of_its_own() -> None:
    changed = [
        said("Scale annotations on resized images"),
        said("Overlaps above 0.3 are near misses"),
        said("Don't charge YOLO students for missing attributes"),
        said("Use color to identify objects"),
    ]

    assert [len(sentences) for sentences in changed] == [1, 1, 1, 1]
