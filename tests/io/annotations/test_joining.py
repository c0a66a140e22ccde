"""Several files of one export as one set."""

import numpy as np
import pytest

from assay.annotations.shapes.annotation_set import AnnotationSet, Image
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
