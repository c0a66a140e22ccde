import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from assay.cli.main import _called, app
from assay.cli.text_table import TextColumn, TextTable, say_lines, say_table

TABLE = TextTable("two", [TextColumn("name"), TextColumn("n", right=True, wrap=True)], [("a", "1"), ("\x1b[2J", "12")])


def test_a_pipe_gets_one_line_for_each_row_with_control_characters_shown(capsys: pytest.CaptureFixture[str]) -> None:
    say_table(TABLE)
    say_lines(["and \x07 this"], stderr=True)

    out, err = capsys.readouterr()
    assert out.splitlines()[0] == "two"
    assert out.splitlines()[-1].split() == ["\\x1b[2J", "12"]
    assert err == "and \\x07 this\n"


def test_a_terminal_gets_the_same_cells() -> None:
    console = Console(width=80, file=sys.stdout, record=True)
    console.print(TABLE.drawn())

    text = console.export_text()
    assert "name" in text
    assert "12" in text


def test_only_the_branch_that_is_called_is_built_and_the_whole_tree_for_anything_else() -> None:
    assert [command.name for command in _called(["evaluate", "x.csv"]).registered_commands] == ["evaluate"]
    assert [group.name for group in _called(["rsm", "eval"]).registered_groups] == ["rsm"]
    assert _called(["evalute"]) is app
    assert _called([]) is app


def test_an_evaluation_in_a_pipe_does_not_load_rich(tmp_path: Path) -> None:
    scores = tmp_path / "scores.csv"
    scores.write_text("h1,system\n" + "\n".join(f"{n % 4 + 1},{(n + n % 3) % 4 + 1}" for n in range(40)))
    arguments = [
        "assay",
        "evaluate",
        str(scores),
        "--human",
        "h1",
        "--system",
        "system",
        "--out",
        str(tmp_path / "out"),
    ]
    program = (
        f"import sys; sys.argv = {arguments!r}\nfrom assay.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    print('rich' in sys.modules, 'scipy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "False False"
