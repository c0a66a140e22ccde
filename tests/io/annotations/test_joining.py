"""Several files of one export as one set."""

from dataclasses import replace

import numpy as np
import pytest

from assay.annotations.shapes.annotation_set import AnnotationSet, Image, LabelDefinition
from assay.annotations.shapes.shapes import Box, Polygon
from assay.errors import InputError
from assay.io.annotations.columns import AnnotationColumns
from assay.io.annotations.joining import joined
from tests.annotations.shape_sets import square


def one(source: str, image: str, *labels: str, track: int = -1) -> AnnotationSet:
    columns = AnnotationColumns(images=[Image(image, 10, 10)])
    for label in labels:
        columns.add(Polygon((square(0, 0, len(label)),)), image=0, label=label, track=track)
    return columns.finished(source=source, format="F")


def test_images_and_labels_are_renumbered_and_shapes_found_in_their_file() -> None:
    whole = joined([one("a.json", "a.jpg", "cat", "dog"), one("b.json", "b.jpg", "horse", "cat")], source="s")
    assert [image.name for image in whole.images] == ["a.jpg", "b.jpg"]
    assert (whole.labels, whole.label.tolist(), whole.image.tolist()) == (
        ("cat", "dog", "horse"),
        [0, 1, 2, 0],
        [0, 0, 1, 1],
    )
    shape = whole.shape(2)
    assert isinstance(shape, Polygon)
    assert shape.rings[0].max() == len("horse")


def test_a_single_file_is_the_set_itself() -> None:
    alone = one("a.json", "a.jpg", "cat")
    assert joined([alone], source="s") is alone


def test_tracks_of_different_files_stay_apart_and_absent_columns_are_filled() -> None:
    sets = [
        one("a.json", "a.jpg", "cat", track=3),
        one("b.json", "b.jpg", "cat"),
        one("c.json", "c.jpg", "cat", track=0),
    ]
    whole = joined(sets, source="s")
    assert whole.track is not None
    assert whole.track.tolist() == [3, -1, 4]
    assert whole.group is None


def test_images_of_subsets_get_the_subset_before_their_name() -> None:
    sets = [one(f"s/annotations/instances_{subset}.json", "a.jpg", "cat") for subset in ("Train", "Test")]
    assert [image.name for image in joined(sets, source="s").images] == ["Train/a.jpg", "Test/a.jpg"]


def test_two_files_about_one_image_are_refused_by_name() -> None:
    with pytest.raises(InputError, match=r"'a\.jpg' is in x/a\.json and in y/a\.json") as refused:
        joined([one("x/a.json", "a.jpg", "cat"), one("y/a.json", "a.jpg", "cat")], source="s.zip")
    assert (refused.value.source, refused.value.remedy) == ("s.zip", "Hand in one of them.")


def test_boxes_come_from_the_columns() -> None:
    columns = AnnotationColumns(images=[Image("b.jpg", 10, 10)])
    columns.add(Box(1, 2, 3, 4), image=0, label="cat")
    whole = joined([one("a.json", "a.jpg", "cat"), columns.finished(source="b", format="F")], source="s")
    assert whole.shape(1) == Box(1, 2, 3, 4)
    assert whole.bounds.dtype == np.float64


def test_names_that_occur_once_stay_as_they_are_and_the_others_get_their_subset() -> None:
    apart = [one("s/instances_Train.json", "a.jpg", "cat"), one("s/instances_Test.json", "b.jpg", "cat")]
    assert [image.name for image in joined(apart, source="s").images] == ["a.jpg", "b.jpg"]
    three = [
        one("s/instances_Train.json", "a.jpg", "cat"),
        one("s/instances_Test.json", "b.jpg", "cat"),
        one("s/instances_Val.json", "a.jpg", "cat"),
    ]
    assert [image.name for image in joined(three, source="s").images] == ["Train/a.jpg", "b.jpg", "Val/a.jpg"]


def test_ids_attributes_and_problems_of_all_files_are_there_in_order() -> None:
    sets = []
    for number, image in enumerate(("a.jpg", "b.jpg")):
        columns = AnnotationColumns(images=[Image(image, 10, 10)])
        columns.add(Box(0, 0, 1, 1), image=0, label="cat", occluded=bool(number))
        columns.add(Box(0, 0, 2, 2), image=0, label="cat", attributes={"n": number})
        columns.problems.lost("something", f"place {number}")
        sets.append(columns.finished(source=image, format="F"))
    whole = joined(sets, source="s")
    assert (whole.source, whole.format, len(whole.ids)) == ("s", "F", 4)
    assert {index: dict(values) for index, values in whole.attributes.items()} == {1: {"n": 0}, 3: {"n": 1}}
    assert [problem.where for problem in whole.problems] == ["place 0", "place 1"]
    assert whole.occluded is not None
    assert whole.occluded.tolist() == [False, False, True, False]


def test_numbers_of_tracks_follow_the_highest_so_far() -> None:
    sets = [one(f"{name}.json", f"{name}.jpg", "cat", track=track) for name, track in (("a", 3), ("b", 0), ("c", 2))]
    whole = joined(sets, source="s")
    assert whole.track is not None
    assert whole.track.tolist() == [3, 4, 7]
    assert not whole.track.flags.writeable


@pytest.mark.parametrize(
    ("sources", "names"),
    [
        (("s/valid/_annotations.coco.json", "s/test/_annotations.coco.json"), ["valid/a.jpg", "test/a.jpg"]),
        (("s/One.json", "s/Two.json"), ["One/a.jpg", "Two/a.jpg"]),
        (("s/Person_Keypoints_x.json", "s/stuff_y.json"), ["x/a.jpg", "y/a.jpg"]),
    ],
)
def test_a_subset_is_named_by_its_file_or_folder(sources: tuple[str, str], names: list[str]) -> None:
    sets = [one(source, "a.jpg", "cat") for source in sources]
    assert [image.name for image in joined(sets, source="s").images] == names


def test_columns_that_some_files_lack_are_filled_with_what_stands_for_nothing() -> None:
    columns = AnnotationColumns(images=[Image("b.jpg", 10, 10)])
    columns.add(Box(1, 2, 3, 4), image=0, label="cat", group=2, occluded=True)
    whole = joined([one("a.json", "a.jpg", "cat"), columns.finished(source="b", format="F")], source="s")
    assert whole.group is not None
    assert whole.occluded is not None
    assert (whole.group.tolist(), whole.occluded.tolist()) == ([0, 2], [False, True])
    assert (whole.confidence, whole.area, whole.crowd, whole.track) == (None, None, None, None)
    assert [type(whole.shape(i)) for i in range(2)] == [Polygon, Box]


def test_labels_are_defined_as_in_the_first_file_that_defines_them() -> None:
    first, second = LabelDefinition("cat", keypoints=("ear",)), LabelDefinition("cat", keypoints=("tail",))
    sets = [
        replace(one("a.json", "a.jpg", "cat"), definitions=(first,)),
        replace(one("b.json", "b.jpg", "dog"), definitions=(second, LabelDefinition("dog"))),
    ]
    assert joined(sets, source="s").definitions == (first, LabelDefinition("dog"))
