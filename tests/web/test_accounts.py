"""Accounts: the first one, signing in and out, roles, tokens."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.web.pages import accounts
from tests.web.visits import Visit

PASSWORD = "correct horse battery"


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Visit]:
    """An app where people sign in; nobody has an account yet."""
    accounts._tries.clear()
    made = Visit(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path / "cache", accounts=True, first_run_key="the key")
    yield made
    made.close()


def make_admin(visit: Visit) -> None:
    visit.send("/first-run", name="Ada", password=PASSWORD, key="the key")


def sign_in(visit: Visit, name: str, password: str = PASSWORD, status: int = 200) -> str:
    return str(visit.send("/sign-in", name=name, password=password, status=status).text)


def test_nothing_is_shown_before_signing_in(guarded: Visit) -> None:
    for path in ("/", "/evaluation", "/accounts", "/audit", "/mine"):
        assert "<h1>Sign in</h1>" in guarded.page(path)
    assert guarded.client.get("/api/v1/workspaces").status_code == 401


def test_the_first_account_needs_the_key_from_the_terminal_and_is_made_once(guarded: Visit) -> None:
    guarded.send("/first-run", name="Eve", password=PASSWORD, key="a guess", status=403)
    make_admin(guarded)
    page = guarded.page("/")
    guarded.send("/first-run", name="Eve", password=PASSWORD, key="the key", status=403)

    assert "Scores you can defend" in page
    assert "Ada" in page


def test_a_short_password_is_refused_beside_the_field(guarded: Visit) -> None:
    page = guarded.send("/first-run", name="Ada", password="short", key="the key", status=422).text
    assert "Use at least 10 characters" in page


def test_a_wrong_password_tells_nothing_and_after_eight_attempts_nobody_may_try(guarded: Visit) -> None:
    make_admin(guarded)
    guarded.send("/sign-out")
    known, unknown = sign_in(guarded, "Ada", "wrong", 422), sign_in(guarded, "Nobody", "wrong", 422)
    for _ in range(7):
        sign_in(guarded, "Ada", "wrong", 422)

    assert "do not fit together" in known
    assert "do not fit together" in unknown
    assert "Too many attempts" in sign_in(guarded, "Ada", status=429)


def test_signing_out_ends_the_session_on_the_server(guarded: Visit) -> None:
    make_admin(guarded)
    cookie = guarded.client.cookies["assay_session"]
    guarded.send("/sign-out")

    thief = guarded.another()
    thief.cookies.set("assay_session", cookie)
    assert "<h1>Sign in</h1>" in thief.get("/").text


def test_students_see_neither_workspaces_nor_accounts(guarded: Visit) -> None:
    make_admin(guarded)
    guarded.send("/accounts", name="Sam", password=PASSWORD, role="student")
    guarded.send("/sign-out")
    sign_in(guarded, "sam")

    assert "Your work" in guarded.page("/")
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
    assert "do not fit" in sign_in(guarded, "Sam", status=422)


def test_a_program_signs_in_with_a_token_until_it_is_withdrawn(guarded: Visit) -> None:
    make_admin(guarded)
    page = guarded.send("/account/tokens", label="nightly").text
    token = page.partition("<code>")[2].partition("</code>")[0]
    program = guarded.another()
    headers = {"Authorization": f"Bearer {token}"}
    made = program.post("/api/v1/workspaces", json={"kind": "evaluation", "name": "Nightly"}, headers=headers)
    end = guarded.page("/account").partition('action="/account/tokens/')[2].partition('"')[0]
    guarded.send(f"/account/tokens/{end}")

    assert made.status_code == 201
    assert program.get("/api/v1/workspaces", headers=headers).status_code == 401


def test_the_audit_log_names_who_did_what(guarded: Visit) -> None:
    make_admin(guarded)
    guarded.send("/accounts", name="Sam", password=PASSWORD, role="student")
    page = guarded.page("/audit")

    assert "create account" in page
    assert "sign in" in page
