"""The same input gives the same bytes, whoever works, wherever, in whatever language and time zone."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.parity.test_parity import COMMAND_OF
from tests.paths import ROOT

EPOCH = "1767600000"


def other_locale() -> str:
    """A locale with decimal commas, if this machine has one."""
    listed = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.split()
    return next((name for name in listed if name.lower() in ("de_de.utf8", "fr_fr.utf8", "de_de.utf-8")), "C")


def started(folder: Path, workers: int, **environment: str) -> "subprocess.Popen[str]":
    folder.mkdir(parents=True)
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    settings = {**os.environ, "PYTHONPATH": paths, "SOURCE_DATE_EPOCH": EPOCH, **environment}
    command = [sys.executable, "-m", "tests.determinism.runs", str(workers), "digests.json"]
    return subprocess.Popen(command, cwd=folder, env=settings, stderr=subprocess.PIPE, text=True)


def test_every_verb_gives_the_same_bytes_in_every_environment(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two" / "deeper"
    runs = [
        started(one, 1, PYTHONHASHSEED="0", TZ="UTC", LC_ALL="C.UTF-8"),
        started(two, 2, PYTHONHASHSEED="1", TZ="Asia/Kathmandu", LC_ALL=other_locale()),
    ]
    for run in runs:
        _, said = run.communicate()
        assert run.returncode == 0, said
    first, second = (json.loads((folder / "digests.json").read_text(encoding="utf-8")) for folder in (one, two))
    outputs = {(case, name) for digests in (first, second) for case, names in digests.items() for name in names}
    assert len(outputs) > 300
    assert {verb for verb in COMMAND_OF if not any(case.startswith(verb) for case in first)} == set()
    differing = sorted((case, name) for case, name in outputs if first[case].get(name) != second[case].get(name))
    assert differing == []
