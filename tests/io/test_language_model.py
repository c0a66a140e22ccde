"""The client of a language model: nothing without an address, clear words when it fails, bounds on what it takes."""

import socket

import pytest

from assay.errors import InputError
from assay.io.language_model import MOST_BYTES, LanguageModel, checked_address, configured_model
from tests.io.canned_server import Canned, canned_server, completion

ASKED = [{"role": "user", "content": "hello"}]


def test_without_an_address_there_is_no_model() -> None:
    assert configured_model({}) is None
    assert configured_model({"ASSAY_LLM_MODEL": "m", "ASSAY_LLM_KEY": "k", "ASSAY_LLM_URL": " "}) is None


def test_options_go_before_the_environment_and_the_key_is_never_shown() -> None:
    environ = {"ASSAY_LLM_URL": "https://a.example/v1", "ASSAY_LLM_MODEL": "m", "ASSAY_LLM_KEY": "secret"}
    from_environment = configured_model(environ)
    from_options = configured_model(environ, "http://localhost:1/v1/", "n")

    assert from_environment == LanguageModel("https://a.example/v1", "m", "secret")
    assert from_options == LanguageModel("http://localhost:1/v1", "n", "secret")
    assert "secret" not in repr(from_environment)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8080/v1", "http://[::1]:8080/v1", "http://localhost", "https://a.example"]
)
def test_this_machine_and_encrypted_addresses_are_taken(url: str) -> None:
    assert checked_address(f"{url}/chat/completions") == url


@pytest.mark.parametrize("url", ["http://a.example/v1", "http://10.0.0.7:8080", "http://localhost.a.example"])
def test_plain_http_to_another_machine_takes_a_word_of_consent(url: str) -> None:
    with pytest.raises(InputError, match="llm_insecure"):
        checked_address(url)
    assert checked_address(url, insecure=True) == url


@pytest.mark.parametrize(
    "url", ["", "file:///etc/passwd", "ftp://a.example", "localhost:8080", "http://", "http://a b/", "http://[::1"]
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="no address of a language model"):
        checked_address(url)


def test_a_key_in_the_address_is_refused_without_repeating_it() -> None:
    with pytest.raises(InputError, match="ASSAY_LLM_KEY") as caught:
        checked_address("https://user:secret@a.example/v1")
    assert "secret" not in str(caught.value)


def test_the_request_is_a_chat_completion_with_model_key_and_schema() -> None:
    with canned_server([completion("hi")]) as heard:
        said = LanguageModel(heard.url, "m", "k").answer(ASKED, schema={"type": "object"})

    assert said == "hi"
    assert heard.bodies[0]["messages"] == ASKED
    assert heard.bodies[0]["model"] == "m"
    assert heard.bodies[0]["response_format"]["json_schema"]["schema"] == {"type": "object"}
    assert heard.headers[0]["Authorization"] == "Bearer k"


def test_a_server_that_knows_no_schemas_is_asked_again_without() -> None:
    with canned_server([Canned(b"{}", 400), completion("hi")]) as heard:
        said = LanguageModel(heard.url).answer(ASKED, schema={"type": "object"})

    assert said == "hi"
    assert ["response_format" in body for body in heard.bodies] == [True, False]


def test_a_model_that_takes_no_options_is_asked_without_any() -> None:
    with canned_server([Canned(b"{}", 400), Canned(b"{}", 400), completion("hi")]) as heard:
        said = LanguageModel(heard.url).answer(ASKED, schema={"type": "object"})

    assert said == "hi"
    assert heard.bodies[-1] == {"messages": ASKED}


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (Canned(b"no", 404), r"HTTP 404.*ends in /v1"),
        (Canned(b"no", 401), "ASSAY_LLM_KEY"),
        (Canned(b"no", 429), "Try again later"),
        (Canned(b"no", 400), "HTTP 400"),
        (Canned(b"no", 500), "HTTP 500"),
        (Canned(b"", 302, {"Location": "http://127.0.0.1:9/"}), "another address"),
        (Canned(b"<html>"), "not answer with JSON"),
        (Canned(b"\xff\xfe"), "not answer with JSON"),
        (Canned(b"[" * 100_000), "not answer with JSON"),
        (Canned(b"[]"), "not as a chat completion"),
        (Canned(b'{"choices": []}'), "not as a chat completion"),
        (completion(None), "gave no text"),
        (completion({"edits": []}), "gave no text"),
        (Canned(b" " * (MOST_BYTES + 1)), "more than 1,000,000 bytes"),
        (Canned(b"{}", headers={"Content-Length": "50"}), "cannot be reached|not as a chat completion"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_canned_failure_is_named_with_its_remedy(answer: Canned, why: str) -> None:
    with canned_server([answer]) as heard, pytest.raises(InputError, match=why):
        LanguageModel(heard.url, timeout=5).answer(ASKED)


def test_an_answer_that_drips_in_for_ever_is_given_up() -> None:
    with canned_server([Canned(b"x" * 1000, drip=0.1)]) as heard, pytest.raises(InputError, match="not answer in time"):
        LanguageModel(heard.url, timeout=0.4).answer(ASKED)


def test_an_address_where_nobody_listens_is_named() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(InputError, match=rf"127\.0\.0\.1:{port}/v1 cannot be reached.*Is it running"):
        LanguageModel(f"http://127.0.0.1:{port}/v1").answer(ASKED)


def test_what_is_not_said_of_a_model_is_the_usual() -> None:
    model = LanguageModel("http://localhost:1/v1")
    assert (model.name, model.key, model.timeout, model.insecure) == ("", "", 60, False)
    with canned_server([completion("hi")]) as heard:
        LanguageModel(heard.url).answer(ASKED)
    assert heard.bodies[0] == {"messages": ASKED, "temperature": 0, "max_tokens": 800}
    assert "Authorization" not in heard.headers[0]
    with pytest.raises(InputError, match="llm_insecure"):
        configured_model({}, "http://a.example/v1")
    assert configured_model({}, "http://a.example/v1", insecure=True) is not None


@pytest.mark.parametrize(
    ("code", "asked_again", "said"),
    [
        (415, True, ""),
        (422, True, ""),
        (402, False, "Look at its log"),
        (403, False, "ASSAY_LLM_KEY"),
        (501, False, "Look at its log"),
        (503, False, "still loading"),
        (400, True, ""),
    ],
)
def test_a_request_is_put_again_only_where_an_option_may_be_to_blame(code: int, asked_again: bool, said: str) -> None:
    with canned_server([Canned(b"{}", code), completion("hi")]) as heard:
        if asked_again:
            assert LanguageModel(heard.url).answer(ASKED) == "hi"
            assert heard.bodies[-1] == {"messages": ASKED}
        else:
            with pytest.raises(InputError, match=f"HTTP {code}.*{said}") as caught:
                LanguageModel(heard.url).answer(ASKED)
            assert caught.value.field == "llm"
            assert len(heard.bodies) == 1


@pytest.mark.parametrize("code", [500, 501])
def test_a_server_that_fails_at_a_schema_is_asked_without(code: int) -> None:
    with canned_server([Canned(b"{}", code), completion("hi")]) as heard:
        assert LanguageModel(heard.url).answer(ASKED, schema={}) == "hi"
    assert heard.bodies[0]["response_format"]["json_schema"]["strict"] is True


def test_an_answer_may_be_as_long_as_is_allowed() -> None:
    content = completion("hi").body
    with canned_server([Canned(content.ljust(MOST_BYTES))]) as heard:
        assert LanguageModel(heard.url).answer(ASKED) == "hi"


@pytest.mark.parametrize("url", ["https://a.example/v1?x=1", "https://a.example/v1#x", "https://user@a.example"])
def test_queries_and_names_in_an_address_are_refused(url: str) -> None:
    with pytest.raises(InputError, match="has a key or a query") as caught:
        checked_address(url)
    assert caught.value.field == "llm"
