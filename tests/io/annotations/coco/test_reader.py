"""COCO JSON: what tools really write, what becomes of bad elements, and what is refused."""

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from pycocotools import mask as pycoco_mask

from assay.annotations.shapes.annotation_set import AnnotationSet, Image, LabelDefinition
from assay.annotations.shapes.shapes import Box, Mask, Polygon, ShapeKind, Skeleton
from assay.errors import InputError
from assay.io.annotations.coco.reader import read_coco
from assay.io.annotations.masks import check_runs, runs_of_text, text_of_runs
from assay.io.annotations.shape_validation import FARTHEST

IMAGES = [{"id": 1, "file_name": "a.jpg", "width": 100, "height": 80}, {"id": 2, "file_name": "b.jpg"}]
CATEGORIES = [{"id": 3, "name": "car"}, {"id": 5, "name": "person", "keypoints": ["head", "hand"]}]


def content(drawn: list[dict[str, Any]], **parts: Any) -> bytes:
    document = {"images": IMAGES, "categories": CATEGORIES, "annotations": drawn} | parts
    return json.dumps(document).encode()


def annotation(**fields: Any) -> dict[str, Any]:
    return {"id": 1, "image_id": 1, "category_id": 3, "bbox": [10, 20, 30, 40], **fields}


def read(*annotations: dict[str, Any], **parts: Any) -> AnnotationSet:
    return read_coco(content(list(annotations), **parts), source="truth.json")


def one(**fields: Any) -> AnnotationSet:
    found = read(annotation(**fields))
    assert len(found) == 1
    return found


def told(found: AnnotationSet) -> list[tuple[str, int, bool]]:
    return [(problem.what, problem.count, problem.lost) for problem in found.problems]


# what is read


def test_a_box_is_left_top_width_height() -> None:
    found = one()
    assert found.shape(0) == Box(10, 20, 40, 60)
    assert found.images == (Image("a.jpg", 100, 80), Image("b.jpg"))
    assert found.labels == ("car", "person")
    assert found.definitions[1] == LabelDefinition("person", keypoints=("head", "hand"))
    assert (found.format, found.problems, found.ids) == ("COCO", (), ("1",))


@pytest.mark.parametrize("empty", [[], None])
def test_an_empty_outline_leaves_the_box(empty: list[float] | None) -> None:
    found = one(segmentation=empty)
    assert (found.kind.tolist(), found.problems) == ([ShapeKind.BOX], ())


def test_an_outline_of_several_rings_is_one_polygon_with_the_bounds_of_all() -> None:
    found = one(segmentation=[[0, 0, 4, 0, 4, 3], [10, 10, 12, 10, 12, 15, 10, 15]])
    polygon = found.shape(0)
    assert isinstance(polygon, Polygon)
    assert [ring.tolist() for ring in polygon.rings] == [
        [[0, 0], [4, 0], [4, 3]],
        [[10, 10], [12, 10], [12, 15], [10, 15]],
    ]
    assert found.bounds.tolist() == [[0, 0, 12, 15]]


def test_bounds_of_many_polygons_are_each_their_own() -> None:
    rng = np.random.default_rng(7)
    rings = [[rng.uniform(0, 90, 2 * int(n)).tolist() for n in rng.integers(3, 9, k)] for k in rng.integers(1, 4, 30)]
    found = read(*(annotation(id=i, segmentation=outline) for i, outline in enumerate(rings)))
    for i, outline in enumerate(rings):
        points = np.concatenate([np.reshape(ring, (-1, 2)) for ring in outline])
        assert found.bounds[i].tolist() == [*points.min(axis=0), *points.max(axis=0)]
        polygon = found.shape(i)
        assert isinstance(polygon, Polygon)
        assert [ring.ravel().tolist() for ring in polygon.rings] == outline


def test_run_lengths_as_numbers_and_as_text_are_the_same_mask() -> None:
    pixels = np.zeros((10, 6), np.uint8)
    pixels[2:7, 1:4] = 1
    text = pycoco_mask.encode(np.asfortranarray(pixels))["counts"].decode()
    runs = runs_of_text(text)
    found = read(
        annotation(id=1, segmentation={"size": [10, 6], "counts": runs.tolist()}),
        annotation(id=2, segmentation={"size": [10, 6], "counts": text}),
    )
    for i in range(2):
        mask = found.shape(i)
        assert isinstance(mask, Mask)
        assert (mask.left, mask.top, mask.width, mask.height, mask.by_column) == (0, 0, 6, 10, True)
        drawn = np.repeat(np.arange(mask.runs.size) % 2, mask.runs).reshape(6, 10).T
        assert (drawn == pixels).all()
    assert found.bounds.tolist() == [[1, 2, 4, 7]] * 2


def test_compressed_run_lengths_are_those_of_pycocotools() -> None:
    rng = np.random.default_rng(11)
    for _ in range(50):
        height, width = rng.integers(1, 60, 2)
        pixels = np.asfortranarray((rng.random((height, width)) < rng.random()).astype(np.uint8))
        text = pycoco_mask.encode(pixels)["counts"].decode()
        runs = runs_of_text(text)
        check_runs(runs, int(width), int(height))
        assert (np.repeat(np.arange(runs.size) % 2, runs) == pixels.ravel(order="F")).all()
        assert text_of_runs(runs) == text


def test_keypoints_are_a_skeleton_with_the_names_of_the_category() -> None:
    found = one(category_id=5, keypoints=[1, 2, 2, 8, 9, 1], num_keypoints=2, area=50)
    skeleton = found.shape(0)
    assert isinstance(skeleton, Skeleton)
    assert skeleton.names == ("head", "hand")
    assert skeleton.points.tolist() == [[1, 2], [8, 9]]
    assert skeleton.visibility.tolist() == [2, 1]
    assert found.bounds[0].tolist() == [10, 20, 40, 60]
    assert found.area is not None
    assert found.area.tolist() == [50]
    assert found.problems == ()


def test_keypoints_without_a_box_have_the_bounds_of_the_labelled_ones() -> None:
    found = one(category_id=5, bbox=None, keypoints=[1, 2, 2, 0, 0, 0])
    assert found.bounds[0].tolist() == [1, 2, 1, 2]


def test_keypoints_the_category_does_not_name_go_by_number() -> None:
    found = one(category_id=5, keypoints=[1, 2, 2] * 4)
    skeleton = found.shape(0)
    assert isinstance(skeleton, Skeleton)
    assert skeleton.names == ("head", "hand", "3", "4")
    assert told(found) == [("a label does not name all its keypoints: others go by number", 1, False)]


def test_keypoints_all_unlabelled_are_not_scored_as_in_coco() -> None:
    found = one(category_id=5, keypoints=[0] * 6, num_keypoints=0)
    assert found.crowd is not None
    assert found.crowd.tolist() == [True]
    assert told(found) == [("keypoints are all unlabelled: the annotation is not scored, as in COCO", 1, False)]


def test_keypoints_win_over_an_outline_and_it_is_said() -> None:
    found = one(category_id=5, keypoints=[1, 2, 2, 3, 4, 2], segmentation=[[0, 0, 4, 0, 4, 3]])
    assert found.kind.tolist() == [ShapeKind.SKELETON]
    assert told(found) == [("an annotation has keypoints and an outline: the keypoints are scored", 1, False)]


def test_feet_face_and_hands_of_whole_body_files_follow_the_body() -> None:
    parts = {"foot_kpts": [5, 5, 2], "face_kpts": [6, 6, 1], "lefthand_kpts": [7, 7, 2], "righthand_kpts": [8, 8, 0]}
    found = one(category_id=5, keypoints=[1, 2, 2, 3, 4, 2], face_box=[0, 0, 1, 1], **parts)
    skeleton = found.shape(0)
    assert isinstance(skeleton, Skeleton)
    assert skeleton.names == ("head", "hand", "3", "4", "5", "6")
    assert skeleton.points[2:].tolist() == [[5, 5], [6, 6], [7, 7], [8, 8]]
    assert ("boxes of face and hands (COCO-WholeBody) are not scored", 1, True) in told(found)


@pytest.mark.parametrize("flag", ["iscrowd", "is_crowd", "ignore"])
def test_regions_that_are_not_scored_are_marked(flag: str) -> None:
    found = read(annotation(id=1, **{flag: 1}), annotation(id=2))
    assert found.crowd is not None
    assert found.crowd.tolist() == [True, False]


def test_ids_may_be_numbers_or_text_on_either_side() -> None:
    images = [{"id": "1", "file_name": "a.jpg"}, {"id": 2.0, "file_name": "b.jpg"}, {"id": "x", "file_name": "c.jpg"}]
    categories = [{"id": "0", "name": "cat"}]
    placed = [(1, 0), ("2", "0"), ("x", 0.0), (2, 0)]
    annotations = [annotation(id=float(k), image_id=i, category_id=c) for k, (i, c) in enumerate(placed)]
    found = read(*annotations, images=images, categories=categories)
    assert found.image.tolist() == [0, 1, 2, 1]
    assert found.ids == ("0", "1", "2", "3")
    assert found.problems == ()


def test_annotations_without_ids_are_numbered_from_one() -> None:
    fields = annotation()
    del fields["id"]
    assert read(fields, fields).ids == ("1", "2")


def test_attributes_keep_their_types_and_what_cvat_puts_there_goes_to_its_column() -> None:
    found = one(
        attributes={
            "rotation": -90.0,
            "occluded": True,
            "track_id": 4,
            "keyframe": True,
            "n": 2,
            "wet": False,
            "t": " ",
        }
    )
    assert found.attributes == {0: {"occluded": True, "n": 2, "wet": False, "t": None}}
    assert found.rotation.tolist() == [270]
    assert found.occluded is not None
    assert found.occluded.tolist() == [True]
    assert found.track is not None
    assert found.track.tolist() == [4]


def test_an_attribute_that_is_a_list_is_compared_as_text() -> None:
    found = one(attributes={"parts": ["door", 1]})
    assert found.attributes == {0: {"parts": '["door", 1]'}}
    assert told(found) == [("an attribute holds a list or an object: it is compared as text", 1, False)]


def test_lvis_files_without_crowd_flags_or_file_names_are_read() -> None:
    images = [{"id": 1, "coco_url": "http://x/val2017/007.jpg", "neg_category_ids": [4], "width": 9, "height": 9}]
    found = read(annotation(bbox=[0, 0, 1, 1]), images=images)
    assert (found.images, found.crowd) == ((Image("007.jpg", 9, 9),), None)


def test_categories_of_one_name_are_one_label() -> None:
    found = read(annotation(category_id=0), categories=[{"id": 0, "name": "sea"}, {"id": 1, "name": "sea"}])
    assert found.labels == ("sea",)
    assert told(found) == [("categories have the same name: they are one label", 1, False)]


def test_info_and_licence_may_be_anything_and_folders_belong_to_the_name() -> None:
    found = read(info=[], license=[1], images=[{"id": 1, "file_name": "x/a.jpg"}, {"id": 2, "file_name": "y/a.jpg"}])
    assert [image.name for image in found.images] == ["x/a.jpg", "y/a.jpg"]


def test_a_byte_order_mark_is_no_trouble() -> None:
    assert len(read_coco(b"\xef\xbb\xbf" + content([annotation()]), source="t.json")) == 1


# boxes only


def test_with_boxes_preferred_outlines_are_boxes_and_keypoints_too() -> None:
    outlined = annotation(id=1, segmentation=[[0, 0, 4, 0, 4, 3]])
    posed = annotation(id=2, category_id=5, keypoints=[1, 2, 2, 3, 4, 2])
    found = read_coco(content([outlined, posed]), source="t.json", prefer="box")
    assert [found.shape(i) for i in range(2)] == [Box(10, 20, 40, 60)] * 2


def test_with_boxes_preferred_a_missing_box_is_that_of_the_outline() -> None:
    outlined = annotation(bbox=None, segmentation=[[0, 0, 4, 0, 4, 3]])
    masked = annotation(id=2, bbox=[], segmentation={"size": [10, 5], "counts": [0, 20, 30]})
    found = read_coco(content([outlined, masked]), source="t.json", prefer="box")
    assert [found.shape(i) for i in range(2)] == [Box(0, 0, 4, 3), Box(0, 0, 2, 10)]


# results


def results(*rows: dict[str, Any]) -> bytes:
    return json.dumps(rows).encode()


def test_results_take_images_and_labels_from_the_truth() -> None:
    truth = read(annotation())
    found = read_coco(
        results({"image_id": 2, "category_id": 5, "bbox": [0, 0, 2, 2], "score": 0.5}), source="r.json", like=truth
    )
    assert (found.format, found.images, found.image.tolist()) == ("COCO results", truth.images, [1])
    assert [found.labels[i] for i in found.label] == ["person"]
    assert found.confidence is not None
    assert found.confidence.tolist() == [0.5]


def test_scores_in_place_of_visibility_make_a_keypoint_visible() -> None:
    row = {"image_id": 1, "category_id": 5, "keypoints": [1, 2, 0.3, 4, 5, 0.0], "score": 1}
    skeleton = read_coco(results(row), source="r.json", like=read()).shape(0)
    assert isinstance(skeleton, Skeleton)
    assert skeleton.visibility.tolist() == [2, 0]


def test_results_without_the_truth_say_what_is_needed() -> None:
    with pytest.raises(InputError, match=r"r\.json: it is a list of COCO results.*beside the COCO ground truth"):
        read_coco(results(), source="r.json")


def test_results_for_other_images_are_refused() -> None:
    with pytest.raises(InputError, match=r"not one of its 1 annotations belongs to an image.*image_id 99"):
        read_coco(results({"image_id": 99, "category_id": 3, "bbox": [0, 0, 1, 1]}), source="r.json", like=read())


# bad elements


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"bbox": [0, 0, 1]}, "a box has not four numbers: it was left aside"),
        ({"bbox": [0, 0, 1, 2e7]}, "a box has a number beyond 10000000: it was left aside"),
        ({"bbox": None, "segmentation": [[0, 0, 1, 1]]}, "a ring has fewer than three points: it was left aside"),
        ({"bbox": None, "segmentation": [[0, 0, 1, 1, 2]]}, "an outline has half a point: it was left aside"),
        (
            {"bbox": None, "segmentation": [[0, 0, 1, 1, 2e7, 9]]},
            "a ring has a point beyond 10000000: it was left aside",
        ),
        ({"bbox": None, "keypoints": [1, 2]}, "keypoints are not triples x, y, v: they were left aside"),
        ({"bbox": None, "keypoints": [1, 2e7, 2]}, "a keypoint lies beyond 10000000: left aside"),
        (
            {"bbox": None, "segmentation": {"size": [10, 5], "counts": [3, 4]}},
            "the mask's runs add up to 7 and not to 5 x 10 = 50 pixels: it was left aside",
        ),
        (
            {"bbox": None, "segmentation": {"size": [10**6, 10**6], "counts": [10**12]}},
            "the mask states a size of 1000000 x 1000000 pixels: it was left aside",
        ),
        (
            {"bbox": None, "segmentation": {"size": [10, 5], "counts": "0d\x7f"}},
            "the compressed run lengths hold a character that never occurs in them: it was left aside",
        ),
        (
            {"bbox": None, "segmentation": {"size": [10, 5], "counts": "0T"}},
            "the compressed run lengths break off in the middle of a number: it was left aside",
        ),
    ],
)
def test_an_annotation_with_nothing_usable_is_lost_and_the_others_stay(fields: dict[str, Any], what: str) -> None:
    found = read(annotation(id=7, **fields), annotation(id=8))
    assert found.ids == ("8",)
    assert told(found) == [
        (what, 1, False),
        ("an annotation has no box, outline or keypoints that can be used", 1, True),
    ]
    assert found.problems[0].where == found.problems[1].where == "annotation 7"


def test_a_bad_outline_beside_a_good_box_leaves_the_box() -> None:
    found = one(segmentation=[[0, 0, 1, 1]])
    assert found.kind.tolist() == [ShapeKind.BOX]
    assert told(found) == [("a ring has fewer than three points: it was left aside", 1, False)]


def test_of_several_rings_only_the_bad_one_is_left_aside() -> None:
    polygon = one(segmentation=[[0, 0, 1, 1], [0, 0, 4, 0, 4, 3]]).shape(0)
    assert isinstance(polygon, Polygon)
    assert len(polygon.rings) == 1


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"bbox": [0, 0, "wide", 2]}, "an annotation cannot be read: bbox[...] is str and not float"),
        ({"bbox": [0, None, 1, 2]}, "an annotation cannot be read: bbox[...] is null or NaN and not float"),
        ({"image_id": None}, "an annotation cannot be read: image_id is null and not int or float or str"),
        ({"image_id": 404}, "an annotation's image_id is not listed"),
    ],
)
def test_a_malformed_annotation_is_lost_and_the_others_stay(fields: dict[str, Any], what: str) -> None:
    found = read(annotation(id=7, **fields), annotation(id=8))
    assert found.ids == ("8",)
    assert told(found) == [(what, 1, True)]


def test_an_annotation_without_an_image_is_lost() -> None:
    found = read({"id": 1, "category_id": 3, "bbox": [0, 0, 1, 1]}, annotation())
    assert told(found) == [("an annotation cannot be read: an element has no image_id", 1, True)]


def test_numbers_as_text_are_taken_and_a_flat_outline_is_one_ring() -> None:
    found = one(bbox=["1", "2", "3", "4"], segmentation=[0, 0, 4, 0, 4, 3])
    assert found.bounds[0].tolist() == [0, 0, 4, 3]
    assert told(found) == [("an outline is a single flat list: it was taken as one ring", 1, False)]


def test_an_outline_of_another_kind_leaves_the_box() -> None:
    found = one(segmentation={"path": "M0 0"})
    assert found.kind.tolist() == [ShapeKind.BOX]
    assert "so the box is scored" in found.problems[0].what


def test_a_category_nobody_defines_is_a_label_of_its_own() -> None:
    found = one(category_id=77)
    assert [found.labels[i] for i in found.label] == ["category 77"]
    assert told(found) == [("an annotation's category is not defined: its label is the number", 1, False)]


def test_an_id_used_twice_is_said_and_both_are_kept() -> None:
    found = read(annotation(), annotation(), annotation(id=2))
    assert found.ids == ("1", "1", "2")
    assert told(found) == [("an annotation's id is not its own: others have it too", 1, False)]


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"segmentation": [[0, 0, 4, 0, 4, 3, 0, 0]]}, "a polygon repeats its first point at the end"),
        ({"segmentation": [[0, 0, 4, 4, 4, 0, 0, 4]]}, "a polygon's outline crosses itself"),
        ({"bbox": [10, 20, 0, 4]}, "a box has no area"),
    ],
)
def test_what_is_odd_is_scored_and_said(fields: dict[str, Any], what: str) -> None:
    found = one(**fields)
    assert [(what in p.what, p.count, p.lost) for p in found.problems] == [(True, 1, False)]


def test_a_repeated_closing_point_is_dropped() -> None:
    polygon = one(segmentation=[[0, 0, 4, 0, 4, 3, 0, 0]]).shape(0)
    assert isinstance(polygon, Polygon)
    assert polygon.rings[0].tolist() == [[0, 0], [4, 0], [4, 3]]


# bad files


def test_two_images_of_one_id_are_an_error() -> None:
    with pytest.raises(InputError, match=r"truth\.json: two images have the id 1"):
        read(images=[{"id": 1, "file_name": "a.jpg"}, {"id": 1, "file_name": "b.jpg"}])


def test_one_image_with_two_ids_is_one_image() -> None:
    images = [{"id": 1, "file_name": "a.jpg"}, {"id": 2, "file_name": "a.jpg"}]
    found = read(annotation(image_id=1), annotation(id=2, image_id=2), images=images)
    assert (len(found.images), found.image.tolist()) == (1, [0, 0])
    assert told(found) == [("an image is listed twice: its annotations were put together", 1, False)]


def test_one_name_in_two_sizes_is_an_error() -> None:
    images = [{"id": 1, "file_name": "a.jpg", "width": 5}, {"id": 2, "file_name": "a.jpg", "width": 6}]
    with pytest.raises(InputError, match=r"image 'a\.jpg' is listed twice, as 5 x 0 and as 6 x 0"):
        read(images=images)


def test_an_image_of_negative_size_is_an_error() -> None:
    with pytest.raises(InputError, match=r"image 'a\.jpg': the size -5 x 0 makes no sense"):
        read(images=[{"id": 1, "file_name": "a.jpg", "width": -5}])


def test_two_categories_of_one_id_are_an_error() -> None:
    with pytest.raises(InputError, match="two categories have the id 1"):
        read(categories=[{"id": 1, "name": "a"}, {"id": 1, "name": "b"}])


@pytest.mark.parametrize(
    ("parts", "what"),
    [
        ({"images": [{"file_name": "a.jpg"}]}, r"images\[0\] has no id"),
        ({"categories": [{"id": 1}]}, r"categories\[0\] has no name"),
        ({"images": {"a.jpg": 1}}, r"images is object and not array or null"),
        ({"annotations": {"a": 1}}, r"annotations is not a list"),
    ],
)
def test_a_file_whose_frame_is_wrong_says_where(parts: dict[str, Any], what: str) -> None:
    with pytest.raises(InputError, match=rf"truth\.json: {what}"):
        read(**parts)


def test_truncated_json_says_where_it_breaks_off() -> None:
    text = b'{"images": [],\n "annotations": [{"id": 1,'
    with pytest.raises(InputError, match=r"truth\.json, row 2: it breaks off in column 27 \(byte 41\)"):
        read_coco(text, source="truth.json")


def test_broken_json_says_where() -> None:
    with pytest.raises(InputError, match=r"truth\.json, row 2: the JSON is broken in column 2 "):
        read_coco(b'{"images": [],\n x}', source="truth.json")


def test_text_that_is_not_utf_8_is_refused() -> None:
    with pytest.raises(InputError, match=r"not UTF-8"):
        read_coco(b'{"images": [{"id": 1, "file_name": "\xff\xfe"}], "annotations": []}', source="t.json")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
def test_what_windows_saves_in_other_encodings_is_read(encoding: str) -> None:
    text = json.dumps(
        {"images": [{"id": 1, "file_name": "\u00e4.jpg"}], "categories": [], "annotations": []}, ensure_ascii=False
    )
    assert read_coco(text.encode(encoding), source="t.json").images[0].name == "\u00e4.jpg"


def mask_marked_as_crowd(**more: Any) -> dict[str, Any]:
    return annotation(segmentation={"size": [10, 10], "counts": [0, 40, 60]}, iscrowd=1, **more)


def test_boxes_and_attributes_of_coco_annotator_are_known() -> None:
    outline = [[10, 20, 40, 20, 40, 60, 10, 60]]
    boxed = annotation(id=1, segmentation=outline, isbbox=True, iscrowd=False, metadata={"colour": "red"})
    found = read(boxed, annotation(id=2, segmentation=outline, isbbox=False, metadata={}))
    assert [found.shape(0), found.counts()] == [Box(10, 20, 40, 60), {"box": 1, "polygon": 1}]
    assert found.attributes == {0: {"colour": "red"}}


def test_keypoints_of_results_are_marked_even_if_their_flags_are_zero() -> None:
    like = read(annotation(category_id=5, keypoints=[1, 2, 2, 3, 4, 2]))
    result = {"image_id": 1, "category_id": 5, "keypoints": [1, 2, 0, 0, 0, 0], "score": 0.5}
    found = read_coco(json.dumps([result]).encode(), source="r.json", like=like)
    shape = found.shape(0)
    assert isinstance(shape, Skeleton)
    assert shape.visibility.tolist() == [2, 0]
    assert [problem.count for problem in found.problems] == [1]


@pytest.mark.parametrize(
    "outline", [[[1, 1], [5, 1], [5, 5]], [[[1, 1], [5, 1], [5, 5]]], [["1", "1"], ["5", "1"], ["5", "5"]]]
)
def test_outlines_of_points_are_rings(outline: Any) -> None:
    found = one(segmentation=outline)
    shape = found.shape(0)
    assert isinstance(shape, Polygon)
    assert [ring.tolist() for ring in shape.rings] == [[[1, 1], [5, 1], [5, 5]]]
    assert "points [x, y]" in found.problems[0].what


@pytest.mark.parametrize(
    ("stated", "meant", "problems"),
    [
        ([{"name": "colour", "value": "red"}], {0: {"colour": "red"}}, 0),
        (["red", "large"], {}, 1),
        ("red", {}, 1),
    ],
)
def test_odd_attributes_do_not_cost_an_annotation_its_shape(stated: Any, meant: Any, problems: int) -> None:
    found = one(attributes=stated)
    assert (found.counts(), found.attributes) == ({"box": 1}, meant)
    assert [problem.lost for problem in found.problems] == [False] * problems


def test_a_mask_of_another_size_than_its_image_is_told() -> None:
    found = one(segmentation={"size": [10, 10], "counts": [0, 40, 60]})
    assert ("a mask is not of its image's size: it is laid at the image's upper left corner", 1, False) in told(found)


def test_masks_that_cvat_marks_as_crowd_are_objects() -> None:
    found = read(mask_marked_as_crowd(id=1, attributes={"occluded": False}), annotation(id=2))
    assert found.crowd is None
    assert ("iscrowd is set as CVAT sets it on every mask: the mask is scored as an object", 1, False) in told(found)


@pytest.mark.parametrize("more", [{}, {"attributes": {}}, {"attributes": {"occluded": True}, "ignore": 1}])
def test_masks_of_coco_itself_that_are_marked_as_crowd_are_regions(more: dict[str, Any]) -> None:
    found = read(mask_marked_as_crowd(id=1, **more))
    assert found.crowd is not None
    assert found.crowd.tolist() == [True]


def test_deep_nesting_is_refused() -> None:
    deep = b'{"images": [], "categories": [], "annotations": ' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}"
    with pytest.raises(InputError, match="nested too deeply"):
        read_coco(deep, source="t.json")


def test_panoptic_files_say_what_they_are() -> None:
    with pytest.raises(InputError, match="is COCO panoptic: its segments are in PNG files"):
        read({"image_id": 1, "file_name": "a.png", "segments_info": []})


def test_without_its_optional_part_it_says_how_to_add_it() -> None:
    code = "import sys; sys.modules['msgspec'] = None; import assay.io.annotations.coco.reader"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    remedy = "Add it with: pip install 'assay-scoring[annotations]'"
    assert f"MissingExtra: Reading COCO needs an optional part of Assay. {remedy}" in done.stderr


def test_no_annotations_at_all_are_an_empty_set() -> None:
    for empty in ("[]", "null"):
        found = read_coco(f'{{"images": {json.dumps(IMAGES)}, "annotations": {empty}}}'.encode(), source="t.json")
        assert (len(found), len(found.images), found.bounds.shape) == (0, 2, (0, 4))


def test_a_flag_in_a_list_of_one_is_that_flag_and_a_size_as_text_is_a_number() -> None:
    images = [{"id": 1, "file_name": "a.png", "width": "800", "height": "600.5"}]
    flagged = read(annotation(is_crowd=[0]), annotation(id=2, iscrowd=["1"], ignore=[0]), images=images)
    assert flagged.crowd is not None
    assert flagged.crowd.tolist() == [False, True]
    assert (flagged.images[0].width, flagged.images[0].height) == (800, 600.5)


def test_a_flag_that_is_a_longer_list_costs_the_annotation() -> None:
    flagged = read(annotation(iscrowd=[0, 1]), annotation(id=2))
    assert told(flagged) == [("an annotation cannot be read: iscrowd is array and not bool or int or null", 1, True)]


def test_a_size_that_is_the_text_nan_is_refused() -> None:
    images = [{"id": i, "file_name": f"{i}.png", "width": width, "height": 5} for i, width in ((1, 5), (2, "nan"))]
    with pytest.raises(InputError, match="makes no sense"):
        read(annotation(), images=images)


def test_a_box_drawn_from_its_other_corner_has_its_edges_swapped_as_in_cvat() -> None:
    swapped = one(bbox=[30, 40, -20, -10])
    assert swapped.bounds.tolist() == [[10, 30, 30, 40]]
    assert told(swapped) == [
        ("a box's right or lower edge lies before its left or upper edge: the edges were swapped", 1, False)
    ]


def test_a_list_that_a_file_states_twice_is_told() -> None:
    text = content([annotation(), annotation(id=2)])
    twice = text[: text.rindex(b"}")] + b', "annotations": ' + json.dumps([annotation(id=3)]).encode() + b"}"
    repeated = read_coco(twice, source="truth.json")
    assert tuple(repeated.ids) == ("3",)
    assert told(repeated) == [("annotations is stated more than once: the last list is read", 1, True)]


def test_the_name_of_a_list_elsewhere_in_a_file_is_no_repetition() -> None:
    assert told(read(annotation(attributes={"images": "annotations"}))) == []


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"bbox": ["1", 2, 3, "nan"]}, "a box has a number beyond 10000000: it was left aside"),
        (
            {"bbox": None, "segmentation": [["nan", 1, 5, 1, 5, 5]]},
            "a ring has a point beyond 10000000: it was left aside",
        ),
        ({"bbox": None, "keypoints": [1, "nan", 2]}, "a keypoint lies beyond 10000000: left aside"),
    ],
)
def test_a_coordinate_that_is_the_text_nan_is_none(fields: dict[str, Any], what: str) -> None:
    annotations = read(annotation(id=7, **fields), annotation(id=8))
    assert tuple(annotations.ids) == ("8",)
    assert told(annotations)[0] == (what, 1, False)


def test_a_file_without_boxes_gives_those_of_its_outlines() -> None:
    rows = [
        {"id": 1, "image_id": 1, "category_id": 1, "segmentation": [[1, 2, 5, 2, 5, 9]]},
        {"id": 2, "image_id": 1, "category_id": 1, "bbox": [0, 0, 3, 4], "segmentation": [[1, 2, 5, 2, 5, 9]]},
        {"id": 3, "image_id": 1, "category_id": 1, "keypoints": [7, 8, 2, 9, 9, 2]},
        {"id": 4, "image_id": 1, "category_id": 1},
    ]
    whole = {
        "images": [{"id": 1, "file_name": "a.jpg", "width": 20, "height": 20}],
        "categories": [{"id": 1, "name": "x"}],
        "annotations": rows,
    }
    found = read_coco(json.dumps(whole).encode(), source="a.json", prefer="box")
    assert found.bounds.tolist() == [[1, 2, 5, 9], [0, 0, 3, 4], [7, 8, 9, 9]]
    assert list(found.ids) == ["1", "2", "3"]
    assert [(p.what, p.where) for p in found.problems if p.lost] == [
        ("an annotation has no box, outline or keypoints that can be used", "annotation 4")
    ]


@pytest.mark.parametrize(
    ("fields", "turn", "stays"),
    [
        ({}, 30, 30),
        ({"segmentation": [[0, 0, 4, 0, 4, 4]]}, 30, None),
        ({"segmentation": {"size": [2, 3], "counts": [1, 5]}}, 30, None),
        ({"category_id": 5, "keypoints": [1, 1, 2, 2, 2, 2]}, 30, None),
        ({"segmentation": [[0, 0, 4, 0, 4, 4]]}, 0, 0),
        ({"category_id": 5, "keypoints": [1, 1, 2, 2, 2, 2]}, 0.0, 0),
        ({}, -30.5, 329.5),
        ({}, 720, 0),
        ({}, True, None),
        ({}, "30", None),
        ({}, FARTHEST, FARTHEST % 360),
        ({}, -FARTHEST, -FARTHEST % 360),
        ({}, FARTHEST + 1, None),
        ({}, -FARTHEST - 1, None),
        pytest.param({}, 10**400, None, id="huge"),
    ],
)
def test_only_a_box_is_turned_and_no_turn_at_all_is_no_attribute(
    fields: dict[str, Any], turn: object, stays: float | None
) -> None:
    stated = one(**fields, attributes={"rotation": turn, "n": 1})
    kept = {} if stays is not None else {"rotation": turn}
    assert (stated.rotation.tolist(), stated.attributes) == ([stays or 0], {0: {**kept, "n": 1}})


@pytest.mark.parametrize(
    ("number", "track"), [(0, 0), (1, 1), ((1 << 62) - 1, (1 << 62) - 1), (1 << 62, None), (-1, None), ("4", None)]
)
def test_a_track_is_a_number_from_0_to_2_to_the_62(number: object, track: int | None) -> None:
    stated = one(attributes={"track_id": number, "keyframe": False, "occluded": False})
    if track is None:
        assert stated.track is None
        assert stated.attributes == {0: {"track_id": number, "keyframe": False, "occluded": False}}
    else:
        assert stated.track is not None
        assert (stated.track.tolist(), stated.attributes) == ([track], {0: {"occluded": False}})
    assert stated.occluded is None
