"""Requests wait when the server asks them to, try again when it may help, and stop when nothing will."""

import threading
from collections.abc import Sequence

import pytest

from assay.errors import Cancelled, InputError
from assay.evaluation.judging.answers import Usage
from assay.io.judging.answer_cache import AnswerCache
from assay.io.judging.requests import PatientModel, Request, ServerGone, first_of, in_threads
from assay.io.language_model import LanguageModel, Refused, TryLater
from tests.io.canned_server import Canned, Heard, canned_server, completion

FINE = completion("{}", usage={"prompt_tokens": 10, "completion_tokens": 3})
ASKED = Request([{"role": "user", "content": "hello"}], {"type": "object"}, 100, 0.0)


class Clock:
    """Time that passes only when somebody waits."""

    def __init__(self) -> None:
        self.now = 100.0
        self.waits: list[float] = []

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.waits.append(round(seconds, 6))
        self.now += seconds


def patient(heard: Heard, clock: Clock, cache: AnswerCache | None = None, **options: float) -> PatientModel:
    model = LanguageModel(heard.url, "m", timeout=5)
    return PatientModel(model, cache or AnswerCache(), wait=clock.wait, clock=clock, **options)  # type: ignore[arg-type]


def test_what_was_answered_is_not_asked_again() -> None:
    with canned_server([FINE]) as heard:
        model = patient(heard, Clock())
        assert model.ask(ASKED) == model.ask(ASKED)
    assert len(heard.bodies) == 1
    assert model.sent == Usage(1, 10, 3)


@pytest.mark.parametrize(
    "other",
    [
        Request([{"role": "user", "content": "hello!"}], {"type": "object"}, 100, 0.0),
        Request(ASKED.messages, {}, 100, 0.0),
        Request(ASKED.messages, ASKED.schema, 101, 0.0),
        Request(ASKED.messages, ASKED.schema, 100, 0.1),
        Request(ASKED.messages, ASKED.schema, 100, 0.0, run=2),
        Request(ASKED.messages, ASKED.schema, 100, 0.0, attempt=2),
    ],
)
def test_whatever_bears_on_an_answer_is_in_its_key(other: Request) -> None:
    model = PatientModel(LanguageModel("http://localhost:1/v1", "m", "secret"), AnswerCache())
    assert model.key(ASKED) != model.key(other)
    assert model.key(ASKED) == PatientModel(LanguageModel("http://localhost:1/v1", "m"), AnswerCache()).key(ASKED)
    assert model.key(ASKED) != PatientModel(LanguageModel("http://localhost:1/v1", "n"), AnswerCache()).key(ASKED)


def test_a_busy_server_is_asked_after_as_long_as_it_says() -> None:
    clock = Clock()
    with canned_server([Canned(b"", 429, {"Retry-After": "7"}), FINE]) as heard:
        assert patient(heard, clock).ask(ASKED).text == "{}"
    assert clock.waits == [7.0]


@pytest.mark.parametrize("trouble", [Canned(b"", 503), Canned(b"", 502), Canned(b"", 0), Canned(b"", 529)])
def test_without_a_word_of_the_server_waits_double(trouble: Canned) -> None:
    clock = Clock()
    with canned_server([trouble] * 4 + [FINE]) as heard:
        patient(heard, clock).ask(ASKED)
    assert len(clock.waits) == 4
    assert all(1.5 < later / earlier < 2.6 for earlier, later in zip(clock.waits, clock.waits[1:], strict=False))


def test_a_request_that_never_succeeds_is_given_up_and_three_in_a_row_end_the_run() -> None:
    with canned_server([Canned(b"", 503)]) as heard:
        model = patient(heard, Clock(), tries=2)
        for _ in range(2):
            with pytest.raises(TryLater, match="HTTP 503"):
                model.ask(ASKED)
        with pytest.raises(ServerGone, match="run the same command again"):
            model.ask(ASKED)
    assert len(heard.bodies) == 6


def test_a_slow_server_is_asked_again() -> None:
    with canned_server([Canned(b"x" * 100, drip=0.2), FINE]) as heard:
        model = PatientModel(LanguageModel(heard.url, timeout=0.5), AnswerCache(), wait=lambda _: None)
        assert model.ask(ASKED).text == "{}"


@pytest.mark.parametrize("code", [401, 403, 404, 302, 405])
def test_a_wrong_key_name_or_address_is_not_tried_twice(code: int) -> None:
    clock = Clock()
    headers = {"Location": "http://127.0.0.1:9/"} if code == 302 else {}
    with canned_server([Canned(b"", code, headers)]) as heard, pytest.raises(Refused, match=f"HTTP {code}"):
        patient(heard, clock).ask(ASKED)
    assert (len(heard.bodies), clock.waits) == (1, [])


def test_an_answer_that_is_too_long_is_one_items_trouble() -> None:
    with canned_server([Canned(b" " * 1_000_001)]) as heard, pytest.raises(InputError, match="bytes") as caught:
        patient(heard, Clock()).ask(ASKED)
    assert not isinstance(caught.value, TryLater | Refused | ServerGone)


def test_requests_are_spread_over_a_minute() -> None:
    clock = Clock()
    with canned_server([FINE]) as heard:
        model = patient(heard, clock, per_minute=120)
        for run in range(1, 5):
            model.ask(Request(ASKED.messages, ASKED.schema, 100, 0.0, run))
    assert clock.waits == [0.5, 0.5, 0.5]


def test_a_form_that_a_server_refuses_is_not_tried_with_every_request() -> None:
    with canned_server([Canned(b"", 400), Canned(b"", 400), FINE]) as heard:
        model = patient(heard, Clock())
        model.ask(ASKED)
        model.ask(Request(ASKED.messages, ASKED.schema, 100, 0.0, 2))
    kinds = [("response_format" in body, "max_tokens" in body) for body in heard.bodies]
    assert kinds == [(True, True), (True, False), (False, True), (False, True)]


def test_a_run_that_is_stopped_sends_nothing_more() -> None:
    with canned_server([FINE]) as heard:
        model = PatientModel(LanguageModel(heard.url), AnswerCache())
        model.stop()
        with pytest.raises(Cancelled):
            model.ask(ASKED)
    assert heard.bodies == []


def test_pieces_come_back_in_order_and_the_first_error_stops_the_rest() -> None:
    assert list(in_threads(lambda n: n * n, range(50), parallel=4, stop=lambda: None)) == [n * n for n in range(50)]
    stopped, begun = threading.Event(), []

    def work(number: int) -> int:
        begun.append(number)
        if number == 3:
            raise InputError("no")
        return number

    with pytest.raises(InputError, match="no"):
        list(in_threads(work, range(10_000), parallel=2, stop=stopped.set))
    assert stopped.is_set()
    assert len(begun) < 100


@pytest.mark.parametrize(("count", "chosen"), [(0, []), (2, [0, 5]), (10, list(range(10))), (50, list(range(10)))])
def test_items_are_chosen_evenly(count: int, chosen: Sequence[int]) -> None:
    assert first_of(range(10), count) == chosen
