"""Which image is which."""

import numpy as np
import pytest

from assay.annotations.grading.score import grade_submission
from assay.annotations.matching.prepared_truth import prepare_truth
from assay.annotations.shapes.annotation_set import Image
from assay.annotations.shapes.images import ImageNames, pair_images, rescaled, resized, stretched
from assay.annotations.shapes.shapes import Box, Cuboid, Ellipse, Mask, Points, Polygon, Shape, Skeleton, Tag
from assay.errors import InputError
from tests.annotations.drawn import annotation_set, box
from tests.annotations.shape_sets import ring, set_of, square


def paired(truth: list[str], student: list[str]) -> list[int]:
    ours, theirs = (ImageNames(tuple(Image(name) for name in names)) for names in (truth, student))
    return [int(place) for place in pair_images(ours, theirs)]


def test_whole_paths_come_first() -> None:
    assert paired(["x/0.jpg", "y/0.jpg"], ["y/0.jpg", "x/0.jpg"]) == [1, 0]


def test_as_much_of_the_path_is_used_as_tells_images_apart() -> None:
    assert paired(["data/x/0.jpg", "data/y/0.jpg"], ["y/0.jpg", "x/0.jpg", "0.jpg"]) == [1, 0, -1]


def test_a_name_that_is_not_unique_on_both_sides_is_not_guessed() -> None:
    assert paired(["a/0.jpg"], ["x/0.jpg", "y/0.jpg"]) == [-1, -1]


def test_slashes_of_any_system_and_leading_dots_do_not_matter() -> None:
    assert paired(["train/0.jpg"], [".\\train\\0.jpg"]) == [0]


def test_no_image_is_used_twice() -> None:
    found = paired(["a/0.jpg"], ["a/0.jpg", "b/0.jpg"])
    assert found == [0, -1]


@pytest.mark.parametrize(
    ("truth", "student"),
    [
        ("IMG_1.JPG", "img_1.jpg"),
        ("frame_000001", "frame_000001.PNG"),  # CVAT for video, and CVAT's COCO of the same task
        ("a.jpg", "Train/a.png"),
        ("a.jpg", "0a1b2c3d-a.jpg"),  # an upload to Label Studio
        ("a_jpg.rf.0123456789abcdef.jpg", "a_jpg.rf.fedcba9876543210.jpg"),  # two versions of Roboflow
        ("a.jpg", " a.jpg"),
    ],
)
def test_names_that_tools_write_otherwise_still_meet(truth: str, student: str) -> None:
    assert paired([truth, "other.jpg"], [student]) == [0]
    assert paired(["other.jpg", student], [truth]) == [1]


def test_other_spellings_are_for_names_that_do_not_meet_and_are_not_guessed() -> None:
    assert paired(["a.jpg", "a.png"], ["a.png", "A.bmp"]) == [1, -1]
    assert paired(["a.jpg"], ["a.png", "a.bmp"]) == [-1, -1]
    assert paired(["scan.v1", "scan.v2"], ["scan.v3"]) == [-1]


def test_a_score_says_when_names_were_written_otherwise() -> None:
    truth, student = (annotation_set(box(name, "car", 0, 0, 5, 5)) for name in ("a.jpg", "A.png"))
    found = grade_submission(prepare_truth(truth), student)
    assert found.tally.matched == 1
    assert [(note.where, "'a.jpg' of the ground truth" in note.what) for note in found.notes] == [
        ("image 'A.png'", True)
    ]


def test_images_without_names_go_by_position_if_their_number_agrees() -> None:
    assert paired(["", ""], ["a.jpg", "b.jpg"]) == [0, 1]
    with pytest.raises(InputError, match="no names"):
        paired(["", ""], ["a.jpg"])


def test_only_stated_sizes_can_differ() -> None:
    truth, student = [Image("a", 10, 10), Image("b", 10, 10)], [Image("a", 0, 0), Image("b", 5, 5)]
    assert resized(truth, student, np.array([0, 1])).tolist() == [1]


TWICE, UNEVEN = np.array([2.0, 2.0]), np.array([2.0, 3.0])
MASK = Mask(0, 0, 2, 2, np.array([0, 4]), by_column=True)


def test_bounds_shapes_and_areas_follow_their_image() -> None:
    drawn = set_of(Box(1, 1, 2, 2), Polygon((square(1, 1, 1),)), images=[0, 1], area=[1, 1])

    result = rescaled(drawn, np.array([[1.0, 1.0], [2.0, 3.0]]))

    assert result.bounds.tolist() == [[1, 1, 2, 2], [2, 3, 4, 6]]
    assert result.area is not None
    assert result.area.tolist() == [1, 6]
    polygon = result.shape(1)
    assert isinstance(polygon, Polygon)
    assert polygon.rings[0].max(axis=0).tolist() == [4, 6]


def test_an_ellipse_is_stretched_along_its_axes() -> None:
    assert stretched(Ellipse(1, 1, 2, 4), UNEVEN) == Ellipse(2, 3, 4, 12)
    assert stretched(Ellipse(1, 1, 2, 4, 30), TWICE) == Ellipse(2, 2, 4, 8, 30)
    with pytest.raises(InputError, match="turned ellipse"):
        stretched(Ellipse(1, 1, 2, 4, 30), UNEVEN)


def test_points_and_cuboids_move_and_a_tag_stays() -> None:
    points = stretched(Points(ring((1, 2))), UNEVEN)
    assert isinstance(points, Points)
    assert points.points.tolist() == [[2, 6]]
    cuboid = stretched(Cuboid(np.ones((8, 2))), UNEVEN)
    assert isinstance(cuboid, Cuboid)
    assert cuboid.corners[0].tolist() == [2, 3]
    assert stretched(Tag(), UNEVEN) == Tag()


@pytest.mark.parametrize("shape", [MASK, Box(0, 0, 2, 1, 30)])
def test_what_cannot_be_stretched_is_refused_by_name(shape: Shape) -> None:
    with pytest.raises(InputError, match=r"0\.jpg: annotation 1 is a mask or a turned shape") as refused:
        rescaled(set_of(shape), np.array([[2.0, 3.0]]))
    assert refused.value.remedy == "Draw it on the original image."


def test_what_is_not_resized_stays_as_it_is() -> None:
    assert rescaled(set_of(MASK), np.ones((1, 2))).shape(0) is MASK


RING = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 3.0]])


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


def test_a_mask_or_a_turned_ellipse_cannot_be_stretched_unevenly() -> None:
    with pytest.raises(InputError, match="mask"):
        stretched(Mask(0, 0, 2, 2, np.array([0, 4]), by_column=True), np.array([2.0, 2.0]))
    with pytest.raises(InputError, match="turned ellipse"):
        stretched(Ellipse(1, 1, 1, 2, 30), np.array([2.0, 3.0]))
