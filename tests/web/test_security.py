"""What keeps a page to itself: tokens, hosts, limits, headers."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from starlette.datastructures import MutableHeaders

from assay.web.security import guard_headers, too_large
from tests.web.visits import Visit, table

ROWS = "human,system\n" + "1,2\n2,2\n3,3\n" * 10


def test_a_form_without_its_token_changes_nothing(visit: Visit) -> None:
    visit.page("/")
    for data in ({}, {"csrf": "0" * 64}):
        assert visit.client.post("/evaluation", data=data, files=table(ROWS)).status_code == 403
    assert visit.client.get("/api/v1/workspaces").json() == {"workspaces": []}


def test_a_token_of_another_browser_is_refused(visit: Visit) -> None:
    stolen, other = visit.token(), visit.another()
    other.get("/")
    assert other.post("/example", data={"csrf": stolen}).status_code == 403


@pytest.mark.parametrize("header", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}])
def test_another_site_cannot_make_a_browser_use_the_api(visit: Visit, header: dict[str, str]) -> None:
    new = {"kind": "evaluation", "name": "x"}
    fresh = visit.another()
    assert fresh.post("/api/v1/workspaces", json=new, headers=header).status_code == 403
    assert fresh.post("/api/v1/workspaces", json=new).status_code == 201


def test_only_known_names_of_this_machine_are_answered(visit: Visit) -> None:
    assert visit.client.get("/", headers={"Host": "attacker.example:8765"}).status_code == 421
    assert visit.client.get("/", headers={"Host": "localhost:8765"}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/evaluation", "/nothing-here", "/sign-in", "/static/app.css"])
def test_every_answer_carries_a_strict_policy(visit: Visit, path: str) -> None:
    headers = visit.client.get(path).headers
    policy = headers["content-security-policy"]

    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"


def test_pages_hold_no_inline_script_style_or_handler(visit: Visit) -> None:
    visit.send("/example")
    visit.work()
    pages = ["/", "/evaluation", visit.client.get("/").text.partition('href="/evaluation/')[2].partition('"')[0]]
    for path in (*pages[:2], f"/evaluation/{pages[2]}/report", f"/evaluation/{pages[2]}/engines"):
        page = visit.page(path)
        assert not re.search(r"<script(?![^>]* src=)", page)
        assert not re.search(r"<[^>]* style=", page)
        assert not re.search(r"<[^>]* on\w+=", page)
        assert re.findall(r"<style(?! nonce=)", page) == []


def test_an_upload_beyond_the_limit_is_refused_with_and_without_a_length(tmp_path: Path) -> None:
    visit = Visit(f"sqlite:///{tmp_path / 'a.db'}", tmp_path / "cache", most_upload=5000)
    made = visit.client.post("/api/v1/workspaces", json={"kind": "evaluation", "name": "x"}).json()["id"]
    url = f"/api/v1/workspaces/{made}/uploads/scores"
    whole = visit.another().post(url, files={"files": ("big.csv", BytesIO(b"x" * 6000))})
    pieces = visit.another().post(
        url,
        content=(part for part in (b'--b\r\nContent-Disposition: form-data; name="files"\r\n\r\n', *[b"x" * 1000] * 9)),
        headers={"Content-Type": "multipart/form-data; boundary=b"},
    )
    visit.close()

    assert whole.status_code == 413
    assert pieces.status_code == 413


def test_no_path_of_a_user_leads_out_of_the_package(visit: Visit) -> None:
    for path in ("/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static/../../settings.py"):
        assert visit.client.get(path).status_code == 404


def test_a_file_name_is_only_shown(visit: Visit, tmp_path: Path) -> None:
    visit.send("/evaluation", files=table(ROWS, "../../../etc/passwd.csv"))
    kept = [path.name for path in visit.settings.cache.iterdir()]

    assert all(re.fullmatch(r"[0-9a-f]{64}\.csv", name) for name in kept)
    assert "passwd" in visit.page("/")


def test_the_theme_is_kept_in_a_cookie_that_the_server_reads(visit: Visit) -> None:
    visit.send("/theme", theme="dark", back="/evaluation")
    assert '<html lang="en" data-theme="dark">' in visit.page("/")
    visit.send("/theme", theme="<script>", status=422)


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example", "/\\evil.example"])
def test_a_form_never_leads_to_another_site(visit: Visit, back: str) -> None:
    assert visit.send("/theme", theme="dark", back=back).url.host == "127.0.0.1"


def test_a_report_opened_in_the_browser_may_do_nothing(visit: Visit) -> None:
    visit.send("/example")
    visit.work()
    url = "/evaluation/" + visit.page("/").partition('href="/evaluation/')[2].partition('"')[0]
    file = re.search(rf'href="({url}/exports/\d+/report.html)\?show=true"', visit.page(f"{url}/exports"))
    assert file is not None

    assert visit.client.get(file[1] + "?show=true").headers["content-security-policy"].startswith("sandbox;")


def test_an_answer_keeps_a_policy_of_its_own_and_gets_the_other_headers() -> None:
    headers = MutableHeaders({"Content-Security-Policy": "sandbox"})

    guard_headers(headers, "n0nce", "/static/app.css", https=False)

    assert (headers["content-security-policy"], headers["x-content-type-options"]) == ("sandbox", "nosniff")
    assert "cache-control" not in headers  # files of the look are kept by browsers
    assert "strict-transport-security" not in headers


def test_an_app_behind_https_tells_browsers_to_use_nothing_else() -> None:
    headers = MutableHeaders({})

    guard_headers(headers, "n0nce", "/", https=True)

    assert headers["strict-transport-security"] == "max-age=31536000"


def test_the_limit_of_uploads_is_said_in_megabytes() -> None:
    assert "larger than 3 MB" in too_large(3 << 20)
