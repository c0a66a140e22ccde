"""The notebooks run from the first cell to the last."""

import os
import shutil
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.paths import EXAMPLES, ROOT

NOTEBOOKS = sorted((EXAMPLES / "notebooks").glob("*.ipynb"))


def test_there_is_one_for_each_job() -> None:
    assert [notebook.stem for notebook in NOTEBOOKS] == ["evaluate_an_engine", "grade_annotations", "score_essays"]


@pytest.mark.filterwarnings("default")  # what Jupyter warns about is not ours
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_runs_and_shows_something(notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    examples = shutil.copytree(EXAMPLES, tmp_path / "examples")
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src") + os.pathsep + os.environ.get("PYTHONPATH", ""))
    content = nbformat.read(notebook, as_version=4)  # type: ignore[no-untyped-call]
    assert not any(cell.get("outputs") for cell in content.cells), "clear the outputs before committing"

    NotebookClient(content, timeout=None, resources={"metadata": {"path": str(examples / "notebooks")}}).execute()

    shown = [cell for cell in content.cells if cell.cell_type == "code" and cell.outputs]
    assert shown
    assert not [o for cell in shown for o in cell.outputs if o.output_type == "error"]
    assert list((examples / "notebooks").glob("*.html")), "a report was written"
