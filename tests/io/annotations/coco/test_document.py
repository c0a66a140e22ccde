"""COCO's JSON as records: what msgspec says of odd ones, and outlines that are written otherwise."""

import json
from typing import Any

import msgspec
import pytest

from assay.errors import InputError
from assay.io.annotations.coco.document import (
    CocoAnnotation,
    Rle,
    first_of,
    has_run_lengths,
    id_text,
    outline_of,
    path_and_reason,
    plain_document,
    read_document,
    wording,
)
from assay.io.annotations.columns import ProblemTally


class Row(msgspec.Struct):
    bbox: list[float]
    name: str = ""


def refused(content: str) -> msgspec.ValidationError:
    with pytest.raises(msgspec.ValidationError) as problem:
        msgspec.json.decode(content, type=list[Row])
    return problem.value


@pytest.mark.parametrize(
    ("content", "path", "says"),
    [
        ('[{"bbox": [1, null]}]', "[0].bbox[1]", "[0].bbox[1] is null or NaN and not float"),
        ('[{"bbox": "x"}]', "[0].bbox", "[0].bbox is str and not array"),
        ('[{"name": "x"}]', "[0]", "[0] has no bbox"),
        ("7", "", "it is int and not array"),
    ],
)
def test_what_msgspec_says_is_told_by_place_and_kind(content: str, path: str, says: str) -> None:
    problem = refused(content)
    assert path_and_reason(problem)[0] == path
    assert wording(problem) == says


def annotation(segmentation: Any) -> CocoAnnotation[Any]:
    return CocoAnnotation(image_id=1, category_id=1, segmentation=msgspec.Raw(json.dumps(segmentation).encode()))


@pytest.mark.parametrize(
    ("stated", "outline", "note"),
    [
        ([[0, 0, 4, 0, 4, 4]], [[0, 0, 4, 0, 4, 4]], None),
        ([0, 0, 4, 0, 4, 4], [[0, 0, 4, 0, 4, 4]], "a single flat list"),
        ([[[0, 0], [4, 0], [4, 4]]], [[0, 0, 4, 0, 4, 4]], "made of points"),
        ("none", None, "cannot be read"),
        (None, None, None),
    ],
)
def test_outlines_are_read_however_they_are_written(stated: Any, outline: Any, note: str | None) -> None:
    tally = ProblemTally()
    assert outline_of(annotation(stated), "here", tally) == outline
    assert [note in problem.what for problem in tally.problems() if note] == ([True] if note else [])


def test_run_lengths_are_known_before_and_after_they_are_read() -> None:
    assert has_run_lengths(annotation({"size": [1, 1], "counts": [1]}))
    assert has_run_lengths(CocoAnnotation(1, 1, segmentation=Rle((1, 1), "01")))
    assert not has_run_lengths(annotation([[0, 0, 1, 1, 2, 2]]))


def test_odd_attributes_do_not_cost_an_annotation_its_shape() -> None:
    rows = [
        {"image_id": 1, "category_id": 1, "attributes": [{"name": "colour", "value": "red"}]},
        {"image_id": 1, "category_id": 1, "attributes": "red"},
        {"image_id": 1, "category_id": None},
    ]
    tally = ProblemTally()
    whole = read_document(json.dumps({"annotations": rows}).encode(), "s", outlines=False, tally=tally)
    assert [a.attributes for a in whole.annotations] == [{"colour": "red"}, None]
    assert [(problem.where, problem.lost) for problem in tally.problems()] == [
        ("annotation 2 of the list", False),
        ("annotation 3 of the list", True),
    ]


def test_images_that_are_malformed_are_named_with_file_and_remedy() -> None:
    with pytest.raises(InputError) as problem:
        read_document(b'{"images": [{"file_name": "a"}]}', "s.json", outlines=True, tally=ProblemTally())
    assert (problem.value.source, problem.value.problem) == ("s.json", "images[0] has no id")
    assert problem.value.remedy


def test_a_file_with_one_of_three_lists_is_not_plainly_coco() -> None:
    assert plain_document(b'{"images": []}', outlines=True) is None
    assert plain_document(b'{"images": [], "annotations": []}', outlines=True) is not None
    assert plain_document(b'{"images": [', outlines=True) is None


def test_the_first_of_some_annotations_is_named_by_id_or_position() -> None:
    rows = [CocoAnnotation[None](1, 1), CocoAnnotation[None](1, 1, id=7.0)]
    assert [first_of(rows, which) for which in ([], [1], [0, 1])] == ["", "annotation 7", "annotation 1"]
    assert id_text(2.5) == "2.5"
