"""Whoever stops a verb, through whichever door, finds what was there before: nothing half-written."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import assay
from assay.cli.observer import TerminalObserver
from assay.errors import Cancelled
from assay.execution.observer import Observer
from assay.web.worker.observer import JobObserver
from tests.parity.annotation_doors import SUBMISSIONS, TRUTH
from tests.parity.doors import Bench, files_of
from tests.parity.evaluation_doors import SCORES
from tests.paths import EXAMPLES

TEXTS = [f"Dogs wait for us on day {number}." for number in range(33)]
"""More than are measured at once; of the first seventeen, more than are scored at once."""


class Stopping(Observer):
    """Stops the work at the given check."""

    def __init__(self, at: int) -> None:
        self.left = at

    def check(self) -> None:
        self.left -= 1
        if self.left <= 0:
            raise Cancelled("enough")


def evaluate(out: Path, observer: Observer) -> None:
    chosen: dict[str, Any] = {"human": "human", "system": "engine_a", "id": "id"}
    assay.evaluate(EXAMPLES / "scores.csv", **chosen, observer=observer).write(out)


def grade(out: Path, observer: Observer) -> None:
    assay.grade(TRUTH, SUBMISSIONS, scratch=out.parent, observer=observer).write(out, observer=observer)


def score_essays(out: Path, observer: Observer) -> None:
    assay.score_essays(TEXTS[:17], EXAMPLES / "essay_model.json", out=out, observer=observer)


def features(out: Path, observer: Observer) -> None:
    assay.features(TEXTS, out=out.with_suffix(".csv"), observer=observer)


AT = {"evaluate": (1,), "grade": (3, 9), "score_essays": (2,), "features": (2,)}
"""Which check stops the work: while some of it is done; grading also while pages are written."""
PYTHON: dict[str, Callable[[Path, Observer], None]] = {
    **{"evaluate": evaluate, "grade": grade, "score_essays": score_essays, "features": features}
}
STOPPED = [(verb, at) for verb, checks in AT.items() for at in checks]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    (tmp_path / "bench").mkdir()
    return Bench(tmp_path / "bench")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Where results go."""
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.mark.parametrize(("verb", "at"), STOPPED)
def test_python_that_is_stopped_leaves_nothing(verb: str, at: int, home: Path) -> None:
    with pytest.raises(Cancelled):
        PYTHON[verb](home / "out", Stopping(at))

    assert list(home.iterdir()) == []


@pytest.mark.parametrize(("verb", "at"), STOPPED)
def test_python_that_is_stopped_leaves_what_was_there(verb: str, at: int, home: Path) -> None:
    PYTHON[verb](home / "out", Observer())
    before = files_of(home)

    with pytest.raises(Cancelled):
        PYTHON[verb](home / "out", Stopping(at))

    assert before
    assert files_of(home) == before


@pytest.mark.parametrize(("verb", "at"), STOPPED)
def test_a_command_that_is_stopped_leaves_nothing(
    verb: str, at: int, home: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    few, many = (bench.file("essays.csv", "\n".join(["text", *TEXTS[:count]])) for count in (17, 33))
    model = EXAMPLES / "essay_model.json"
    words: dict[str, tuple[object, ...]] = {
        "evaluate": ("evaluate", EXAMPLES / "scores.csv", "--human", "human", "--system", "engine_a", "-j", 1),
        "grade": ("annotations", "score", *SUBMISSIONS, "--truth", TRUTH, "-j", 1),
        "score_essays": ("essays", "score", few, "--text", "text", "--model", model, "-j", 1),
        "features": ("essays", "features", many, "--text", "text", "-j", 1),
    }
    stopping = Stopping(at)
    monkeypatch.setattr(TerminalObserver, "check", lambda _self: stopping.check())

    with pytest.raises(Cancelled):
        bench.command(*words[verb], "--out", home / ("out.csv" if verb == "features" else "out"), "-q")

    assert list(home.iterdir()) == []


def test_a_job_of_the_app_that_is_stopped_keeps_no_result(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    made = bench.workspace("evaluation", scores={"scores.csv": SCORES})
    stopping = Stopping(1)
    monkeypatch.setattr(JobObserver, "check", lambda _self: stopping.check())

    bench.work(made, human=["human"], system=["engine_a"], id="id", scale="1-6")

    (job,) = bench.asked(made, "/jobs")["jobs"]
    (result,) = bench.asked(made, "/results")["results"]
    assert (job["state"], job["done"], job["failed"], result["score"]) == ("cancelled", 0, 0, None)
    assert bench.asked(made, "/exports")["exports"] == []
    bench.visit.close()
