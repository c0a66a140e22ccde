"""Label Studio's tasks, and whose work an export holds."""

import json
from typing import Any

import pytest

from assay.errors import InputError
from assay.io.annotations.columns import ProblemTally
from assay.io.annotations.label_studio_tasks import annotators_of, may_hold_several, tasks_of


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
