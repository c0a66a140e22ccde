"""Formats are known by content; what is not read says what it is and what to do."""

import pytest

from assay.errors import InputError
from assay.io.annotations.detect import detect, format_of


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
        (b'{"items": [], "categories": {}}', "Datumaro", "COCO or CVAT"),
        (b'{"_via_settings": {}}', "VGG Image Annotator", "as COCO"),
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
