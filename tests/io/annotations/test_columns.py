"""Annotations collected one by one, and problems counted by kind."""

import numpy as np
import pytest

from assay.annotations.shapes.annotation_set import FileProblem, Image
from assay.annotations.shapes.shapes import Box, Ellipse, Mask, Points, Polygon, Shape, Skeleton, Tag
from assay.errors import InputError
from assay.io.annotations.columns import (
    AnnotationColumns,
    ProblemTally,
    bounds_of,
    names_apart,
    plain_name,
    read_each,
)
from tests.annotations.shape_sets import ring, square


def test_problems_of_one_kind_are_one_line_with_the_place_of_the_first() -> None:
    tally = ProblemTally()
    tally.lost("gone", "a")
    tally.repaired("swapped", "b", 0)
    tally.lost("gone", "c", 2)
    tally.repaired("gone", "d")
    assert tally.problems() == (FileProblem("a", "gone", 3, lost=True), FileProblem("d", "gone", 1, lost=False))


def test_the_frozen_set_has_a_row_for_each_annotation() -> None:
    columns = AnnotationColumns()
    image = columns.add_image(Image("a.jpg", 10, 10))
    columns.add(Box(1, 2, 3, 4, 30), image=image, label="cat", track=4, group=2, occluded=True, name="x")
    columns.add(Tag(), image=image, label="dog", attributes={"wet": True})
    columns.add(Tag(), image=image, label="cat")
    found = columns.finished(source="s", format="F")

    assert (found.ids, found.labels, found.label.tolist()) == (("x", "2", "3"), ("cat", "dog"), [0, 1, 0])
    assert found.rotation.tolist() == [30, 0, 0]
    assert found.attributes == {1: {"wet": True}}
    assert found.track is not None
    assert found.group is not None
    assert found.occluded is not None
    assert (found.track.tolist(), found.group.tolist(), found.occluded.tolist()) == (
        [4, -1, -1],
        [2, 0, 0],
        [True, False, False],
    )


def test_columns_that_nothing_states_are_absent() -> None:
    columns = AnnotationColumns(images=[Image("a.jpg")])
    columns.add(Tag(), image=0, label="cat")
    found = columns.finished(source="s", format="F")
    assert (found.track, found.group, found.occluded) == (None, None, None)


@pytest.mark.parametrize(
    ("shape", "bounds"),
    [
        (Box(1, 2, 3, 4, 45), (1, 2, 3, 4)),
        (Polygon((square(1, 2, 3), square(7, 7, 1))), (1, 2, 8, 8)),
        (Points(ring((3, 1), (2, 9))), (2, 1, 3, 9)),
        (Ellipse(5, 5, 3, 1, 90), (4, 2, 6, 8)),
        (Mask(10, 20, 2, 3, np.array([4, 1, 1]), by_column=True), (11, 21, 12, 22)),
        (Mask(10, 20, 2, 3, np.array([3, 1, 2]), by_column=False), (11, 21, 12, 22)),
        (Mask(10, 20, 2, 3, np.array([6]), by_column=True), (10, 20, 10, 20)),
        (Skeleton(("a", "b"), ring((1, 1), (9, 9)), np.array([2, 0], np.int8)), (1, 1, 1, 1)),
        (Skeleton(("a", "b"), ring((1, 1), (9, 9)), np.array([0, 0], np.int8)), (1, 1, 9, 9)),
        (Tag(), (0, 0, 0, 0)),
    ],
)
def test_bounds_are_those_of_the_shape(shape: Shape, bounds: tuple[float, ...]) -> None:
    assert bounds_of(shape) == bounds


def test_images_of_one_name_get_their_folder_or_their_files_name() -> None:
    problems = ProblemTally()
    assert names_apart([("x/a/1.xml", "1.jpg"), ("x/b/1.xml", "1.jpg"), ("x/c/2.xml", "2.jpg")], problems) == [
        *("a/1.jpg", "b/1.jpg", "2.jpg"),
    ]
    assert problems.problems() == ()
    assert names_apart([("d/1.xml", "old.jpg"), ("d/2.xml", "old.jpg"), ("d/3.xml", "3.jpg")], problems) == [
        *("1.jpg", "2.jpg", "3.jpg"),
    ]
    (problem,) = problems.problems()
    assert (problem.where, problem.count, problem.lost) == ("d/1.xml, image 'old.jpg'", 2, False)
    assert names_apart([("/abs/1.xml", "1.jpg"), ("rel/2.xml", "2.jpg")], problems) == ["1.jpg", "2.jpg"]


def test_images_are_added_under_names_of_their_own() -> None:
    columns = AnnotationColumns()
    places = columns.add_images([("a/1.xml", Image("1.jpg", 4, 3)), ("b/1.xml", Image("1.jpg", 8, 6))])
    assert (places, columns.images) == ([0, 1], [Image("a/1.jpg", 4, 3), Image("b/1.jpg", 8, 6)])
    assert (columns.label("x"), columns.label("y"), columns.label("x"), len(columns)) == (0, 1, 0, 0)


@pytest.mark.parametrize(
    ("stated", "name"),
    [("./a/../b.jpg", "a/b.jpg"), ("C:\\x\\y.jpg", "x/y.jpg"), (" /a//b.jpg ", "a/b.jpg"), ("..", "")],
)
def test_parts_of_a_path_that_lead_nowhere_are_left_out(stated: str, name: str) -> None:
    assert plain_name(stated) == name


def test_a_broken_file_is_a_problem_unless_all_are_broken() -> None:
    def read(path: str, content: bytes) -> str:
        if content == b"bad":
            raise InputError(f"broken {path}")
        return path

    problems = ProblemTally()
    assert read_each([("a", b""), ("b", b"bad"), ("c", b"")], read, problems) == ["a", "c"]
    (problem,) = problems.problems()
    assert (problem.where, problem.lost) == ("b", True)
    assert "a file cannot be read: broken b" in problem.what
    with pytest.raises(InputError, match="broken x"):
        read_each([("x", b"bad"), ("y", b"bad")], read, ProblemTally())
    assert read_each([], read, ProblemTally()) == []


def test_bounds_of_a_turned_ellipse_are_exact() -> None:
    left, top, right, bottom = bounds_of(Ellipse(10, 20, 4, 2, 30))
    half_width, half_height = (4**2 * 0.75 + 2**2 * 0.25) ** 0.5, (4**2 * 0.25 + 2**2 * 0.75) ** 0.5
    assert (right - 10, 10 - left) == pytest.approx((half_width, half_width))
    assert (bottom - 20, 20 - top) == pytest.approx((half_height, half_height))
    assert bounds_of(Points(np.zeros((0, 2)))) == (0, 0, 0, 0)
    assert bounds_of(Mask(1, 2, 3, 4, np.array([4, 4, 4]), by_column=True)) == (2, 2, 3, 6)
    assert bounds_of(Mask(1, 2, 3, 4, np.array([3, 3, 6]), by_column=False)) == (1, 3, 4, 4)


def test_track_0_is_a_track_and_columns_cannot_be_changed() -> None:
    columns = AnnotationColumns(images=[Image("a.jpg")])
    columns.add(Tag(), image=0, label="cat", track=0, group=1, occluded=True)
    found = columns.finished(source="s", format="F", image_ids={"7": 0})
    assert found.track is not None
    assert found.track.tolist() == [0]
    assert found.image_ids == {"7": 0}
    named = ("image", "label", "kind", "bounds", "rotation", "track", "group", "occluded")
    assert not any(getattr(found, name).flags.writeable for name in named)
    assert AnnotationColumns().finished(source="s", format="F").bounds.shape == (0, 4)


def test_a_file_in_the_common_folder_keeps_the_name_of_its_image() -> None:
    problems = ProblemTally()
    files = [("x/1.xml", "1.jpg"), ("x/b/1.xml", "1.jpg"), ("x/b/2.xml", "old.jpg"), ("x/b/3.xml", "old.jpg")]
    assert names_apart(files, problems) == ["1.jpg", "b/1.jpg", "b/2.jpg", "b/3.jpg"]
    assert [(p.where, p.count) for p in problems.problems()] == [("x/b/2.xml, image 'old.jpg'", 2)]
