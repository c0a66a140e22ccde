"""Errors as a teacher groups them, and when they stand between an essay and its reader."""

from dataclasses import replace

import pytest

from assay.essays.errors.catalogue import CATALOGUE
from assay.essays.feedback.error_groups import GROUP_OF, GROUPS, HINDRANCE, error_groups, group_of
from tests.essays.feedback.test_advice import note, notes_of


def test_no_type_is_in_two_groups_and_weights_are_of_types_there_are() -> None:
    assert sum(map(len, GROUPS.values())) == len(GROUP_OF)
    assert HINDRANCE.keys() <= CATALOGUE.keys()


def test_a_type_that_no_group_names_is_proofreading_or_style() -> None:
    assert group_of(replace(note(1, "comma"), type="quotation")) == "proofreading"
    assert group_of(replace(note(1, "informal"), type="cliche")) == "tone"


@pytest.mark.parametrize(("kind", "enough"), [("spelling", 4), ("run_on", 3), ("proper_capital", 10), ("comma", 20)])
def test_how_many_errors_in_200_words_block_reading_depends_on_what_they_are(kind: str, enough: int) -> None:
    (heavy,), (light,) = (error_groups(notes_of(kind, count), 200) for count in (enough, enough - 1))

    assert heavy.blocks
    assert not light.blocks


def test_style_never_blocks_and_comes_last() -> None:
    groups = error_groups([*notes_of("repetition", 60), note(99, "comma")], 100)

    assert [group.kind for group in groups] == ["commas", "repetition"]
    assert not any(group.blocks for group in groups)


def test_many_errors_of_many_kinds_block_reading_together() -> None:
    mixed = [*notes_of("spelling", 3), *notes_of("agreement", 4), *notes_of("confused", 4)]

    assert [group.blocks for group in error_groups(mixed, 260)] == [False, False, False]
    groups = error_groups([*mixed, *notes_of("article", 4)], 260)
    assert [group.kind for group in groups if group.blocks] == ["spelling"]


def test_an_uncertain_error_hinders_less_and_a_group_of_questions_is_not_certain() -> None:
    sure, unsure = notes_of("run_on", 3), notes_of("run_on", 3, confidence=0.5, question="One sentence or two?")
    (plain,), (asked,) = error_groups(sure, 200), error_groups(unsure, 200)

    assert asked.hindrance == pytest.approx(plain.hindrance / 2)
    assert plain.is_certain
    assert not asked.is_certain
