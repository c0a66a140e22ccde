"""What holds for every command before it begins."""

import os
import subprocess
import sys

import pytest

from assay.cli import main as program
from assay.cli.main import main, option_speller
from assay.errors import Field, InputError

PROGRAM = """
import os, sys
sys.argv = ["assay", "--version"]
from assay.cli.main import main
try:
    main()
except SystemExit:
    pass
print("numpy" in sys.modules, os.environ["OPENBLAS_NUM_THREADS"])
"""


def said(**environment: str) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env={**kept, **environment}
    )
    return done.stdout.splitlines()[-1]


def test_matrix_products_have_one_thread_said_before_numpy_comes() -> None:
    assert said() == "False 1"


def test_what_the_user_set_stays() -> None:
    assert said(OPENBLAS_NUM_THREADS="4") == "False 4"


def test_a_mistake_is_said_in_the_words_of_the_command_and_exits_with_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["assay", "trust", "none.csv", "--human", "h", "--system", "s", "--within", "-1"])

    with pytest.raises(SystemExit) as stopped:
        main()

    assert stopped.value.code == 2
    assert "--within is a number above 0" in capsys.readouterr().err


@pytest.mark.parametrize(("raised", "code"), [(KeyboardInterrupt, 130), (InputError("no"), 2)])
def test_how_a_command_ends_is_its_exit_code(
    raised: BaseException, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(_arguments: list[str]) -> None:
        raise raised

    monkeypatch.setattr(program, "_invoke", stopped)
    monkeypatch.setattr(program, "option_speller", lambda _arguments: str)
    monkeypatch.setattr(sys, "argv", ["assay"])

    with pytest.raises(SystemExit) as ended:
        main()

    assert ended.value.code == code
    assert capsys.readouterr().err.startswith("assay: ")


def test_arguments_are_spelled_as_the_command_spells_them() -> None:
    spell = option_speller(["annotations", "agree", "a.xml"])

    assert (spell("workers"), spell("files"), spell("unknown")) == ("--workers", "FILES", "unknown")
    assert InputError((Field("quorum"), " is odd")).text(spell) == "--quorum is odd"
