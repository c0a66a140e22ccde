"""Edits of the rules: a closed vocabulary, strictly checked, applied to a copy."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.annotations.rubric.changes import ACTIONS, Edit, KnownNames
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


def test_what_the_rules_say_already_is_no_change_and_no_refusal() -> None:
    edit = read_edit({"action": "set", "part": "beta", "value": 0.5}, KNOWN)
    result = apply_edits(RUBRIC, [edit])

    assert (result.rubric, result.applied, result.refused, result.already) == (RUBRIC, (), (), (edit,))


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


def test_an_edit_is_read_with_names_as_they_are_known_and_nothing_for_empty_fields() -> None:
    raw = {"action": " Set-Tolerance ", "attribute": "COLOR", "label": "car", "value": 2, "part": "", "profile": None}
    assert read_edit(raw, KNOWN, "a person") == Edit("set_tolerance", attribute="color", label="Car", value=2.0)
    assert read_edit(raw, KNOWN, "a person").source == "a person"
    assert read_edit({"action": "drop_key"}, KNOWN).source == ""


@pytest.mark.parametrize(("value", "good"), [(1e6, True), (1e6 + 1, False), (0, True), (-1e-9, False)])
def test_numbers_reach_from_0_to_a_million(value: float, good: bool) -> None:
    raw = {"action": "set_weight", "part": "label", "value": value}
    if good:
        assert read_edit(raw, KNOWN).value == value
    else:
        with pytest.raises(InputError, match="set_weight: ") as caught:
            read_edit(raw, KNOWN)
        assert caught.value.field == "value"


def test_a_name_has_at_most_200_letters() -> None:
    known = KnownNames((), ("c" * 200,))
    assert read_edit({"action": "set_key", "attribute": "c" * 200}, known).attribute == "c" * 200
    with pytest.raises(InputError, match="The attribute is not a name of at most 200 letters") as caught:
        read_edit({"action": "set_key", "attribute": "c" * 201}, known)
    assert caught.value.field == "attribute"


def test_surplus_and_missing_fields_are_told_together_and_at_most_five() -> None:
    with pytest.raises(InputError, match="set_weight: 'label' does not belong, part is missing, value is missing"):
        read_edit({"action": "set_weight", "label": "Car"}, KNOWN)
    surplus = {f"field {i}": "x" for i in range(9)}
    with pytest.raises(InputError) as caught:
        read_edit({"action": "drop_key", **surplus}, KNOWN)
    assert str(caught.value).count("does not belong") == 5
    assert caught.value.field == "field 0"


def test_a_setting_of_words_takes_one_of_them() -> None:
    assert read_edit({"action": "set", "part": "label_mode", "value": "Prefer"}, KNOWN).value == "prefer"
    with pytest.raises(InputError, match="no value 'sometimes'"):
        read_edit({"action": "set", "part": "label_mode", "value": "sometimes"}, KNOWN)


def test_edits_apply_in_order_and_a_refused_one_does_not_stop_the_next() -> None:
    raw = (
        {"action": "set_threshold", "value": 7},
        {"action": "set", "part": "beta", "value": 1},
        {"action": "set", "part": "beta", "value": 2},
    )
    edits = [read_edit(one, KNOWN, "Ada") for one in raw]
    result = apply_edits(RUBRIC, edits)
    assert (result.rubric.beta, result.applied, result.already) == (2, tuple(edits[1:]), ())
    (refusal,) = result.refused
    assert (refusal.asked, refusal.source) == ("least similarity of a pair: 7", "Ada")
    assert RUBRIC.beta == 0.5


def test_weights_set_together_are_refused_together() -> None:
    start = Rubric(weights=Weights(50, 50, 0))
    zeros = [read_edit({"action": "set_weight", "part": part, "value": 0}, KNOWN) for part in ("localisation", "label")]
    result = apply_edits(start, zeros)
    assert (result.rubric, len(result.refused)) == (start, 2)


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (Edit("set_threshold", part="all", value=0.5), "least similarity of a pair: 0.5"),
        (Edit("set_threshold", part="box", value=0.5), "least similarity of a pair for box: 0.5"),
        (Edit("set_threshold", label="Car", value=0.25), "least similarity of a pair for label 'Car': 0.25"),
        (Edit("set", part="key_anywhere", value=True), "key_anywhere: true"),
        (Edit("set", part="label_mode", value="prefer"), "label_mode: prefer"),
        (Edit("weigh_attribute", attribute="age", label="Car", value=2.0), "attribute 'age' of 'Car': weight 2"),
        (Edit("drop_key"), "match key: none"),
    ],
)
def test_an_edit_is_told_in_words(edit: Edit, words: str) -> None:
    assert edit_words(edit) == words
