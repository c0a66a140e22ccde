"""YOLO: rows of every kind, names of classes, sizes of images, and what becomes of bad rows."""

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as PillowImage

from assay.annotations.shapes.annotation_set import AnnotationSet, Image, LabelDefinition
from assay.annotations.shapes.shapes import Box, Ellipse, Polygon, Shape, Skeleton
from assay.errors import InputError
from assay.io.annotations.columns import AnnotationColumns
from assay.io.annotations.files import read_annotations
from assay.io.annotations.yolo import read_yolo
from assay.io.image_files import read_images

YAML = "path: .\ntrain: images/train  # here\nnames:\n  0: cat\n  1: big dog\n"
SQUARE = Polygon((np.array([[0.0, 0], [4, 0], [4, 4]]),))


def truth(*shapes: Shape, names: tuple[str, ...] = ("a.jpg",), joints: tuple[str, ...] = ()) -> AnnotationSet:
    columns = AnnotationColumns(images=[Image(name, 200, 100) for name in names])
    for shape in shapes:
        columns.add(shape, image=0, label="cat")
    columns.label("cat")
    columns.label("dog")
    definitions = [LabelDefinition("cat", keypoints=joints)]
    return columns.finished(source="truth", format="COCO", definitions=definitions)


def read(rows: str, *, like: AnnotationSet | None = None, yaml: str = YAML) -> AnnotationSet:
    files = [("s/labels/a.txt", rows.encode()), ("s/data.yaml", yaml.encode())]
    return read_yolo(files, source="s", like=truth() if like is None else like)


def png(width: int, height: int) -> bytes:
    stream = BytesIO()
    PillowImage.new("L", (width, height)).save(stream, "PNG")
    return stream.getvalue()


def whats(found: AnnotationSet) -> list[str]:
    return [problem.what for problem in found.problems]


# rows


def test_a_box_is_a_centre_and_a_size() -> None:
    found = read("1 0.5 0.5 0.2 0.4\n\n0 0.1 0.1 0.2 0.2\n")
    assert found.bounds.tolist() == pytest.approx(np.array([[80, 30, 120, 70], [0, 0, 40, 20]]))
    assert [found.labels[i] for i in found.label] == ["big dog", "cat"]
    assert (found.images, found.format, found.problems) == ((Image("a.jpg", 200, 100),), "YOLO", ())
    assert found.label_ids == {"0": 0, "1": 1}
    assert found.confidence is None


def test_a_model_s_box_has_a_confidence() -> None:
    found = read("0 0.5 0.5 0.2 0.4 0.9\n0 0.5 0.5 0.2 0.4\n")
    assert found.confidence is not None
    assert found.confidence.tolist() == pytest.approx([0.9, np.nan], nan_ok=True)


def test_a_long_row_is_an_outline() -> None:
    found = read("0 0 0 0.5 0 0.5 0.5\n0 0 0 0.5 0 0.5 0.5 0.7\n")
    for i in (0, 1):
        shape = found.shape(i)
        assert isinstance(shape, Polygon)
        assert shape.rings[0].tolist() == [[0, 0], [100, 0], [100, 50]]
    assert found.confidence is not None
    assert found.confidence[1] == 0.7


def test_outlines_become_boxes_when_boxes_are_wanted() -> None:
    files = [("a.txt", b"0 0 0 0.5 0 0.5 0.5")]
    assert read_yolo(files, source="s", like=truth(), prefer="box").shape(0) == Box(0, 0, 100, 50)


@pytest.mark.parametrize(
    ("shape", "points"), [("[2, 3]", "0.25 0.5 2 0 0 0"), ("[2, 2]", "0.25 0.5 0 0"), ("[2,2]", "0.25 0.5 -1 -1")]
)
def test_a_pose_is_known_by_kpt_shape(shape: str, points: str) -> None:
    found = read(f"0 0.5 0.5 0.2 0.4 {points}", yaml=f"{YAML}kpt_shape: {shape}\n")
    skeleton = found.shape(0)
    assert isinstance(skeleton, Skeleton)
    assert skeleton.names == ("1", "2")
    assert skeleton.points.tolist() == [[50, 50], [0, 0]]
    assert skeleton.visibility.tolist() == [2, 0]
    assert whats(found) == ["a row has a box and keypoints: the keypoints are scored"]


def test_a_pose_is_known_by_the_ground_truth_and_named_after_it() -> None:
    joints = Skeleton(("head", "hand"), np.zeros((2, 2)), np.array([2, 2], np.int8))
    skeleton = read("0 0.5 0.5 0.2 0.4 0.25 0.5 0.5 0.5", like=truth(joints, joints=("head", "hand"))).shape(0)
    assert isinstance(skeleton, Skeleton)
    assert skeleton.names == ("head", "hand")
    assert skeleton.points.tolist() == [[50, 50], [100, 50]]


def test_joints_are_named_by_kpt_names() -> None:
    yaml = f"{YAML}kpt_shape: [2, 3]\nkpt_names:\n  0:\n    - head\n    - hand\n"
    skeleton = read("0 0.5 0.5 0.2 0.4 0.2 0.5 2 0.3 0.3 1", yaml=yaml).shape(0)
    assert isinstance(skeleton, Skeleton)
    assert (skeleton.names, skeleton.visibility.tolist()) == (("head", "hand"), [2, 1])


def test_a_pose_is_known_by_its_visibilities() -> None:
    row = "0 0.5 0.5 0.2 0.4" + " 0.45 0.5 2" * 17
    assert isinstance(read(row).shape(0), Skeleton)
    border = read("0 0 0 0.5 0 0.5 0.5 1 0.3 0.4 0")  # five points, two of them on the border
    assert isinstance(border.shape(0), Polygon)


def test_outlines_that_could_be_poses_are_told() -> None:
    found = read("0 0.5 0.5 0.4 0.4 0.4 0.5 0.5 0.6 0.6 0.6\n0 0.3 0.3 0.4 0.4 0.2 0.3 0.3 0.4 0.4 0.4")
    assert any("could be boxes with keypoints" in what for what in whats(found))


def test_four_corners_of_a_rectangle_in_every_row_are_turned_boxes() -> None:
    rows = "0 0.25 0 0.5 0.5 0.35 0.8 0.1 0.3"  # (50, 0), (100, 50), (70, 80), (20, 30)
    found = read(rows, like=truth(Box(0, 0, 1, 1)))
    box = found.shape(0)
    assert isinstance(box, Box)
    assert box.rotation == pytest.approx(45)
    assert whats(found) == ["every row has the four corners of a rectangle: they are read as turned boxes"]
    assert isinstance(read(rows, like=truth(SQUARE)).shape(0), Polygon)
    assert isinstance(read(rows + "\n0 0 0 0.5 0 0.5 0.5").shape(0), Polygon)
    both = rows + "\n0 0 0 0.5 0 0.5 0.5 0.1 0.9"
    mixed = read(both, like=truth(Box(0, 0, 1, 1)))  # the second has four corners too, and is no rectangle
    assert [type(mixed.shape(i)) for i in range(2)] == [Polygon, Polygon]
    assert whats(mixed) == []


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("0 0.5 0.5 0.2", "a row has 3 numbers after its class"),
        ("0 0.5 nan 0.2 0.2", "not finite"),
        ("0 0.5 1e999 0.2 0.2", "not finite"),
        ("0 0.5 0.5 x 0.2", "something that is not a number"),
        ("0.5 0.5 0.5 0.2 0.2", "does not begin with the number of a class"),
        ("-1 0.5 0.5 0.2 0.2", "does not begin with the number of a class"),
        ("0 320 240 20 20", "not between 0 and 1"),
        ("0 0.5 0.5 -0.005 0.2", "negative width"),
        ("0 0.5 -0.5 0.2 0.2", "not between 0 and 1"),
        ("0 0 0 0.5 0 0.5 5", "not between 0 and 1"),
        ("0 0 0 0.5 0 0.5 0.5 7", "7 numbers after its class, which fits no shape"),
        ("0 0 0 0.5 0 1.1", "fits no shape"),  # five numbers, the last of them no confidence
    ],
)
def test_what_cannot_be_scored_is_told_and_the_rest_is_read(row: str, what: str) -> None:
    found = read(f"0 0.5 0.5 0.2 0.4\n{row}\n")
    assert len(found) == 1
    assert [(p.where, p.lost) for p in found.problems] == [("s/labels/a.txt, line 2", True)]
    assert what in found.problems[0].what


def test_a_pose_of_other_length_than_stated_is_told() -> None:
    found = read("0 0.5 0.5 0.2 0.4 0.1 0.1 2 0.3", yaml=f"{YAML}kpt_shape: [2, 3]")
    assert "fits no shape" in found.problems[0].what
    found = read("0 0.5 0.5 0.2 0.4 0.1 0.1 7 0.3 0.3 2", yaml=f"{YAML}kpt_shape: [2, 3]")
    assert "visibility of a keypoint is not 0, 1 or 2" in found.problems[0].what


# classes


def test_a_class_without_name_is_told() -> None:
    found = read("7 0.5 0.5 0.2 0.4")
    assert [found.labels[i] for i in found.label] == ["class 7"]
    assert whats(found) == ["an annotation's class has no name: its label is the number"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("classes.txt", "cat\nbig dog\n"),
        ("obj.names", "cat\nbig dog"),
        ("data.yaml", "names: ['cat', \"big dog\"]"),
        ("data.yaml", "nc: 2\nnames:\n- cat\n- big dog\nroboflow:\n  url: https://x.y\n"),
        ("data.yaml", "names: {0: cat, 1: big dog}"),
        ("dataset.yml", "names: [cat,\n  big dog]\n"),
        ("notes.json", '{"categories": [{"id": 0, "name": "cat"}, {"id": 1, "name": "big dog"}], "info": {}}'),
    ],
)
def test_names_come_from_any_of_the_usual_files(name: str, content: str) -> None:
    files = [("a.txt", b"1 0.5 0.5 0.2 0.4"), (name, content.encode())]
    found = read_yolo(files, source="s", like=truth())
    assert (found.labels, found.problems) == (("cat", "big dog"), ())


def test_without_names_the_ground_truth_s_labels_are_taken_in_order_and_that_is_told() -> None:
    found = read_yolo([("a.txt", b"1 0.5 0.5 0.2 0.4")], source="s", like=truth())
    assert [found.labels[i] for i in found.label] == ["dog"]
    assert "taken for the ground truth's first label" in whats(found)[0]


def test_a_ground_truth_of_the_same_format_gives_its_numbers() -> None:
    like = read("1 0.5 0.5 0.2 0.4")
    found = read_yolo([("a.txt", b"1 0.5 0.5 0.2 0.4")], source="s", like=like)
    assert ([found.labels[i] for i in found.label], found.problems) == (["big dog"], ())


def test_lists_of_names_that_differ_are_refused() -> None:
    files = [("a.txt", b"0 0.5 0.5 0.2 0.4"), ("classes.txt", b"cat"), ("data.yaml", b"names: [dog]")]
    with pytest.raises(InputError, match=r"classes\.txt: it names other classes than data\.yaml"):
        read_yolo(files, source="s", like=truth())


# images


def test_without_any_size_it_says_what_to_hand_in() -> None:
    with pytest.raises(InputError) as refused:
        read_yolo([("s/a.txt", b"0 0.5 0.5 0.2 0.4")], source="s")
    assert "the size of no image is known" in str(refused.value)
    assert "Hand in the images beside the labels" in str(refused.value)
    assert "a.txt" in str(refused.value)


def test_an_image_that_is_not_known_keeps_shares_and_is_told() -> None:
    files = [("a.txt", b"0 0.5 0.5 0.2 0.4"), ("b.txt", b"0 0.5 0.5 0.2 0.4"), ("classes.txt", b"cat")]
    found = read_yolo(files, source="s", like=truth())
    assert found.bounds[1].tolist() == pytest.approx([0.4, 0.3, 0.6, 0.7])
    assert [(p.where, p.lost) for p in found.problems] == [("b.txt, line 1", False)]


def test_sizes_come_from_the_images(tmp_path: Path) -> None:
    for folder, width in (("train", 200), ("val", 400)):
        (tmp_path / "images" / folder).mkdir(parents=True)
        (tmp_path / "images" / folder / "a.png").write_bytes(png(width, 100))
    files = [(f"s/labels/{folder}/a.txt", b"0 0.5 0.5 0.5 1") for folder in ("train", "val")]
    found = read_yolo(files, source="s", images=read_images(tmp_path / "images"))
    assert [(i.name, i.width) for i in found.images] == [("train/a.png", 200), ("val/a.png", 400)]
    assert found.bounds[:, 2].tolist() == [150, 300]


def test_two_label_files_of_one_image_are_told_apart() -> None:
    files = [("s/x/a.txt", b"0 0.5 0.5 0.2 0.4"), ("s/y/a.txt", b"0 0.5 0.5 0.2 0.4")]
    found = read_yolo(files, source="s", like=truth())
    assert [image.name for image in found.images] == ["x/a.jpg", "y/a.jpg"]


def test_names_of_images_come_from_lists_when_nothing_else_has_them() -> None:
    files = [
        ("obj_train_data/b.txt", b"0 0.5 0.5 0.2 0.4"),
        ("obj_train_data/a.txt", b"0 0.5 0.5 0.2 0.4"),
        ("train.txt", b"data/obj_train_data/b.png\n"),
        ("obj.data", b"classes = 1\n"),
        ("obj.names", b"cat"),
    ]
    found = read_yolo(files, source="s", like=truth())
    assert [image.name for image in found.images] == ["data/obj_train_data/b.png", "a.jpg"]


def test_an_empty_file_is_an_image_without_objects() -> None:
    found = read_yolo([("a.txt", b""), ("classes.txt", b"cat")], source="s", like=truth())
    assert (len(found), found.images) == (0, (Image("a.jpg", 200, 100),))


def test_text_that_is_no_label_is_told() -> None:
    found = read_yolo([("a.txt", b"0 0.5 0.5 0.2 0.4"), ("b.txt", b"see below")], source="s", like=truth())
    assert ("b.txt", True) in [(p.where, p.lost) for p in found.problems]


def test_names_alone_are_no_labels() -> None:
    with pytest.raises(InputError, match="holds names of classes and no labels"):
        read_yolo([("classes.txt", b"cat")], source="s")


def test_one_label_file_beside_the_ground_truth_is_known_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("0 0.5 0.5 0.2 0.4\n")
    found = read_annotations(path, like=truth())
    assert (found.format, len(found)) == ("YOLO", 1)


def test_sizes_of_resized_images_are_those_of_the_truth(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(png(50, 25))
    like = replace(truth(), images=(Image("a.png", 200, 100),))
    found = read_yolo([("a.txt", b"0 0.5 0.5 1 1")], source="s", like=like, images=read_images(tmp_path))
    assert found.bounds[0].tolist() == [0, 0, 200, 100]


def test_what_is_said_about_all_rows_names_the_first() -> None:
    poses = read("0 0.5 0.5 0.4 0.4 0.4 0.5 0.5 0.6 0.6 0.6\n0 0.3 0.3 0.4 0.4 0.2 0.3 0.3 0.4 0.4 0.4\n")
    assert poses.problems[0].where == "s/labels/a.txt, line 1"
    rows = "0 0.25 0 0.5 0.5 0.35 0.8 0.1 0.3\n" * 2
    assert [p.where for p in read(rows, like=truth(Box(0, 0, 1, 1))).problems] == ["s/labels/a.txt, line 1"]
    skewed = "0 0.25 0 0.5 0.5 0.35 0.8 0.1 0.1\n"
    assert isinstance(read(skewed, like=truth(Box(0, 0, 1, 1))).shape(0), Polygon)


@pytest.mark.parametrize(("last", "stated"), [("0", 0.0), ("1", 1.0), ("1.001", None), ("-0.001", None)])
def test_a_confidence_is_from_0_to_1(last: str, stated: float | None) -> None:
    found = read(f"0 0.5 0.5 0.2 0.4 {last}\n0 0.5 0.5 0.2 0.4 0.5\n")
    assert found.confidence is not None
    assert found.confidence.tolist() == ([0.5] if stated is None else [stated, 0.5])
    assert whats(found) == ([] if stated is not None else ["a row has 5 numbers after its class, which fits no shape"])


def test_a_pose_may_have_a_confidence_after_it_or_be_read_as_its_box() -> None:
    yaml = f"{YAML}kpt_shape: [2, 3]\n"
    row = "0 0.5 0.5 0.2 0.4 0.2 0.5 2 0.3 0.3 1"
    found = read(f"{row} 0.75", yaml=yaml)
    assert isinstance(found.shape(0), Skeleton)
    assert found.confidence is not None
    assert found.confidence.tolist() == [0.75]
    files = [("a.txt", row.encode()), ("data.yaml", yaml.encode())]
    boxed = read_yolo(files, source="s", like=truth(), prefer="box")
    assert boxed.bounds.tolist() == pytest.approx(np.array([[80, 30, 120, 70]]))
    assert boxed.problems == ()


@pytest.mark.parametrize(
    ("points", "visibility"),
    [("0.2 0.5 0.5 0.3 0.3 0.49", [2, 0]), ("0.2 0.5 1 0.3 0.3 2", [1, 2]), ("0.2 0.5 0 0.3 0.3 2", [0, 2])],
)
def test_visibilities_are_flags_or_probabilities(points: str, visibility: list[int]) -> None:
    found = read(f"0 0.5 0.5 0.2 0.4 {points}", yaml=f"{YAML}kpt_shape: [2, 3]\n")
    skeleton = found.shape(0)
    assert isinstance(skeleton, Skeleton)
    assert skeleton.visibility.tolist() == visibility
    assert (len(found.problems) == 2) == ("0.49" in points)
    assert not skeleton.visibility.flags.writeable


@pytest.mark.parametrize("flag", ["-0.5", "2.5", "3"])
def test_other_visibilities_are_refused(flag: str) -> None:
    found = read(f"0 0.5 0.5 0.2 0.4 0.1 0.1 {flag} 0.3 0.3 2", yaml=f"{YAML}kpt_shape: [2, 3]")
    assert whats(found) == ["the visibility of a keypoint is not 0, 1 or 2"]


def test_a_point_on_the_border_of_the_image_is_there_and_one_beyond_it_is_not() -> None:
    found = read("0 0.5 0.5 0.2 0.4 0 0.5 -0.005 0.5 0.25 0", yaml=f"{YAML}kpt_shape: [3, 2]\nkpt_names:\n  0: [a]\n")
    skeleton = found.shape(0)
    assert isinstance(skeleton, Skeleton)
    assert skeleton.visibility.tolist() == [2, 0, 2]
    assert skeleton.points.tolist() == [[0, 50], [0, 0], [50, 0]]
    assert skeleton.names == ("a", "2", "3")


def test_a_box_of_negative_height_is_lost_and_a_flat_one_is_told() -> None:
    found = read("0 0.5 0.5 0.2 -0.005\n0 0.5 0.5 0 0.4\n")
    assert [(p.what, p.lost) for p in found.problems] == [
        ("a box has a negative width or height", True),
        ("a box has no area", False),
    ]


def test_rows_of_images_without_size_are_counted_and_a_comma_may_stand_in_a_name() -> None:
    two = b"0 0.5 0.5 0.2 0.4\n0 0.5 0.5 0.2 0.4"
    found = read_yolo([("a.txt", two), ("b.txt", two), ("classes.txt", b"cat")], source="s", like=truth())
    assert [(p.where, p.count) for p in found.problems] == [("b.txt, line 1", 2)]
    with pytest.raises(InputError, match=r"the first label file is a,b\.txt\)") as refused:
        read_yolo([("s/a,b.txt", two)], source="s")
    assert (refused.value.source, refused.value.field) == ("s", "images")


def test_labels_without_any_names_are_numbers() -> None:
    found = read_yolo([("a.txt", b"3 0.5 0.5 0.2 0.4")], source="s", like=replace(truth(), labels=()))
    assert found.labels == ("class 3",)
    found = read_yolo([("a.txt", b"0 0 0 1 0")], source="s", like=truth())
    assert (found.label_ids, len(found.problems)) == ({"0": 0, "1": 1}, 2)


@pytest.mark.parametrize("shape", [Ellipse(5, 5, 2, 2), SQUARE])
def test_keypoints_of_the_truth_s_labels_count_only_where_it_has_skeletons(shape: Shape) -> None:
    found = read("0 0 0 0.5 0 0.5 0.5 0 0.5", like=truth(shape, joints=("head", "hand")))
    assert isinstance(found.shape(0), Polygon)
