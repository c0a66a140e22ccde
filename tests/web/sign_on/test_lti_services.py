"""Grades go to the gradebook of the platform a person came from."""

from pathlib import Path

import pytest

from assay.store.courses import course_people, enroll
from assay.store.items import NewItem, put_items, put_result
from assay.store.rosters import set_owner
from assay.store.sign_on.lti_courses import contexts_of_course
from assay.store.workspaces import change_workspace, create_workspace, entries, find_workspace
from assay.web.classroom.teaching import release_chosen
from assay.web.sign_on.lti import CLAIM
from assay.web.sign_on.lti_services import PassedGrade, next_page, passback
from assay.web.sign_on.outgoing import SignOnProblem
from assay.web.visitors import Visitor
from assay.web.workspaces.kinds import KINDS
from assay.web.workspaces.scoring import WorkspaceContext
from tests.web.sign_on.lti_platform import running_platform
from tests.web.visits import Visit


def test_a_grade_is_passed_back_to_the_column_of_its_link_or_to_a_new_one(database_url: str, tmp_path: Path) -> None:
    with running_platform() as platform:
        visit = Visit(database_url, tmp_path / "cache", accounts=True, sign_on=platform.settings(tmp_path))
        platform.tool_keys = visit.client.get("/lti/keys").json()
        course = platform.launch(visit.client, "t1", "Instructor").headers["location"].split("/")[2]
        now = visit.site.now()
        with visit.site.database.writing() as connection:
            linked, other = (
                create_workspace(connection, "essays", name, author="x", now=now, course_id=course)
                for name in ("Essay 1", "Essay 2")
            )
            local = enroll(connection, course, "student", "From a list", now=now)
        platform.launch(visit.another(), "s1", "Learner", **{f"{CLAIM}custom": {"workspace": linked.id}})
        people = visit.site.database.read(course_people, course, "student")
        student = next(one for one in people if one.name == "Person s1")

        assert passback(visit.site, course, student.id, PassedGrade(linked.id, "Essay 1", 4.5, 6)) == 1
        for _ in range(2):
            assert passback(visit.site, course, student.id, PassedGrade(other.id, "Essay 2", 3, 6)) == 1
        assert passback(visit.site, course, local.id, PassedGrade(linked.id, "Essay 1", 4.5, 6)) == 0
        assert passback(visit.site, "default", student.id, PassedGrade(linked.id, "Essay 1", 4.5, 6)) == 0

        assert [path for path, _ in platform.scores] == [
            "/columns/1/scores?a=b",
            "/columns/new1/scores",
            "/columns/new1/scores",
        ]
        sent = platform.scores[0][1]
        assert (sent["userId"], sent["scoreGiven"], sent["scoreMaximum"]) == ("s1", 4.5, 6)
        assert (sent["activityProgress"], sent["gradingProgress"]) == ("Completed", "FullyGraded")
        assert platform.columns == [{"label": "Essay 2", "scoreMaximum": 6, "resourceId": other.id}]
        assert len(visit.site.database.read(contexts_of_course, course)) == 1

        platform.tool_keys = {"keys": [platform.key.as_dict(private=False)]}  # it does not know our key any more
        with pytest.raises(SignOnProblem, match="no access to its services"):
            passback(visit.site, course, student.id, PassedGrade(linked.id, "Essay 1", 5, 6))
        visit.close()


def test_releasing_a_grade_sends_it_to_the_gradebook(database_url: str, tmp_path: Path) -> None:
    with running_platform() as platform:
        visit = Visit(database_url, tmp_path / "cache", accounts=True, sign_on=platform.settings(tmp_path))
        platform.tool_keys = visit.client.get("/lti/keys").json()
        course = platform.launch(visit.client, "t1", "Instructor").headers["location"].split("/")[2]
        now = visit.site.now()
        with visit.site.database.writing() as connection:
            linked = create_workspace(connection, "annotations", "Streets", author="x", now=now, course_id=course)
            change_workspace(connection, linked.id, now=now, settings={"engine": "e"})
        platform.launch(visit.another(), "s1", "Learner", **{f"{CLAIM}custom": {"workspace": linked.id}})
        (student,) = visit.site.database.read(course_people, course, "student")
        with visit.site.database.writing() as connection:
            (item,) = put_items(connection, linked.id, [NewItem("d" * 64, "s1", {})], now=now)
            put_result(connection, item.id, "e", payload={}, score=88.125, files={}, now=now)
            set_owner(connection, linked.id, item.id, student.id)
            workspace = find_workspace(connection, linked.id)
        assert workspace is not None
        teacher = Visitor("t1", "trainer", course_id=course)
        context = WorkspaceContext(workspace, KINDS["annotations"], teacher, visit.site)

        assert release_chosen(context, "all", [], ["score"], None, withdraws=False) == 1
        (sent,) = [score for _, score in platform.scores]
        assert (sent["userId"], sent["scoreGiven"], sent["scoreMaximum"]) == ("s1", 88.12, 100)

        platform.tool_keys = {"keys": [platform.key.as_dict(private=False)]}
        assert release_chosen(context, "all", [], ["score"], None, withdraws=False) == 1, "released all the same"
        noted = [e for e in visit.site.database.read(entries, workspace_id=linked.id) if e.action == "pass grades back"]
        assert ["no access" in str(e.detail) for e in noted] == [True, False]
        visit.close()


def test_a_list_without_further_pages_ends() -> None:
    assert next_page("") == next_page('<https://a.example/1>; rel="prev"') == ""
