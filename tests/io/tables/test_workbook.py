"""Workbooks that reach further than they hold: refused before the reader makes room for them."""

import io
import zipfile
from pathlib import Path

import pytest
import xlsxwriter

from assay.errors import InputError
from assay.io.tables.tables import open_table
from assay.io.tables.workbook import _extent, _places, check_workbook


def workbook(path: Path, stray: tuple[int, int] | None = None, *, sheets: int = 1) -> Path:
    with xlsxwriter.Workbook(path) as book:
        for number in range(sheets):
            sheet = book.add_worksheet()
            for row in range(4):
                sheet.write_row(row, 0, ["id", "human"] if row == 0 else [f"r{row}", row])
            if stray and number == sheets - 1:
                sheet.write(*stray, "stray")
    return path


def test_the_rows_of_a_small_workbook_are_read(tmp_path: Path) -> None:
    frame = open_table(workbook(tmp_path / "scores.xlsx")).frame()
    assert frame.rows() == [("r1", "1"), ("r2", "2"), ("r3", "3")]


@pytest.mark.parametrize("stray", [(1_048_575, 16_383), (199_999, 702)])
def test_one_stray_cell_far_away_is_refused_with_what_to_do(tmp_path: Path, stray: tuple[int, int]) -> None:
    path = workbook(tmp_path / "scores.xlsx", stray)
    assert path.stat().st_size < 10_000
    with pytest.raises(InputError, match=r"scores\.xlsx: the first sheet has .* cells.*Delete what stands far"):
        open_table(path)


def test_a_stray_cell_of_a_sheet_that_is_not_read_does_no_harm(tmp_path: Path) -> None:
    path = workbook(tmp_path / "scores.xlsx", (1_048_575, 16_383), sheets=2)
    assert open_table(path).frame().height == 3


def test_a_limit_that_is_raised_lets_a_wider_sheet_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = workbook(tmp_path / "scores.xlsx", (9, 9))
    monkeypatch.setenv("ASSAY_LIMIT_WORKBOOK_CELLS", "99")
    with pytest.raises(InputError, match="has 100 cells; at most 99"):
        check_workbook(path)
    monkeypatch.setenv("ASSAY_LIMIT_WORKBOOK_CELLS", "100")
    check_workbook(path)


def test_a_bomb_in_a_workbook_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = workbook(tmp_path / "scores.xlsx")
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/sharedStrings2.xml", b" " * (17 << 20))
    with pytest.raises(InputError, match=r"scores\.xlsx: .*ZIP bomb"):
        open_table(path)


def test_what_is_no_workbook_is_said(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("a.txt", "no workbook")
    (tmp_path / "scores.xlsx").write_bytes(stream.getvalue())
    with pytest.raises(InputError, match=r"scores\.xlsx: it is not a workbook that can be read"):
        open_table(tmp_path / "scores.xlsx")


@pytest.mark.parametrize(
    ("name", "place"),
    [
        *(("A1", (1, 1)), ("Z9", (9, 26)), ("AA10", (10, 27)), ("AZ99", (99, 52)), ("BA100", (100, 53))),
        *(("ZZ1048576", (1_048_576, 702)), ("AAA1", (1, 703)), ("XFD12", (12, 16_384))),
    ],
)
def test_a_cell_is_in_the_row_and_column_of_its_name(name: str, place: tuple[int, int]) -> None:
    for quote in "\"'":
        assert _places(f"<c r={quote}{name}{quote}/>".encode()).tolist() == [list(place)]


def test_what_is_no_name_of_a_cell_is_no_place() -> None:
    for text in (
        b'<row r="7">',
        b'<c r="A"/>',
        b'<c r="a1"/>',
        b'<c r="A0"/>',
        b"<c r=A1/>",
        b'<c s="A1"/>',
        b"",
        b'r="',
    ):
        assert _places(text).tolist() == []
    assert _places(b'<c r="B2"/><c r="C3').tolist() == [[2, 2], [3, 3]]


def test_a_sheet_reaches_from_its_first_to_its_last_cell(tmp_path: Path) -> None:
    with xlsxwriter.Workbook(tmp_path / "t.xlsx") as book:
        sheet = book.add_worksheet()
        sheet.write(4, 2, "first")
        sheet.write(9, 6, "last")
        book.add_worksheet("empty")
    assert _extent(tmp_path / "t.xlsx", "xl/worksheets/sheet1.xml") == (6, 5)
    assert _extent(tmp_path / "t.xlsx", "xl/worksheets/sheet2.xml") == (0, 0)
