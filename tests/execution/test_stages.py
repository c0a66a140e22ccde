"""Where the time of a command goes."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.execution.executor import ProcessExecutor, SerialExecutor
from assay.execution.stages import Stages, TimedExecutor, this_process


def slow_items(count: int, seconds: float) -> Iterator[int]:
    for i in range(count):
        time.sleep(seconds)
        yield i


def squares(number: int) -> list[int]:
    return [number**2] * 5


def test_an_inner_stage_stops_the_clock_of_the_outer_one() -> None:
    stages = Stages()
    with stages.during("wrote"):
        for _ in stages.timed("read", slow_items(3, 0.05)):
            pass
    assert stages.by_name["read"].wall >= 0.15
    assert stages.by_name["read"].wall + stages.by_name["wrote"].wall <= stages.wall


def test_reading_and_working_are_told_apart_and_rows_counted() -> None:
    stages = Stages()
    executor = TimedExecutor(SerialExecutor(), stages, "measured")
    assert [found[0] for found in executor.map_ordered(squares, slow_items(3, 0.02))] == [0, 1, 4]
    assert list(stages.by_name) == ["measured", "read"]
    assert stages.by_name["measured"].rows == 15
    assert stages.by_name["read"].wall >= 0.06
    assert not stages.by_name["measured"].workers
    assert "on" not in stages.line()


def test_workers_tell_what_they_took() -> None:
    stages = Stages()
    list(TimedExecutor(ProcessExecutor(2), stages, "measured").map_ordered(squares, range(8)))
    stage = stages.by_name["measured"]
    assert 1 <= len(stage.workers) <= 2
    assert this_process() not in stage.workers
    assert stage.peak > 1_000_000
    assert f"s on {len(stage.workers)} worker" in stages.line()


def test_the_profile_is_a_table_on_standard_error(tmp_path: Path) -> None:
    pl.DataFrame({"human": [1, 2, 3, 4] * 10, "engine": [1, 2, 3, 3] * 10}).write_csv(tmp_path / "scores.csv")
    command = ["evaluate", str(tmp_path / "scores.csv"), "--human", "human", "--system", "engine", "--quiet"]
    asked = CliRunner().invoke(app, [*command, "--out", str(tmp_path / "a"), "--profile"])
    plain = CliRunner().invoke(app, [*command, "--out", str(tmp_path / "b")])
    assert asked.exit_code == plain.exit_code == 0
    assert asked.stdout == plain.stdout == plain.stderr == ""
    for word in (
        "stage",
        "CPU, s",
        "read",
        "figured",
        "wrote",
        "the rest",
        "peak memory of this process",
        "Time: read",
    ):
        assert word in asked.stderr, word


@pytest.mark.skipif(os.name == "nt", reason="Windows does not say how much memory a process had")
def test_a_process_knows_its_peak_memory() -> None:
    from assay.execution.stages import peak_memory

    assert peak_memory() > 10_000_000
