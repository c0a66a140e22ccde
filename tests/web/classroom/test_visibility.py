"""A grade is seen by its owner once it is released, in the parts that were chosen, and by staff."""

from pathlib import Path

from assay.store.classroom.assignments import SHOWN
from assay.store.items import workspace_items
from assay.web.classroom.visibility import released_enrollments, shown_of
from assay.web.pages.page_parts import find_context
from assay.web.visitors import Visitor
from tests.web.classroom.classes import Class


def test_parts_of_a_grade_are_seen_as_they_were_chosen(tmp_path: Path) -> None:
    course = Class(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path)
    workspace = course.assignment()
    course.hand_in("amara", workspace)
    course.visit.work()
    results = f"/api/v1/workspaces/{workspace}/results"
    site, own = course.visit.site, course.students["amara"]
    student = Visitor("amara", "student", None, courses={course.course: "student"}, enrollments=(own,))
    context = find_context(workspace, site, Visitor("x", "admin"))
    as_owner = context.visitor
    (item,) = site.database.read(workspace_items, workspace)
    before = course.get("amara", results).json()
    course.release(workspace, shown=["errors"])
    errors_only = course.get("amara", results).json()["results"][0]
    page = course.get("amara", f"/essays/{workspace}/submissions/{item.id}").text
    course.release(workspace, shown=["score"])
    score_only = course.get("amara", results).json()["results"][0]
    course.get("amara", f"/essays/{workspace}/submissions/{item.id}", status=404)
    everything = site.database.read(shown_of, context, item)
    course.close()

    assert (as_owner.may_train, everything) == (True, frozenset(SHOWN))
    assert before == {"total": 0, "results": []}
    assert (errors_only["score"], errors_only["final_score"], errors_only["payload"]) == (None, None, {})
    assert "system score" not in page
    assert "What to work on" not in page
    assert "Errors marked" in page
    assert score_only["final_score"] is not None
    assert score_only["payload"] == {}
    assert released_enrollments.__doc__
    assert student.enrollments == (own,)
