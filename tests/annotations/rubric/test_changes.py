"""What each action does to the rules."""

from typing import Any

import pytest

from assay.annotations.rubric.changes import KnownNames, named
from assay.annotations.rubric.edits import apply_edits, read_edit
from assay.annotations.rubric.rubric import AttributeRule, LabelRule, Rubric, Weights
from assay.errors import InputError

RUBRIC = Rubric(
    labels=(
        LabelRule("Car", (AttributeRule("color"), AttributeRule("doors", "number"))),
        LabelRule("Person", (AttributeRule("color"), AttributeRule("age", "number", weight=2))),
    ),
    match_key="Annotation No",
)
KNOWN = KnownNames.of(RUBRIC, ["occluded", "Color"])


def edited(*raw: dict[str, Any], rubric: Rubric = RUBRIC) -> Rubric:
    result = apply_edits(rubric, [read_edit(fields, KNOWN) for fields in raw])
    assert result.refused == ()
    return result.rubric


def refusal(*raw: dict[str, Any], rubric: Rubric = RUBRIC) -> str:
    result = apply_edits(rubric, [read_edit(fields, KNOWN) for fields in raw])
    assert result.rubric == rubric
    return result.refused[0].why


def attributes(rubric: Rubric) -> dict[str, list[str]]:
    return {rule.name: [attribute.name for attribute in rule.attributes] for rule in rubric.labels}


def test_an_attribute_is_ignored_on_all_labels_or_on_one() -> None:
    everywhere = edited({"action": "ignore_attribute", "attribute": "COLOR"})
    on_cars = edited({"action": "ignore_attribute", "attribute": "color", "label": "car"})

    assert attributes(everywhere) == {"Car": ["doors"], "Person": ["age"]}
    assert attributes(on_cars) == {"Car": ["doors"], "Person": ["color", "age"]}
    assert attributes(RUBRIC)["Car"] == ["color", "doors"]


def test_an_attribute_that_is_included_is_compared_as_on_the_other_label() -> None:
    rubric = edited({"action": "include_attribute", "attribute": "age", "label": "Car"})

    assert rubric.attributes_of("Car")[-1] == AttributeRule("age", "number", weight=2)


def test_an_attribute_that_no_label_scores_can_be_included_and_the_key_cannot() -> None:
    rubric = edited({"action": "include_attribute", "attribute": "occluded"})

    assert all("occluded" in names for names in attributes(rubric).values())
    assert "match key" in refusal({"action": "include_attribute", "attribute": "annotation no"})


def test_weights_that_pass_through_zero_together_are_set_together() -> None:
    start = Rubric(weights=Weights(localisation=50, label=50, attributes=0))
    rubric = edited(
        {"action": "set_weight", "part": "localisation", "value": 0},
        {"action": "set_weight", "part": "label", "value": 0},
        {"action": "set_weight", "part": "attributes", "value": 100},
        rubric=start,
    )

    assert rubric.weights.of_match == (0, 0, 1)


def test_a_share_leaves_the_others_their_proportion() -> None:
    rubric = edited({"action": "set_share", "part": "label", "value": 40})

    assert rubric.weights.of_match == pytest.approx((0.4, 0.4, 0.2))


def test_shares_that_make_more_or_less_than_a_whole_are_refused() -> None:
    three = [{"action": "set_share", "part": part, "value": 30} for part in ("localisation", "label", "attributes")]

    assert "100 %" in refusal(*three)
    assert "100 %" in refusal({"action": "set_share", "part": "label", "value": 130})


def test_a_threshold_is_set_for_all_shapes_for_one_kind_or_for_a_label() -> None:
    everywhere = edited({"action": "set_threshold", "value": 0.7})
    for_area = edited({"action": "set_threshold", "part": "area", "value": 0.7})
    for_cars = edited({"action": "set_threshold", "label": "Car", "value": 0.7})

    assert (everywhere.thresholds.box, everywhere.thresholds.skeleton) == (0.7, 0.7)
    assert (for_area.thresholds.box, for_area.thresholds.area) == (0.5, 0.7)
    assert [rule.least for rule in for_cars.labels] == [0.7, None]


def test_a_tolerance_makes_the_attribute_a_number() -> None:
    rubric = edited({"action": "set_tolerance", "attribute": "color", "label": "Car", "value": 2})

    assert rubric.attributes_of("Car")[0] == AttributeRule("color", "number", tolerance=2)


@pytest.mark.parametrize(
    ("raw", "field", "value"),
    [
        ({"action": "set", "part": "beta", "value": 1}, "beta", 1.0),
        ({"action": "set", "part": "label_mode", "value": "require"}, "label_mode", "require"),
        ({"action": "set", "part": "across_families", "value": True}, "across_families", True),
        ({"action": "set_key", "attribute": "doors"}, "match_key", "doors"),
        ({"action": "drop_key"}, "match_key", None),
    ],
)
def test_settings_are_set(raw: dict[str, Any], field: str, value: object) -> None:
    assert getattr(edited(raw), field) == value


def test_what_the_rules_cannot_take_is_refused() -> None:
    assert "0 to 1" in refusal({"action": "set_threshold", "value": 70})
    assert "above 0" in refusal({"action": "set", "part": "beta", "value": 0})
    assert "not scored" in refusal({"action": "ignore_attribute", "attribute": "doors", "label": "Person"})


def test_names_are_known_as_first_spelt_and_compared_without_case_or_separators() -> None:
    assert KNOWN.attributes == ("color", "doors", "age", "Annotation No", "occluded")
    assert named("ANNOTATION_no", KNOWN.attributes, "attribute") == "Annotation No"
    assert named("b c", ("B-C", "b c"), "label") == "b c"  # the one that is written just so, of several


@pytest.mark.parametrize(
    ("name", "names", "hint"),
    [
        ("colr", ("color", "collar", "size"), "Did you mean 'color' or 'collar'?"),
        ("xyz", tuple("abcdefgh"), "There are: 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'."),
        ("xyz", tuple("abcdefghi"), "There are: 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', ..."),
        ("xyz", (), "There are none."),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest_or_all(name: str, names: tuple[str, ...], hint: str) -> None:
    with pytest.raises(InputError) as caught:
        named(name, names, "label")
    assert (caught.value.problem, caught.value.field) == (f"There is no label {name!r}", "label")
    assert str(caught.value.remedy).startswith(hint)


def test_weights_are_scaled_and_set_on_parts_and_on_attributes() -> None:
    assert edited({"action": "scale_weight", "part": "label", "value": 2}).weights.label == 50
    weighed = edited({"action": "weigh_attribute", "attribute": "age", "value": 5})
    scaled = edited({"action": "scale_attribute", "attribute": "age", "value": 5})
    assert [rubric.attributes_of("Person")[1].weight for rubric in (weighed, scaled)] == [5, 10]
    compared = edited({"action": "compare_attribute", "attribute": "color", "label": "Car", "value": "exact"})
    assert [compared.attributes_of(label)[0].comparator for label in ("Car", "Person")] == ["exact", "text"]


def test_a_share_needs_others_to_leave_the_rest_to() -> None:
    only_quality = Rubric(weights=Weights(quality=1, completeness=0))
    whole = edited({"action": "set_share", "part": "quality", "value": 100}, rubric=only_quality)
    assert list(whole.weights.of_overall) == [1, 0]
    assert "100 %" in refusal({"action": "set_share", "part": "quality", "value": 60}, rubric=only_quality)


def test_a_threshold_is_not_set_for_a_label_and_a_kind_of_shape_at_once() -> None:
    assert "not for both" in refusal({"action": "set_threshold", "label": "Car", "part": "box", "value": 0.7})


def test_labels_that_do_not_count_are_left_out_one_by_one() -> None:
    cars = edited({"action": "leave_out_label", "label": "person"})
    assert cars.only_labels == ("Car",)
    assert edited({"action": "leave_out_label", "label": "Person"}, rubric=cars) == cars
    both = edited({"action": "count_only", "label": "Person"}, {"action": "count_only", "label": "Car"})
    assert both.only_labels == ("Person", "Car")
    assert edited({"action": "count_all_labels"}, rubric=both).only_labels == ()
