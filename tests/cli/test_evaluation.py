"""`assay evaluate`, `compare` and `trust`: options to a workflow, its result to the screen."""

import sys
from pathlib import Path

import pytest
import typer

from assay.cli.evaluation import compare, evaluate, recorded_command, split_names, trust
from tests.paths import EXAMPLES

SCORES = EXAMPLES / "scores.csv"


def test_names_are_separated_by_commas() -> None:
    assert split_names(" a, b,,c ") == ("a", "b", "c")
    assert split_names(None) == split_names("") == ()


def test_the_command_is_recorded_as_it_was_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/usr/bin/assay", "evaluate", "my scores.csv"])

    assert recorded_command() == "assay evaluate 'my scores.csv'"


def test_a_gate_that_fails_is_exit_code_1_and_the_result_is_written(tmp_path: Path) -> None:
    with pytest.raises(typer.Exit) as ended:
        evaluate(
            SCORES, human="human", system="engine_a", gate=["qwk>=0.99"], out=tmp_path / "out", workers=1, quiet=True
        )

    assert ended.value.exit_code == 1
    assert (tmp_path / "out" / "evaluation.json").is_file()


def test_engines_are_compared_beside_their_table_unless_told_otherwise(tmp_path: Path) -> None:
    table = tmp_path / "scores.csv"
    table.write_bytes(SCORES.read_bytes())

    compare([table], human="human", system="engine_a,engine_b", quiet=True)

    assert (tmp_path / "comparison" / "comparison.json").is_file()


def test_trust_writes_nothing_unless_a_folder_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trust(SCORES, human="human", system="engine_a", most=0)

    assert list(tmp_path.iterdir()) == []
    assert "“engine_a”: 591 reviewed, 6 waiting" in capsys.readouterr().out
