"""Formats are known by content; what is not read says what it is and what to do."""

import pytest

from assay.annotations.shapes.shapes import ShapeKind
from assay.errors import InputError
from assay.io.annotations.detect import FORMATS, DetectedFile, FormatReading, detect, format_of


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b'{"images": [], "annotations": []}', "COCO"),
        (b'[{"image_id": 1, "category_id": 2}]', "COCO results"),
        (b"<annotations><meta/></annotations>", "CVAT"),
        (b"<annotation><filename/></annotation>", "Pascal VOC"),
        (b'{"shapes": [], "imagePath": "a.jpg"}', "LabelMe"),
        (b'[{"data": {}, "annotations": []}]', "Label Studio"),
        (b'{"data": {}, "annotations": []}', "Label Studio tasks"),
        (b"0 0.5 0.5 1 1\n", "YOLO"),
        (b'\xef\xbb\xbf {"images": [NaN], "annotations": []}', "COCO"),
    ],
)
def test_a_format_is_known_by_its_content(content: bytes, name: str) -> None:
    assert format_of(detect("whatever.bin", content)).name == name


@pytest.mark.parametrize(
    ("content", "problem", "remedy"),
    [
        (b'{"tags": [], "shapes": [], "tracks": []}', "CVAT's own JSON", "export it as"),
        (b'{"count": 1, "next": null, "previous": null, "results": []}', "a page of CVAT's API", "export it as"),
        (b'[{"data": {}}]', "Label Studio tasks without annotations", "Export the results"),
        (b'[{"segments_info": []}]', "COCO panoptic", "COCO instances"),
        (b'{"project": 1, "config": 1, "metadata": {}, "view": {}}', "VIA 3", "as COCO"),
        (b"MaskPath,ImageID,LabelName", "masks of Open Images", "CSV of boxes"),
        (b'{"type": "FeatureCollection", "features": []}', "GeoJSON", "as COCO"),
        (b"<html><body/></html>", "a web page", "by mistake"),
        (b'{"a": 1}', "JSON with the keys a", "Formats that are read"),
        (b"hello", "text, but neither JSON nor XML", "Formats that are read"),
    ],
)
def test_what_is_not_read_is_named_with_its_remedy(content: bytes, problem: str, remedy: str) -> None:
    with pytest.raises(InputError) as refused:
        format_of(detect("a.json", content))
    assert refused.value.source == "a.json"
    assert problem in str(refused.value.problem)
    assert remedy in str(refused.value.remedy)


@pytest.mark.parametrize(("content", "problem"), [(b" \n", "the file is empty"), (b"\0\1\2", "it is not text")])
def test_what_is_no_text_is_refused(content: bytes, problem: str) -> None:
    with pytest.raises(InputError) as refused:
        detect("a.json", content)
    assert (refused.value.source, refused.value.problem) == ("a.json", problem)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b'{"images": [], "categories": []}', "COCO"),
        (b'{"annotations": [], "categories": []}', "COCO"),
        (b"[]", "COCO results"),
        (b'{"shapes": [], "imageData": null}', "LabelMe"),
        (b'[{"data": {}, "completions": []}]', "Label Studio"),
        (b'[{"annotator": 1, "lead_time": 2}]', "Label Studio"),
        (b'[{"annotation_id": 1, "lead_time": 2}]', "Label Studio"),
        (b'{"result": [], "task": 1}', "Label Studio tasks"),
        (b'{"categories": [], "info": {}}', "YOLO"),
        (b'{"categories": []}', "YOLO"),
    ],
)
def test_each_way_to_write_a_format_is_known(content: bytes, name: str) -> None:
    assert format_of(detect("a", content)).name == name


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b'[{"image_id": 1}]', "it is JSON whose items have the keys image_id"),
        (b'[{"annotator": 1}]', "whose items have the keys annotator"),
        (b'{"images": []}', "it is JSON with the keys images"),
        (b'{"shapes": []}', "it is JSON with the keys shapes"),
        (b"{}", "it is JSON without the lists of COCO"),
        (b'{"job": 1, "task": 2}', "CVAT's own JSON"),
        (b"<svg><g/></svg>", "it is XML with the root <svg>"),
        (b'{"items": [], "categories": [], "images": []}', None),
    ],
)
def test_what_nearly_is_a_format_is_not_taken_for_it(content: bytes, problem: str | None) -> None:
    if problem is None:
        assert format_of(detect("a", content)).name == "COCO"
        return
    with pytest.raises(InputError) as refused:
        format_of(detect("a", content))
    assert problem in str(refused.value.problem)


def test_at_most_eight_keys_are_shown_each_in_part() -> None:
    keys = ", ".join(f'"{letter * 50}": 1' for letter in "ihgfedcba")
    with pytest.raises(InputError) as refused:
        format_of(detect("a", f"{{{keys}}}".encode()))
    assert str(refused.value.problem).endswith(", ".join(letter * 40 for letter in "abcdefgh"))


def test_the_first_look_tells_syntax_keys_and_root_and_mends_what_is_read() -> None:
    listed = detect("a", b'\xef\xbb\xbf[{"x": NaN}]')
    assert (listed.syntax, listed.is_list, listed.keys) == ("json", True, frozenset({"x"}))
    assert b"NaN" not in listed.content
    element = detect("a", b" \n<?xml version='1.0'?><annotations><x/></annotations>")
    assert (element.syntax, element.root, element.content[:5]) == ("xml", "annotations", b"<?xml")
    assert detect("a", b"hello").syntax == "text"
    with pytest.raises(InputError, match="Export it again"):
        detect("a", b"")


def test_only_formats_with_a_file_per_image_are_read_folder_by_folder() -> None:
    assert [form.name for form in FORMATS if form.per_image] == [
        *("Pascal VOC", "LabelMe", "Label Studio tasks", "Supervisely", "KITTI", "MOT", "Open Images", "YOLO"),
    ]


def test_readers_get_what_was_asked_of_them() -> None:
    coco = (
        b'{"images": [{"id": 1, "file_name": "a"}], "categories": [{"id": 1, "name": "x"}], "annotations": '
        b'[{"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 5, 5], "segmentation": [[0, 0, 4, 0, 4, 4]]}]}'
    )
    form = format_of(detect("a", coco))
    kinds = [form.read([("a", coco)], "s", FormatReading(prefer=prefer)).kind[0] for prefer in ("shape", "box")]
    assert kinds == [ShapeKind.POLYGON, ShapeKind.BOX]


def test_what_is_not_said_of_a_reading_or_a_file_is_the_usual() -> None:
    reading = FormatReading()
    assert (reading.like, reading.prefer, reading.annotator, reading.images) == (None, "shape", "", None)
    assert reading.annotators_apart is False
    file = DetectedFile("a", b"secret", "text")
    assert (file.is_list, file.keys, file.root) == (False, frozenset(), "")
    assert "secret" not in repr(file)


def test_binary_content_is_looked_for_at_the_beginning_only() -> None:
    with pytest.raises(InputError, match="it is not text"):
        detect("a", b"x" * 8191 + b"\0")
    assert detect("a", b"x" * 8192 + b"\0").syntax == "text"


@pytest.mark.parametrize(
    "content",
    [
        b'{"job": 1}',
        b'[{"data": {}, "lead_time": 1}]',
        b'{"type": 1, "features": 2, "more": 3}',
        b'{"key": 1, "figures": [], "objects": []}',
        b"<HTML><x/></HTML>",
    ],
)
def test_each_thing_that_is_not_read_is_told_by_name(content: bytes) -> None:
    with pytest.raises(InputError) as refused:
        format_of(detect("a", content))
    assert "no annotation file that is known" not in str(refused.value.problem)


def test_a_long_root_is_shown_in_part() -> None:
    with pytest.raises(InputError, match=f"with the root <{'r' * 40}>$|with the root <{'r' * 40}>"):
        format_of(detect("a", f"<{'r' * 50}><x/></{'r' * 50}>".encode()))
    for almost in (b'[{"images": 1, "annotations": 2}]', b'{"categories": [], "other": 1}'):
        with pytest.raises(InputError):
            format_of(detect("a", almost))
