"""The kernel's walk through COCO's JSON: what is ordinary, wherever the text is cut, and what is handed back."""

import json
from collections.abc import Iterator
from dataclasses import fields
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.io.annotations.coco.document import CocoImage
from assay.io.annotations.coco.scanned import ScannedAnnotations, scan_dataset, scan_results
from assay.kernel import Kernel, kernel

COMPILED = kernel()
pytestmark = pytest.mark.skipif(COMPILED is None, reason="the compiled kernel was not built here")

POLYGON = {"segmentation": [[0, 0, 4, 0, 4.5, 4], [10, 10, 12, 10, 11, 12.25]]}
MASK = {"segmentation": {"size": [2, 5], "counts": "3\\1"}}
ROWS: list[dict[str, Any]] = [
    {"id": 1, "bbox": [1.5, 2, 3, 4], "area": 702.1057499999998, "iscrowd": 0},
    {"id": 2, "bbox": None, **POLYGON, "note": {"deep": [[[{"a": [1, "]}", None, True]}]]]}},
    {
        "id": 3,
        "segmentation": {"counts": [3, 4, 3], "size": [2, 5], "more": {}},
        "iscrowd": 1,
        "attributes": {"a": "b"},
    },
    {"id": -4, "keypoints": [1, 2, 2, 3e1, 4.25, 0], "score": 0.5, "ignore": True, "bbox": [], "attributes": {}},
]


def rows(*annotations: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"image_id": 1, "category_id": 2, **one} for one in annotations]


def dataset(*annotations: dict[str, Any], **members: Any) -> bytes:
    around = {
        "info": {"year": 2026},
        "images": [{"id": 1, "file_name": "ä.jpg"}],
        "categories": [{"id": 2, "name": "x"}],
    }
    return json.dumps({**around, "annotations": rows(*annotations), **members}).encode()


class Pieces(BytesIO):
    """A file that is read in pieces of given sizes."""

    def __init__(self, content: bytes, sizes: Iterator[int]) -> None:
        super().__init__(content)
        self.sizes = sizes

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        return super().readinto(buffer[: next(self.sizes)])


def scanned(content: bytes, size: int = 1 << 20) -> ScannedAnnotations | None:
    assert COMPILED is not None

    def sizes() -> Iterator[int]:
        while True:
            yield size

    if content.startswith(b"["):
        return scan_results(COMPILED, Pieces(content, sizes()), "a.json")
    found = scan_dataset(COMPILED, Pieces(content, sizes()), "a.json")
    return None if found is None else found[0]


def test_columns_hold_what_the_file_states() -> None:
    read = scanned(dataset(*ROWS))
    assert read is not None
    assert read.ids is not None
    assert read.ids.tolist() == [1, 2, 3, -4]
    assert read.box[0].tolist() == [1.5, 2, 3, 4]
    assert np.isnan(read.box[1:]).all()
    assert read.area is not None
    assert read.score is not None
    assert (read.area[0], read.score[3]) == (702.1057499999998, 0.5)
    assert np.isnan(read.area[1:]).all()
    assert np.isnan(read.score[:3]).all()
    assert (read.rings.count.tolist(), read.rings.owner.tolist()) == ([3, 3], [1, 1])
    assert read.rings.points[[2, 5]].tolist() == [[4.5, 4], [11, 12.25]]
    assert (read.mask_owner.tolist(), read.masks.mask(0).runs.tolist()) == ([2], [3, 4, 3])
    assert (read.masks.width.tolist(), read.masks.height.tolist()) == ([5], [2])
    assert read.mask_bounds.tolist() == [[1, 0, 4, 2]]
    assert (read.keypoint_owner.tolist(), read.keypoint_count.tolist()) == ([3], [2])
    assert (read.points.tolist(), read.visibility.tolist()) == ([[1, 2], [30, 4.25]], [2, 0])
    assert read.attributes == {2: {"a": "b"}}
    assert [read[k].id for k in range(4)] == [one.id for one in read[:]]


def test_images_and_categories_are_read_wherever_they_stand() -> None:
    assert COMPILED is not None
    content = b'{"annotations": %b, "categories": [], "images": [{"id": 7}]}' % json.dumps(rows(ROWS[0])).encode()
    found = scan_dataset(COMPILED, BytesIO(content + b" \n"), "a.json")
    assert found is not None
    assert (found[1], found[2]) == ([CocoImage(7)], [])


@pytest.mark.parametrize("size", [1, 2, 3, 7, 50, 1000])
@pytest.mark.parametrize("content", [dataset(*ROWS), json.dumps(rows(*ROWS), indent=3).encode()])
def test_it_does_not_matter_where_the_text_is_cut(size: int, content: bytes) -> None:
    whole, pieces = scanned(content), scanned(content, size)
    assert whole is not None
    assert pieces is not None
    for field in fields(whole):
        one, other = getattr(whole, field.name), getattr(pieces, field.name)
        if isinstance(one, np.ndarray):
            np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(whole.rings.points, pieces.rings.points)
    np.testing.assert_array_equal(whole.masks.runs, pieces.masks.runs)


ODD: list[dict[str, Any]] = [
    {"id": "7"},
    {"id": 1.5},
    {"image_id": "1"},
    {"image_id": None},
    {"category_id": 1 << 70},
    {"bbox": [1, 2, 3]},
    {"bbox": [1, 2, 3, "4"]},
    {"bbox": [1, 2, 3, None]},
    {"segmentation": [1, 2, 3, 4, 5, 6]},
    {"segmentation": [[1, 2, 3]]},
    {"segmentation": [[1, 2], [3, 4], [5, 6]]},
    {"segmentation": "x"},
    {"segmentation": {"size": [2, 2], "counts": [1, 2]}},
    {"segmentation": {"size": [2, 2], "counts": [-1, 5]}},
    {"segmentation": {"size": [2], "counts": [4]}},
    {"segmentation": {"size": [2, 2]}},
    {"segmentation": {"size": [2, 2], "counts": "4P"}},
    {"segmentation": {"size": [2, 2], "counts": "4\n"}},
    {"segmentation": {"size": [1 << 31, 1 << 31], "counts": [1]}},
    {"keypoints": [1, 2]},
    {"keypoints": [1, 2e7, 2]},
    {"iscrowd": 0.5},
    {"attributes": [1]},
    {"face_box": [1, 2, 3, 4]},
    {"foot_kpts": [1, 2, 2]},
    {"isbbox": True},
    {"metadata": {"a": 1}},
    {"segments_info": []},
]


@pytest.mark.parametrize("odd", ODD)
def test_what_is_out_of_the_ordinary_is_handed_back(odd: dict[str, Any]) -> None:
    assert scanned(dataset(ROWS[0], {**ROWS[1], **odd})) is None


@pytest.mark.parametrize(
    "text",
    [
        b'{"images": [], "categories": [], "annotations": [{"id": 1, "id": 2, "image_id": 1, "category_id": 1}]}',
        b'{"images": [], "categories": [], "annotations": [{"im\\u0061ge_id": 1, "image_id": 1, "category_id": 1}]}',
        b'{"images": [], "categories": [], "annotations": [{"image_id": 01, "category_id": 1}]}',
        b'{"images": [], "categories": [], "annotations": [{"image_id": 1, "category_id": 1, "area": NaN}]}',
        b'{"images": [], "categories": [], "annotations": [{"image_id": 1, "category_id": 1, "area": 1.}]}',
        b'{"images": [], "categories": [], "annotations": [{"image_id": 1, "category_id": 1, "area": 1e999}]}',
        b'{"images": [], "categories": [], "annotations": [{"image_id": 1, "category_id": 1,}]}',
        b'{"images": [], "categories": [], "annotations": [{"image_id": 1, "category_id": 1}]} x',
        b'{"images": [], "categories": [], "annotations": [{"image_id": 1, "category_id": 1}]',
        b'{"images": [], "categories": [], "annotations": [{"image_id": 1, "category_id": 1\x00}]}',
        b'{"images": [], "categories": [], "annotations": [], "annotations": [{"image_id": 1, "category_id": 1}]}',
        b'{"images": [], "images": [], "categories": [], "annotations": [{"image_id": 1, "category_id": 1}]}',
        b'{"images": [], "annotations": [{"image_id": 1, "category_id": 1}]}',
        b'{"images": [], "categories": [], "annotations": []}',
        b'{"images": {}, "categories": [], "annotations": [{"image_id": 1, "category_id": 1}]}',
        b'{"images": [], "categories": [], "annotations": {}}',
        b'[{"image_id": 1, "category_id": 1},]',
        b"[1]",
        b"[",
        b"",
    ],
)
def test_broken_json_and_what_is_stated_twice_are_handed_back(text: bytes) -> None:
    assert scanned(text) is None


def test_ids_are_stated_by_all_or_by_none() -> None:
    plain = {key: value for key, value in ROWS[0].items() if key != "id"}
    read = scanned(json.dumps(rows(plain, plain)).encode())
    assert read is not None
    assert read.ids is None
    assert scanned(json.dumps(rows(ROWS[0], plain)).encode()) is None


def test_nesting_is_counted_and_has_an_end() -> None:
    for depth, ordinary in ((60, True), (200, False), (100_000, False)):
        text = dataset({"deep": 1}).replace(b'"deep": 1', b'"deep": ' + b"[" * depth + b"]" * depth)
        assert (scanned(text) is not None) is ordinary


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**25), 10**25).map(float))
@settings(max_examples=300)
def test_numbers_are_read_as_python_reads_them(number: float) -> None:
    for text in (repr(number), f"{number:.17e}", f"{number:.3f}"[:120], f"{number:.0f}"[:120]):
        read = scanned(b'[{"image_id":1,"category_id":1,"area":%b}]' % text.encode())
        assert read is None or (read.area is not None and read.area[0] == float(text))
        assert read is not None or len(text) > 100 or abs(number) > 1e300


@pytest.mark.parametrize(
    ("variable", "row"),
    [("POLYGON_POINTS", ROWS[1]), ("OUTLINE_POINTS", ROWS[1]), ("MASK_RUNS", ROWS[2])],
)
def test_more_than_the_limits_allow_is_refused(
    variable: str, row: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"ASSAY_LIMIT_{variable}", "2")
    with pytest.raises(InputError, match=f"ASSAY_LIMIT_{variable}"):
        scanned(dataset(row))


def test_the_kernel_is_typed_as_it_is() -> None:
    assert {name for name in vars(Kernel) if not name.startswith("_")} <= set(dir(COMPILED))
