"""Phrases as patterns: what each of them means, and which of two that fit is taken."""

import pytest

from assay.annotations.rubric.changes import KnownNames
from assay.annotations.rubric.phrases import PHRASES, RawEdit, part_edit, unquoted
from assay.annotations.rubric.rubric import AttributeRule, LabelRule, Rubric
from assay.errors import InputError

RUBRIC = Rubric(labels=(LabelRule("Car", (AttributeRule("color"), AttributeRule("size"))), LabelRule("Cup and saucer")))
KNOWN = KnownNames.of(RUBRIC)
ATTRIBUTES = ("", *KNOWN.attributes)


def meaning(phrase: str) -> list[RawEdit]:
    """What the first phrase says whose names are known too, else the first that fits at all."""
    matches = ((pattern.fullmatch(phrase), means) for pattern, means in PHRASES)
    readings = [list(means(match, RUBRIC, KNOWN)) for match, means in matches if match]
    known = [edits for edits in readings if edits and all(edit.get("attribute", "") in ATTRIBUTES for edit in edits)]
    return next(iter(known or filter(None, readings)), [])


@pytest.mark.parametrize(
    ("phrase", "edit"),
    [
        ("classes must be the same", {"action": "set", "part": "label_mode", "value": "require"}),
        ("only match objects with the same class", {"action": "set", "part": "label_mode", "value": "require"}),
        ("prefer the same label when matching", {"action": "set", "part": "label_mode", "value": "prefer"}),
        ("disregard the classes in matching", {"action": "set", "part": "label_mode", "value": "ignore"}),
        ("a wrong label is worth nothing", {"action": "set", "part": "known_wrong_label", "value": "zero"}),
        ("set beta to 1.5", {"action": "set", "part": "beta", "value": 1.5}),
        ("f0.5", {"action": "set", "part": "beta", "value": 0.5}),
        ("extras and misses should weigh equally", {"action": "set", "part": "beta", "value": 1.0}),
        ("missed objects cost more than extras", {"action": "set", "part": "beta", "value": 2.0}),
        ("extra boxes hurt more", {"action": "set", "part": "beta", "value": 0.5}),
        ("do not use a key", {"action": "drop_key"}),
        ("remove the match key", {"action": "drop_key"}),
        ("pair objects by the key size", {"action": "set_key", "attribute": "size"}),
        ("the key is 'size'", {"action": "set_key", "attribute": "size"}),
        ("tolerance of 2 for size", {"action": "set_tolerance", "attribute": "size", "value": 2.0}),
        ("allow size to vary by up to 0.5", {"action": "set_tolerance", "attribute": "size", "value": 0.5}),
        ("size \u00b1 3", {"action": "set_tolerance", "attribute": "size", "value": 3.0}),
        ("size is within 3", {"action": "set_tolerance", "attribute": "size", "value": 3.0}),
        ("compare color as free text", {"action": "compare_attribute", "attribute": "color", "value": "text"}),
        ("color must be true or false", {"action": "compare_attribute", "attribute": "color", "value": "boolean"}),
        ("compare color literally", {"action": "compare_attribute", "attribute": "color", "value": "exact"}),
        ("count every class again", {"action": "count_all_labels"}),
        ("also check size", {"action": "include_attribute", "attribute": "size", "label": ""}),
        ("include the color attribute too", {"action": "include_attribute", "attribute": "color", "label": ""}),
        ("score size for the class Car", {"action": "include_attribute", "attribute": "size", "label": "Car"}),
        ("leave out color of Car", {"action": "ignore_attribute", "attribute": "color", "label": "Car"}),
        ("size is irrelevant", {"action": "ignore_attribute", "attribute": "size", "label": ""}),
        ("ignore the cars", {"action": "leave_out_label", "label": "car"}),
        ("ignore label lorry", {"action": "leave_out_label", "label": "lorry"}),
        ("skip position", {"action": "set_weight", "part": "localisation", "value": 0.0}),
        ("overlap 60", {"action": "set_weight", "part": "localisation", "value": 60.0}),
        ("let the label count 40 %", {"action": "set_share", "part": "label", "value": 40.0}),
        ("the overlap is 60 %", {"action": "set_share", "part": "localisation", "value": 60.0}),
        ("double the weight of label", {"action": "scale_weight", "part": "label", "value": 2.0}),
        ("label 2.5x as important", {"action": "scale_weight", "part": "label", "value": 2.5}),
        ("label is three times as important as it is now", {"action": "scale_weight", "part": "label", "value": 3.0}),
        ("label four times as important as overlap", {"action": "set_weight", "part": "label", "value": 200.0}),
        ("halve color", {"action": "scale_attribute", "attribute": "color", "value": 0.5}),
        ("threshold of 0.6 for lines", {"action": "set_threshold", "value": 0.6, "part": "line"}),
        ("similarity 0.6 for all shapes", {"action": "set_threshold", "value": 0.6, "part": "all"}),
        ("minimum iou 75 for Car", {"action": "set_threshold", "value": 0.75, "label": "Car"}),
        ("iou 1 for class Car", {"action": "set_threshold", "value": 1.0, "label": "Car"}),
        ("at least 1 % similarity", {"action": "set_threshold", "value": 0.01, "part": "all"}),
    ],
)
def test_a_phrase_means_one_edit(phrase: str, edit: RawEdit) -> None:
    assert meaning(phrase) == [edit]


@pytest.mark.parametrize(
    ("phrase", "parts"),
    [
        ("weights 60/20/20", {"localisation": 60.0, "label": 20.0, "attributes": 20.0}),
        ("set the weights to 1 : 2 : 3.5", {"localisation": 1.0, "label": 2.0, "attributes": 3.5}),
        ("overall 90-10", {"quality": 90.0, "completeness": 10.0}),
        ("quality and completeness are 3/1", {"quality": 3.0, "completeness": 1.0}),
    ],
)
def test_numbers_in_a_row_are_weights_of_the_parts_in_their_order(phrase: str, parts: dict[str, float]) -> None:
    assert meaning(phrase) == [{"action": "set_weight", "part": part, "value": n} for part, n in parts.items()]


def test_an_overlap_is_asked_of_the_shapes_that_have_one() -> None:
    assert [edit["part"] for edit in meaning("require an overlap of at least 70 %")] == ["box", "area", "cuboid"]


def test_labels_in_a_list_count_alone_and_one_that_is_a_list_is_taken_whole() -> None:
    listed = [{"action": "count_only", "label": label} for label in ("Car", "lorry", "van")]
    assert meaning("only count Cars, lorry and van") == listed
    assert meaning("score nothing but the class cup and saucer") == [
        {"action": "count_only", "label": "cup and saucer"}
    ]


def test_a_weight_cannot_be_set_against_an_attribute() -> None:
    with pytest.raises(InputError, match="can be set against each other") as caught:
        meaning("color twice as important as label")
    assert caught.value.field == "part"


def test_words_without_a_meaning_have_none() -> None:
    assert meaning("be kind to beginners") == []


def test_a_part_is_known_with_the_words_around_it_and_anything_else_is_an_attribute() -> None:
    edit: RawEdit = {"action": "scale_weight", "value": 2.0}
    assert part_edit("the importance of the match quality", edit, "x") == {**edit, "part": "quality"}
    assert part_edit("Label accuracy", edit, "x")["part"] == "label"
    assert part_edit("the attribute 'color'", edit, "x") == {"action": "x", "value": 2.0, "attribute": "color"}
    assert part_edit("size attribute", edit, "x")["attribute"] == "size"


def test_quotes_of_any_kind_are_taken_off() -> None:
    assert [unquoted(name) for name in (" 'a b' ", "\u201ca\u201d", "`a`", '" a "')] == ["a b", "a", "a", "a"]
