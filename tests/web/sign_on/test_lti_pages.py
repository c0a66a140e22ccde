"""LTI 1.3 against a platform made from the specification's flows, on loopback, with its own keys."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from joserfc.jwk import RSAKey

from assay.store.courses import COURSE_ROLES, course_people
from assay.store.sign_on.identities import account_of_identity
from assay.store.sign_on.lti_courses import contexts_of_course
from assay.store.workspaces import create_workspace
from assay.web.sign_on import lti_pages
from assay.web.sign_on.lti import CLAIM, DEEP_LINKING, GRADES
from assay.web.visitors import SESSION
from tests.web.sign_on.lti_platform import CLIENT, LtiPlatformServer, running_platform
from tests.web.visits import Visit


@pytest.fixture(scope="module")
def running() -> Iterator[LtiPlatformServer]:
    with running_platform() as platform:
        yield platform


@pytest.fixture
def launched(running: LtiPlatformServer, database_url: str, tmp_path: Path) -> Iterator[Visit]:
    """The app with the platform registered."""
    visit = Visit(database_url, tmp_path / "cache", accounts=True, sign_on=running.settings(tmp_path))
    running.tool_keys = visit.client.get("/lti/keys").json()
    running.members, running.scores, running.columns = [], [], []
    yield visit
    visit.close()


def course_of(visit: Visit, address: str) -> str:
    found = re.fullmatch("/courses/([a-z0-9]+)", address)
    assert found is not None, address
    return found[1]


def test_a_launch_makes_account_course_and_enrollment_once(launched: Visit, running: LtiPlatformServer) -> None:
    teacher, student = launched.another(), launched.another()
    first = running.launch(teacher, "t1", "Instructor")
    again = running.launch(launched.another(), "t1", "Instructor")
    answer = running.launch(student, "s1", "Learner")

    assert (first.status_code, answer.headers["location"]) == (303, "/mine"), first.text
    course = course_of(launched, first.headers["location"])
    assert again.headers["location"] == first.headers["location"]
    people = launched.site.database.read(course_people, course)
    assert [(one.name, one.role, one.email) for one in people] == [
        ("Person s1", "student", "s1@example.org"),
        ("Person t1", "teacher", "t1@example.org"),
    ]
    assert "Writing 5" in teacher.get(first.headers["location"]).text
    assert student.get(first.headers["location"]).status_code == 403
    assert {one.role for one in people} <= set(COURSE_ROLES)


def test_our_keys_show_no_secret_part(launched: Visit, running: LtiPlatformServer) -> None:
    key = running.tool_keys["keys"][0]
    assert (key["kty"], key["use"], key["alg"]) == ("RSA", "sig", "RS256")
    assert not {"d", "p", "q", "dp", "dq", "qi"} & key.keys()


def test_login_sends_what_the_specification_asks_for(launched: Visit, running: LtiPlatformServer) -> None:
    asked = running.login(launched.client, "GET", lti_message_hint="message")
    expected = {"scope": "openid", "response_type": "id_token", "response_mode": "form_post", "prompt": "none"}

    assert expected.items() <= asked.items()
    assert (asked["login_hint"], asked["lti_message_hint"], asked["client_id"]) == ("hint", "message", CLIENT)
    assert asked["redirect_uri"] == "http://127.0.0.1:8765/lti/launch"


@pytest.mark.parametrize(
    "changes",
    [
        {"nonce": "another"},
        {"aud": "others"},
        {"iss": "https://evil.example"},
        {"exp": 1},
        {"sub": None},
        {f"{CLAIM}deployment_id": "8"},
        {f"{CLAIM}version": "1.1"},
        {f"{CLAIM}message_type": "LtiSubmissionReviewRequest"},
        {f"{CLAIM}context": None, f"{CLAIM}resource_link": None},
    ],
)
def test_a_launch_that_is_not_for_us_is_refused(
    launched: Visit, running: LtiPlatformServer, changes: dict[str, Any]
) -> None:
    answer = running.launch(launched.client, **changes)

    assert answer.status_code == 502
    assert SESSION not in launched.client.cookies


def test_a_forged_a_repeated_and_a_stolen_launch_are_refused(launched: Visit, running: LtiPlatformServer) -> None:
    forged = RSAKey.generate_key(2048, {"kid": "platform"})
    asked = running.login(launched.client)
    claims = running.claims(asked["nonce"])
    assert running.send(launched.client, asked, running.signed(claims, forged)).status_code == 502

    asked = running.login(launched.client)
    token = running.signed(running.claims(asked["nonce"]))
    passed = running.send(launched.client, asked, token)
    assert passed.status_code == 303
    assert running.send(launched.client, asked, token).status_code == 403
    assert running.send(launched.client, {**asked, "state": "made up"}, token).status_code == 403
    thief = launched.another()
    assert thief.get(passed.headers["location"]).status_code == 403
    assert SESSION not in thief.cookies


def test_an_unknown_platform_is_refused(launched: Visit) -> None:
    answer = launched.client.post("/lti/login", data={"iss": "https://evil.example", "login_hint": "x"})
    assert answer.status_code == 502
    assert "not registered" in answer.text


def test_services_on_other_servers_are_not_noted(launched: Visit, running: LtiPlatformServer) -> None:
    answer = running.launch(
        launched.client,
        "t1",
        "Instructor",
        **{GRADES: {"lineitems": "http://169.254.169.254/", "lineitem": "file:///"}},
    )
    course = course_of(launched, answer.headers["location"])
    assert launched.site.database.read(contexts_of_course, course)[0].line_items_url is None


def test_a_teacher_links_a_workspace_and_the_link_leads_back_to_it(launched: Visit, running: LtiPlatformServer) -> None:
    teacher = launched.client
    course = course_of(launched, running.launch(teacher, "teacher", "Instructor").headers["location"])
    with launched.site.database.writing() as connection:
        now = launched.site.now()
        work = create_workspace(connection, "essays", "Essay 1", author="x", now=now, course_id=course)
        other = create_workspace(connection, "essays", "Not here", author="x", now=now, course_id="default")
    to = running.choose(teacher).headers["location"]
    page = launched.page(to)
    assert "Essay 1" in page
    assert "Not here" not in page
    launched.send(to, workspace_id=other.id, status=404)
    answer = launched.send(to, workspace_id=work.id)
    assert f"form-action 'self' {running.url};" in answer.headers["content-security-policy"]
    token = re.search('name="JWT" value="([^"]+)"', answer.text)
    assert token is not None
    assert f'action="{running.url}/return"' in unescape(answer.text)

    claims = running.read(token[1])
    item = claims[f"{DEEP_LINKING}content_items"][0]
    assert (claims["iss"], claims["aud"], claims[f"{DEEP_LINKING}data"]) == (CLIENT, running.url, "opaque")
    assert claims[f"{CLAIM}message_type"] == "LtiDeepLinkingResponse"
    back = running.launch(teacher, "teacher", "Instructor", **{f"{CLAIM}custom": item["custom"]})
    assert back.headers["location"] == f"/essays/{work.id}"
    stranger = launched.another()
    running.launch(stranger, "s1")
    assert stranger.get(to).status_code == 404


def test_the_roster_follows_the_platform(launched: Visit, running: LtiPlatformServer) -> None:
    address = running.launch(launched.client, "t1", "Instructor").headers["location"]
    running.launch(launched.another(), "left")
    course = course_of(launched, address)
    role = ["http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"]
    running.members = [
        {"user_id": "t1", "name": "Person t1", "roles": ["Instructor"]},
        {"user_id": "s1", "name": "New", "email": "n@example.org", "roles": role, "lis_person_sourcedid": "4711"},
        {"user_id": "s2", "name": "Away", "roles": role, "status": "Inactive"},
    ]
    launched.send(f"{address}/lti-roster")

    people = launched.site.database.read(course_people, course)
    assert [(one.name, one.role, one.number) for one in people] == [
        ("New", "student", "4711"),
        ("Person t1", "teacher", ""),
    ]
    assert launched.site.database.read(account_of_identity, running.url, "s2") is None


def test_where_no_platform_is_registered_there_are_no_such_pages(visit: Visit) -> None:
    assert visit.client.get("/lti/keys").status_code == 404
    assert visit.client.post("/lti/launch").status_code == 404
    assert len(lti_pages.launch_router.routes) == 2
