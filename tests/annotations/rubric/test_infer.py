"""What the ground truth suggests as rules: labels, attributes, how they are compared, the key."""

from dataclasses import replace

import pytest

from assay.annotations.rubric.infer import observed_comparator, suggest_rubric
from assay.annotations.rubric.rubric import AttributeRule
from assay.annotations.shapes.annotation_set import AnnotationSet, AttributeDefinition, LabelDefinition
from tests.annotations.drawn import Drawn, annotation_set, box


def cars(*keys: str) -> AnnotationSet:
    return annotation_set(*(replace(box("a.jpg", "Car", 0, 0, 10, 10), attributes={"Annotation No": k}) for k in keys))


def test_a_key_is_unique_filled_and_named_like_one() -> None:
    assert suggest_rubric(cars("1", "2", "3")).match_key == "Annotation No"
    assert suggest_rubric(cars("1", "2", "2")).match_key is None
    assert suggest_rubric(cars("1", "2", "")).match_key is None


def test_keys_may_repeat_on_other_images() -> None:
    drawn = [box(image, "Car", 0, 0, 10, 10, object_id=key) for image in ("a.jpg", "b.jpg") for key in ("1", "2")]
    assert suggest_rubric(annotation_set(*drawn)).match_key == "object_id"


def test_the_colour_of_the_only_car_on_each_image_is_no_key() -> None:
    drawn = [box(f"{i}.jpg", "Car", 0, 0, 10, 10, color=color, no=color) for i, color in enumerate(("red", "blue"))]
    assert suggest_rubric(annotation_set(*drawn)).match_key is None


def test_a_unique_number_plate_stays_an_attribute() -> None:
    drawn = [box("a.jpg", "Car", 0, 0, 10, 10, plate=plate) for plate in ("AB 1", "CD 2", "EF 3")]
    rubric = suggest_rubric(annotation_set(*drawn))
    assert rubric.match_key is None
    assert rubric.labels[0].attributes[0].name == "plate"


def test_each_label_has_the_attributes_seen_on_it() -> None:
    truth = annotation_set(
        box("a.jpg", "Car", 0, 0, 10, 10, color="red", track_id=4), box("a.jpg", "Person", 0, 0, 10, 10, sitting=True)
    )
    found = {rule.name: [a.name for a in rule.attributes] for rule in suggest_rubric(truth).labels}
    assert found == {"Car": ["color"], "Person": ["sitting"]}


def test_defined_labels_are_listed_even_when_they_do_not_occur() -> None:
    definition = LabelDefinition("Bus", (AttributeDefinition("line", "select", ("1", "2")),))
    rubric = suggest_rubric(annotation_set(box("a.jpg", "Car", 0, 0, 10, 10), definitions=(definition,)))
    assert [rule.name for rule in rubric.labels] == ["Bus", "Car"]
    assert rubric.labels[0].attributes == (AttributeRule("line", "exact", values=("1", "2")),)


@pytest.mark.parametrize(
    ("values", "comparator"),
    [
        ({"true": 3, "false": 1}, "boolean"),
        ({"0": 1, "1": 1}, "boolean"),
        ({"3": 1, "12.5": 1}, "number"),
        ({"red": 9, "blue": 5}, "exact"),
        ({"red": 1, "blue": 1}, "text"),
        ({"a long remark about this object": 10}, "text"),
        ({}, "text"),
    ],
)
def test_observed_values_decide_where_nothing_is_defined(values: dict[str, int], comparator: str) -> None:
    assert observed_comparator(values) == comparator


def test_crowd_regions_do_not_shape_the_rules() -> None:
    crowd: Drawn = box("a.jpg", "crowd", 0, 0, 10, 10, crowd=True, density="high")
    rubric = suggest_rubric(annotation_set(box("a.jpg", "Car", 0, 0, 10, 10), crowd))
    assert [rule.name for rule in rubric.labels] == ["Car"]


@pytest.mark.parametrize(
    ("values", "comparator"),
    [
        ({f"value {i}": 3 for i in range(20)}, "exact"),
        ({f"value {i}": 3 for i in range(21)}, "text"),  # too many for a list
        ({"red": 3, "blue": 2}, "text"),  # five are not three of each
        ({"x" * 30: 3}, "exact"),
        ({"x" * 31: 3}, "text"),
        ({"true": 1, "12": 4}, "text"),
    ],
)
def test_a_closed_list_is_short_and_its_values_repeat(values: dict[str, int], comparator: str) -> None:
    assert observed_comparator(values) == comparator


def test_the_values_of_a_closed_list_are_noted_in_order_and_those_of_free_text_are_not() -> None:
    drawn = [box("a.jpg", "Car", 0, 0, 9, 9, color=("red", "blue")[i % 2], plate=f"AB {i}") for i in range(6)]
    (rule,) = suggest_rubric(annotation_set(*drawn)).labels
    assert rule.attributes == (AttributeRule("color", "exact", values=("blue", "red")), AttributeRule("plate", "text"))


def test_defined_attributes_come_in_their_order_then_observed_ones_by_name() -> None:
    defined = (AttributeDefinition("Zone", "text", ()), AttributeDefinition("age", "number", ()))
    drawn = box("a.jpg", "car", 0, 0, 9, 9, zone="north", mood="good", Brand="x")
    truth = annotation_set(drawn, definitions=(LabelDefinition("Car", defined),))
    (rule,) = suggest_rubric(truth).labels
    assert rule.name == "Car"  # as it is defined, not as it is drawn
    assert [attribute.name for attribute in rule.attributes] == ["Zone", "age", "Brand", "mood"]


def test_labels_come_by_name_and_spellings_of_one_are_one() -> None:
    truth = annotation_set(
        box("a.jpg", "truck", 0, 0, 9, 9, load="sand"),
        box("a.jpg", "car", 0, 0, 9, 9, color="red"),
        box("a.jpg", "Car", 0, 0, 9, 9, doors="x"),
    )
    rules = suggest_rubric(truth).labels
    assert [rule.name for rule in rules] == ["Car", "truck"]
    assert [attribute.name for attribute in rules[0].attributes] == ["color", "doors"]


@pytest.mark.parametrize("name", ["track_id", "Keyframe", "z_order", "group_id", "source"])
def test_what_tools_write_for_themselves_is_neither_scored_nor_a_key(name: str) -> None:
    drawn = [replace(box("a.jpg", "Car", 0, 0, 9, 9), attributes={name: str(i)}) for i in range(3)]
    rubric = suggest_rubric(annotation_set(*drawn))
    assert (rubric.match_key, rubric.labels[0].attributes) == (None, ())


def test_an_id_is_a_key_though_tools_write_it_too() -> None:
    drawn = [box("a.jpg", "Car", 0, 0, 9, 9, id=str(i)) for i in range(3)]
    rubric = suggest_rubric(annotation_set(*drawn))
    assert (rubric.match_key, rubric.labels[0].attributes) == ("id", ())


@pytest.mark.parametrize(("name", "key"), [("plate.no", True), ("Serial-Number", True), ("notes", False), ("#", True)])
def test_a_word_of_the_name_says_that_it_is_a_key(name: str, key: bool) -> None:
    drawn = [replace(box("a.jpg", "Car", 0, 0, 9, 9), attributes={name: str(i)}) for i in range(3)]
    assert (suggest_rubric(annotation_set(*drawn)).match_key == name) == key


def test_keys_that_differ_in_spaces_are_one_and_crowds_need_none() -> None:
    same = [box("a.jpg", "Car", 0, 0, 9, 9, no="1"), box("a.jpg", "Car", 0, 0, 9, 9, no=" 1")]
    assert suggest_rubric(annotation_set(*same)).match_key is None
    keyed = [box("a.jpg", "Car", 0, 0, 9, 9, no=key) for key in "12"]
    crowd = box("a.jpg", "Car", 0, 0, 9, 9, crowd=True)
    assert suggest_rubric(annotation_set(*keyed, crowd)).match_key == "no"
    assert suggest_rubric(annotation_set(images=["a.jpg"])).match_key is None


def test_the_first_by_name_of_two_keys_is_taken_and_the_profile_is_kept() -> None:
    drawn = [box("a.jpg", "Car", 0, 0, 9, 9, serial=str(i), nr=str(i)) for i in range(2)]
    rubric = suggest_rubric(annotation_set(*drawn), "strict")
    assert (rubric.match_key, rubric.profile) == ("nr", "strict-1.0")
    assert [attribute.name for attribute in rubric.labels[0].attributes] == ["serial"]
