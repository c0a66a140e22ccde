"""Accounts of others and one's own: roles, links, sessions, tokens, the second factor."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from assay.store.accounts import token_digest
from assay.web.credentials import code_of_step
from assay.web.pages.accounts import TOKEN_DAYS
from tests.web.visits import Visit

PASSWORD = "correct horse battery"


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Visit]:
    """An app where people sign in; nobody has an account yet."""
    made = Visit(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path / "cache", accounts=True, first_run_key="the key")
    yield made
    made.close()


def make_admin(visit: Visit) -> None:
    visit.send("/first-run", name="Ada", password=PASSWORD, key="the key")


def sign_in(visit: Visit, name: str, password: str = PASSWORD, status: int = 200) -> str:
    return str(visit.send("/sign-in", name=name, password=password, status=status).text)


def test_students_see_neither_workspaces_nor_accounts(guarded: Visit) -> None:
    make_admin(guarded)
    guarded.send("/accounts", name="Sam", password=PASSWORD, role="student")
    guarded.send("/sign-out")
    sign_in(guarded, "sam")

    assert "My work" in guarded.page("/")
    for path in ("/evaluation", "/accounts", "/audit"):
        guarded.page(path, status=403)
    assert guarded.client.get("/api/v1/workspaces").status_code == 403


def test_a_disabled_account_is_signed_out_at_once(guarded: Visit) -> None:
    make_admin(guarded)
    guarded.send("/accounts", name="Sam", password=PASSWORD, role="trainer")
    sams = guarded.another()
    admins, guarded.client = guarded.client, sams
    sign_in(guarded, "Sam")
    assert "Scores you can defend" in guarded.page("/")
    guarded.client = admins
    guarded.send("/accounts/2/disable")
    guarded.client = sams

    assert "Sign in" in guarded.page("/")
    assert "match" in sign_in(guarded, "Sam", status=422)


def test_a_program_signs_in_with_a_token_until_it_is_withdrawn(guarded: Visit) -> None:
    make_admin(guarded)
    page = guarded.send("/account/tokens", label="nightly").text
    token = page.partition("<code>")[2].partition("</code>")[0]
    program = guarded.another()
    headers = {"Authorization": f"Bearer {token}"}
    made = program.post("/api/v1/workspaces", json={"kind": "evaluation", "name": "Nightly"}, headers=headers)
    tokens = guarded.page("/account").partition('id="tokens"')[2]
    end = tokens.partition('action="/account/sessions/')[2].partition('"')[0]
    guarded.send(f"/account/sessions/{end}")

    assert made.status_code == 201
    assert program.get("/api/v1/workspaces", headers=headers).status_code == 401


def test_the_audit_log_names_who_did_what(guarded: Visit) -> None:
    make_admin(guarded)
    guarded.send("/accounts", name="Sam", password=PASSWORD, role="student")
    page = guarded.page("/audit")

    assert "create account" in page
    assert "sign in" in page


def link_in(page: str) -> str:
    """The path of the link that a page shows."""
    return "/welcome/" + page.partition("/welcome/")[2].partition("<")[0]


def test_an_invited_person_sets_a_password_and_is_signed_in(guarded: Visit) -> None:
    make_admin(guarded)
    page = guarded.send("/accounts", name="Sam", role="trainer").text
    link = link_in(page)
    assert "invited" in page
    assert "match" in sign_in(guarded, "Sam", "", 422)
    guarded.client = guarded.another()

    assert "Welcome, Sam" in guarded.page(link)
    assert "at least 12 characters" in guarded.send(link, password="short", status=422).text
    assert "Scores you can defend" in guarded.send(link, password=PASSWORD).text
    assert "no longer works" in guarded.page(link, status=410)
    assert "no longer works" in guarded.send(link, password=PASSWORD, status=410).text


def test_a_reset_link_replaces_the_password_and_ends_sessions(guarded: Visit) -> None:
    make_admin(guarded)
    guarded.send("/accounts", name="Sam", password=PASSWORD, role="trainer")
    admins, sams = guarded.client, guarded.another()
    guarded.client = sams
    sign_in(guarded, "Sam")
    guarded.client = admins
    link = link_in(guarded.send("/accounts/2/link").text)
    guarded.send("/accounts/99/link", status=404)
    guarded.client = guarded.another()
    guarded.send(link, password="another horse battery")
    guarded.client = sams

    assert "<h1>Sign in</h1>" in guarded.page("/")
    assert "Scores you can defend" in sign_in(guarded, "Sam", "another horse battery")


def test_a_name_that_is_taken_or_odd_is_refused_beside_its_field(guarded: Visit) -> None:
    make_admin(guarded)

    assert "already an account" in guarded.send("/accounts", name="ada", role="student", status=422).text
    assert "Use letters" in guarded.send("/accounts", name="<b>", role="student", status=422).text


def test_sessions_are_listed_and_another_browser_can_be_signed_out(guarded: Visit) -> None:
    make_admin(guarded)
    here, there = guarded.client, guarded.another()
    guarded.client = there
    sign_in(guarded, "Ada")
    other = token_digest(there.cookies["assay_session"])
    guarded.client = here
    page = guarded.page("/account")

    assert page.count("(this browser)") == 1
    assert f"/account/sessions/{other}/end" in page
    guarded.send(f"/account/sessions/{other}/end")
    guarded.client = there
    assert "<h1>Sign in</h1>" in guarded.page("/")


def test_a_token_that_only_reads_changes_nothing(guarded: Visit) -> None:
    make_admin(guarded)
    page = guarded.send("/account/tokens", label="dashboard", scope="read", days=TOKEN_DAYS[0]).text
    token = page.partition("<code>")[2].partition("</code>")[0]
    program = guarded.another()
    program.headers["Authorization"] = f"Bearer {token}"
    refused = program.post("/api/v1/workspaces", json={"kind": "evaluation", "name": "x"})

    assert "read only" in page
    assert program.get("/api/v1/workspaces").status_code == 200
    assert (refused.status_code, "can only read" in refused.text) == (403, True)


def set_up(visit: Visit) -> str:
    """Turn on the second factor of whoever is signed in; its secret. The clock stands still from now on."""
    moment = visit.site.now()
    visit.site = visit.app.state.site = replace(visit.site, clock=lambda: moment)
    page = visit.send("/account/second-factor/new").text
    secret, tag = (page.partition(f'name="{name}" value="')[2].partition('"')[0] for name in ("secret", "tag"))
    step = int(visit.site.now().timestamp()) // 30
    assert (
        "That code is not right"
        in visit.send("/account/second-factor", secret=secret, tag=tag, code="no", status=422).text
    )
    visit.send("/account/second-factor", secret="A" * 32, tag=tag, code=code_of_step("A" * 32, step), status=422)
    visit.send("/account/second-factor", secret=secret, tag=tag, code=code_of_step(secret, step - 1))
    return secret


def test_with_a_second_factor_a_password_alone_is_not_enough(guarded: Visit) -> None:
    make_admin(guarded)
    secret = set_up(guarded)
    guarded.send("/sign-out")
    asked = sign_in(guarded, "Ada")
    step = int(guarded.site.now().timestamp()) // 30

    assert "Enter your code" in asked
    assert "<h1>Sign in</h1>" in guarded.page("/")
    used = guarded.send("/sign-in/code", code=code_of_step(secret, step - 1), status=422).text
    assert "was used already" in used
    assert "Scores you can defend" in guarded.send("/sign-in/code", code=code_of_step(secret, step + 1)).text


def test_the_second_factor_is_turned_off_by_the_password(guarded: Visit) -> None:
    make_admin(guarded)
    set_up(guarded)

    assert "not your current password" in guarded.send("/account/second-factor/end", current="x", status=422).text
    assert "Set up a second factor" in guarded.send("/account/second-factor/end", current=PASSWORD).text
    guarded.send("/sign-out")
    assert "Scores you can defend" in sign_in(guarded, "Ada")


def test_an_administrator_can_remove_a_lost_second_factor(guarded: Visit) -> None:
    make_admin(guarded)
    set_up(guarded)
    link = link_in(guarded.send("/accounts/1/link", everything="true").text)
    guarded.client = guarded.another()

    assert "Scores you can defend" in guarded.send(link, password="another horse battery").text
