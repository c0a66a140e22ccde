"""What a workflow says while it runs, and how it learns that it should stop."""

from collections.abc import Iterator

import pytest

from assay.errors import Cancelled
from assay.execution.observer import SILENT, Observer, with_progress


class Recorder(Observer):
    """Keeps what it hears, and asks to stop at the check of that number."""

    def __init__(self, stop_at: int = -1) -> None:
        self.heard: list[object] = []
        self.checks, self.stop_at = 0, stop_at

    def begin(self, title: str, total: int | None) -> None:
        self.heard.append((title, total))

    def advance(self, count: int) -> None:
        self.heard.append(count)

    def end(self) -> None:
        self.heard.append("end")

    def check(self) -> None:
        self.checks += 1
        if self.checks == self.stop_at:
            raise Cancelled


def test_batches_pass_unchanged_and_are_counted_by_their_length() -> None:
    recorder = Recorder()

    assert list(with_progress(["ab", "c", ""], recorder, "Reading", 3)) == ["ab", "c", ""]
    assert recorder.heard == [("Reading", 3), 2, 1, 0, "end"]
    assert recorder.checks == 3


def test_a_batch_counts_only_once_it_is_dealt_with() -> None:
    recorder = Recorder()
    batches = with_progress(["ab", "c"], recorder, "Reading", None)

    next(batches)
    assert recorder.heard == [("Reading", None)]
    next(batches)
    assert recorder.heard == [("Reading", None), 2]


def test_work_stops_between_two_batches_and_its_end_is_told() -> None:
    recorder = Recorder(stop_at=2)
    seen: list[str] = []

    with pytest.raises(Cancelled):
        seen.extend(with_progress(["ab", "c", "d"], recorder, "Reading", 4))

    assert recorder.heard == [("Reading", 4), 2, "end"]
    assert seen == ["ab"]


def test_the_end_is_told_after_an_error_too() -> None:
    recorder = Recorder()

    def failing() -> Iterator[str]:
        yield "ab"
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        list(with_progress(failing(), recorder, "Reading", None))
    assert recorder.heard == [("Reading", None), 2, "end"]


def test_the_silent_observer_hears_nothing_and_stops_nothing() -> None:
    SILENT.remark("something")
    with SILENT.stage("reading"):
        assert list(with_progress(["a"], SILENT, "Reading", 1)) == ["a"]
