"""Students see what is theirs and nothing else, on pages and through the API; strangers see nothing."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest

from assay.store.accounts import Account, Role
from assay.store.courses import CourseRole
from assay.web.visitors import Visitor
from tests.web.annotated import ADA, coco, graded, item_of
from tests.web.pages.test_accounts import PASSWORD, make_admin, sign_in
from tests.web.visits import Visit


@pytest.fixture
def ben(tmp_path: Path) -> Iterator[Visit]:
    """An app in which Ben is a student of a course; its owner is signed in until `as_ben`."""
    made = Visit(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path / "cache", accounts=True, first_run_key="the key")
    make_admin(made)
    made.send("/accounts", name="Ben", password=PASSWORD, role="student")
    made.send("/courses/default/people", name="Ben", role="student")
    yield made
    made.close()


def as_ben(visit: Visit) -> None:
    visit.client = visit.another()
    sign_in(visit, "Ben")


def release(visit: Visit, url: str, *shown: str) -> None:
    """Let students see every grade of a workspace."""
    here = f"/courses/default/assignments/{url.rpartition('/')[2]}/release"
    visit.send(here, who="all", shown=list(shown or ("score", "errors", "overlay")), action="release")


def test_a_student_finds_the_own_work_with_its_final_score(ben: Visit) -> None:
    url = graded(ben)
    mine = item_of(ben, url, "ben")
    token = ben.send("/account/tokens", label="reviews").text.partition("<code>")[2].partition("</code>")[0]
    program = ben.another()
    program.headers["Authorization"] = f"Bearer {token}"
    workspace = url.rpartition("/")[2]
    decision = {"kind": "override", "target": "miss:2", "value": 100, "reason": "It was hidden."}
    made = program.post(f"/api/v1/workspaces/{workspace}/results/{mine}/decisions", json=decision)
    release(ben, url)
    as_ben(ben)
    page, listed = ben.page(f"/mine/{workspace}"), ben.client.get(f"/api/v1/workspaces/{workspace}/results").json()

    assert made.status_code == 201
    assert f'href="{url}/submissions/{mine}"' in page
    assert "85.7" in page
    assert "It was hidden." in ben.page(f"{url}/submissions/{mine}?image=2&finding=1")
    assert [result["item"]["name"] for result in listed["results"]] == ["ben"]
    assert listed["total"] == 1
    assert ben.client.get(f"/api/v1/workspaces/{workspace}/results/{mine}").json()["final_score"] > 85


def test_a_student_finds_nothing_of_anybody_else(ben: Visit) -> None:
    url = graded(ben)
    theirs, mine, workspace = item_of(ben, url, "ada"), item_of(ben, url, "ben"), url.rpartition("/")[2]
    release(ben, url)
    as_ben(ben)
    page = ben.page(f"{url}/submissions/{mine}")

    assert ">ada<" not in page
    assert f"submissions/{theirs}" not in page
    for path in (f"submissions/{theirs}", f"submissions/{theirs}/finding?image=1&finding=1"):
        ben.page(f"{url}/{path}", status=404)
    for path in ("submissions", "rules", "insights", "trust", "exports", "history", "files"):
        ben.page(f"{url}/{path}", status=403)
    here = f"/api/v1/workspaces/{workspace}"
    assert ben.client.get(f"{here}/results/{theirs}").status_code == 404
    for path in ("", "/uploads", "/jobs", "/decisions", "/exports", "/trust", "/exports/all/summary.csv"):
        assert ben.client.get(f"{here}{path}").status_code == 403, path
    headers = {"X-CSRF-Token": ben.token()}
    decision = {"kind": "confirm"}
    own = ben.client.post(f"{here}/results/{mine}/decisions", json=decision, headers=headers)
    form = ben.client.post(f"{url}/submissions/{mine}/decisions", data={"csrf": ben.token(), "choice": "confirm"})
    assert (own.status_code, form.status_code) == (403, 403)


def test_a_student_who_is_in_no_workspace_is_not_told_that_it_exists(ben: Visit) -> None:
    url = graded(ben, {"ada.json": coco(ADA)})
    item = item_of(ben, url, "ada")
    as_ben(ben)

    assert ben.client.get(f"/api/v1/workspaces/{url.rpartition('/')[2]}/results").json()["results"] == []
    ben.page(f"{url}/submissions/{item}", status=404)
    assert "Nothing yet." in ben.page("/mine")


def test_essays_are_shown_to_their_writer_alone(ben: Visit) -> None:
    files = [
        ("essays", (f"{name}.txt", BytesIO(f"An essay by {name}. It is short.".encode()))) for name in ("ben", "ada")
    ]
    url = str(ben.send("/essays", files=files).url.path).removesuffix("/submissions")
    ids = {name: item_of(ben, url, name) for name in ("ben", "ada")}
    ben.work()
    owner = ben.client
    as_ben(ben)
    ben.page(f"{url}/submissions/{ids['ben']}", status=404)
    bens, ben.client = ben.client, owner
    release(ben, url, "score", "errors")
    ben.client = bens

    ben.page(f"{url}/submissions/{ids['ben']}")
    ben.page(f"{url}/submissions/{ids['ada']}", status=404)
    assert f'href="{url}/submissions/{ids["ben"]}"' in ben.page(f"/mine/{url.rpartition('/')[2]}")
    ben.page(f"{url}/submissions", status=403)


def test_on_another_address_nobody_sees_or_changes_anything_before_signing_in(tmp_path: Path) -> None:
    visit = Visit(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path / "cache", host="0.0.0.0", accounts=True)
    api = visit.another()
    statuses = [
        api.get("/api/v1/workspaces").status_code,
        api.post("/api/v1/workspaces", json={"kind": "essays", "name": "x"}).status_code,
        api.get("/api/v1/jobs/x").status_code,
    ]
    page = visit.page("/evaluation")
    visit.close()

    assert statuses == [401] * 3
    assert "<h1>Sign in</h1>" in page


def test_two_students_with_one_name_in_other_letters_are_one_person(ben: Visit) -> None:
    page = ben.send("/accounts", name="BEN", password=PASSWORD, role="student", status=422).text
    assert "already" in page or "taken" in page


@pytest.mark.parametrize(
    ("role", "courses", "trains", "within"),
    [
        ("admin", {"a": "owner"}, True, ["a"]),
        ("trainer", {}, True, []),
        ("student", {"a": "student"}, False, []),
        ("student", {"a": "student", "b": "reviewer"}, True, ["b"]),
    ],
)
def test_a_role_in_a_course_says_what_may_be_seen(
    role: Role, courses: dict[str, CourseRole], trains: bool, within: list[str]
) -> None:
    visitor = Visitor("Ben", role, Account(1, "Ben", "", role, datetime.now(UTC), None), True, courses)

    assert visitor.may_train is trains
    assert visitor.within() == within
    assert replace(visitor, course_id="a").may_train is ("a" in within)
    assert visitor.role_in("c") is None


def test_where_nobody_signs_in_everything_is_ones_own() -> None:
    assert Visitor("you", "admin").role_in("any") == "owner"
    assert Visitor("you", "admin").within() is None


def test_two_teachers_neither_read_nor_remove_each_others_workspaces(ben: Visit) -> None:
    url = graded(ben)
    workspace = url.rpartition("/")[2]
    ben.send("/accounts", name="Cleo", password=PASSWORD, role="trainer")
    ben.client = ben.another()
    sign_in(ben, "Cleo")
    ben.page(f"{url}/submissions", status=404)
    ben.send(f"/workspaces/{workspace}/remove", status=404)
    headers = {"X-CSRF-Token": ben.token()}
    own = ben.client.post("/api/v1/workspaces", json={"kind": "essays", "name": "Mine"}, headers=headers).json()

    assert ben.client.delete(f"/api/v1/workspaces/{workspace}", headers=headers).status_code == 404
    assert [one["id"] for one in ben.client.get("/api/v1/workspaces").json()["workspaces"]] == [own["id"]]
    assert own["course_id"] != "default"


def test_two_students_with_files_of_one_name_in_two_courses_see_their_own(ben: Visit) -> None:
    url = graded(ben)
    made = ben.send("/courses", name="Another class").url.path
    ben.send(f"{made}/people", name="Cleo", role="student")
    files = [("essays", ("ben.txt", BytesIO(b"An essay of another Ben. It is short.")))]
    other = str(ben.send("/essays", files=files, course=made.rpartition("/")[2]).url.path).removesuffix("/submissions")
    item = item_of(ben, other, "ben")
    as_ben(ben)

    ben.page(f"{other}/submissions/{item}", status=404)
    assert other.rpartition("/")[2] not in ben.page("/mine")
    assert url.rpartition("/")[2] in ben.page("/mine")
