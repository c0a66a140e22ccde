"""Written tables are exact and harmless; folders of results are complete or absent."""

import math
from pathlib import Path

import numpy as np
import pytest

from assay.errors import InputError
from assay.io.tables.output import OutputFolder, write_csv


def written(path: Path, cell: object) -> str:
    write_csv(path / "t.csv", ["c"], [[cell]])
    return (path / "t.csv").read_bytes().decode()


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (0.1, "0.1"),
        (1 / 3, "0.3333333333333333"),
        (np.float64(2.5), "2.5"),
        (np.float32(0.5), "0.5"),
        (np.int64(3), "3"),
        (4.0, "4.0"),
        (math.nan, '""'),
        (None, '""'),
        (math.inf, "inf"),
        (-1.5, "-1.5"),
        ("-1.5", "-1.5"),
        ("+3", "+3"),
        ("007", "007"),
        ("Müller", "Müller"),
        ("a,b", '"a,b"'),
        ("=1+1", "'=1+1"),
        ("+A1", "'+A1"),
        ("-A1", "'-A1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", '"\'\r=1"'),
        ("a=b", "a=b"),
    ],
)
def test_cells_are_written_exactly_and_never_as_a_formula(tmp_path: Path, cell: object, text: str) -> None:
    assert written(tmp_path, cell) == f"c\n{text}\n"


def test_missing_cells_among_others_are_empty(tmp_path: Path) -> None:
    write_csv(tmp_path / "new" / "t.csv", ["a", "=b", "c"], [[None, math.nan, 1]])
    assert (tmp_path / "new" / "t.csv").read_bytes() == b"a,'=b,c\n,,1\n"


def result(folder: Path, text: str = "new") -> None:
    (folder / "tables").mkdir()
    (folder / "tables" / "eval.csv").write_text(text)
    (folder / "evaluation.json").write_text(text)


def names(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def test_a_new_folder_appears_with_all_its_files(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    with OutputFolder(out, replaces="evaluation.json") as folder:
        result(folder)
        assert not out.exists()
    assert names(out) == ["evaluation.json", "tables/eval.csv"]
    assert list(out.parent.iterdir()) == [out]


def fail_halfway(out: Path) -> None:
    with OutputFolder(out, replaces="evaluation.json") as folder:
        result(folder, "new")
        raise RuntimeError("halfway")


def test_a_failure_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="halfway"):
        fail_halfway(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_failure_leaves_the_earlier_result_untouched(tmp_path: Path) -> None:
    with OutputFolder(tmp_path / "out", replaces="evaluation.json") as folder:
        result(folder, "old")
    with pytest.raises(RuntimeError, match="halfway"):
        fail_halfway(tmp_path / "out")
    assert (tmp_path / "out" / "tables" / "eval.csv").read_text() == "old"
    assert list(tmp_path.iterdir()) == [tmp_path / "out"]


def test_an_earlier_result_is_replaced_and_other_files_stay(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with OutputFolder(out, replaces="evaluation.json") as folder:
        result(folder, "old")
        (folder / "tables" / "no_longer.csv").touch()
    (out / "my notes.txt").write_text("mine")
    with OutputFolder(out, replaces="evaluation.json") as folder:
        result(folder, "new")
    assert names(out) == ["evaluation.json", "my notes.txt", "tables/eval.csv"]
    assert (out / "tables" / "eval.csv").read_text() == "new"


def test_a_folder_of_other_files_is_refused_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with (
        pytest.raises(InputError, match="Choose another out, or write among them with force"),
        OutputFolder(tmp_path, replaces="evaluation.json"),
    ):
        pytest.fail("the folder was entered")
    assert names(tmp_path) == ["thesis.txt"]


def test_force_writes_among_other_files_and_removes_none(tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "tables").mkdir(parents=True)
    (out / "tables" / "mine.csv").write_text("mine")
    with OutputFolder(out, force=True, replaces="evaluation.json") as folder:
        result(folder)
    assert names(out) == ["evaluation.json", "tables/eval.csv", "tables/mine.csv"]


def test_an_empty_folder_is_used(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with OutputFolder(tmp_path / "out") as folder:
        result(folder)
    assert names(tmp_path / "out") == ["evaluation.json", "tables/eval.csv"]


def test_a_file_in_the_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    with pytest.raises(InputError, match="is a file"), OutputFolder(tmp_path / "out"):
        pytest.fail("the folder was entered")


def write_three(out: Path) -> None:
    with OutputFolder(out, force=True) as folder:
        (folder / "a.csv").write_text("new")
        (folder / "b").mkdir()
        (folder / "b" / "b.csv").write_text("new")
        (folder / "c.csv").write_text("new")


@pytest.mark.parametrize("obstacle", ["b", "c.csv/mine.txt"])
def test_when_a_move_fails_everything_is_put_back(tmp_path: Path, obstacle: str) -> None:
    out = tmp_path / "out"
    (out / obstacle).parent.mkdir(parents=True)
    (out / obstacle).write_text("mine")
    (out / "a.csv").write_text("old")
    with pytest.raises(InputError, match="cannot be written"):
        write_three(out)
    assert names(out) == ["a.csv", obstacle]
    assert (out / "a.csv").read_text() == "old"
    assert (out / obstacle).read_text() == "mine"
