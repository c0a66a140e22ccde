"""A frame takes a sentence only if it accounts for every concept in it."""

import pytest

from assay.annotations.rubric.changes import KnownNames
from assay.annotations.rubric.edits import apply_edits, read_edit
from assay.annotations.rubric.frames import FRAMES, edits_of
from assay.annotations.rubric.lexicon import tokenize
from assay.annotations.rubric.rubric import AttributeRule, LabelRule, Rubric
from assay.annotations.rubric.sentence import RuleSentence

RUBRIC = Rubric(labels=(LabelRule("car", (AttributeRule("color"),)), LabelRule("bus")))
KNOWN = KnownNames.of(RUBRIC)


def changed(text: str, rubric: Rubric = RUBRIC) -> Rubric:
    edits = [read_edit(edit, KNOWN) for edit in edits_of(tokenize(text, KNOWN), rubric)]
    assert edits
    return apply_edits(rubric, edits).rubric


def test_a_ratio_of_misses_and_extras_is_kept_by_beta() -> None:
    # each missed object takes beta squared of what an extra takes: grading.parts.f_beta
    assert changed("a miss costs three times as much as an extra").beta ** 2 == pytest.approx(3)
    assert changed("extras are twice as bad as misses").beta ** 2 == pytest.approx(0.5)


def test_a_ratio_undoes_other_costs() -> None:
    free = changed("ignore extra boxes")
    assert free.extra_cost == 0
    assert changed("misses and extras are equally bad", free).extra_cost == 1


@pytest.mark.parametrize("word", ["nonsense", "bus frobnicates"])
def test_an_unknown_word_leaves_no_edit(word: str) -> None:
    assert edits_of(tokenize(f"ignore car {word}", KNOWN), RUBRIC) == ()


def test_every_frame_leaves_a_sentence_about_something_else_alone() -> None:
    sentence = RuleSentence(tokenize("objects and objects", KNOWN), RUBRIC)
    assert [frame(sentence) for frame in FRAMES] == [None] * len(FRAMES)


def test_classes_count_by_factor_and_against_each_other() -> None:
    assert changed("cars count three times").rule_of("car").weight == 3
    assert changed("buses count half as much as cars").rule_of("bus").weight == 0.5
