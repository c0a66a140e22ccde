"""A directory looks after accounts by SCIM 2.0."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from assay.store.accounts import Scope, all_accounts, create_account, find_account, start_session
from assay.store.courses import create_organization
from assay.web.sign_on.scim_routes import LIST, PATCH, USER
from tests.web.visits import Visit


@pytest.fixture
def directory(database_url: str, tmp_path: Path) -> Iterator[Visit]:
    """The app whose browser is a directory with its token."""
    visit = Visit(database_url, tmp_path / "cache", accounts=True)
    visit.client.headers["Authorization"] = f"Bearer {token(visit, 'Root', 'scim')}"
    yield visit
    visit.close()


def token(visit: Visit, name: str, scope: Scope, role: Any = "admin", organization: int = 1) -> str:
    with visit.site.database.writing() as connection:
        id_ = create_account(connection, name, "x", role, now=visit.site.now(), organization_id=organization)
        return start_session(connection, id_, now=visit.site.now(), kind="api", scope=scope)


def new_user(client: TestClient, name: str = "ada@example.org", **more: Any) -> dict[str, Any]:
    body = {"schemas": [USER], "userName": name, "externalId": f"x-{name}", "displayName": "Ada", **more}
    answer = client.post("/scim/v2/Users", json={**body, "emails": [{"value": name, "primary": True}]})
    assert answer.status_code == 201, answer.text
    assert answer.headers["content-type"] == "application/scim+json"
    return dict(answer.json())


def test_a_user_is_created_found_changed_and_deactivated(directory: Visit) -> None:
    client = directory.client
    user = new_user(client)
    here = f"/scim/v2/Users/{user['id']}"
    with directory.site.database.writing() as connection:
        account = find_account(connection, "ada@example.org")
        assert account is not None
        session = start_session(connection, account.id, now=directory.site.now(), kind="api")
    assert (account.role, account.email, account.invited) == ("student", "ada@example.org", False)

    changed = client.put(here, json={"schemas": [USER], "userName": "ada", "name": {"formatted": "Ada L."}})
    assert (changed.json()["userName"], changed.json()["displayName"]) == ("ada", "Ada L.")
    assert "emails" not in changed.json()
    operations = [{"op": "Replace", "path": "active", "value": "False"}]
    off = client.patch(here, json={"schemas": [PATCH], "Operations": operations})
    assert off.json()["active"] is False
    answer = directory.another().get("/api/v1/workspaces", headers={"Authorization": f"Bearer {session}"})
    assert answer.status_code == 401
    on = client.patch(here, json={"schemas": [PATCH], "Operations": [{"op": "add", "value": {"active": True}}]})
    assert on.json()["active"] is True


def test_lists_are_filtered_and_paged(directory: Visit) -> None:
    for name in ("ada", "ben", "cem"):
        new_user(directory.client, name, active=name != "cem")
    everybody = directory.client.get("/scim/v2/Users").json()
    assert (everybody["schemas"], everybody["totalResults"]) == ([LIST], 4)
    for text, expected in (
        ('userName eq "BEN"', ["ben"]),
        ('externalId eq "x-ada"', ["ada"]),
        ("active eq false", ["cem"]),
        ('emails.value eq "cem" and active eq true', []),
    ):
        listed = directory.client.get("/scim/v2/Users", params={"filter": text}).json()
        assert [one["userName"] for one in listed["Resources"]] == expected
    page = directory.client.get("/scim/v2/Users", params={"startIndex": 2, "count": 2}).json()
    assert (page["totalResults"], page["itemsPerPage"], page["startIndex"]) == (4, 2, 2)


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "?filter=password eq 1", None, 400),
        ("GET", "/999", None, 404),
        ("POST", "", {"userName": "Root"}, 409),
        ("POST", "", {"userName": "<b>"}, 400),
        ("POST", "", {}, 400),
        ("POST", "", {"userName": 3}, 400),
        ("POST", "", [], 400),
        ("PATCH", "/1", {"Operations": []}, 400),
        ("PATCH", "/1", {"schemas": [PATCH], "Operations": [{"op": "move"}]}, 400),
        ("PATCH", "/1", {"schemas": [PATCH], "Operations": [{"op": "replace", "path": "active", "value": 3}]}, 400),
        ("PATCH", "/1", {"schemas": [PATCH], "Operations": [{"op": "replace", "path": "active", "value": False}]}, 403),
    ],
)
def test_errors_are_those_of_the_standard(directory: Visit, method: str, path: str, body: Any, status: int) -> None:
    answer = directory.client.request(method, f"/scim/v2/Users{path}", json=body)
    assert (answer.status_code, answer.json()["status"]) == (status, str(status)), answer.text
    assert answer.json()["schemas"] == ["urn:ietf:params:scim:api:messages:2.0:Error"]


def test_the_token_does_nothing_else_and_no_other_token_does_this(directory: Visit) -> None:
    assert directory.client.get("/api/v1/workspaces").status_code == 403
    assert directory.client.get("/accounts").status_code == 403
    for name, scope, role in (("All", "all", "admin"), ("Read", "read", "admin"), ("Ben", "scim", "trainer")):
        other = directory.another()
        other.headers["Authorization"] = f"Bearer {token(directory, name, scope, role)}"  # type: ignore[arg-type]
        assert other.get("/scim/v2/Users").status_code == 403
    assert directory.another().get("/scim/v2/Users").status_code == 401


def test_another_organization_is_out_of_sight(directory: Visit) -> None:
    user = new_user(directory.client)
    with directory.site.database.writing() as connection:
        others = create_organization(connection, "Others", now=directory.site.now()).id
    other = directory.another()
    other.headers["Authorization"] = f"Bearer {token(directory, 'Their root', 'scim', organization=others)}"

    assert [one["userName"] for one in other.get("/scim/v2/Users").json()["Resources"]] == ["Their root"]
    assert other.get(f"/scim/v2/Users/{user['id']}").status_code == 404
    assert len(directory.site.database.read(all_accounts)) == 3
    assert other.get("/scim/v2/ServiceProviderConfig").json()["patch"] == {"supported": True}
