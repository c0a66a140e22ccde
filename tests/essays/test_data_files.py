"""Which data file is used: that of assay-essays-nc where it is installed, else a free one, else none."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from assay.essays import data_files
from assay.essays.data_files import FREE, data_file, has_non_commercial

READ = """
from assay.essays.errors.weighing import fitted
from assay.essays.models.scoring_model import reading_parts
from assay.io.models.scoring_models import bundled_discourse_model, bundled_essay_model
from assay.workflows.essays.feedback import feedback
from assay.execution.observer import SILENT

said = feedback("Dogs is loyal. I beleive that they make us happy, because they waits for us every day.")
model = bundled_essay_model()
print(model.extra["name"][:11], bundled_discourse_model(), fitted(), len(said.errors) > 0, said.score.scored)
"""


@pytest.fixture
def switched_off(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(data_files.SWITCH, "0")
    has_non_commercial.cache_clear()
    yield
    monkeypatch.undo()
    has_non_commercial.cache_clear()


def test_the_other_distribution_comes_first() -> None:
    assert has_non_commercial()
    assert "assay_essays_nc" in str(data_file("trigrams.npz"))
    assert data_file("discourse.npz") is not None
    assert data_file("nothing.npz") is None


@pytest.mark.usefixtures("switched_off")
def test_switched_off_there_are_only_free_files() -> None:
    assert not has_non_commercial()
    assert all("assay_essays_nc" not in str(data_file(name)) for name in FREE)
    assert all(data_file(name) for name in FREE)
    assert data_file("discourse.npz") is None
    assert data_file("traits.npz") is None


def test_without_the_other_distribution_essays_are_read_scored_and_commented() -> None:
    command = [sys.executable, "-c", READ]
    done = subprocess.run(command, env=free_environment(), capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["erater-2005", "None", "{}", "True", "True"]


def free_environment() -> dict[str, str]:
    import os

    return {**os.environ, data_files.SWITCH: "0"}
