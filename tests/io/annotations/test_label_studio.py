"""Label Studio's JSON and JSON-MIN: every kind of region, several annotators, and what becomes of bad ones."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay.annotations.shapes.annotation_set import AnnotationSet, Image
from assay.annotations.shapes.shapes import Box, Ellipse, Mask, Points, Polygon, Polyline, Tag
from assay.errors import InputError
from assay.io.annotations.columns import AnnotationColumns
from assay.io.annotations.files import read_annotations
from assay.io.annotations.label_studio import read_label_studio, runs_of_brush
from tests.io.annotations.submissions import read_submissions

SIZE = {"original_width": 200, "original_height": 100, "image_rotation": 0}
CORNERS = {"x": 10, "y": 20, "width": 30, "height": 40, "rotation": 0}


def result(kind: str, value: dict[str, Any], name: str = "r1", **more: Any) -> dict[str, Any]:
    return {"id": name, "from_name": "tag", "to_name": "img", "type": kind, "value": value} | SIZE | more


def box(name: str = "r1", label: str = "cat", **more: Any) -> dict[str, Any]:
    return result("rectanglelabels", CORNERS | {"rectanglelabels": [label]} | more, name)


def task(*results: Any, image: str = "/data/upload/1/0a1b2c3d-a.jpg", **more: Any) -> dict[str, Any]:
    drawn = [{"id": 1, "completed_by": 7, "was_cancelled": False, "result": list(results)}]
    return {"id": 5, "data": {"image": image}, "annotations": drawn, "predictions": []} | more


def read(*tasks: Any, **more: Any) -> AnnotationSet:
    return read_label_studio([("s.json", json.dumps(tasks).encode())], source="s.json", **more)


def brush(values: list[int], *, word: int = 8, sizes: tuple[int, ...] = (3, 4, 8, 16), block: int = 1) -> list[int]:
    """Bytes in the layout of thi.ng's rle-pack: blocks of equal values, all others one by one."""
    bits = f"{len(values):032b}{word - 1:05b}" + "".join(f"{size - 1:04b}" for size in sizes)
    at = 0
    while at < len(values):
        same = next((k for k in range(at, min(at + 256, len(values))) if values[k] != values[at]), len(values)) - at
        same = min(same, 256)
        if same > block:
            bits += f"110{same - 1:08b}{values[at]:08b}"
            at += same
        else:
            some = values[at : at + 3]
            bits += f"000{len(some) - 1:03b}" + "".join(f"{value:08b}" for value in some)
            at += len(some)
    bits += "0" * (-len(bits) % 8)
    return [int(bits[i : i + 8], 2) for i in range(0, len(bits), 8)]


def test_a_rectangle_is_percentages_of_the_image() -> None:
    found = read(task(box()))
    assert found.shape(0) == Box(20, 20, 80, 60)
    assert (found.labels, found.ids, found.format, found.problems) == (("cat",), ("r1",), "Label Studio", ())
    assert found.images == (Image("a.jpg", 200, 100),)


@pytest.mark.parametrize("turn", [30, 90, 200, -45])
def test_a_rectangle_turns_about_its_upper_left_corner(turn: float) -> None:
    shape = read(task(box(rotation=turn))).shape(0)
    assert isinstance(shape, Box)
    assert shape.rotation == turn % 360
    # turned back about its centre by our convention, its first corner is where Label Studio keeps it
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    x, y = (shape.left + shape.right) / 2, (shape.top + shape.bottom) / 2
    half_width, half_height = (shape.right - shape.left) / 2, (shape.bottom - shape.top) / 2
    assert [x - c * half_width + s * half_height, y - s * half_width - c * half_height] == pytest.approx([20, 20])
    assert [half_width, half_height] == pytest.approx([30, 20])


def test_polygons_ellipses_and_keypoints_are_read() -> None:
    found = read(
        task(
            result("polygonlabels", {"points": [[0, 0], [50, 0], [50, 50]], "polygonlabels": ["a"]}, "p"),
            result("polygonlabels", {"points": [[0, 0], [50, 50]], "closed": False, "polygonlabels": ["a"]}, "o"),
            result("ellipselabels", {"x": 50, "y": 50, "radiusX": 10, "radiusY": 10, "ellipselabels": ["b"]}, "e"),
            result("keypointlabels", {"x": 25, "y": 75, "width": 0.5, "keypointlabels": ["c"]}, "k"),
        )
    )
    polygon, line, ellipse, point = (found.shape(i) for i in range(4))
    assert isinstance(polygon, Polygon)
    assert polygon.rings[0].tolist() == [[0, 0], [100, 0], [100, 50]]
    assert isinstance(line, Polyline)
    assert ellipse == Ellipse(100, 50, 20, 10)
    assert isinstance(point, Points)
    assert point.points.tolist() == [[50, 75]]


@pytest.mark.parametrize("block", [1, 3, 1000])
def test_a_brush_stroke_is_the_opacity_of_its_pixels(block: int) -> None:
    drawn = np.random.default_rng(block).random((6, 9)) > 0.6
    values = np.zeros((6, 9, 4), int)
    values[..., :3] = 9  # colours do not count
    values[drawn, 3] = 130
    stated = {"format": "rle", "rle": brush(values.ravel().tolist(), block=block), "brushlabels": ["cat"]}
    found = read(task(result("brushlabels", stated, original_width=9, original_height=6)))
    mask = found.shape(0)
    assert isinstance(mask, Mask)
    assert (mask.left, mask.top, mask.width, mask.height, mask.by_column) == (0, 0, 9, 6, False)
    assert (np.repeat(np.arange(mask.runs.size) % 2, mask.runs).reshape(6, 9) == drawn).all()


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        ("rle", "not a list of bytes"),
        ([0, 256], "not a list of bytes"),
        ([], "break off"),
        (brush([255] * 16)[:-2], "break off"),
        (brush([255] * 20), "not those of an image of the stated size"),
        (brush([255] * 16, word=16), "not those of an image of the stated size"),
        ([0, 0, 0, 16, *brush([255] * 99)[4:]], "longer than the image"),
    ],
)
def test_a_broken_brush_stroke_is_refused(stated: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        runs_of_brush(stated, 2, 2)


def test_a_claim_of_billions_of_pixels_costs_nothing() -> None:
    with pytest.raises(InputError, match="break off"):
        runs_of_brush([64, 0, 0, 0, *brush([255] * 16)[4:]], 1 << 14, 1 << 14)


def test_what_is_asked_about_a_region_are_its_attributes() -> None:
    answers = [
        result("choices", CORNERS | {"choices": ["wet", "old"]}, from_name="state"),
        result("textarea", CORNERS | {"text": ["by the door"]}, from_name="note"),
        result("rating", {"rating": 4}, from_name="stars"),
        result("taxonomy", {"taxonomy": [["Animal", "Cat"]]}, from_name="kind"),
    ]
    found = read(task(box(), *answers))
    assert found.attributes == {0: {"state": "wet, old", "note": "by the door", "stars": 4, "kind": "Animal / Cat"}}
    assert found.problems == ()


def test_labels_and_shape_may_be_two_results_of_one_id() -> None:
    found = read(task(result("rectangle", CORNERS), result("labels", CORNERS | {"labels": ["cat"]})))
    assert (len(found), found.labels) == (1, ("cat",))


def test_choices_about_the_image_are_tags_and_texts_are_told() -> None:
    tags = {"id": "c", "type": "choices", "from_name": "scene", "value": {"choices": ["indoor", "night"]}}
    text = {"id": "t", "type": "textarea", "from_name": "note", "value": {"text": ["x"]}}
    found = read(task(tags, text))
    assert [found.labels[i] for i in found.label] == ["indoor", "night"]
    assert found.shape(0) == Tag()
    assert [(p.what, p.lost) for p in found.problems] == [
        ("an answer of type 'textarea' about the whole image is not scored", True)
    ]


def test_parts_of_a_region_are_in_its_group() -> None:
    point = result("keypointlabels", {"x": 1, "y": 1, "keypointlabels": ["eye"]}, "k", parentID="r1")
    found = read(task(box(), point, box("r2")))
    assert found.group is not None
    assert found.group.tolist() == [1, 1, 0]


def two_annotators() -> dict[str, Any]:
    drawings = [
        {"completed_by": 3, "was_cancelled": True, "result": [box(label="skipped")]},
        {"completed_by": {"id": 7, "email": "a@b.c"}, "result": [box(label="first")]},
        {"completed_by": 9, "result": [box(label="second")]},
    ]
    return task(annotations=drawings, predictions=[{"result": [box(label="model")]}])


def test_the_first_annotator_is_read_and_the_others_are_told() -> None:
    found = read(two_annotators())
    assert found.labels == ("first",)
    assert {(p.what.split(":")[0], p.count, p.lost) for p in found.problems} == {
        ("an annotator skipped a task", 1, False),
        ("a task was done several times", 1, True),
        ("predictions of a model are not scored", 1, False),
    }


def test_a_chosen_annotator_is_read() -> None:
    assert read(two_annotators(), annotator="9").labels == ("second",)
    assert read(two_annotators(), annotator="a@b.c").labels == ("first",)
    with pytest.raises(InputError, match=r"nothing by the annotator '8'. Choose one of: a@b\.c, 9"):
        read(two_annotators(), annotator="8")


@pytest.mark.parametrize(
    ("bad", "what"),
    [
        (box(x=None), "x is missing or null"),
        (box(x="1"), "x is not a number"),
        (box(x=640), "x is not a percentage"),
        (box(width=-1), "negative width"),
        (box(rotation=1e99), "rotation is not finite or beyond"),
        (result("polygonlabels", {"points": [[0, 0], [1, 1]]}), "fewer than three points"),
        (result("polygonlabels", {"points": [[0, 0], [1, 1], [900, 1]]}), "not percentages"),
        (result("ellipselabels", {"x": 1, "y": 1, "radiusX": -1, "radiusY": 1}), "negative radius"),
        (result("brushlabels", {"format": "rle", "rle": [1, 2], "brushlabels": ["a"]}), "break off"),
        (result("brushlabels", {"format": "rle", "brushlabels": ["a"]}), "no run lengths"),
        (result("bitmasklabels", {"imageDataURL": "x"}), "a result of type 'bitmasklabels' is not read"),
        (result("videorectangle", {"sequence": []}), "a result of type 'videorectangle' is not read"),
        ({"type": "relation", "from_id": "a", "to_id": "b"}, "relations between regions are not scored"),
        (result("rectanglelabels", []), "a result has no value"),  # type: ignore[arg-type]
        (box() | {"original_width": None, "original_height": 5}, "the size of the image cannot be read"),
        ("box", "a result is no object"),
    ],
)
def test_what_cannot_be_scored_is_told_and_the_rest_is_read(bad: Any, what: str) -> None:
    found = read(task(box("good"), bad if isinstance(bad, str) else bad | {"id": "bad"}))
    assert "good" in found.ids
    lost = [problem for problem in found.problems if problem.lost]
    assert len(lost) == 1
    assert what in lost[0].what
    assert "task 5" in lost[0].where


def test_percentages_without_a_size_need_the_ground_truth() -> None:
    bare = {key: value for key, value in box().items() if not key.startswith("original")}
    found = read(task(bare))
    assert (len(found), found.problems[0].lost) == (0, True)
    assert "original_width" in found.problems[0].what
    truth = AnnotationColumns(images=[Image("a.jpg", 200, 100)]).finished(source="t", format="COCO")
    assert read(task(bare), like=truth).shape(0) == Box(20, 20, 80, 60)


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("/data/upload/11/6d68c3e9-a%20b.jpg", "a b.jpg"),
        ("/data/local-files/?d=shots/a.jpg", "shots/a.jpg"),
        ("s3://bucket/x/a.jpg", "x/a.jpg"),
        ("https://host/x/a.jpg?token=1", "x/a.jpg"),
        ("data:image/png;base64,AAAA", "task 5"),
        ("a.jpg", "a.jpg"),
    ],
)
def test_images_are_named_after_their_address(address: str, name: str) -> None:
    assert read(task(image=address)).images[0].name == name


def test_uploads_that_differ_only_by_their_prefix_keep_it() -> None:
    found = read(task(image="/data/upload/1/00000000-a.jpg"), task(image="/data/upload/1/11111111-a.jpg"))
    assert [i.name for i in found.images] == ["data/upload/1/00000000-a.jpg", "data/upload/1/11111111-a.jpg"]


def test_the_image_may_stand_under_any_key() -> None:
    assert read(task(data={"caption": "x", "scan": "b.png"})).images[0].name == "b.png"
    with pytest.raises(InputError, match="not one of its 1 tasks names an image"):
        read(task(data={"text": "hello"}))


MINIMAL = {
    "id": 5,
    "image": "/data/upload/1/0a1b2c3d-a.jpg",
    "label": [CORNERS | {"rectanglelabels": ["cat"], "original_width": 200, "original_height": 100}],
    "scene": {"choices": ["indoor"]},
    "annotator": 7,
    "annotation_id": 1,
    "lead_time": 2.5,
}


def test_json_min_is_read(tmp_path: Path) -> None:
    path = tmp_path / "student.json"
    path.write_text(json.dumps([MINIMAL, MINIMAL | {"annotator": 8, "label": []}]))
    found = read_annotations(path)
    assert found.shape(0) == Box(20, 20, 80, 60)
    assert (found.labels, found.format) == (("cat", "indoor"), "Label Studio")
    assert [(p.what[:29], p.count) for p in found.problems] == [("a task was done several times", 1)]


def test_a_plain_text_of_json_min_is_told() -> None:
    found = read(MINIMAL | {"weather": "rain"})
    assert [(p.where, p.lost) for p in found.problems] == [("task 5, field 'weather'", False)]


def test_the_export_is_known_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "alice.dat"
    path.write_text(json.dumps([task(box())]))
    assert read_annotations(path).format == "Label Studio"


def test_a_storage_with_a_file_for_each_task_is_one_submission(tmp_path: Path) -> None:
    (tmp_path / "alice").mkdir()
    (tmp_path / "alice" / "1").write_text("not looked at: it has no ending")
    (tmp_path / "alice" / "2.json").write_text(json.dumps(task(box(), image="a.jpg")))
    annotation = {"id": 3, "completed_by": 7, "result": [box()], "task": {"id": 6, "data": {"image": "b.jpg"}}}
    (tmp_path / "alice" / "3.json").write_text(json.dumps(annotation))
    found = read_submissions([tmp_path / "alice"])
    assert [(s.student, s.error) for s in found] == [("alice", "")]
    assert found[0].annotations is not None
    assert [image.name for image in found[0].annotations.images] == ["a.jpg", "b.jpg"]


@pytest.mark.parametrize("item", [None, 3, [], {}, {"data": 3}, {"data": {"image": 3}}, {"task": 3, "result": 4}])
def test_items_that_are_no_tasks_are_told(item: Any) -> None:
    found = read(task(box()), item)
    assert len(found) == 1
    assert [problem.lost for problem in found.problems] == [True]


@pytest.mark.parametrize("drawn", [None, 3, [3], [{}], [{"result": 3}]])
def test_annotations_that_hold_nothing_leave_an_image_without_any(drawn: Any) -> None:
    found = read(task(annotations=drawn))
    assert (len(found), len(found.images)) == (0, 1)


def test_annotators_of_the_same_tasks_are_submissions_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "project.json"
    path.write_text(json.dumps([two_annotators(), task(box(label="alone"), image="b.jpg", id=6)]))
    found = read_submissions([path])
    assert [(s.student, s.error) for s in found] == [("a@b.c", ""), ("annotator 9", ""), ("annotator 7", "")]
    sets = [s.annotations for s in found if s.annotations is not None]
    assert [[a.labels[i] for i in a.label] for a in sets] == [["first"], ["second"], ["alone"]]
    assert [[image.name for image in a.images] for a in sets] == [["a.jpg"], ["a.jpg"], ["b.jpg"]]
    assert not any(problem.lost for a in sets for problem in a.problems)


def test_annotators_of_an_export_in_a_folder_are_told_apart_too(tmp_path: Path) -> None:
    (tmp_path / "project.json").write_text(json.dumps([two_annotators()]))
    assert [s.student for s in read_submissions([tmp_path])] == ["a@b.c", "annotator 9"]


def test_an_export_by_many_hands_with_one_for_each_task_is_one_submission(tmp_path: Path) -> None:
    other = task(image="b.jpg", annotations=[{"completed_by": 8, "result": [box()]}])
    path = tmp_path / "project.json"
    path.write_text(json.dumps([task(box()), other]))
    assert [s.student for s in read_submissions([path])] == ["project"]


def test_a_number_that_no_float_holds_costs_its_region_only() -> None:
    hostile = result("rectanglelabels", {"x": 1, "y": 2, "width": 77, "height": 5, "rectanglelabels": ["cat"]}, "r2")
    content = json.dumps([task(box(), hostile)]).encode().replace(b"77", b"1e999")
    annotations = read_label_studio([("a.json", content)], source="a.json")
    assert len(annotations) == 1
    assert ["not finite" in problem.what for problem in annotations.problems] == [True]


def test_parts_of_two_regions_are_two_groups() -> None:
    points = [
        result("keypointlabels", {"x": 1, "y": 1, "keypointlabels": ["eye"]}, f"k{i}", parentID=f"r{i}") for i in (1, 2)
    ]
    found = read(task(box(), box("r2"), *points))
    assert found.group is not None
    assert found.group.tolist() == [1, 2, 1, 2]


def test_the_size_of_a_region_is_the_first_that_can_be_used() -> None:
    other = {"original_width": 400, "original_height": 50}
    label = result("labels", {"labels": ["cat"]})
    assert read(task(result("rectangle", CORNERS), label | other)).shape(0) == Box(20, 20, 80, 60)
    for empty in ({"original_width": 0}, {"original_height": 0}, {"original_width": -5}, {"original_height": -5}):
        assert read(task(result("rectangle", CORNERS) | empty, label | other)).shape(0) == Box(40, 10, 160, 30)
    unread = read(task(result("rectangle", CORNERS) | {"original_width": "wide"}, label | other))
    assert len(unread) == 0
    assert unread.problems[0].what == "the size of the image cannot be read: original_width is not a number"


def test_a_region_of_another_size_or_on_a_turned_image_is_told() -> None:
    found = read(task(box(), box("r2") | {"original_width": 400}, box("r3") | {"image_rotation": 90}))
    assert found.shape(1) == Box(40, 20, 160, 60)
    assert found.images[0].width == 200
    assert [(p.what.split(":")[0], p.where, p.count, p.lost) for p in found.problems] == [
        ("a region states another size of its image than the first one does", "task 5, result 'r2'", 1, False),
        ("the image was shown turned", "task 5, result 'r3'", 1, False),
    ]


def test_regions_with_several_labels_or_none_are_told() -> None:
    two = result("rectanglelabels", CORNERS | {"rectanglelabels": ["cat", "dog", "cat"]}, "two")
    none = result("rectanglelabels", CORNERS | {"rectanglelabels": [3]}, "none")
    found = read(task(two, none, result("rectanglelabels", CORNERS | {"rectanglelabels": ["a", "a"]}, "same")))
    assert [found.labels[i] for i in found.label] == ["cat", "", "a"]
    assert [(p.what, p.where) for p in found.problems] == [
        ("a region has several labels: the first is scored", "task 5, result 'two'"),
        ("an annotation has no label", "task 5, result 'none'"),
    ]


def test_results_without_an_id_go_by_their_position_and_long_ones_are_cut() -> None:
    nameless = {key: value for key, value in box().items() if key != "id"}
    found = read(task(box(), nameless, {"id": "x" * 50, "type": "y" * 50, "value": {"a": 1}}, {"type": "relation"}))
    assert found.ids == ("r1", "result 2")
    assert [(p.what, p.where) for p in found.problems] == [
        ("relations between regions are not scored", "task 5, result '4'"),
        (f"an answer of type {'y' * 40!r} about the whole image is not scored", f"task 5, result {'x' * 40!r}"),
    ]
    unread = read(task(result("video" + "y" * 50, {})))
    assert unread.problems[0].what == f"a result of type {'video' + 'y' * 35!r} is not read"


def test_answers_of_any_kind_are_attributes() -> None:
    answers = [
        result("x", {"number": True, "rating": None, "datetime": "  ", "text": " a "}, from_name=""),
        result("x", {"choices": {"b": 1, "a": 2}}, from_name="c", meta={"text": ["one", "two"]}),
        result("x", {"taxonomy": []}, from_name="t", meta={"text": ""}),
    ]
    assert read(task(box(), *answers)).attributes == {
        0: {
            "text": "a",
            "rating": None,
            "number": True,
            "datetime": None,
            "c": '{"a":2,"b":1}',
            "meta": "one, two",
            "t": None,
        }
    }


def test_choices_that_are_no_texts_are_no_tags() -> None:
    stated = [{"id": "c", "value": {"choices": ["in", 3]}}, {"id": "d", "value": {"choices": "in"}}]
    found = read(task(*stated))
    assert len(found) == 0
    (problem,) = found.problems
    assert (problem.what, problem.count, problem.lost) == (
        "an answer of type 'unknown' about the whole image is not scored", 2, True,
    )  # fmt: skip


def test_of_three_works_two_are_not_scored() -> None:
    drawings = [{"completed_by": i, "result": [box(label=str(i))]} for i in (1, 2, 3)]
    found = read(task(annotations=drawings, predictions=[{"result": []}] * 2))
    assert [(p.what.split(":")[0], p.where, p.count) for p in found.problems] == [
        ("predictions of a model are not scored", "task 5", 2),
        ("a task was done several times", "task 5", 2),
    ]
    with pytest.raises(InputError) as refused:
        read(task(annotations=drawings), annotator="9")
    assert (refused.value.source, refused.value.field) == ("s.json", "annotator")


@pytest.mark.parametrize(
    ("stated", "turn"), [(0, 0), (30, 30), (-30, 330), (360, 0), (360.5, 0.5), (725, 5), (None, 0)]
)
def test_turns_are_within_a_full_one(stated: float | None, turn: float) -> None:
    ellipse = {"x": 50, "y": 50, "radiusX": 10, "radiusY": 10, "rotation": stated, "ellipselabels": ["b"]}
    shapes = read(task(box(rotation=stated), result("ellipselabels", ellipse, "e")))
    drawn, round_one = shapes.shape(0), shapes.shape(1)
    assert isinstance(drawn, Box)
    assert isinstance(round_one, Ellipse)
    assert (drawn.rotation, round_one.rotation) == pytest.approx((turn, turn))


def test_a_region_has_the_size_that_any_of_its_results_states() -> None:
    bare = {"original_width": None, "original_height": None}
    first = result("rectangle", CORNERS, "r1", **bare)
    second = result("labels", CORNERS | {"labels": ["cat"]}, "r1")
    shapes = read(task(first, second))
    assert shapes.images[0] == Image("a.jpg", 200, 100)
    assert shapes.shape(0) == Box(20, 20, 80, 60)
    assert shapes.problems == ()
