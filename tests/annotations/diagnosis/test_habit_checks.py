"""Each question asked of a submission: when it is asked, what it says, and which images show it."""

from dataclasses import replace

import pytest

from assay.annotations.diagnosis.evidence import Check
from assay.annotations.diagnosis.habit_checks import CHECKS
from assay.annotations.grading.score import score_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.rubric.rubric import Rubric
from tests.annotations.drawn import Drawn, annotation_set, box


def checks(truth: list[Drawn], drawn: list[Drawn], rubric: Rubric | None = None) -> dict[str, list[Check]]:
    images = list(dict.fromkeys(one.image for one in truth))
    prepared = prepare_truth(annotation_set(*truth, images=images), rubric)
    asked: dict[str, list[Check]] = {}
    score = score_submission(prepared, annotation_set(*drawn, images=images))
    for ask in CHECKS:
        for check in ask(score, prepared):
            asked.setdefault(check.kind, []).append(check)
    return asked


def row_of(count: int, label: str = "car", *, top: float = 100, side: float = 40, image: str = "a.jpg") -> list[Drawn]:
    """Boxes beside each other, away from the border of their image, which is 1000 x 1000."""
    return [box(image, label, 50 + 60 * i, top, 50 + 60 * i + side, top + side) for i in range(count)]


def one_each(images: int) -> list[Drawn]:
    return [box(f"{i}.jpg", "car", 100, 100, 200, 200) for i in range(images)]


def test_images_without_any_annotation_are_counted_of_those_with_objects() -> None:
    (check,) = checks(one_each(8), one_each(6))["skipped images"]
    assert check.sentence == "You drew nothing on 2 of 8 images that have objects (7 to 59 %). Open every image."
    assert check.images == ("6.jpg", "7.jpg")
    assert check.evidence.p == pytest.approx(1 - 0.98**8 - 8 * 0.02 * 0.98**7)


def test_at_most_five_skipped_images_are_named_and_seven_images_are_too_few_to_ask() -> None:
    assert checks(one_each(8), one_each(1))["skipped images"][0].images == tuple(f"{i}.jpg" for i in range(1, 6))
    assert "skipped images" not in checks(one_each(7), one_each(1))


def test_small_objects_are_compared_with_larger_ones() -> None:
    truth = [*row_of(8, side=20), *row_of(8, side=50, top=500)]
    (check,) = checks(truth, [*truth[4:], *truth[9:]])["small object"][-1:]
    assert check.sentence == (
        "You missed 4 of 8 objects smaller than about 20 x 20 px (50 %) but 0 of 8 larger ones (0 %). Zoom in and go "
        "through each image once more."
    )
    assert check.evidence.effect == 0.5
    assert check.images == ("a.jpg",)


def test_fifteen_objects_or_seven_of_a_sort_are_too_few_to_compare() -> None:
    truth = [*row_of(7, side=20), *row_of(8, side=50, top=500)]
    assert not {"small object", "missed class"} & set(checks(truth, truth[1:]))
    sixteen = [*row_of(7, side=20), *row_of(9, side=50, top=500)]
    assert "small object" not in checks(sixteen, sixteen[1:])


@pytest.mark.parametrize(
    ("edges", "touches"),
    [
        ((1, 300, 41, 340), True),
        ((2, 300, 42, 340), False),
        ((300, 1, 340, 41), True),
        ((300, 2, 340, 42), False),
        ((959, 300, 999, 340), True),
        ((958, 300, 998, 340), False),
        ((300, 959, 340, 999), True),
        ((300, 958, 340, 998), False),
    ],
)
def test_objects_within_a_pixel_of_the_border_are_compared_with_the_others(
    edges: tuple[float, float, float, float], touches: bool
) -> None:
    at_border = [box(f"{i}.jpg", "car", *edges) for i in range(8)]
    inside = [box(f"{i}.jpg", "car", 500, 500, 540, 540) for i in range(8)]
    asked = checks([*at_border, *inside], [*at_border[3:], *inside])
    assert ("border object" in asked) == touches
    if touches:
        assert "3 of 8 objects at the edge of the image (38 %) but 0 of 8 others (0 %)" in (
            asked["border object"][0].sentence
        )


def test_each_class_with_eight_objects_is_compared_with_the_rest() -> None:
    truth = [*row_of(8, "bus"), *row_of(8, "car", top=300), *row_of(7, "van", top=500)]
    asked = checks(truth, [*truth[2:], truth[0]])["missed class"]
    assert [check.evidence.n for check in asked] == [23, 23]
    assert "1 of 8 objects of class 'bus' (12 %) but 0 of 15 others (0 %)" in asked[0].sentence
    assert "0 of 8 objects of class 'car' (0 %) but 1 of 15 others (7 %). Go through" in asked[1].sentence
    assert (asked[0].images, asked[1].images) == (("a.jpg",), ())


def test_what_was_missed_on_skipped_images_says_nothing_about_sizes() -> None:
    truth = [*row_of(8, side=20), *row_of(8, side=50, top=500), *row_of(8, side=20, image="b.jpg")]
    check = checks(truth, truth[:16])["small object"][-1]
    assert check.sentence.startswith("You missed 0 of 8 objects smaller than about")


def test_near_misses_are_neither_overlooked_nor_drawn_in_vain() -> None:
    truth = [*row_of(8, "tree"), *row_of(8, "car", top=300)]
    near = [replace(one, box=(one.box[0] + 25, one.box[1], one.box[2] + 25, one.box[3])) for one in truth[:8]]
    asked = checks(truth, [*near, *truth[8:]])
    assert asked["near miss"][0].evidence.effect == 0.5
    assert [check.evidence.effect for check in asked["missed class"]] == [0.0, 0.0]
    assert "extra class" not in asked  # no more than the eight cars are counted, and nothing to compare them with


def test_objects_near_one_side_are_compared_with_the_others() -> None:
    truth = [box(f"{i}.jpg", "car", x, 400, x + 40, 440) for i in range(10) for x in (100, 500, 900)]
    asked = checks(truth, [one for one in truth if one.box[0] < 900 or one.image in ("0.jpg", "1.jpg")])["region"]
    said = [check.sentence for check in asked if check.evidence.p < 0.001]
    assert said == [
        "You missed 8 of 10 objects in the right fifth of the image (80 %) but 0 of 20 others (0 %). Go through that "
        "part of each image once more.",
        "You missed 8 of 10 objects in the right third of the image (80 %) but 0 of 20 others (0 %). Go through that "
        "part of each image once more.",
    ]


def test_a_label_drawn_in_vain_is_compared_with_the_other_labels() -> None:
    truth = [*row_of(5, "tree"), *row_of(8, "car", top=300)]
    asked = checks(truth, [*truth, *row_of(3, "tree", top=700)])["extra class"]
    assert [check.sentence for check in asked] == [
        "3 of your 8 annotations labeled 'tree' lie where the ground truth has no object (38 %), against 0 of 8 others "
        "(0 %). Draw it only where it is.",
        "0 of your 8 annotations labeled 'car' lie where the ground truth has no object (0 %), against 3 of 8 others "
        "(38 %). Draw it only where it is.",
    ]
    assert [check.images for check in asked] == [("a.jpg",), ()]
    assert "extra class" not in checks(truth[:12], [*truth[:12], *row_of(3, "tree", top=700)])


def test_kinds_of_error_are_counted_of_all_annotations() -> None:
    truth = row_of(6)
    asked = checks(truth, [*truth, *truth[:2]])
    (duplicates,) = asked["duplicate"]
    assert (
        duplicates.sentence
        == "2 of your 8 annotations repeat an object you had already drawn (7 to 59 %). Draw each object once."
    )
    assert duplicates.images == ("a.jpg",)
    assert {
        kind: asked[kind][0].evidence.effect for kind in ("wrong tool", "near miss", "merged", "split")
    } == dict.fromkeys(("wrong tool", "near miss", "merged", "split"), 0.0)
    assert "duplicate" not in checks(truth[:5], [*truth[:5], *truth[:2]])


def test_a_class_that_receives_another_label_is_named_with_it() -> None:
    truth = [*row_of(8, "van"), *row_of(4, "car", top=300), *row_of(7, "bus", top=500)]
    drawn = [replace(one, label="Car") for one in truth[:2]] + [replace(truth[2], label="bus"), *truth[3:]]
    (check,) = checks(truth, drawn)["confusion"]
    assert check.sentence == (
        "You labeled 2 of 8 objects of class 'van' as 'car' (7 to 59 %). Look again at how the two differ."
    )
    # chosen from two other labels, so twice the p value
    assert check.evidence.p == pytest.approx(2 * (1 - 0.98**8 - 8 * 0.02 * 0.98**7))
    assert check.images == ("a.jpg",)


def test_attributes_are_asked_whether_they_are_left_empty_and_whether_they_are_wrong_where_filled() -> None:
    truth = [replace(one, attributes={"color": "red"}) for one in (*row_of(6), *row_of(5, "van", top=300))]
    drawn = [replace(one, attributes={}) for one in truth[:3]]
    drawn += [replace(one, attributes={"color": "blue"}) for one in truth[3:5]] + truth[5:]
    asked = checks(truth, drawn)
    (forgotten,), (wrong,) = asked["forgotten attribute"], asked["wrong attribute"]
    assert forgotten.sentence == (
        "You left 'color' empty on 3 of 11 objects that have it (10 to 57 %). Fill it in on every object."
    )
    assert wrong.sentence == (
        "'color' differs from the ground truth on 2 of 8 objects where you filled it in (7 to 59 %). Look again at "
        "what its values mean."
    )
    assert forgotten.images == wrong.images == ("a.jpg",)
    assert "wrong attribute" not in checks(truth[:10], drawn[:10])


def test_an_attribute_that_always_has_one_value_is_named_with_it() -> None:
    colors = ["red", "blue", "green"] * 3
    truth = [replace(one, attributes={"color": color}) for one, color in zip(row_of(9), colors, strict=True)]
    (check,) = checks(truth, [replace(one, attributes={"color": "red"}) for one in truth])["constant attribute"]
    assert check.sentence == (
        "You set 'color' to 'red' on 9 of 9 objects; on 6 of them it is something else. Look at each object before you "
        "set it."
    )
    assert check.evidence.effect == pytest.approx(6 / 9)
    right = checks(truth, truth)
    assert "constant attribute" not in right
    assert right["wrong attribute"][0].evidence.effect == 0


def test_braces_in_a_value_are_no_format() -> None:
    truth = [replace(one, attributes={"note": note}) for one, note in zip(row_of(8), ["{a}", "{b}"] * 4, strict=True)]
    (check,) = checks(truth, [replace(one, attributes={"note": "{a}"}) for one in truth])["constant attribute"]
    assert "to '{a}' on 8 of 8 objects" in check.sentence


def test_where_labels_must_agree_a_class_taken_for_another_is_still_named() -> None:
    truth = [*row_of(8, "van"), *row_of(8, "car", top=300)]
    drawn = [replace(one, label="car") for one in truth[:6]] + truth[6:]
    asked = checks(truth, drawn, Rubric(label_mode="require"))["confusion"]
    assert asked[0].sentence.startswith("You labeled 6 of 8 objects of class 'van' as 'car'")
