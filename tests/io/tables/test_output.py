"""Written tables are exact and harmless; folders of results are complete or absent."""

import errno
import math
import re
import resource
import sys
from datetime import datetime, timedelta
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import polars as pl
import pytest

from assay.errors import InputError, MissingExtra
from assay.io.results.evaluation_tables import PlainTable
from assay.io.tables.output import (
    OutputFolder,
    address_of,
    safe_name,
    sheet_names,
    workbook,
    write_csv,
    write_whole,
    zip_entry,
)


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


def write_three(out: Path, text: str = "new") -> None:
    with OutputFolder(out, force=True) as folder:
        (folder / "b").mkdir()
        for name in ("a.csv", "b/b.csv", "c.csv"):
            (folder / name).write_text(text)


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


def test_a_file_is_there_whole_with_the_rights_of_any_new_file(tmp_path: Path) -> None:
    write_whole(tmp_path / "new/a.bin", b"one")
    write_whole(tmp_path / "new/a.bin", b"two")
    (tmp_path / "new/plain").touch()
    assert (tmp_path / "new/a.bin").read_bytes() == b"two"
    assert (tmp_path / "new/a.bin").stat().st_mode == (tmp_path / "new/plain").stat().st_mode
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["a.bin", "plain"]
    with pytest.raises(InputError, match="it is a folder") as caught:
        write_whole(tmp_path / "new", b"three")
    assert (caught.value.field, caught.value.remedy) == ("out", "Name a file.")
    write_whole(Path("/dev/null"), b"four")


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("s3://bucket/a", "s3://bucket/a"),
        ("file:///tmp/a", "file:///tmp/a"),
        ("local:///tmp/a", "local:///tmp/a"),
        ("c:/data", None),
        ("plain/path.csv", None),
    ],
)
def test_an_address_is_told_from_a_path(path: str, address: str | None) -> None:
    assert address_of(Path(path)) == address


def test_names_of_files_are_harmless_and_at_most_120_letters() -> None:
    assert safe_name('a/b\\c:d*e?"f<g>h|i') == "a_b_c_d_e__f_g_h_i"
    assert safe_name("Größe (x, 1.5) + y × z-w") == "Größe (x, 1.5) + y × z-w"
    assert len(safe_name("x" * 200)) == 120


def test_names_of_sheets_are_short_and_different_whatever_their_case() -> None:
    long = "x" * 40
    assert sheet_names([long, long, long.upper()]) == ["x" * 31, f"{'x' * 29} 2", f"{'X' * 29} 3"]
    assert sheet_names(["'a'", "", "[b]", "b"]) == ["a", "table", "b", "b 2"]
    assert len(sheet_names(["t"] * 12)[-1]) == 4


def test_a_workbook_has_a_sheet_a_table_with_text_as_text(tmp_path: Path) -> None:
    tables = {
        "first": PlainTable(("n", "=x", "empty"), [(1.5, "=1+1", math.nan), (True, "a" * 40_000, None)]),
        "second": PlainTable(("c",), []),
    }
    (tmp_path / "t.xlsx").write_bytes(workbook(tables))
    frames = pl.read_excel(tmp_path / "t.xlsx", sheet_id=0, has_header=False, infer_schema_length=0)
    assert list(frames) == ["first", "second"]
    rows = frames["first"].rows()
    assert rows[0] == ("n", "=x", "empty")
    assert (rows[1][0], rows[1][1], rows[1][2]) == ("1.5", "=1+1", None)
    assert (rows[2][0], len(rows[2][1])) == ("1", 32_767)


def test_an_old_pdf_goes_with_the_result_it_belongs_to(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with OutputFolder(out, replaces="evaluation.json") as folder:
        result(folder)
        (folder / "report.pdf").touch()
    with OutputFolder(out, replaces="evaluation.json") as folder:
        result(folder)
    assert names(out) == ["evaluation.json", "tables/eval.csv"]
    with OutputFolder(out, replaces="evaluation.json") as folder:
        result(folder)
        (folder / "report.pdf").write_text("new")
    assert "report.pdf" in names(out)


def test_a_folder_that_cannot_be_made_or_is_elsewhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path, said in (
        (tmp_path / "file/out", "cannot be written"),
        (Path("s3://bucket/x"), "no folder of this machine"),
    ):
        with pytest.raises(InputError, match=said) as caught, OutputFolder(path):
            pytest.fail("the folder was entered")
        assert caught.value.field == "out"


def test_a_sheet_name_that_is_cut_at_an_apostrophe_does_not_end_in_it() -> None:
    long = "x" * 30 + "'s column"
    assert sheet_names([long, "'quoted'", "'" * 3]) == ["x" * 30, "quoted", "table"]
    assert workbook({long: PlainTable(("a",), ((1,),))}).startswith(b"PK")


def test_a_failed_move_into_a_new_folder_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    moves: list[Path] = []
    rename = Path.rename

    def failing(path: Path, target: Path) -> Path:
        moves.append(path)
        if len(moves) == 2:
            raise OSError("full")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(InputError, match="cannot be written: full") as caught:
        write_three(out)
    assert caught.value.field == "out"
    assert list(tmp_path.iterdir()) == []


def test_the_marker_of_a_result_moves_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moved: list[str] = []
    rename = Path.rename

    def noting(path: Path, target: Path) -> Path:
        moved.append(path.name)
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", noting)
    with OutputFolder(tmp_path / "out", replaces="a.json") as folder:
        for name in ("a.json", "b.csv", "c.csv"):
            (folder / name).touch()
    assert moved == ["b.csv", "c.csv", "a.json"]


def test_a_folder_is_not_written_among_other_files_unless_asked(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").touch()
    with pytest.raises(InputError, match="it holds other files already"), OutputFolder(tmp_path):
        pytest.fail("the folder was entered")


def test_an_address_of_a_file_that_is_there_is_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s3:").mkdir()
    (tmp_path / "s3:/a").touch()
    assert address_of(Path("s3:/a")) is None
    assert address_of(Path("s3:/b")) == "s3://b"


def test_a_workbook_names_its_columns_in_a_first_row(tmp_path: Path) -> None:
    (tmp_path / "t.xlsx").write_bytes(workbook({"t": PlainTable(("a", "b"), [(1, "2"), (-math.inf, 3.5)])}))
    rows = pl.read_excel(tmp_path / "t.xlsx", has_header=False, infer_schema_length=0).rows()
    assert rows == [("a", "b"), ("1", "2"), (None, "3.5")]


def test_a_file_for_which_there_is_no_room_is_named_and_the_old_one_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    write_whole(path, b"old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(OSError, match="File too large") as caught:
            write_whole(path, b"x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert caught.value.filename == str(path)
    assert names(tmp_path) == ["a.bin"]
    assert path.read_bytes() == b"old"


def test_a_result_for_which_there_is_no_room_is_an_input_error(tmp_path: Path) -> None:
    for number, kind in ((errno.ENOSPC, InputError), (errno.EFBIG, InputError), (errno.EIO, OSError)):
        problem = OSError(number, "no room")
        with pytest.raises(kind, match="no room"), OutputFolder(tmp_path / "out"):
            raise problem
        assert list(tmp_path.iterdir()) == []


def test_text_in_a_workbook_is_never_a_formula_a_link_or_a_number(tmp_path: Path) -> None:
    texts = ("=1+1", "{=1+1}", "http://example.org", "mailto:a@example.org", "007", "1e3", "")
    (tmp_path / "t.xlsx").write_bytes(workbook({"t": PlainTable(("c",), [(text,) for text in texts])}))
    with ZipFile(tmp_path / "t.xlsx") as parts:
        sheet = parts.read("xl/worksheets/sheet1.xml").decode()
        shared = parts.read("xl/sharedStrings.xml").decode()
    assert re.findall(r"<(f|hyperlink)\b", sheet) == []
    assert len(re.findall(r'<c r="A\d+"(?: s="1")? t="s">', sheet)) == 1 + len(texts)
    assert [text for text in texts if text and f">{text}</t>" not in shared] == []
    assert 'state="frozen"' in sheet
    assert 'ySplit="1"' in sheet


def test_an_entry_of_a_zip_is_packed_and_its_owner_s_alone() -> None:
    entry = zip_entry("a/b.csv")
    assert (entry.filename, entry.compress_type, entry.external_attr) == ("a/b.csv", ZIP_DEFLATED, 0o600 << 16)
    assert len(entry.date_time) == 6
    assert abs(datetime(*entry.date_time) - datetime.now()) < timedelta(days=2)


def test_a_workbook_without_its_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    with pytest.raises(MissingExtra, match=r"The workbook needs .*assay-scoring\[tables\]"):
        workbook({})


def test_a_folder_where_none_can_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written: ") as caught, OutputFolder(tmp_path / "file/a/out"):
        pytest.fail("the folder was entered")
    assert (caught.value.source, caught.value.field) == (str(tmp_path / "file/a/out"), "out")


@pytest.mark.parametrize("folder_first", [True, False])
def test_a_folder_does_not_take_the_place_of_a_file_nor_a_file_of_a_folder(tmp_path: Path, folder_first: bool) -> None:
    def write(out: Path, *, as_folder: bool) -> None:
        with OutputFolder(out, replaces="evaluation.json") as folder:
            (folder / "evaluation.json").touch()
            place = folder / "part" / "a.csv" if as_folder else folder / "part"
            place.parent.mkdir(exist_ok=True)
            place.touch()

    out = tmp_path / "out"
    write(out, as_folder=folder_first)
    before, what = names(out), "folder" if folder_first else "file"
    with pytest.raises(InputError, match=f"cannot be written: part is a {what} there"):
        write(out, as_folder=not folder_first)
    assert names(out) == before


def test_whoever_stops_a_result_while_it_moves_gets_the_old_one_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    write_three(out)
    before = {name: (out / name).read_text() for name in names(out)}
    rename, moves = Path.rename, list[Path]()

    def stopped(path: Path, target: Path) -> Path:
        moves.append(path)
        if len(moves) == 4:
            raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", stopped)
    with pytest.raises(KeyboardInterrupt):
        write_three(out, "newer")
    assert {name: (out / name).read_text() for name in names(out)} == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
