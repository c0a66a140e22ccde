"""Students see what is theirs and nothing else, on pages and through the API; strangers see nothing."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from assay.web.app import create_app
from assay.web.pages import accounts
from assay.web.server import settings_for
from tests.web.annotated import ADA, coco, graded, item_of
from tests.web.test_accounts import PASSWORD, make_admin, sign_in
from tests.web.visits import Visit


@pytest.fixture
def ben(tmp_path: Path) -> Iterator[Visit]:
    """An app in which Ben has an account; the administrator is signed in until `as_ben`."""
    accounts._tries.clear()
    made = Visit(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path / "cache", accounts=True, first_run_key="the key")
    make_admin(made)
    made.send("/accounts", name="Ben", password=PASSWORD, role="student")
    yield made
    made.close()


def as_ben(visit: Visit) -> None:
    visit.client = visit.another()
    sign_in(visit, "Ben")


def test_a_student_finds_the_own_work_with_its_final_score(ben: Visit) -> None:
    url = graded(ben)
    mine = item_of(ben, url, "ben")
    token = ben.send("/account/tokens", label="reviews").text.partition("<code>")[2].partition("</code>")[0]
    program = ben.another()
    program.headers["Authorization"] = f"Bearer {token}"
    workspace = url.rpartition("/")[2]
    decision = {"kind": "override", "target": "miss:2", "value": 100, "reason": "It was hidden."}
    made = program.post(f"/api/v1/workspaces/{workspace}/results/{mine}/decisions", json=decision)
    as_ben(ben)
    page, listed = ben.page("/mine"), ben.client.get(f"/api/v1/workspaces/{workspace}/results").json()

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
    as_ben(ben)

    ben.page(f"{url}/submissions/{ids['ben']}")
    ben.page(f"{url}/submissions/{ids['ada']}", status=404)
    assert f'href="{url}/submissions/{ids["ben"]}"' in ben.page("/mine")
    ben.page(f"{url}/submissions", status=403)


@pytest.mark.parametrize(("host", "needed"), [("127.0.0.1", False), ("::1", False), ("0.0.0.0", True), ("::", True)])
def test_any_address_but_this_machines_own_needs_accounts(tmp_path: Path, host: str, needed: bool) -> None:
    settings = settings_for(
        database=str(tmp_path / "assay.db"), host=host, port=0, accounts=False, names=(), https=False, most_upload=1
    )
    app = create_app(settings)
    app.state.site.database.close()

    assert settings.accounts is needed
    assert len(settings.first_run_key) >= 12


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
