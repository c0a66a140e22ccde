"""The first account, signing in and out, attempts, codes that are not asked for."""

from concurrent.futures import ThreadPoolExecutor

from assay.store.sign_in_attempts import MOST_BY_BOTH, MOST_BY_NAME
from assay.web.pages import sign_in as page
from tests.web.pages.test_accounts import PASSWORD, guarded, make_admin, sign_in
from tests.web.visits import Visit

__all__ = ["guarded"]


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
    assert "Use at least 12 characters" in page


def test_a_wrong_password_tells_nothing_and_after_eight_attempts_nobody_may_try(guarded: Visit) -> None:
    make_admin(guarded)
    guarded.send("/sign-out")
    known, unknown = sign_in(guarded, "Ada", "wrong", 422), sign_in(guarded, "Nobody", "wrong", 422)
    for _ in range(7):
        sign_in(guarded, "Ada", "wrong", 422)

    assert "match" in known
    assert "match" in unknown
    assert "Too many attempts" in sign_in(guarded, "Ada", status=429)


def test_signing_out_ends_the_session_on_the_server(guarded: Visit) -> None:
    make_admin(guarded)
    cookie = guarded.client.cookies["assay_session"]
    guarded.send("/sign-out")

    thief = guarded.another()
    thief.cookies.set("assay_session", cookie)
    assert "<h1>Sign in</h1>" in thief.get("/").text


def test_strangers_cannot_lock_anybody_out_of_a_browser_that_was_signed_in_before(guarded: Visit) -> None:
    make_admin(guarded)
    guarded.send("/sign-out")
    known, guarded.client = guarded.client, guarded.another()
    for _ in range(MOST_BY_BOTH):
        sign_in(guarded, "Ada", "wrong", 422)
    sign_in(guarded, "Ada", status=429)
    guarded.client = known

    assert "Scores you can defend" in sign_in(guarded, "Ada")


def test_many_attempts_at_once_are_no_more_than_many_in_a_row(guarded: Visit) -> None:
    make_admin(guarded)
    stranger = guarded.another()
    guarded.client = stranger
    token = guarded.token()

    def guess(number: int) -> int:
        return stranger.post("/sign-in", data={"csrf": token, "name": "Ada", "password": f"guess {number}"}).status_code

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(guess, range(2 * MOST_BY_BOTH)))

    assert sorted(answers) == [422] * MOST_BY_BOTH + [429] * MOST_BY_BOTH


def test_a_code_is_asked_for_after_the_password_only(guarded: Visit) -> None:
    make_admin(guarded)
    guarded.send("/sign-out")

    assert "<h1>Sign in</h1>" in guarded.page("/sign-in/code")
    assert "<h1>Sign in</h1>" in guarded.send("/sign-in/code", code="123456").text
    guarded.client.cookies.set(page.PENDING, "1.9999999999.forged")
    assert "<h1>Sign in</h1>" in guarded.send("/sign-in/code", code="123456").text
    assert MOST_BY_NAME > MOST_BY_BOTH
