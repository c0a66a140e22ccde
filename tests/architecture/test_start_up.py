"""`assay --version` answers at once: heavy modules are imported only by the command that needs them."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import typer

from assay.cli.main import app

HEAVY = [
    "numpy",
    "scipy",
    "polars",
    "pydantic",
    "rich",
    "typst",
    "playwright",
    "matplotlib",
    "pandas",
    "sklearn",
    "spacy",
    "sqlalchemy",
]


def commands(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every command and group of commands, as it is called."""
    yield words
    for name, below in getattr(command, "commands", {}).items():
        yield from commands(below, (*words, name))


def test_asking_for_the_version_or_any_help_imports_nothing_heavy() -> None:
    calls = [["--version"], *([*words, "--help"] for words in commands(typer.main.get_command(app)))]
    script = (
        "import sys\n"
        "from assay.cli.main import main\n"
        f"for call in {calls!r}:\n"
        "    sys.argv = ['assay', *call]\n"
        "    try:\n        main()\n    except SystemExit as stop:\n        assert not stop.code, stop.code\n"
        f"    print('heavy after', call, sorted({{*{HEAVY!r}}} & {{*sys.modules}}))\n"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    told = [line for line in done.stdout.splitlines() if line.startswith("heavy after")]
    assert told == [f"heavy after {call} []" for call in calls]
    assert ["essays", "score", "--help"] in calls


def test_metrics_are_usable_without_tables_reports_or_screens() -> None:
    script = "import sys, assay.metrics.kappa, assay.evaluation.evaluate; print(sorted(sys.modules))"

    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout

    assert not {"polars", "rich", "typer", "scipy.stats"} & set(loaded.replace("'", "").strip("[]\n").split(", "))
