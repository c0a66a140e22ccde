"""The whole path of a class through the API, as its pages go it."""

from pathlib import Path
from typing import Any

from assay.store.accounts import find_account, start_session
from assay.web.class_routes import router
from tests.web.classroom.classes import TEXTS, Class

API = "/api/v1"


def test_a_program_does_all_that_the_pages_do(tmp_path: Path) -> None:
    course = Class(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path)
    tokens = {who: _token(course, who) for who in course.browsers}

    def call(who: str, method: str, path: str, status: int = 200, **sent: Any) -> Any:
        headers = {"Authorization": f"Bearer {tokens[who]}"}
        answer = course.visit.another().request(method, f"{API}{path}", headers=headers, **sent)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content and "json" in answer.headers["content-type"] else answer

    (own,) = call("teacher", "GET", "/courses")["courses"]
    assert own["role"] == "owner"
    new = {"kind": "essays", "name": "Letter", "course_id": own["id"]}
    workspace = call("teacher", "POST", "/workspaces", 201, json=new)["id"]
    here = f"/workspaces/{workspace}"
    call("teacher", "GET", f"{here}/assignment", 404)
    settings = {"due": "2099-01-01T12:00:00Z", "anonymous": True}
    assert call("teacher", "PUT", f"{here}/assignment", json=settings)["anonymous"]
    draft = call("amara", "POST", f"{here}/hand-in", 201, files={"file": ("a.txt", TEXTS["amara"].encode())})
    assert draft["number"] == 1
    assert call("amara", "GET", f"{here}/hand-in")["drafts"] == [draft]
    course.visit.work()
    lines = call("teacher", "GET", f"{here}/students")["students"]
    assert [line["name"] for line in lines[1:]] == ["No work yet"] * 29, "no names to tell the others by"
    assert (lines[0]["id"], lines[0]["drafts"]) == (None, 1)
    extension = {"student": course.students["ben"], "until": "2099-02-01T12:00:00Z"}
    call("teacher", "PUT", f"{here}/extensions", 204, json=extension)
    assert call("ben", "GET", f"{here}/hand-in")["due"].startswith("2099-02-01")
    release = {"who": "all", "shown": ["score", "errors"]}
    assert call("teacher", "POST", f"{here}/release", json=release) == {"grades": 1}
    assert "Osei" in call("teacher", "GET", f"{here}/gradebook/moodle").text
    asked = call("amara", "POST", f"{here}/hand-in/messages", 201, json={"text": "Why?"})
    assert [one["id"] for one in call("teacher", "GET", f"/courses/{own['id']}/appeals")["messages"]] == [asked["id"]]
    call("teacher", "POST", f"{here}/appeals/{asked['id']}", 204, json={"text": "So."})
    assert [one["text"] for one in call("amara", "GET", f"{here}/hand-in/messages")["messages"]] == ["Why?", "So."]
    assert call("ben", "GET", f"{here}/hand-in/messages")["messages"] == []
    call("teacher", "PUT", f"/courses/{own['id']}/retention", 204, json={"days": 365})
    assert call("teacher", "GET", "/courses")["courses"][0]["retention_days"] == 365
    roster = {"roster": ("r.csv", b"Name,ID\nAmara Osei,id-amara\nNew Student,9\n")}
    change = call("teacher", "POST", f"/courses/{own['id']}/roster?end_others=true", files=roster)
    assert change == {"added": 1, "updated": 0, "ended": 29}
    assert len(call("teacher", "GET", f"/courses/{own['id']}/people")["people"]) == 3
    actions = {line["action"] for line in call("root", "GET", "/audit")["entries"]}
    assert {"hand in", "release grade", "appeal", "answer appeal", "change retention"} <= actions
    assert call("root", "GET", f"/people/{course.students['amara']}/data").content[:2] == b"PK"
    call("teacher", "DELETE", f"/people/{course.students['amara']}", 403)
    assert call("root", "DELETE", f"/people/{course.students['amara']}")["items"] == 1
    call("root", "GET", f"/people/{course.students['amara']}/data", 404)
    course.close()

    assert len(router.routes) >= 19


def _token(course: Class, who: str) -> str:
    with course.visit.site.database.writing() as connection:
        account = find_account(connection, who)
        assert account is not None
        return start_session(connection, account.id, now=course.visit.site.now(), kind="api")
