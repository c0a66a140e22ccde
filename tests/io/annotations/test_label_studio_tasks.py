"""Label Studio's tasks, and whose work an export holds."""

import json
from typing import Any

import pytest

from assay.errors import InputError
from assay.io.annotations.columns import ProblemTally
from assay.io.annotations.label_studio_tasks import (
    address_of,
    annotators_of,
    image_names,
    may_hold_several,
    path_of,
    student_of,
    tasks_of,
)


def task(image: str, *annotators: Any, **more: Any) -> dict[str, Any]:
    drawn = [{"completed_by": who, "result": []} for who in annotators]
    return {"id": 1, "data": {"image": image}, "annotations": drawn, **more}


def annotators(*tasks: dict[str, Any]) -> tuple[str, ...]:
    return annotators_of(json.dumps(tasks).encode(), "s.json")


def test_two_annotators_of_one_task_are_two_submissions() -> None:
    both = task("a.jpg", {"email": "ada@x.org", "id": 1}, 2)
    assert annotators(both, task("b.jpg", 3)) == ("ada@x.org", "2", "3")


def test_annotators_of_different_tasks_are_one_submission() -> None:
    assert annotators(task("a.jpg", 1), task("b.jpg", 2)) == ()


@pytest.mark.parametrize("content", [b'[{"completed_by": ', b'{"completed_by": 1}', b"", b"[]"])
def test_what_is_no_export_has_no_annotators(content: bytes) -> None:
    assert annotators_of(content, "s.json") == ()
    assert not may_hold_several(b'{"annotator": 1}')


def test_items_about_one_image_are_put_together() -> None:
    problems = ProblemTally()
    items = [
        {"image": "a.jpg", "annotator": 1, "boxes": [{"x": 1}]},
        {"image": "a.jpg", "annotator": 2, "boxes": [], "note": "hi"},
    ]
    (found,) = tasks_of(items, "s.json", problems)
    assert [drawing.annotator for drawing in found.drawings] == ["1", "2"]
    assert found.drawings[0].result[0]["value"] == {"x": 1}
    assert "JSON-MIN does not tell" in problems.problems()[0].what


def test_skipped_tasks_and_odd_results_are_told() -> None:
    problems = ProblemTally()
    odd = task("a.jpg", 1, predictions=[1, 2])
    odd["annotations"] += [{"result": [], "was_cancelled": True}, {"result": None}, {"result": [7]}]
    (found,) = tasks_of([odd, 5], "s.json", problems)
    assert (len(found.drawings), found.predictions) == (2, 2)
    assert [problem.lost for problem in problems.problems()] == [False, True, True, True]


def test_tasks_without_images_are_refused() -> None:
    with pytest.raises(InputError, match="not one of its 1 tasks names an image") as refused:
        tasks_of([{"data": {"text": "hello"}, "annotations": []}], "s.json", ProblemTally())
    assert refused.value.source == "s.json"


@pytest.mark.parametrize(
    ("values", "key"),
    [
        ({"text": "hi", "image": "a.txt"}, "image"),
        ({"url": "x", "img": "y"}, "img"),
        ({"shot": "s3://b/A.JPG?x=1", "note": "b.txt"}, "shot"),
        ({"one": "a.jpg", "two": "b.jpg"}, ""),
        ({"image": " ", "n": 3}, ""),
    ],
)
def test_the_image_of_a_task_is_under_the_usual_key_or_the_only_one_that_looks_like_one(
    values: dict[str, Any], key: str
) -> None:
    assert address_of(values) == (key, values.get(key, ""))


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("data:image/png;base64,xx", ""),
        ("/data/local-files/?d=a%2Fb.jpg", "a/b.jpg"),
        ("https://x.org/a%20b.jpg?w=1#f", "a b.jpg"),
        ("shots\\a.jpg", "shots/a.jpg"),
        ("http://[bad/a.jpg", "[bad/a.jpg"),
    ],
)
def test_the_path_of_an_image_is_what_holds_it_taken_away(address: str, path: str) -> None:
    assert path_of(address) == path


def test_names_are_the_shortest_that_differ_and_uploads_lose_their_mark() -> None:
    uploads = ["/data/upload/1/0a1b2c3d-a.jpg", "/data/upload/2/1a1b2c3d-a.jpg", "/data/upload/2/xyz-b.jpg"]
    assert image_names(uploads) == ["data/upload/1/0a1b2c3d-a.jpg", "data/upload/2/1a1b2c3d-a.jpg", "xyz-b.jpg"]
    assert image_names(["data:image/png;base64,xx", "a/b.jpg"]) == ["", "a/b.jpg"]
    assert image_names(["s3://x/a.jpg?1", "s3://x/a.jpg?2"]) == ["s3://x/a.jpg?1", "s3://x/a.jpg?2"]


def test_an_annotation_with_its_task_is_that_task() -> None:
    stored = {
        "id": 9,
        "result": [{"x": 1}],
        "completed_by": {"username": "bo"},
        "task": {"id": 4, "data": {"image": "a"}},
    }
    (found,) = tasks_of([stored], "s.json", ProblemTally())
    assert (found.name, found.address, found.predictions) == ("task 4", "a", 0)
    assert [(drawing.annotator, len(drawing.result)) for drawing in found.drawings] == [("bo", 1)]


def test_a_minimal_export_has_regions_choices_and_fields_that_are_told() -> None:
    problems = ProblemTally()
    item = {
        "id": 3,
        "image": "a.jpg",
        "annotator": 1,
        "lead_time": 2,
        "kind": {"choices": ["x"]},
        "note": "hi",
        "none": "",
    }
    (found,) = tasks_of([{**item, "boxes": [{"x": 1}, {"x": 2}]}], "s.json", problems)
    (drawing,) = found.drawings
    assert [(result["id"], result["from_name"]) for result in drawing.result] == [
        *(("kind", "kind"), ("boxes 1", "boxes"), ("boxes 2", "boxes")),
    ]
    assert drawing.result[0]["type"] == "choices"
    assert [(problem.where, problem.lost) for problem in problems.problems()] == [("task 3, field 'note'", False)]


@pytest.mark.parametrize(
    ("stated", "name"),
    [({"email": "a@b", "id": 1}, "a@b"), ({"id": 1, "username": "u"}, "1"), ({}, ""), (None, ""), (0, "0")],
)
def test_an_annotator_goes_by_address_number_or_name(stated: Any, name: str) -> None:
    (found,) = tasks_of([task("a.jpg", stated)], "s.json", ProblemTally())
    assert found.drawings[0].annotator == name
    assert student_of("7") == "annotator 7"


def test_a_task_without_an_id_goes_by_its_position() -> None:
    problems = ProblemTally()
    tasks_of([task("a.jpg", 1), {"data": {}, "annotations": []}, 7], "s.json", problems)
    assert [problem.where for problem in problems.problems()] == ["task at position 2", "item 3"]


def test_items_of_one_image_add_up_and_the_first_names_the_task() -> None:
    problems = ProblemTally()
    items = [task("a.jpg", 1, predictions=[1]), {**task("a.jpg", 2, predictions=[1, 2]), "id": 2}, task("b.jpg", 3)]
    first, second = tasks_of(items, "s.json", problems)
    assert (first.name, first.predictions, len(first.drawings)) == ("task 1", 3, 2)
    assert (second.address, second.predictions) == ("b.jpg", 0)
    assert tasks_of([], "s.json", problems) == []


def test_places_of_what_is_odd_are_counted_from_one_and_ids_cut() -> None:
    problems = ProblemTally()
    many = task("a.jpg", 1)
    many["annotations"][0]["result"] = [1, {}, 2]
    tasks_of([many, 7, {"id": "x" * 50, "data": {}}, {"id": 1.5, "other": 1}], "s.json", problems)
    assert [(p.what, p.where, p.count) for p in problems.problems()] == [
        ("a result is no object", "task 1", 2),
        ("an item of the list is no task", "item 2", 1),
        ("a task names no image, or several", f"task {'x' * 40}", 2),
    ]


def test_a_minimal_item_without_an_image_is_told_by_position() -> None:
    problems = ProblemTally()
    tasks_of([task("a.jpg", 1), {"annotator": 1, "lead_time": 2}], "s.json", problems)
    assert [problem.where for problem in problems.problems()] == ["task at position 2"]


@pytest.mark.parametrize("stated", [["a", "b"], [{"x": 1}, "b"], [1], "text", 7, {"a": 1}])
def test_a_field_of_json_min_is_a_list_of_regions_or_none(stated: Any) -> None:
    problems = ProblemTally()
    (found,) = tasks_of([{"image": "a.jpg", "id": 3, "note": stated}], "s.json", problems)
    assert found.drawings[0].result == ()
    assert [problem.where for problem in problems.problems()] == ["task 3, field 'note'"]
    nothing: tuple[object, ...] = ([], {}, "", None)
    for empty in nothing:
        problems = ProblemTally()
        assert tasks_of([{"image": "a.jpg", "note": empty}], "s.json", problems)[0].drawings[0].result == ()
        assert problems.problems() == ()
