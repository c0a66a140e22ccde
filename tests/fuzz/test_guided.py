"""Inputs guided by Atheris: a file that only the net refuses is refused cleanly, and is no finding."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from fuzz.readers import BY_NAME
from fuzz.trial import run

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(find_spec("atheris") is None, reason="Atheris is not installed")
def test_what_the_net_refuses_does_not_end_a_guided_run(tmp_path: Path) -> None:
    assert run(BY_NAME["pickled_model"], 40, 1, traced=0).netted  # as many of its inputs are
    command = [sys.executable, "-m", "fuzz.guided", "pickled_model", "--runs", "60", "--out", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Done 60" in done.stderr
    assert not list(tmp_path.iterdir())
