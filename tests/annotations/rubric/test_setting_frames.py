"""Frames about single settings."""

import pytest

from assay.annotations.rubric.changes import KnownNames
from assay.annotations.rubric.frames import Frame
from assay.annotations.rubric.lexicon import tokenize
from assay.annotations.rubric.rubric import AttributeRule, LabelRule, Rubric
from assay.annotations.rubric.sentence import RuleSentence
from assay.annotations.rubric.setting_frames import format_attributes, key, near_miss, resized

RUBRIC = Rubric(labels=(LabelRule("car", (AttributeRule("number"),)),))


def sentence(text: str) -> RuleSentence:
    return RuleSentence(tokenize(text, KnownNames.of(RUBRIC)), RUBRIC)


@pytest.mark.parametrize(
    ("frame", "text", "part", "value"),
    [
        (near_miss, "an overlap over 20% is a near miss", "near_miss", 0.2),
        (resized, "resized images are not allowed", "resized_images", "error"),
        (resized, "scale work on resized images", "resized_images", "scale"),
        (format_attributes, "charge yolo students for attributes", "unsupported_attributes", "wrong"),
    ],
)
def test_a_setting_is_read(frame: Frame, text: str, part: str, value: object) -> None:
    assert frame(sentence(text)) == [{"action": "set", "part": part, "value": value}]


def test_the_key_is_the_attribute_that_tells_objects_apart() -> None:
    edits = key(sentence("use number to tell which box belongs to which"))

    assert edits == [{"action": "set_key", "attribute": "number"}]


def test_a_near_miss_without_a_figure_says_nothing() -> None:
    assert near_miss(sentence("near misses count")) is None
