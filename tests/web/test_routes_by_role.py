"""Every route x method x person: who gets in is stated here, and a route without a rule fails.

People are in the course of the workspaces in each role, in another course of the same organization, or in another
organization. What lists, searches, exports and counts show is compared row by row with what a person may see.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from assay.store.accounts import create_account, find_account, start_session
from assay.store.classroom.assignments import release
from assay.store.courses import COURSE_ROLES, DEFAULT_COURSE, create_course, create_organization, enroll
from assay.store.items import find_item, workspace_items
from assay.store.rosters import set_owner
from assay.store.schema import Connection
from assay.store.workspaces import create_workspace, recent_workspaces, restore_workspace
from assay.web.app import API, PAGES
from assay.web.sign_on import lti_pages, scim_routes
from assay.web.visitors import SESSION
from tests.store.databases import fresh_postgresql
from tests.web.annotated import item_of
from tests.web.filled import fill
from tests.web.visits import Visit

RULES: dict[str, str] = {
    rule: who
    for who, rules in {
        "nobody": """
            GET /health
            POST /theme | POST /keys | GET /sign-in | POST /sign-in | POST /sign-out | GET /first-run | POST /first-run
            GET /lti/login | POST /lti/login | POST /lti/launch | GET /lti/enter/{code} | GET /lti/keys
            GET /sign-in/oidc | GET /sign-in/oidc/callback
            GET /sign-in/code | POST /sign-in/code | GET /welcome/{token} | POST /welcome/{token}
            """,
        "anyone": """
            GET / | GET /mine | GET /api | GET /account | POST /account/password | POST /account/tokens
            POST /account/second-factor | POST /account/second-factor/end | POST /account/second-factor/new
            POST /account/sessions/{token_hash}/end | GET /lti/deep-link/{code} | POST /lti/deep-link/{code}
            GET /api/v1/courses
            """,
        "staff": """
            GET /essays | GET /annotations | GET /evaluation | GET /panels | POST /essays | POST /annotations
            POST /evaluation | POST /panels | POST /essays/paste | POST /example/remove
            GET /api/v1/workspaces | POST /api/v1/workspaces | GET /courses
            """,
        "scim": """
            GET /scim/v2/ServiceProviderConfig | GET /scim/v2/Users | POST /scim/v2/Users
            GET /scim/v2/Users/{user_id} | PUT /scim/v2/Users/{user_id} | PATCH /scim/v2/Users/{user_id}
            """,
        "author": "POST /example",
        "trainer": "POST /courses",
        "admin": """
            GET /accounts | POST /accounts | POST /accounts/{account_id}/disable | POST /accounts/{account_id}/link
            GET /audit | GET /audit.csv | GET /privacy | GET /privacy/{enrollment_id}/data.zip
            POST /privacy/{enrollment_id}/erase | GET /api/v1/audit | GET /api/v1/people/{enrollment_id}/data
            DELETE /api/v1/people/{enrollment_id}
            """,
        "pupil": """
            GET /mine/{workspace_id} | POST /mine/{workspace_id}/hand-in | GET /mine/{workspace_id}/drafts/{number}
            POST /mine/{workspace_id}/appeals | GET /api/v1/workspaces/{workspace_id}/hand-in
            POST /api/v1/workspaces/{workspace_id}/hand-in | GET /api/v1/workspaces/{workspace_id}/hand-in/messages
            POST /api/v1/workspaces/{workspace_id}/hand-in/messages
            """,
        "student": """
            GET /annotations/{workspace_id}/exports/{group}/{name} | GET /annotations/{workspace_id}/images/{number}
            GET /annotations/{workspace_id}/submissions/{item_id}
            GET /annotations/{workspace_id}/submissions/{item_id}/finding
            GET /essays/{workspace_id}/submissions/{item_id} | GET /api/v1/workspaces/{workspace_id}/results
            GET /api/v1/workspaces/{workspace_id}/results/{item_id}
            """,
        "reviewer": """
            GET /annotations/{workspace_id} | GET /annotations/{workspace_id}/submissions
            GET /annotations/{workspace_id}/insights | GET /annotations/{workspace_id}/submissions/by/{digest}
            GET /annotations/{workspace_id}/submissions/{item_id}/effect
            POST /annotations/{workspace_id}/submissions/{item_id}/decisions
            POST /annotations/{workspace_id}/submissions/{item_id}/decisions/{decision_id}/undo
            GET /essays/{workspace_id} | GET /essays/{workspace_id}/submissions | GET /essays/{workspace_id}/insights
            POST /essays/{workspace_id}/submissions/{item_id}/confirm
            POST /essays/{workspace_id}/submissions/{item_id}/override
            POST /essays/{workspace_id}/submissions/{item_id}/decisions/{decision_id}/undo
            GET /evaluation/{workspace_id} | GET /evaluation/{workspace_id}/report | GET /panels/{workspace_id}
            GET /panels/{workspace_id}/report | GET /{kind}/{workspace_id}/trust | GET /jobs/{job_id}/events
            GET /api/v1/workspaces/{workspace_id} | GET /api/v1/workspaces/{workspace_id}/decisions
            GET /api/v1/workspaces/{workspace_id}/trust | GET /api/v1/jobs/{job_id}
            POST /api/v1/workspaces/{workspace_id}/results/{item_id}/decisions
            DELETE /api/v1/workspaces/{workspace_id}/decisions/{decision_id} | GET /courses/{course_id}
            GET /courses/{course_id}/assignments | GET /courses/{course_id}/assignments/{workspace_id}
            GET /courses/{course_id}/assignments/{workspace_id}/drafts/{draft_id} | GET /courses/{course_id}/appeals
            POST /courses/{course_id}/appeals/{workspace_id}/{appeal_id}
            GET /api/v1/workspaces/{workspace_id}/assignment | GET /api/v1/workspaces/{workspace_id}/students
            GET /api/v1/courses/{course_id}/appeals | POST /api/v1/workspaces/{workspace_id}/appeals/{appeal_id}
            """,
        "assistant": """
            POST /annotations/{workspace_id}/files | GET /annotations/{workspace_id}/files
            POST /annotations/{workspace_id}/insights | GET /annotations/{workspace_id}/exports
            GET /annotations/{workspace_id}/rules | POST /annotations/{workspace_id}/rules
            POST /annotations/{workspace_id}/rules/effect | POST /annotations/{workspace_id}/rules/text
            POST /annotations/{workspace_id}/rules/profile | POST /annotations/{workspace_id}/rules/instructions
            GET /annotations/{workspace_id}/rules/rules.toml
            GET /essays/{workspace_id}/columns | POST /essays/{workspace_id}/columns
            POST /essays/{workspace_id}/essays | POST /essays/{workspace_id}/reviews
            GET /essays/{workspace_id}/exports | GET /essays/{workspace_id}/exports/{group}/{name}
            GET /essays/{workspace_id}/model | GET /essays/{workspace_id}/model/model.json
            POST /essays/{workspace_id}/model/choose | POST /essays/{workspace_id}/model/upload
            POST /essays/{workspace_id}/model/table | GET /essays/{workspace_id}/training
            POST /essays/{workspace_id}/training | POST /essays/{workspace_id}/model/refit
            POST /essays/{workspace_id}/model/{what}/accept | POST /essays/{workspace_id}/model/{what}/discard
            GET /evaluation/{workspace_id}/columns | POST /evaluation/{workspace_id}/columns
            GET /evaluation/{workspace_id}/engines | POST /evaluation/{workspace_id}/engines
            POST /evaluation/{workspace_id}/engines/table | GET /panels/{workspace_id}/columns
            POST /panels/{workspace_id}/columns | GET /{kind}/{workspace_id}/exports
            GET /{kind}/{workspace_id}/exports/{group}/{name} | GET /{kind}/{workspace_id}/history
            POST /{kind}/{workspace_id}/trust/draw | POST /jobs/{job_id}/cancel | POST /jobs/{job_id}/resume
            POST /jobs/{job_id}/retry | PATCH /api/v1/workspaces/{workspace_id}
            GET /api/v1/workspaces/{workspace_id}/uploads | POST /api/v1/workspaces/{workspace_id}/uploads/{role}
            POST /api/v1/workspaces/{workspace_id}/jobs | GET /api/v1/workspaces/{workspace_id}/jobs
            GET /api/v1/workspaces/{workspace_id}/models/{what}
            POST /api/v1/workspaces/{workspace_id}/models/{what}/{answer} | POST /api/v1/jobs/{job_id}/{action}
            GET /api/v1/workspaces/{workspace_id}/exports
            GET /api/v1/workspaces/{workspace_id}/exports/{group}/{name}
            POST /api/v1/workspaces/{workspace_id}/trust/sample | GET /courses/{course_id}/people
            GET /courses/{course_id}/assignments/{workspace_id}/gradebook/{format_name}
            GET /api/v1/courses/{course_id}/people | GET /api/v1/workspaces/{workspace_id}/gradebook/{format_name}
            """,
        "teacher": """
            POST /workspaces/{workspace_id}/remove | GET /workspaces/{workspace_id}/removed
            POST /workspaces/{workspace_id}/restore | DELETE /api/v1/workspaces/{workspace_id}
            GET /courses/{course_id}/log | POST /courses/{course_id}/people | POST /courses/{course_id}/invite
            POST /courses/{course_id}/people/{enrollment_id}/role | POST /courses/{course_id}/roster
            GET /courses/{course_id}/matching | POST /courses/{course_id}/matching/{workspace_id}/{item_id}
            POST /courses/{course_id}/people/{enrollment_id}/end | POST /courses/{course_id}/lti-roster
            POST /courses/{course_id}/assignments
            POST /courses/{course_id}/assignments/{workspace_id} | POST /api/v1/courses/{course_id}/roster
            POST /courses/{course_id}/assignments/{workspace_id}/extension
            POST /courses/{course_id}/assignments/{workspace_id}/release
            PUT /api/v1/workspaces/{workspace_id}/assignment | PUT /api/v1/workspaces/{workspace_id}/extensions
            POST /api/v1/workspaces/{workspace_id}/release
            """,
        "owner": """
            POST /courses/{course_id}/name | POST /courses/{course_id}/retention
            PUT /api/v1/courses/{course_id}/retention
            """,
    }.items()
    for line in rules.strip().splitlines()
    for rule in line.strip().split(" | ")
}
"""Route -> who may use it: from this role in the course on, staff of any course, a kind of account, or everybody."""
OUTSIDE = ("trainer elsewhere", "student elsewhere", "admin of others", "trainer of others")
PEOPLE = (*COURSE_ROLES, "admin", *OUTSIDE)
IN_COURSE = (*COURSE_ROLES, "admin")
"""Whoever is in the course, each may do more than the one before; administrators own every course of theirs."""
TO_SIGN_IN = {"POST /sign-out", "GET /sign-in/code", "POST /sign-in/code"}
LAST = ("remove", "DELETE", "disable", "/account/password", "sign-out")
"""Routes that take something away are tried after the others, in this order."""
PASSWORD_HASH = "nobody can sign in with this"


@dataclass(frozen=True, slots=True)
class People:
    """A browser for each person, and what the parameters of an address may be."""

    visit: Visit
    browsers: dict[str, TestClient]
    names: dict[str, str]
    seen_elsewhere: dict[str, set[str]]
    """Person -> the names of workspaces in the courses of theirs."""


def routes() -> list[str]:
    """Every `METHOD /path` of the app."""
    listed = [
        f"{method} {route.path}"
        for router in (*(module.router for module in (*PAGES, *API, scim_routes)), lti_pages.launch_router)
        for route in router.routes
        for method in sorted(getattr(route, "methods", ()))
    ]
    return sorted(dict.fromkeys(listed), key=lambda route: ([word in route for word in reversed(LAST)], route))


def test_every_route_has_a_rule_and_every_rule_a_route() -> None:
    assert {route for route in routes() if route not in RULES} == set()
    assert set(RULES) - set(routes()) == set()


def may(person: str, route: str) -> bool:
    """Whether a person may use a route about what is in the course."""
    rule = RULES[route]
    if rule in ("nobody", "anyone"):
        return True
    if rule == "scim":
        return False  # a token made for it, and no person in a browser
    if rule == "pupil":
        return person == "student"
    if rule == "staff":
        return person not in ("student", "student elsewhere")
    if rule == "author":
        return person not in ("student", "student elsewhere", "reviewer")
    if rule in ("trainer", "admin"):
        return person.startswith("admin") or (rule == "trainer" and person.startswith(("trainer", "owner")))
    return person in IN_COURSE and IN_COURSE.index(person) >= COURSE_ROLES.index(rule)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def people(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[People]:
    """The app with a workspace of every kind in one course, and everybody signed in."""
    folder: Path = tmp_path_factory.mktemp("roles")
    is_file = request.param == "sqlite"
    url = f"sqlite:///{folder / 'assay.db'}" if is_file else fresh_postgresql(request.getfixturevalue("postgresql"))
    filled = fill(url, folder / "cache")
    listed = filled.visit.client.get("/api/v1/workspaces").json()["workspaces"]
    kinds = {one["kind"]: one["id"] for one in sorted(listed, key=lambda one: one["name"] == "Empty")}
    annotations = kinds["annotations"]
    ada, ben = (item_of(filled.visit, f"/annotations/{annotations}", name) for name in ("ada", "ben"))
    job = filled.known[annotations]["job_id"][0]
    filled.visit.close()
    visit = Visit(url, folder / "cache", accounts=True, first_run_key="the key")
    tokens, elsewhere, student = _people(visit, annotations, int(ben))
    browsers = {person: visit.another() for person in PEOPLE}
    for person, browser in browsers.items():
        browser.cookies.set(SESSION, tokens[person])
    names = {**kinds, "item_id": str(ada), "own_item": str(ben), "job_id": str(job), "number": "1"}
    names |= {"group": "all", "name": "summary.csv", "role": "submissions", "course_id": DEFAULT_COURSE}
    yield People(visit, browsers, {**names, "enrollment_id": str(student)}, elsewhere)
    visit.close()


def _people(visit: Visit, annotations: str, own: int) -> tuple[dict[str, str], dict[str, set[str]], int]:
    """Sessions, the workspaces in other courses by person, and an enrollment that may be changed."""
    now, tokens, students = visit.site.now(), {}, {}
    with visit.site.database.writing() as connection:
        others = create_organization(connection, "Another school", now=now).id
        courses: dict[str, str] = {}
        for name, organization in (("elsewhere", 1), ("of others", others)):
            courses[name] = create_course(connection, f"Course {name}", organization_id=organization, now=now).id
            workspace = create_workspace(
                connection, "essays", f"Essays {name}", author="x", now=now, course_id=courses[name]
            )
            assert workspace.course_id == courses[name]
        for person in PEOPLE:
            kind = "student" if person in ("student", "student elsewhere", "reviewer", "assistant", "teacher") else None
            role: Any = kind or ("admin" if person.startswith("admin") else "trainer")
            organization = others if person.endswith("of others") else 1
            id_ = create_account(connection, person, PASSWORD_HASH, role, now=now, organization_id=organization)
            tokens[person] = start_session(connection, id_, now=now)
            course = next((c for name, c in courses.items() if person.endswith(name)), DEFAULT_COURSE)
            in_course: Any = person if person in COURSE_ROLES else "student" if "student" in person else "teacher"
            if not person.startswith("admin"):
                students[person] = enroll(connection, course, in_course, person, now=now, account_id=id_).id
        set_owner(connection, annotations, own, students["student"])
        release(connection, annotations, [students["student"]], at=now, shown=["score", "errors", "overlay"])
        extra = enroll(connection, DEFAULT_COURSE, "student", "Whoever is changed", now=now).id
    elsewhere = {"trainer elsewhere": {"Essays elsewhere"}, "admin of others": {"Essays of others"}}
    elsewhere |= {"trainer of others": {"Essays of others"}, "admin": {"Essays elsewhere"}}
    return tokens, elsewhere, extra


def address(route: str, names: dict[str, str]) -> str:
    """The route with its parameters filled in; those nothing is known of get a value nobody has."""
    path = route.partition(" ")[2]
    kind = next((kind for kind in ("evaluation", "essays") if path.startswith(f"/{kind}/")), "annotations")
    known = {**names, "workspace_id": names[kind], "kind": kind, "action": "resume", "what": "refit"}
    for part in [part for part in path.split("/") if part.startswith("{")]:
        path = path.replace(part, known.get(part.strip("{}"), "999999"))
    return path


def ask(people: People, person: str, route: str, names: dict[str, str] | None = None) -> Response:
    """What somebody gets who sends the right token with an otherwise empty request."""
    people.visit.client = people.browsers[person]
    token = people.visit.token()
    sent: dict[str, Any] = {"headers": {"X-CSRF-Token": token}, "follow_redirects": False}
    method, path = route.partition(" ")[0], address(route, names or people.names)
    if method in ("POST", "PATCH", "PUT") and not path.startswith(("/api/", "/scim/")):
        sent["data"] = {"csrf": token, "role": "student"}
    elif method in ("POST", "PATCH", "PUT"):
        sent["json"] = {}
    return people.browsers[person].request(method, path, **sent)


def outcome(answer: Response) -> str:
    if answer.status_code >= 500:
        return "failed"
    to_sign_in = answer.status_code == 303 and answer.headers.get("location") == "/sign-in"
    return "sign in first" if to_sign_in or answer.status_code == 401 else str(answer.status_code)


def test_nobody_gets_in_without_signing_in(people: People) -> None:
    stranger = {**people.browsers, "stranger": people.visit.another()}
    asked = People(people.visit, stranger, people.names, {})
    closed = [route for route in routes() if RULES[route] != "nobody"]
    let_in = {route: got for route in closed if (got := outcome(ask(asked, "stranger", route))) != "sign in first"}

    assert let_in == {}


@pytest.mark.parametrize("person", PEOPLE)
def test_nobody_gets_in_where_only_others_may(people: People, person: str) -> None:
    closed = [route for route in routes() if not may(person, route)]
    refused = {"403", "404"}
    answers = {route: outcome(ask(people, person, route)) for route in closed}
    about_the_course = {route for route in closed if re.search("{(workspace|job|course)_id}", route)}

    assert {route: got for route, got in answers.items() if got not in refused} == {}
    if person in OUTSIDE:  # they are not even told that it is there
        told = {route for route in about_the_course if answers[route] != "404"}
        assert told <= {route for route in closed if route.startswith("GET /jobs")} | _for_staff(person)
        assert len(about_the_course) > 90


def _for_staff(person: str) -> set[str]:
    """Routes that students of any course may not use, whatever they are about."""
    listed = ("/jobs/", "/workspaces/{workspace_id}/re")
    return {r for r in routes() if any(part in r for part in listed)} if person == "student elsewhere" else set()


@pytest.mark.parametrize("person", IN_COURSE)
def test_everybody_gets_in_where_they_may(people: People, person: str) -> None:
    names = {**people.names, "item_id": people.names["own_item"], "group": people.names["own_item"]}
    names = {**names, "name": "report.html"} if person == "student" else people.names
    first_run = {"GET /first-run", "POST /first-run"}  # over: there are accounts
    refused: dict[str, str] = {}
    for route in (route for route in routes() if may(person, route) and route not in first_run | TO_SIGN_IN):
        if person == "student" and route.startswith(("GET /essays/", "GET /annotations/{workspace_id}/exports")):
            continue  # nothing of theirs is there; what is not theirs is the business of the test above
        if (got := outcome(ask(people, person, route, names))) in ("403", "failed", "sign in first"):
            refused[route] = got
        _restore(people)

    assert refused == {}


def _restore(people: People) -> None:
    """What one person took away is there for the next."""
    with people.visit.site.database.writing() as connection:
        for kind in ("essays", "annotations", "evaluation"):
            restore_workspace(connection, people.names[kind], author="x", now=people.visit.site.now())
        _sign_in_again(connection, people)


def _sign_in_again(connection: Connection, people: People) -> None:
    for person, browser in people.browsers.items():
        account = find_account(connection, person)
        if account is not None and account.disabled is None and not browser.cookies.get(SESSION):
            browser.cookies.set(SESSION, start_session(connection, account.id, now=people.visit.site.now()))


@pytest.mark.parametrize("person", PEOPLE)
def test_lists_show_what_a_person_may_see_and_nothing_else(people: People, person: str) -> None:
    browser = people.browsers[person]
    everything = browser.get("/api/v1/workspaces").json().get("workspaces", [])
    names = {one["name"] for one in everything if not one["example"]}
    is_staff = person in IN_COURSE and person != "student"
    expected = (_names_here(people) if is_staff else set()) | people.seen_elsewhere.get(person, set())

    assert names - {"Pasted essay"} == expected
    if person == "student":  # whose own work is in it
        expected |= {people.visit.context(f"/annotations/{people.names['annotations']}").workspace.name}
    for page in ("/", "/essays", "/annotations", "/evaluation"):
        text = browser.get(page).text
        assert {name for name in _names_here(people) if f">{name}<" in text} <= expected, page


def _names_here(people: People) -> set[str]:
    listed = people.visit.site.database.read(recent_workspaces, within=[DEFAULT_COURSE], most=1000)
    return {one.name for one in listed if not one.example}


def test_a_student_lists_searches_and_counts_only_the_own_work(people: People) -> None:
    workspace, own = people.names["annotations"], int(people.names["own_item"])
    student, teacher = people.browsers["student"], people.browsers["teacher"]
    here = f"/api/v1/workspaces/{workspace}/results"
    all_, mine = teacher.get(here).json(), student.get(here).json()
    searched = student.get(here, params={"containing": "a"}).json()

    assert len(all_["results"]) == all_["total"] > 1
    assert [row["item"]["id"] for row in mine["results"]] == [own]
    assert mine["total"] == 1
    assert [row["item"]["id"] for row in searched["results"]] == []
    assert searched["total"] == 0
    assert mine["results"][0]["score"] == next(r["score"] for r in all_["results"] if r["item"]["id"] == own)


def test_an_item_of_another_course_is_not_found_under_ones_own_workspace(people: People) -> None:
    with people.visit.site.database.reading() as connection:
        theirs = workspace_items(connection, people.names["annotations"])[0]
        assert find_item(connection, people.names["essays"], theirs.id) is None
    answer = people.browsers["teacher"].get(f"/api/v1/workspaces/{people.names['essays']}/results/{theirs.id}")
    assert answer.status_code == 404
