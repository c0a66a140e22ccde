"""Edits of the rules: a closed vocabulary, strictly checked, applied to a copy."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.annotations.rubric.changes import ACTIONS, KnownNames
from assay.annotations.rubric.edits import apply_edits, edit_words, read_edit
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


def test_what_the_rules_say_already_is_no_change_and_no_refusal() -> None:
    edit = read_edit({"action": "set", "part": "beta", "value": 0.5}, KNOWN)
    result = apply_edits(RUBRIC, [edit])

    assert (result.rubric, result.applied, result.refused, result.already) == (RUBRIC, (), (), (edit,))


def test_what_the_rules_cannot_take_is_refused() -> None:
    assert "0 to 1" in refusal({"action": "set_threshold", "value": 70})
    assert "above 0" in refusal({"action": "set", "part": "beta", "value": 0})
    assert "not scored" in refusal({"action": "ignore_attribute", "attribute": "doors", "label": "Person"})


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ({"action": "ignore_attribute", "attribute": "colr"}, "Did you mean 'color'"),
        ({"action": "ignore_attribute", "attribute": "color", "label": "Lorry"}, "There are: 'Car', 'Person'"),
        ({"action": "ignor_attribute", "attribute": "color"}, "Did you mean 'ignore_attribute'"),
        ({"action": "set_weight", "part": "label", "value": "50"}, "not a number"),
        ({"action": "set_weight", "part": "label", "value": True}, "not a number"),
        ({"action": "set_weight", "part": "label", "value": float("nan")}, "not a number"),
        ({"action": "set_weight", "part": "label", "value": 1e300}, "usable size"),
        ({"action": "set_weight", "part": "label", "value": -1}, "0 or more"),
        ({"action": "set_weight", "part": "label"}, "value is missing"),
        ({"action": "set_weight", "part": "labels; rm -rf", "value": 1}, "no part"),
        ({"action": "drop_key", "profile": "strict"}, "'profile' does not belong"),
        ({"action": "set", "part": "across_families", "value": "yes"}, "true or false"),
        ({"action": "set", "part": "profile", "value": "strict"}, "no part 'profile'"),
        ({"action": "set_key", "attribute": ["color"]}, "not a name"),
        ({"action": "set_key", "attribute": "c" * 300}, "not a name"),
        ([{"action": "drop_key"}], "named fields"),
        ("drop_key", "named fields"),
    ],
)
def test_what_is_not_exactly_an_edit_is_refused_with_the_reason(raw: object, why: str) -> None:
    with pytest.raises(InputError, match=why):
        read_edit(raw, KNOWN)


@given(
    st.dictionaries(
        st.sampled_from(["action", "part", "attribute", "label", "value", "__class__"]),
        st.one_of(
            st.sampled_from([*ACTIONS, "label", "box", "beta", "color", "Car"]), st.floats(), st.booleans(), st.none()
        ),
    )
)
def test_any_fields_become_a_valid_rubric_or_a_refusal(raw: dict[str, Any]) -> None:
    try:
        edit = read_edit(raw, KNOWN)
    except InputError:
        return
    result = apply_edits(RUBRIC, [edit])

    assert edit_words(edit)
    assert len(result.applied) + len(result.refused) + len(result.already) == 1
    assert (result.rubric != RUBRIC) == bool(result.applied)
