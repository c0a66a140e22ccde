"""`assay rsm eval` against the files RSMTool 12.0.0 wrote for the same configurations, cell by cell.

`rsm_eval/` was made by make_rsm_eval.py with the real RSMTool on data of our own. Where the shared golden set is at
hand (../shared, or the folder in ASSAY_SHARED), RSMTool's own rsmeval experiments are run too.
"""

import csv
import json
import math
from collections import Counter
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.workflows.rsm.eval import rsm_eval
from tests.paths import SHARED

HERE = Path(__file__).parent / "rsm_eval"
GOLDEN = SHARED / "golden" / "rsmtool"

COMPAT = {
    "group_all_data": "a group called 'All data' is merged with all responses",
    "scale_word_raw": "scale_with 'raw' scales, against its documentation",
}
"""Defects of RSMTool that are reproduced only with --compat."""

NOT_COPIED = {
    # RSMTool analyses the subgroup before it, since its working table has a column of this name
    ("group_odd_names", "by_group"),
}
"""Case and ending of tables that we do not reproduce."""

MENDED = {
    "infinite_human": "RSMTool stops at an infinite score; we leave the response out",
    "jsonl_extension": "RSMTool does not know the ending .jsonl",
    "subgroup_named_length": "RSMTool renames the column and does not find it again",
}
"""What RSMTool refuses and we do."""

CASES = sorted(folder.name for folder in HERE.iterdir() if (folder / "expected").is_dir())
REFUSED = sorted(folder.name for folder in HERE.iterdir() if (folder / "expected_error.txt").exists())
EXPERIMENTS = sorted(folder.name for folder in GOLDEN.glob("lr-eval-*"))

Cells = dict[tuple[str, int, str], str]


@pytest.mark.parametrize("case", CASES)
def test_every_file_of_rsmtool_is_written_with_the_same_cells(case: str, tmp_path: Path) -> None:
    expected = HERE / case / "expected"

    result = rsm_eval(HERE / case / "input" / "config.json", compat=case in COMPAT)
    result.write(tmp_path, no_report=True)

    saved = tmp_path / "output" / f"{result.identity}_rsmeval.json"
    assert {path.name for path in saved.parent.iterdir()} == {saved.name, *(path.name for path in expected.iterdir())}
    assert differences(saved.parent, expected, case) == []
    assert options(saved) == options(HERE / case / "saved_config.json")


@pytest.mark.parametrize("case", REFUSED)
def test_what_rsmtool_refuses_is_refused_with_a_message_or_mended(case: str, tmp_path: Path) -> None:
    path = HERE / case / "input" / "config.json"
    if case in MENDED:
        rsm_eval(path, tmp_path)
        assert any((tmp_path / "output").iterdir())
    else:
        with pytest.raises(InputError, match=r"\w+"):
            rsm_eval(path, tmp_path)


@pytest.mark.skipif(not EXPERIMENTS, reason=f"the shared golden set is not at {GOLDEN}: set ASSAY_SHARED")
@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_the_golden_experiments_of_rsmtool_come_out_the_same(experiment: str, tmp_path: Path) -> None:
    rsm_eval(GOLDEN / experiment / "input" / "config.json").write(tmp_path, no_report=True)

    assert differences(tmp_path / "output", GOLDEN / experiment / "expected", experiment) == []


def options(path: Path) -> list[tuple[str, object]]:
    """A saved configuration, in its order."""
    return list(json.loads(path.read_text(encoding="utf-8")).items())


def differences(written: Path, expected: Path, case: str) -> list[str]:
    """Every cell of the expected tables that is missing or not the same."""
    found = []
    for path in sorted(expected.iterdir()):
        if not any(name == case and path.stem.endswith(ending) for name, ending in NOT_COPIED):
            ours, theirs = cells(written / path.name), cells(path)
            found += [f"{path.name}: {key} is extra" for key in ours.keys() - theirs.keys()]
            found += [
                f"{path.name}: {key} is {ours.get(key)!r}, expected {cell!r}"
                for key, cell in theirs.items()
                if key not in ours or not same(ours[key], cell)
            ]
    return found


def cells(path: Path) -> Cells:
    """The cells of a table by the name of their row (its first cell, and which of that name) and column."""
    header, *rows = table(path)
    names: Counter[str] = Counter()
    found: Cells = {}
    for row in rows:
        found |= {(row[0], names[row[0]], column): cell for column, cell in zip(header, row, strict=True)}
        names[row[0]] += 1
    return found


def table(path: Path) -> list[list[str]]:
    if path.suffix == ".xlsx":
        fastexcel = pytest.importorskip("fastexcel")
        sheet = fastexcel.read_excel(path).load_sheet(0, header_row=None, dtypes="string").to_polars()
        return [[cell or "" for cell in row] for row in sheet.iter_rows()]
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream, delimiter="\t" if path.suffix == ".tsv" else ","))


def same(ours: str, theirs: str) -> bool:
    """Equal as text, or as numbers to 1e-6, the empty cell being NaN."""
    if ours == theirs:
        return True
    try:
        a, b = (float(cell or "nan") for cell in (ours, theirs))
    except ValueError:
        return False
    return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-6)
