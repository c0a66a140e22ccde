"""What is written is read back as it was."""

import json

import numpy as np
import pytest
from pycocotools import mask as pycoco_mask

from assay.annotations.shapes.annotation_set import AnnotationSet, Image, LabelDefinition, Value
from assay.annotations.shapes.shapes import (
    Box,
    Cuboid,
    Ellipse,
    Mask,
    Points,
    Polygon,
    Polyline,
    Shape,
    Skeleton,
    Tag,
)
from assay.errors import InputError
from assay.io.annotations.coco.reader import read_coco
from assay.io.annotations.columns import AnnotationColumns
from assay.io.annotations.cvat import read_cvat
from assay.io.annotations.writers import coco_json, cvat_xml

RING = np.array([[0.1, 0.2], [4, 0], [4.25, 3.333333333333333]])
SKELETON = Skeleton(("head", "hand"), np.array([[1.5, 2.0], [0.0, 0.0]]), np.array([1, 0], np.int8))
IN_BOTH: list[Shape] = [Box(1.25, 2, 3.1, 4, 30.5), Polygon((RING,)), SKELETON]
IN_CVAT: list[Shape] = [
    *IN_BOTH,
    Polyline(RING),
    Points(RING),
    Ellipse(5, 6, 2.5, 1, 45),
    Cuboid(np.arange(16.0).reshape(8, 2)),
    Mask(2, 3, 3, 2, np.array([1, 2, 1, 2]), by_column=False),
    Tag(),
]


def drawn(*shapes: Shape, label: str = "thing") -> AnnotationSet:
    columns = AnnotationColumns()
    columns.add_image(Image("x/a & b.jpg", 20, 10))
    columns.add_image(Image("empty.jpg", 20, 10.5))
    for i, shape in enumerate(shapes):
        told: dict[str, Value] | None = {"colour": '"red" <1>', "wet": True, "n": 2.5, "none": None} if i == 0 else None
        columns.add(shape, image=0, label=label, attributes=told, group=i, occluded=i == 1, name=str(10 + i))
    return columns.finished(source="made", format="made")


def same(one: Shape, other: Shape) -> bool:
    if type(one) is not type(other):
        return False
    fields = [(getattr(one, name), getattr(other, name)) for name in one.__dataclass_fields__]
    return all(_same_field(a, b) for a, b in fields)


def _same_field(a: object, b: object) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(_same_field(x, y) for x, y in zip(a, b, strict=True))
    return bool(np.array_equal(np.asarray(a), np.asarray(b)))


def test_every_shape_survives_cvat_xml_exactly() -> None:
    given = drawn(*IN_CVAT)
    found = read_cvat(cvat_xml(given).encode(), source="w.xml")
    assert found.images == given.images
    assert all(same(given.shape(i), found.shape(i)) for i in range(len(given)))
    assert (found.bounds == given.bounds).all()
    assert found.problems == ()


def test_attributes_groups_and_occlusion_survive_cvat_xml() -> None:
    found = read_cvat(cvat_xml(drawn(*IN_CVAT)).encode(), source="w.xml")
    assert found.attributes == {0: {"colour": '"red" <1>', "wet": "true", "n": "2.5", "none": None}}
    assert found.group is not None
    assert found.group.tolist() == list(range(9))
    assert found.occluded is not None
    assert np.flatnonzero(found.occluded).tolist() == [1]


def test_definitions_survive_cvat_xml() -> None:
    text = """<annotations><meta><task><labels><label><name>a &lt; b</name><attributes><attribute><name>c</name>
      <input_type>select</input_type><values>x\ny</values></attribute></attributes></label>
      <label><name>p</name></label><label><name>head</name><parent>p</parent></label></labels></task></meta></annotations>"""
    given = read_cvat(text.encode(), source="a.xml")
    assert read_cvat(cvat_xml(given).encode(), source="b.xml").definitions == given.definitions


def test_a_polygon_of_two_rings_becomes_a_group_of_two_in_cvat_xml() -> None:
    found = read_cvat(cvat_xml(drawn(Tag(), Tag(), Polygon((RING, RING + 5)))).encode(), source="w.xml")
    assert found.counts() == {"tag": 2, "polygon": 2}
    assert found.group is not None
    assert found.group[2] == found.group[3] == 2


def test_rings_without_a_group_get_one_that_nobody_has() -> None:
    columns = AnnotationColumns()
    columns.add_image(Image("a.jpg"))
    columns.add(Tag(), image=0, label="x", group=4)
    columns.add(Polygon((RING, RING + 5)), image=0, label="x")
    found = read_cvat(cvat_xml(columns.finished(source="", format="")).encode(), source="w.xml")
    assert found.group is not None
    assert found.group.tolist() == [4, 5, 5]


def test_characters_xml_cannot_hold_are_replaced() -> None:
    found = read_cvat(cvat_xml(drawn(Tag(), label="a\x00b")).encode(), source="w.xml")
    assert found.labels == ("a\ufffdb",)


def test_shapes_attributes_and_ids_survive_coco() -> None:
    given = drawn(*IN_BOTH)
    found = read_coco(coco_json(given).encode(), source="w.json")
    assert found.images == given.images
    assert all(same(given.shape(i), found.shape(i)) for i in range(len(given)))
    occluded = [False, True, False]
    assert found.attributes == {i: {**given.attributes.get(i, {}), "occluded": flag} for i, flag in enumerate(occluded)}
    assert found.ids == given.ids
    assert found.occluded is not None
    assert found.occluded.tolist() == occluded
    assert found.problems == ()


def test_crowd_area_and_confidence_survive_coco() -> None:
    document = {
        "images": [{"id": 1, "file_name": "a.jpg"}],
        "categories": [{"id": 1, "name": "x"}],
        "annotations": [
            {"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1], "iscrowd": 1, "area": 0.5, "score": 0.25},
            {"id": 2, "image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1], "attributes": {"track_id": 3}},
        ],
    }
    given = read_coco(json.dumps(document).encode(), source="a.json")
    found = read_coco(coco_json(given).encode(), source="b.json")
    for name in ("crowd", "area", "confidence", "track"):
        np.testing.assert_array_equal(getattr(found, name), getattr(given, name))


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")  # pycocotools' own
def test_a_mask_in_a_window_becomes_one_of_the_whole_image_in_coco() -> None:
    given = drawn(Mask(2, 3, 3, 2, np.array([1, 2, 1, 2]), by_column=False))
    segmentation = json.loads(coco_json(given))["annotations"][0]["segmentation"]
    pixels = pycoco_mask.decode({"size": segmentation["size"], "counts": segmentation["counts"].encode()})
    expected = np.zeros((10, 20), np.uint8)
    expected[3, 3:5] = expected[4, 3:5] = 1
    assert (pixels == expected).all()


def test_a_mask_by_column_is_written_by_row_in_cvat_xml() -> None:
    given = drawn(Mask(0, 0, 2, 3, np.array([0, 4, 2]), by_column=True))
    found = read_cvat(cvat_xml(given).encode(), source="w.xml")
    mask = found.shape(0)
    assert isinstance(mask, Mask)
    assert np.repeat(np.arange(mask.runs.size) % 2, mask.runs).reshape(3, 2).tolist() == [[1, 1], [1, 0], [1, 0]]


def test_ids_that_are_no_numbers_become_positions_in_coco() -> None:
    columns = AnnotationColumns()
    columns.add_image(Image("a.jpg"))
    for name in ("x", "7"):
        columns.add(Box(0, 0, 1, 1), image=0, label="x", name=name)
    found = read_coco(coco_json(columns.finished(source="", format="")).encode(), source="w.json")
    assert found.ids == ("1", "2")


@pytest.mark.parametrize(
    "shape",
    [Polyline(RING), Points(RING), Ellipse(5, 6, 2, 1), Cuboid(np.zeros((8, 2))), Tag()],
    ids=lambda s: type(s).__name__,
)
def test_what_coco_does_not_have_is_refused(shape: Shape) -> None:
    with pytest.raises(InputError, match=r"COCO has no \w+\. Write these annotations as CVAT XML"):
        coco_json(drawn(shape))


def test_holes_are_refused_by_both() -> None:
    given = drawn(Polygon((RING,), holes=(RING,)))
    for write in (coco_json, cvat_xml):
        with pytest.raises(InputError, match="annotation 10 is a polygon with a hole"):
            write(given)


def test_a_mask_beyond_its_image_is_refused_by_coco() -> None:
    with pytest.raises(InputError, match="annotation 10: its mask reaches beyond the image of 20 x 10 pixels"):
        coco_json(drawn(Mask(19, 0, 3, 2, np.array([0, 6]), by_column=False)))


def test_ids_are_numbers_of_at_most_18_digits_and_all_different() -> None:
    def ids(*names: str) -> list[int]:
        columns = AnnotationColumns(images=[Image("a.jpg")])
        for name in names:
            columns.add(Box(0, 0, 1, 1), image=0, label="x", name=name)
        written = json.loads(coco_json(columns.finished(source="", format="")))["annotations"]
        return [annotation["id"] for annotation in written]

    assert ids("9" * 18, "3") == [int("9" * 18), 3]
    assert ids("9" * 19, "3") == [1, 2]
    assert ids("3", "3") == [1, 2]


def test_numbers_images_and_labels_of_coco_begin_at_1() -> None:
    columns = AnnotationColumns(images=[Image("a.jpg", 20, 10), Image("b.jpg", 20.5, 10)])
    columns.add(Box(1, 2, 4, 8), image=1, label="cat", track=0)
    columns.add(Box(0, 0, 1, 1), image=0, label="dog")
    document = json.loads(coco_json(columns.finished(source="", format="")))
    assert document["images"] == [
        {"id": 1, "file_name": "a.jpg", "width": 20, "height": 10},
        {"id": 2, "file_name": "b.jpg", "width": 20.5, "height": 10},
    ]
    assert document["categories"] == [{"id": 1, "name": "cat"}, {"id": 2, "name": "dog"}]
    first, second = document["annotations"]
    assert first == {
        **{"id": 1, "image_id": 2, "category_id": 1, "bbox": [1, 2, 3, 6], "iscrowd": 0},
        **{"attributes": {"track_id": 0}, "segmentation": []},
    }
    assert second == {"id": 2, "image_id": 1, "category_id": 2, "bbox": [0, 0, 1, 1], "iscrowd": 0, "segmentation": []}


def test_keypoints_of_coco_are_in_the_order_of_their_label_and_bones_by_position() -> None:
    columns = AnnotationColumns(images=[Image("a.jpg", 20, 10)])
    columns.add(Skeleton(("c", "b"), np.array([[1.0, 2], [3, 4]]), np.array([1, 2], np.int8)), image=0, label="x")
    bones = (("a", "c"), ("b", "a"), ("a", "gone"))
    definition = LabelDefinition("x", keypoints=("a", "b"), bones=bones)
    document = json.loads(coco_json(columns.finished(source="", format="", definitions=[definition])))
    (category,), (written,) = document["categories"], document["annotations"]
    assert (category["keypoints"], category["skeleton"]) == (["a", "b", "c"], [[1, 3], [2, 1]])
    assert (written["keypoints"], written["num_keypoints"]) == ([0, 0, 0, 3, 4, 2, 1, 2, 1], 2)


@pytest.mark.parametrize(
    ("window", "good"),
    [((18, 8), True), ((0, 0), True), ((19, 8), False), ((18, 9), False), ((-1, 0), False), ((0, -1), False)],
)
def test_a_mask_lies_in_its_image_up_to_the_edge(window: tuple[int, int], good: bool) -> None:
    given = drawn(Mask(*window, 2, 2, np.array([1, 3]), by_column=False))
    if not good:
        with pytest.raises(InputError, match="reaches beyond the image") as refused:
            coco_json(given)
        assert refused.value.remedy == "Write these annotations as CVAT XML."
        return
    mask = read_coco(coco_json(given).encode(), source="w.json").shape(0)
    assert isinstance(mask, Mask)
    pixels = np.repeat(np.arange(mask.runs.size) % 2, mask.runs).reshape(20, 10).T
    left, top = window
    assert pixels[top : top + 2, left : left + 2].tolist() == [[0, 1], [1, 1]]
    assert pixels.sum() == 3


def test_kinds_that_coco_does_not_have_are_named_once_each() -> None:
    with pytest.raises(InputError, match=r"^made: COCO has no ellipse and no tag"):
        coco_json(drawn(Tag(), Ellipse(5, 6, 2, 1), Tag()))


def test_whole_numbers_are_written_without_a_point_in_cvat_xml() -> None:
    text = cvat_xml(drawn(Box(1, 2.5, 3, 4), SKELETON))
    assert 'xtl="1" ytl="2.5" xbr="3" ybr="4" z_order="0">' in text
    assert "rotation" not in text
    assert '<points label="head" outside="0" occluded="1" points="1.5,2"/>' in text
    assert '<points label="hand" outside="1" occluded="0" points="0,0"/>' in text
    assert '<image id="1" name="empty.jpg" width="20" height="10.5">' in text


@pytest.mark.parametrize(
    "window", [(0, 0, 20, 10), (0, 0, 19, 10), (0, 0, 20, 9), (1, 0, 19, 10), (0, 1, 20, 9), (3, 2, 5, 4)]
)
@pytest.mark.parametrize("by_column", [True, False])
def test_a_mask_of_any_window_keeps_its_place_in_coco(window: tuple[int, int, int, int], by_column: bool) -> None:
    left, top, width, height = window
    runs = np.array([2, 3, width * height - 5])
    given = drawn(Mask(*window, runs, by_column=by_column))
    mask = read_coco(coco_json(given).encode(), source="w.json").shape(0)
    assert isinstance(mask, Mask)
    pixels = np.repeat(np.arange(mask.runs.size) % 2, mask.runs).reshape(20, 10).T
    inside = np.repeat([0, 1, 0], runs).reshape((width, height) if by_column else (height, width))
    expected = np.zeros((10, 20), np.int64)
    expected[top : top + height, left : left + width] = inside.T if by_column else inside
    assert (pixels == expected).all()


def test_the_runs_of_a_mask_of_the_whole_image_are_written_as_they_are() -> None:
    runs = [0, 3, 0, 2, 195]  # the two middle ones could be one
    mask = read_coco(coco_json(drawn(Mask(0, 0, 20, 10, np.array(runs), by_column=True))).encode(), source="w.json")
    shape = mask.shape(0)
    assert isinstance(shape, Mask)
    assert shape.runs.tolist() == runs
