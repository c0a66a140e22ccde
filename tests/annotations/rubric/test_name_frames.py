"""Frames about classes, attributes and costs, one by one."""

import pytest

from assay.annotations.rubric import name_frames
from assay.annotations.rubric.changes import KnownNames
from assay.annotations.rubric.lexicon import tokenize
from assay.annotations.rubric.rubric import AttributeRule, LabelRule, Rubric
from assay.annotations.rubric.sentence import RuleSentence

RUBRIC = Rubric(
    labels=(LabelRule("car", (AttributeRule("color"), AttributeRule("hidden", "boolean"))), LabelRule("bus"))
)


def sentence(text: str) -> RuleSentence:
    return RuleSentence(tokenize(text, KnownNames.of(RUBRIC)), RUBRIC)


@pytest.mark.parametrize(
    ("frame", "takes", "leaves"),
    [
        (name_frames.cost, "extras cost nothing", "extras cost nothing except color"),
        (name_frames.wrong_class, "no credit for the wrong class", "no credit for the class"),
        (name_frames.confusion, "car and bus are the same", "car is the same"),
        (name_frames.attribute, "ignore color", "ignore color unless red"),
        (name_frames.facts, "ignore crowd regions", "count crowd regions"),
        (name_frames.where, "ignore hidden objects", "ignore color objects"),
        (name_frames.classes, "only count cars", "only ignore cars"),
    ],
)
def test_a_frame_takes_its_sentence_and_leaves_the_next(frame: object, takes: str, leaves: str) -> None:
    assert callable(frame)
    assert frame(sentence(takes))
    understood = sentence(leaves)
    assert understood.words.unknown or not frame(understood)
