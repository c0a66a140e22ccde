"""`assay --version` answers at once: heavy modules are imported only by the command that needs them."""

import subprocess
import sys

import pytest

HEAVY = ("numpy", "scipy", "polars", "rich", "typst", "playwright", "matplotlib", "pandas", "sklearn", "spacy")


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["evaluate", "--help"], ["rsm", "--help"]])
def test_asking_for_the_version_or_help_imports_nothing_heavy(arguments: list[str]) -> None:
    script = (
        "import sys; sys.argv = ['assay', *sys.argv[1:]]\n"
        "from assay.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit as stop:\n    assert not stop.code, stop.code\n"
        f"print('heavy:', sorted(set({HEAVY!r}) & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "heavy: []"


def test_metrics_are_usable_without_tables_reports_or_screens() -> None:
    script = "import sys, assay.metrics.kappa, assay.evaluation.evaluate; print(sorted(sys.modules))"

    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout

    assert not {"polars", "rich", "typer", "scipy.stats"} & set(loaded.replace("'", "").strip("[]\n").split(", "))
