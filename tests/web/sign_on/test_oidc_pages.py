"""OIDC sign-on against a real provider on loopback: Canaille (PyPI), in a process of its own."""

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from fastapi.testclient import TestClient

from assay.store.accounts import all_accounts, create_account, find_account, set_second_factor
from assay.store.sign_on.identities import account_of_identity, change_profile, disable_account
from assay.web.sign_on.oidc_pages import STATE
from assay.web.visitors import SESSION
from tests.web.visits import Visit

PROVIDER = Path(sys.prefix, "provider", "bin", "python")
"""Canaille has an environment of its own (`make` installs requirements-provider.lock into it): it brings a top-level
package called tests."""
CALLBACK = "http://127.0.0.1:8765/sign-in/oidc/callback"


@dataclass(frozen=True, slots=True)
class Provider:
    """A running provider, and the client that it knows."""

    issuer: str
    client_id: str
    client_secret: str

    def settings(self, folder: Path, *lines: str) -> Path:
        """A file of settings for it."""
        own = (f'issuer = "{self.issuer}"', f'client_id = "{self.client_id}"', 'name = "Example School"')
        path = folder / "sign-on.toml"
        path.write_text("\n".join(("[oidc]", *own, f'client_secret = "{self.client_secret}"', *lines)), "utf-8")
        return path

    def sign_on(self, address: str, person: str) -> str:
        """Where the provider sends the browser of somebody who is signed in there."""
        answer = httpx2.get(address, cookies={"person": person}, follow_redirects=False)
        assert answer.status_code == 302, answer.text[:500]
        return str(answer.headers["location"])


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    if not PROVIDER.exists():
        pytest.skip("Canaille is not installed (requirements-provider.lock)")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(PROVIDER), "-W", "ignore", str(Path(__file__).with_name("canaille_server.py")), str(port), CALLBACK]
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=alone)
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, "the provider did not start"
    yield Provider(f"http://localhost:{port}", **json.loads(line))
    process.kill()
    process.wait()
    process.stdout.close()


def visit_with(url: str, folder: Path, provider: Provider, *lines: str) -> Visit:
    return Visit(url, folder / "cache", accounts=True, sign_on=provider.settings(folder, *lines))


def begin(browser: TestClient) -> str:
    answer = browser.get("/sign-in/oidc", follow_redirects=False)
    assert answer.status_code == 303, answer.text[:1000]
    return str(answer.headers["location"])


def path_of(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.path}?{parts.query}"


def test_somebody_of_the_provider_signs_on_and_is_the_same_person_next_time(
    database_url: str, tmp_path: Path, provider: Provider
) -> None:
    visit = visit_with(database_url, tmp_path, provider, "create_accounts = true")
    assert "Sign in with Example School" in visit.page("/sign-in")

    for browser in (visit.client, visit.another()):
        back = provider.sign_on(begin(browser), "ada")
        answer = browser.get(path_of(back), follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, "/"), answer.text[:1000]
        assert "Ada Lovelace" in browser.get("/account").text

    listed = visit.site.database.read(all_accounts)
    assert [(one.name, one.role, one.email, one.invited) for one in listed] == [
        ("Ada Lovelace", "student", "ada@example.org", False)
    ]
    visit.close()


def test_the_request_carries_state_nonce_and_a_hashed_verifier(
    visit: Visit, tmp_path: Path, provider: Provider
) -> None:
    own = visit_with(f"sqlite:///{tmp_path / 'own.db'}", tmp_path, provider)
    first, second = (parse_qs(urlsplit(begin(own.another())).query) for _ in range(2))

    assert first["code_challenge_method"] == ["S256"]
    assert first["redirect_uri"] == [CALLBACK]
    for name in ("state", "nonce", "code_challenge"):
        assert len(first[name][0]) >= 32
        assert first[name] != second[name]
    own.close()


def test_without_permission_to_create_accounts_a_stranger_stays_outside(tmp_path: Path, provider: Provider) -> None:
    visit = visit_with(f"sqlite:///{tmp_path / 'a.db'}", tmp_path, provider)
    answer = visit.client.get(path_of(provider.sign_on(begin(visit.client), "ben")))

    assert answer.status_code == 403
    assert "no account here yet" in answer.text
    assert SESSION not in visit.client.cookies
    assert visit.site.database.read(all_accounts) == []
    visit.close()


@pytest.mark.parametrize(("allowed", "role", "linked"), [(False, "trainer", False), (True, "admin", False)])
def test_an_address_alone_gives_nobody_an_account(
    tmp_path: Path, provider: Provider, allowed: bool, role: str, linked: bool
) -> None:
    visit = visit_with(f"sqlite:///{tmp_path / 'a.db'}", tmp_path, provider, f"link_by_email = {str(allowed).lower()}")
    with visit.site.database.writing() as connection:
        id_ = create_account(connection, "Old", "hash", role, now=visit.site.now())  # type: ignore[arg-type]
        change_profile(connection, id_, {"email": "ada@example.org"})
    answer = visit.client.get(path_of(provider.sign_on(begin(visit.client), "ada")))

    assert answer.status_code == 403
    assert (SESSION in visit.client.cookies) is linked
    visit.close()


def test_an_answer_works_once_and_only_in_the_browser_that_asked(tmp_path: Path, provider: Provider) -> None:
    visit = visit_with(f"sqlite:///{tmp_path / 'a.db'}", tmp_path, provider, "create_accounts = true")
    back = path_of(provider.sign_on(begin(visit.client), "ada"))
    thief = visit.another()
    assert thief.get(back).status_code == 403

    state = visit.client.cookies[STATE]
    assert visit.client.get(back, follow_redirects=False).status_code == 303
    visit.client.cookies.set(STATE, state)
    assert visit.client.get(back).status_code == 403
    assert SESSION not in thief.cookies
    visit.close()


def test_a_disabled_account_and_one_with_a_second_factor_get_no_session(tmp_path: Path, provider: Provider) -> None:
    visit = visit_with(f"sqlite:///{tmp_path / 'a.db'}", tmp_path, provider, "create_accounts = true")
    first = visit.client.get(path_of(provider.sign_on(begin(visit.client), "ada")), follow_redirects=False)
    assert first.status_code == 303, first.text
    account = visit.site.database.read(find_account, "Ada Lovelace")
    assert account is not None
    with visit.site.database.writing() as connection:
        set_second_factor(connection, account.id, "A" * 32)
    with_code = visit.another()
    answer = with_code.get(path_of(provider.sign_on(begin(with_code), "ada")), follow_redirects=False)
    assert answer.headers.get("location") == "/sign-in/code", answer.text
    assert SESSION not in with_code.cookies

    with visit.site.database.writing() as connection:
        disable_account(connection, account.id, visit.site.now())
    without = visit.another()
    assert without.get(path_of(provider.sign_on(begin(without), "ada"))).status_code == 403
    visit.close()


def test_a_provider_that_is_away_is_said_and_no_secret_is_logged(
    tmp_path: Path, provider: Provider, capfd: pytest.CaptureFixture[str]
) -> None:
    away = Provider("http://localhost:9", "id", "the client's secret")
    visit = visit_with(f"sqlite:///{tmp_path / 'a.db'}", tmp_path, away)
    answer = visit.client.get("/sign-in/oidc")

    assert answer.status_code == 502
    assert re.search("localhost could not be reached", answer.text)
    assert "the client's secret" not in "".join(capfd.readouterr()) + answer.text + repr(visit.settings)
    visit.close()


def test_where_nothing_is_set_up_there_is_no_such_page(visit: Visit) -> None:
    assert visit.client.get("/sign-in/oidc").status_code == 404
    assert visit.client.get("/sign-in/oidc/callback").status_code == 404
    assert visit.site.database.read(account_of_identity, "x", "y") is None


def test_a_code_of_another_sign_on_is_refused_by_nonce_and_verifier(tmp_path: Path, provider: Provider) -> None:
    # the last of the module: after a refused code Canaille at times refuses the next one too
    visit = visit_with(f"sqlite:///{tmp_path / 'a.db'}", tmp_path, provider, "create_accounts = true")
    stolen = parse_qs(urlsplit(provider.sign_on(begin(visit.another()), "ben")).query)["code"][0]
    state = parse_qs(urlsplit(begin(visit.client)).query)["state"][0]
    answer = visit.client.get("/sign-in/oidc/callback", params={"state": state, "code": stolen, "iss": provider.issuer})

    assert answer.status_code == 502
    assert SESSION not in visit.client.cookies
    visit.close()
