"""Rules: profiles, mistakes in them, what the ground truth suggests, and the rules in words."""

from dataclasses import replace

import pytest

from assay.annotations.rubric.infer import observed_comparator, suggest_rubric
from assay.annotations.rubric.pseudocode import pseudocode
from assay.annotations.rubric.rubric import (
    PROFILES,
    AttributeRule,
    EvalSchema,
    LabelRule,
    Rubric,
    Thresholds,
    Weights,
    profile,
)
from assay.annotations.shapes.annotation_set import AnnotationSet, AttributeDefinition, LabelDefinition
from assay.errors import InputError
from tests.annotations.drawn import Drawn, annotation_set, box


def test_the_default_is_the_scoring_plan_under_its_name_and_version() -> None:
    assert Rubric() == PROFILES["annotator-ai-1.0"] == profile("annotator-ai")
    assert EvalSchema is Rubric


def test_the_strict_profile_says_what_it_changes() -> None:
    strict = profile("strict")
    assert strict.profile == "strict-1.0"
    assert strict.departures() == ()
    assert replace(strict, beta=1.0).departures() == ("beta",)


def test_an_unknown_profile_is_named_with_those_that_exist() -> None:
    with pytest.raises(InputError, match=r"no profile 'lenient'.*annotator-ai-1\.0, strict-1\.0"):
        profile("lenient")


def test_all_mistakes_of_a_rubric_are_reported_together() -> None:
    with pytest.raises(InputError) as caught:
        Rubric(
            weights=Weights(label=-1),
            beta=0,
            thresholds=Thresholds(box=1.5),
            labels=(LabelRule("Car"), LabelRule("car"), LabelRule("Bus", (AttributeRule("a"), AttributeRule("A ")))),
        )
    message = str(caught.value)
    for part in ("Weight label is -1", "beta is 0", "thresholds.box is 1.5", "'car' is listed twice", "'a' of label"):
        assert part in message


def test_attributes_are_found_however_the_label_is_written() -> None:
    rubric = Rubric(labels=(LabelRule("Traffic Light", (AttributeRule("state"),)),))
    assert rubric.attributes_of("traffic  light")[0].name == "state"
    assert rubric.attributes_of("car") == ()


# suggestion


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


# words


def test_the_rules_in_words_name_weights_key_thresholds_and_comparators() -> None:
    rubric = Rubric(
        labels=(LabelRule("Car", (AttributeRule("speed", "number", tolerance=5),), least=0.7),), match_key="no"
    )
    text = pseudocode(rubric)
    assert "same 'no'" in text
    assert "0.5 overlap (keypoint similarity for skeletons), 0.7 for label 'Car'" in text
    assert "score = 50 % overlap + 25 % label + 25 % attributes" in text
    assert "Car: speed (as numbers, within 5)" in text
    assert "beta 0.5: extras cost more than misses" in text
    assert "score = 50 % quality + 50 % completeness" in text


def test_the_words_change_with_the_rules() -> None:
    assert pseudocode(profile("strict")) != pseudocode(Rubric())
    assert "misses and extras cost alike" in pseudocode(Rubric(beta=1))
