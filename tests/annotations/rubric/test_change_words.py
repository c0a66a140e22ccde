"""Every setting that can change has words of its own; what is so already is said in the same words."""

from dataclasses import fields, replace
from typing import Any

import pytest

from assay.annotations.rubric.change_words import already_words, change_words, times
from assay.annotations.rubric.changes import Edit
from assay.annotations.rubric.rubric import AttributeRule, LabelRule, Rubric, Thresholds, Weights

RUBRIC = Rubric(labels=(LabelRule("Car", (AttributeRule("color"), AttributeRule("size"))), LabelRule("Bus")))
OTHERWISE: dict[str, Any] = {
    "labels": (replace(RUBRIC.labels[0], weight=2.0), RUBRIC.labels[1]),
    "only_labels": ("Car",),
    "match_key": "size",
    "weights": Weights(quality=80),
    "thresholds": Thresholds(line=0.2),
    "label_mode": "require",
    "known_wrong_label": "zero",
    "label_credits": (("Car", "Bus", 0.5),),
    "ignore_where": (("occluded", "true"),),
    "no_attributes": "renormalise",
    "missing_images": "skip",
    "extra_images": "ignore",
    "resized_images": "scale",
    "unsupported_attributes": "wrong",
    "box_files": "outlines",
    "pass_mark": 60.0,
    "sigmas": {},
    "profile": "annotator-ai-1.0",
    "known_wrong_credit": 0.0,
}
SILENT = {"profile", "sigmas", "known_wrong_credit"}
"""The profile says nothing by itself, sigmas are not set by words, the credit speaks with `known_wrong_label`."""


@pytest.mark.parametrize("setting", [field.name for field in fields(Rubric)])
def test_every_setting_that_changes_is_said(setting: str) -> None:
    now = getattr(RUBRIC, setting)
    other = OTHERWISE.get(setting, not now if isinstance(now, bool) else 0.25)
    sentences = change_words(RUBRIC, replace(RUBRIC, **{setting: other}))
    assert bool(sentences) == (setting not in SILENT)
    assert all(sentence.endswith(".") and "_" not in sentence and " = " not in sentence for sentence in sentences)


def test_nothing_changes_nothing_is_said() -> None:
    assert change_words(RUBRIC, RUBRIC) == ()


def test_an_attribute_is_named_with_its_class_unless_it_is_all_of_them() -> None:
    both = replace(RUBRIC, labels=tuple(replace(r, attributes=RUBRIC.labels[0].attributes) for r in RUBRIC.labels))
    one = replace(both, labels=(replace(both.labels[0], attributes=both.labels[0].attributes[:1]), both.labels[1]))
    assert change_words(both, one) == ("'size' of 'Car' is not scored.",)
    none = replace(both, labels=tuple(replace(r, attributes=r.attributes[:1]) for r in both.labels))
    assert change_words(both, none) == ("'size' is not scored.",)


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (Edit("set", part="beta", value=0.5), "A missed object costs a quarter as much as an extra one."),
        (Edit("set", part="count_empty_images", value=False), "An image correctly left empty earns nothing."),
        (Edit("set_threshold", part="box", value=0.5), "Boxes need a minimum overlap of 0.5 to match."),
        (Edit("include_attribute", attribute="size"), "'size' is scored, compared by text similarity"),
        (Edit("keep", part="crowd"), "Crowd regions are never scored."),
        (Edit("weigh_label", label="Car", value=1.0), "'Car' counts as much as another class."),
        (Edit("drop_key"), "The rules say so."),
    ],
)
def test_what_is_so_already_is_said_like_a_change(edit: Edit, words: str) -> None:
    assert already_words(RUBRIC, edit).startswith(words)


def test_factors_are_words() -> None:
    assert times(1.5) == "1.5 times as much as"
