"""`assay rsm summarize` against the files of RSMTool's own reference summary, cell by cell."""

import csv
import math
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.rsm import rsm_app
from tests.paths import SHARED

GOLDEN = SHARED / "golden" / "rsmtool" / "lr-self-eval-summary"

Cells = dict[tuple[str, int, str, int], str]


@pytest.mark.skipif(not GOLDEN.is_dir(), reason=f"the shared golden set is not at {GOLDEN}: set ASSAY_SHARED")
def test_the_golden_summary_of_rsmtool_comes_out_the_same(tmp_path: Path) -> None:
    result = CliRunner().invoke(rsm_app, ["summarize", str(GOLDEN / "input" / "config.json"), str(tmp_path)])

    assert result.exit_code == 0, result.output
    for path in sorted((GOLDEN / "expected").iterdir()):
        ours, theirs = cells(tmp_path / "output" / path.name), cells(path)
        assert ours.keys() == theirs.keys(), path.name
        for key, cell in theirs.items():
            assert same(ours[key], cell), (path.name, key, ours[key], cell)


def cells(path: Path) -> Cells:
    """By the names of row and column, and which of that name: experiments may be listed twice."""
    with path.open(encoding="utf-8", newline="") as stream:
        header, *rows = csv.reader(stream)
    columns = [(name, header[:i].count(name)) for i, name in enumerate(header)]
    seen: Counter[str] = Counter()
    found: Cells = {}
    for row in rows:
        found |= {(row[0], seen[row[0]], *columns[i]): cell for i, cell in enumerate(row)}
        seen[row[0]] += 1
    return found


def same(ours: str, theirs: str) -> bool:
    if ours == theirs:
        return True
    try:
        return math.isclose(float(ours), float(theirs), rel_tol=1e-6, abs_tol=1e-6)
    except ValueError:
        return False
