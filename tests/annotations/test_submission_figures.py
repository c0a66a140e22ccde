"""Figures by class and with their intervals, tracks, and shapes on resized images."""

import numpy as np
import pytest

from assay.annotations.grading.class_scores import class_scores, confusion, macro_average
from assay.annotations.grading.intervals import FIGURES, intervals
from assay.annotations.grading.result import SubmissionScore
from assay.annotations.grading.score import score_submission
from assay.annotations.grading.track_identity import track_identity
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.shapes.rescale import stretched
from assay.annotations.shapes.shapes import Box, Cuboid, Ellipse, Mask, Polygon, Shape, Skeleton, Tag
from assay.errors import InputError
from tests.annotations.drawn import Drawn, annotation_set, box
from tests.annotations.random_students import careful, city


def scored(truth: list[Drawn], student: list[Drawn]) -> SubmissionScore:
    images = sorted({one.image for one in truth})
    return score_submission(
        prepare_truth(annotation_set(*truth, images=images)), annotation_set(*student, images=images)
    )


TRUTH = [
    box("a.jpg", "car", 0, 0, 100, 100),
    box("a.jpg", "car", 200, 0, 300, 100),
    box("b.jpg", "bus", 0, 0, 100, 100),
]


def test_a_class_counts_its_objects_and_the_extras_that_bear_its_name() -> None:
    student = [TRUTH[0], box("a.jpg", "bus", 500, 0, 600, 100), box("b.jpg", "car", 0, 0, 100, 100)]
    car, bus = class_scores(scored(TRUTH, student))
    assert (car.label, car.tally.matched, car.tally.missed, car.tally.extra, car.named) == ("car", 1, 1, 0, 1)
    assert (bus.label, bus.tally.matched, bus.tally.missed, bus.tally.extra, bus.named) == ("bus", 1, 0, 1, 0)
    assert bus.localisation == 100


def test_class_counts_add_up_to_those_of_the_submission() -> None:
    rng = np.random.default_rng(4)
    truth = city(rng)
    result = scored(truth, careful(truth, rng))
    lines = class_scores(result)
    assert sum(line.tally.matched for line in lines) == result.tally.matched
    assert sum(line.tally.missed for line in lines) == result.tally.missed
    assert confusion(result).counts.sum() == result.tally.matched + result.tally.missed + result.tally.extra
    assert macro_average(line.tally for line in lines) == pytest.approx(result.overall, abs=5)
    assert macro_average(image.tally for image in result.image_scores()) == pytest.approx(result.overall, abs=5)


def test_each_figure_has_an_interval_that_holds_it() -> None:
    rng = np.random.default_rng(4)
    truth = city(rng)
    result = scored(truth, careful(truth, rng))
    found = intervals(result)
    assert tuple(found) == FIGURES
    for name in ("overall", "quality", "completeness", "recall", "localisation"):
        assert found[name].low < found[name].value < found[name].high
    assert found["overall"].value == pytest.approx(result.overall)
    assert found["quality"].value == pytest.approx(result.tally.quality)


def test_the_interval_covers_the_score_on_other_images_of_the_same_kind() -> None:
    """Nominal 95 %: at least 85 of 100 submissions of one student on 15 images each."""
    rng = np.random.default_rng(8)
    truth = city(rng, images=300)
    expected = scored(truth, careful(truth, rng)).overall
    inside = 0
    for _ in range(100):
        sample = city(rng, images=15)
        found = intervals(scored(sample, careful(sample, rng)))["overall"]
        inside += found.low <= expected <= found.high
    assert inside >= 85


def test_one_image_gives_no_interval_and_says_why() -> None:
    found = intervals(scored(TRUTH[:2], TRUTH[:1]))["overall"]
    assert np.isnan(found.low)
    assert found.reason == "too few images"


def test_intervals_by_bootstrap_over_images_are_there_for_those_who_ask() -> None:
    rng = np.random.default_rng(8)
    truth = city(rng, images=60, objects=6)
    score = scored(truth, careful(truth, rng))
    plain, drawn, again = intervals(score), *(intervals(score, rng=np.random.default_rng(seed)) for seed in (1, 1))
    assert drawn == again
    for name in ("overall", "quality", "completeness", "recall"):
        assert drawn[name].value == plain[name].value
        width, other = (found[name].high - found[name].low for found in (plain, drawn))
        assert other == pytest.approx(width, rel=0.2)


def test_an_undefined_figure_has_a_reason() -> None:
    assert intervals(scored(TRUTH, []))["quality"].reason == "nothing matched"
    assert intervals(scored(TRUTH, TRUTH))["attributes"].reason == "no attribute to compare"


def test_identity_is_lost_when_two_tracks_are_swapped_halfway() -> None:
    truth = np.array([0, 1, 0, 1, 0, 1, 0, 1])
    student = np.array([5, 6, 5, 6, 6, 5, 6, 5])
    pairs = np.arange(8), np.arange(8)
    found = track_identity(truth, student, pairs, pairs, np.repeat(np.arange(4), 2).astype(np.int32))
    assert (found.truth_tracks, found.student_tracks) == (2, 2)
    assert found.switches == 2
    assert found.idf1 == 0.5


RING = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 3.0]])


@pytest.mark.parametrize(
    ("shape", "corner"),
    [
        (Box(0, 0, 2, 3), (4, 9)),
        (Polygon((RING,)), (4, 9)),
        (Skeleton(("a", "b", "c"), RING, np.array([2, 2, 2], np.int8)), (4, 9)),
        (Cuboid(np.vstack([RING, RING, RING[:2]])), (4, 9)),
        (Ellipse(1, 1, 1, 2), (4, 9)),
        (Tag(), (0, 0)),
    ],
)
def test_shapes_are_stretched_with_their_image(shape: Shape, corner: tuple[float, float]) -> None:
    assert far_corner(stretched(shape, np.array([2.0, 3.0]))) == pytest.approx(corner)


def far_corner(shape: Shape) -> tuple[float, float]:
    match shape:
        case Box():
            return shape.right, shape.bottom
        case Polygon():
            return tuple(shape.rings[0].max(axis=0))
        case Skeleton():
            return tuple(shape.points.max(axis=0))
        case Cuboid():
            return tuple(shape.corners.max(axis=0))
        case Ellipse():
            return shape.x + shape.radius_x, shape.y + shape.radius_y
    return 0, 0


def test_a_mask_or_a_turned_ellipse_cannot_be_stretched_unevenly() -> None:
    with pytest.raises(InputError, match="mask"):
        stretched(Mask(0, 0, 2, 2, np.array([0, 4]), by_column=True), np.array([2.0, 2.0]))
    with pytest.raises(InputError, match="turned ellipse"):
        stretched(Ellipse(1, 1, 1, 2, 30), np.array([2.0, 3.0]))
