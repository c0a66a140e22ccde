"""COCO's JSON as records: what msgspec says of odd ones, and outlines that are written otherwise."""

import json
from typing import Any

import msgspec
import numpy as np
import pytest

from assay.errors import InputError
from assay.io.annotations.coco.document import (
    CocoAnnotation,
    Rle,
    first_of,
    has_run_lengths,
    id_text,
    note_each,
    outline_of,
    path_and_reason,
    plain_document,
    read_document,
    read_results,
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


@pytest.mark.parametrize("outlines", [True, False])
def test_annotations_of_which_one_is_odd_are_read_one_by_one(outlines: bool) -> None:
    good = {"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1], "segmentation": [[0, 0, 4, 0, 4, 4]]}
    content, tally = json.dumps([good, {"id": 2, "image_id": 1, "bbox": "x"}, good]).encode(), ProblemTally()
    found = read_results(content, "r.json", outlines=outlines, tally=tally)
    assert [annotation.id for annotation in found] == [1, 1]
    (problem,) = tally.problems()
    assert (problem.where, problem.count) == ("annotation 2 of the list", 1)
    assert [isinstance(annotation.segmentation, list) for annotation in found] == [outlines] * 2


def test_panoptic_results_and_what_is_no_list_are_refused() -> None:
    for content, said in (
        (b'[{"segments_info": []}]', "it is COCO panoptic"),
        (b'{"image_id": 1}', "annotations is not a list"),
    ):
        with pytest.raises(InputError, match=said) as caught:
            read_results(content, "r.json", outlines=False, tally=ProblemTally())
        assert caught.value.source == "r.json"
        assert caught.value.remedy


@pytest.mark.parametrize(
    ("stated", "outline", "notes"),
    [
        ([["0", "0", "4", "0", "4", "4"]], [[0, 0, 4, 0, 4, 4]], 0),
        (["0", "0", "4", "0", "4", "4"], [[0, 0, 4, 0, 4, 4]], 1),
        ([[["0", "0"], ["4", "0"], ["4", "4"]], [[1, 1]]], [[0, 0, 4, 0, 4, 4], [1, 1]], 1),
        ({"size": ["2", "3"], "counts": ["1", "5"]}, Rle((2, 3), [1, 5]), 0),
    ],
)
def test_numbers_of_outlines_may_be_texts(stated: Any, outline: Any, notes: int) -> None:
    tally = ProblemTally()
    assert outline_of(annotation(stated), "annotation 1", tally) == outline
    assert [problem.where for problem in tally.problems()] == ["annotation 1"] * notes


def test_an_outline_that_cannot_be_read_says_why_without_positions() -> None:
    tally = ProblemTally()
    assert outline_of(annotation([[0, 0, "x"]]), "annotation 1", tally) is None
    (problem,) = tally.problems()
    assert problem.what == "an outline cannot be read, so the box is scored: [...][...] is str and not float"
    assert (problem.lost, problem.where) == (False, "annotation 1")


def test_numbers_of_an_annotation_may_be_texts_beside_one_that_is_odd() -> None:
    good = {"image_id": "7", "category_id": 1, "bbox": ["0", 1, "2.5", 3], "score": "0.5", "iscrowd": "1"}
    tally = ProblemTally()
    (found,) = read_results(json.dumps([{}, good]).encode(), "r.json", outlines=False, tally=tally)
    assert (found.bbox, found.score, found.iscrowd) == ([0, 1, 2.5, 3], 0.5, 1)
    (problem,) = tally.problems()
    assert (problem.what, problem.where) == (
        "an annotation cannot be read: an element has no image_id",
        "annotation 1 of the list",
    )


def test_troubles_are_counted_by_index_or_by_flag() -> None:
    rows = [CocoAnnotation[None](1, 1, id=i) for i in (3, 4, 5)]
    for which in ([1, 2], np.array([False, True, True])):
        tally = ProblemTally()
        note_each(tally.lost, "odd", rows, which)
        assert [(p.where, p.count, p.lost) for p in tally.problems()] == [("annotation 4", 2, True)]
    tally = ProblemTally()
    note_each(tally.repaired, "odd", rows, np.zeros(3, bool))
    assert tally.problems() == ()


def test_two_of_three_lists_make_a_file_plainly_coco() -> None:
    for content, plain in (
        (b'{"images": [], "categories": []}', True),
        (b'{"categories": [], "annotations": []}', True),
        (b'{"categories": []}', False),
        (b"[]", False),
    ):
        assert (plain_document(content, outlines=False) is not None) == plain


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("Expected `int`, got `str` - at `$.id`", "id is str and not int"),
        ("Expected `int | str`, got `null` - at `$`", "it is null and not int or str"),
        ("Expected `float`, got `null` - at `$.bbox[...]`", "bbox[...] is null or NaN and not float"),
        ("Expected `array` of length 2 - at `$.size`", "size: Expected `array` of length 2"),
        ("Nothing, got `str`", "it: Nothing, got `str`"),
        ("Object missing required field `id`", "an element has no id"),
        ("Object missing required field `id` - at `$.images[...]`", "images[...] has no id"),
    ],
)
def test_what_msgspec_says_is_put_in_words_of_the_file(said: str, words: str) -> None:
    assert wording(msgspec.ValidationError(said)) == words
