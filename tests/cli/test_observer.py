"""What a terminal shows: remarks, times, figures as people read them."""

import re

import pytest

from assay.cli.observer import TerminalObserver, asking, in_two, number, probability, timed_executor
from assay.metrics.intervals import Estimate
from assay.workflows.evaluation.judge import SendingPlan


def test_without_a_terminal_no_bar_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    observer = TerminalObserver(quiet=False)
    observer.begin("essays", 3)
    observer.advance(1)
    observer.end()
    observer.remark("one file is odd")

    assert capsys.readouterr() == ("", "one file is odd\n")


def test_a_quiet_observer_keeps_remarks_to_itself(capsys: pytest.CaptureFixture[str]) -> None:
    TerminalObserver(quiet=True).remark("one file is odd")

    assert capsys.readouterr() == ("", "")


def test_the_time_of_each_stage_is_told_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    with timed_executor(1, None, "scored", profile=True) as (executor, observer):
        with observer.stage("read"):
            pass
        assert list(executor.map_ordered(len, ["a", "bc"])) == [1, 2]

    said = capsys.readouterr().err
    assert "scored" in said
    assert re.search(r"Time: read .* s", said)
    with timed_executor(1, None, "scored"):
        pass
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("value", "decimals", "text"), [(-0.001, 2, "0.00"), (-1.5, 1, "−1.5"), (float("nan"), 2, "n/a"), (12.0, 0, "12")]
)
def test_a_figure_is_never_minus_nothing(value: float, decimals: int, text: str) -> None:
    assert number(value, decimals) == text


def test_an_estimate_without_an_interval_says_why() -> None:
    assert in_two(Estimate(0.5, reason="too few responses")) == ("0.50", "too few responses")
    assert in_two(Estimate(0.5, 0.4, 0.6), signed=True) == ("+0.50", "+0.40 to +0.60")
    assert probability(0.5) == "0.500"


def test_a_person_at_a_terminal_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)

    def agree(text: str, **_: object) -> bool:
        asked.append(text)
        return True

    monkeypatch.setattr("typer.confirm", agree)
    confirm = asking()
    assert confirm is not None
    assert confirm(SendingPlan("http://localhost:1/v1", "m", 2, 2, 0, 10, 5))
    assert "Send it?" in asked[0]
