"""The formats of tables: JSON lines, workbooks, statistics programs, Parquet, and files whose ending tells nothing."""

import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pyreadstat
import pytest
import xlsxwriter

from assay.errors import InputError, MissingExtra
from assay.io.tables.columns import number_column
from assay.io.tables.csv_text import Contents
from assay.io.tables.table_formats import (
    FORMATS,
    contents_by_look,
    jsonl_contents,
    parquet_contents,
    readstat_contents,
    sas_contents,
    xlsx_contents,
)
from assay.io.tables.tables import open_table
from tests.io.tables.table_files import a_csv, a_jsonl, a_parquet, a_tsv, a_workbook, workbook


def test_jsonl_flattens_one_level_and_unites_ragged_keys(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"id": "a", "score": {"human": 4, "note": "x"}}\n{"id": "b", "system": 3.5}\n')
    source = open_table(path)
    assert set(source.columns) == {"id", "score.human", "score.note", "system"}
    assert source.frame(["id", "score.human", "system"]).rows() == [("a", 4, None), ("b", None, 3.5)]


def test_a_key_that_first_appears_late_is_still_a_column(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"id": 1}\n' * 3000 + '{"id": 2.5, "late": "x"}\n')
    assert open_table(path).frame().row(-1) == (2.5, "x")


def test_ids_of_mixed_kinds_in_jsonl_become_text(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"id": 7}\n{"id": "007"}\n')
    assert open_table(path).frame()["id"].to_list() == ["7", "007"]


def test_the_nan_that_python_writes_is_read_from_jsonl(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"id": "a", "e": {"human": NaN}}\n\n{"id": "b", "e": {"human": 3}, "f": [1]}\n')
    source = open_table(path)
    human = number_column(source.frame(), "e.human", source="s", field="human", first_row=1)
    assert str(human.tolist()) == "[nan, 3.0]"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "s.jsonl: it is empty"),
        ("\n \n", "s.jsonl: it is empty"),
        ('{"id": 1}\n{"id": \n', "s.jsonl, row 2: not valid JSON"),
        ('{"id": 1}\n[1, 2]\n', "s.jsonl, row 2: [1, 2] is not an object"),
        ('[{"id": 1}, 2]\n', "s.jsonl, row 2: 2 is not an object"),
        ('[{"id": 1}\n', "s.jsonl: is not JSON"),
        ('{"a": true}\n{"a": 2.5}\n', "s.jsonl: it cannot be read as a table"),
        ('{"a": {"b": 1}, "a.b": 2}\n', "a.b"),
    ],
)
def test_a_faulty_jsonl_file_is_told_apart(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        open_table(path).frame()
    assert message in str(caught.value)


def test_an_array_of_objects_is_a_table_like_its_lines(tmp_path: Path) -> None:
    rows = '{"id": "a", "e": {"human": 0}}', '{"id": "b", "e": {"human": 3}, "f": "x"}'
    (tmp_path / "s.json").write_bytes(b"\xef\xbb\xbf[" + ",\n".join(rows).encode() + b"]")
    (tmp_path / "s.jsonl").write_text("\n".join(rows), encoding="utf-8")
    array, lines = (open_table(tmp_path / name).frame() for name in ("s.json", "s.jsonl"))
    assert array.columns == ["id", "e.human", "f"]
    assert array.rows() == lines.rows()


def test_workbook_ids_lose_no_zeros_and_gain_no_decimals(tmp_path: Path) -> None:
    path = workbook(tmp_path / "s.xlsx", [(" id ", "n"), ("007", 1.5), (8, None), (9.25, 3)])
    source = open_table(path)
    assert source.columns == ("id", "n")
    assert source.frame()["id"].to_list() == ["007", "8", "9.25"]


def test_an_empty_workbook_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the first sheet, 'Sheet1', is empty"):
        open_table(workbook(tmp_path / "s.xlsx", []))


def test_columns_from_a_statistics_program_keep_numbers_and_text(tmp_path: Path) -> None:
    # pyreadstat writes no SAS files; it hands over the columns of an SPSS file in the same form
    path = tmp_path / "s.sav"
    pyreadstat.write_sav(pl.DataFrame({"ID": ["007", ""], "H": [4.0, None]}), str(path))
    cells, _ = pyreadstat.read_sav(str(path), output_format="dict")
    contents = readstat_contents(path, cells)
    assert contents.columns == ("ID", "H")
    assert contents.scan().collect().rows() == [("007", 4.0), ("", None)]


@pytest.mark.parametrize(("name", "module"), [("s.xlsx", "fastexcel"), ("s.sas7bdat", "pyreadstat")])
def test_a_format_that_is_not_installed_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, module: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=r"assay-scoring\[tables\]"):
        open_table(a_csv(tmp_path / name))


def test_numbers_of_a_workbook_keep_all_their_digits(tmp_path: Path) -> None:
    pl.DataFrame({"id": ["0004", "7"], "score": [0.1056520231234567, 3.0]}).write_excel(tmp_path / "scores.xlsx")

    frame = open_table(tmp_path / "scores.xlsx").frame()

    assert frame["id"].to_list() == ["0004", "7"]
    assert frame["score"].to_list() == ["0.1056520231234567", "3"]


@pytest.mark.parametrize(
    ("content", "problem", "row", "remedy"),
    [
        (b"\xef\xbb\xbf \n", "it is empty", None, "Give one JSON object per line."),
        (b'{"a": NaN}\n\n{"a": }\n', "not valid JSON", 3, "Write one object per line."),
        (
            b'{"a": NaN}\n"x"\n',
            '"x" is not an object',
            2,
            'Write one object per line, such as {"id": "a1", "human": 4}.',
        ),
    ],
)
def test_a_mistake_in_json_lines_is_told_with_its_row_and_remedy(
    content: bytes, problem: str, row: int | None, remedy: str, tmp_path: Path
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        jsonl_contents(path)
    assert (caught.value.source, caught.value.row, caught.value.remedy) == ("s.jsonl", row, remedy)
    assert problem in str(caught.value)


def test_json_lines_that_polars_refuses_are_read_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(
        b'\xef\xbb\xbf{"a": NaN, "b": {"c": 1, "d": "x"}, "e": 1}\n \n'
        b'{"a": 2, "e": null, "f": true, "g": [1]}\n{"a": 3, "f": "no", "e": 2}\n'
    )
    contents = jsonl_contents(path)
    frame = contents.scan().collect()
    assert (contents.columns, contents.first_row) == (("a", "b.c", "b.d", "e", "f", "g"), 1)
    assert str(frame.get_column("a").to_list()) == "[nan, 2.0, 3.0]"
    assert frame.get_column("e").dtype == pl.Int64
    assert frame.get_column("e").to_list() == [1, None, 2]
    assert frame.get_column("b.d").to_list() == ["x", None, None]
    assert frame.get_column("f").to_list() == [None, "true", "no"]
    assert frame.get_column("g").to_list() == [None, "[1]", None]


def test_a_long_value_that_is_no_object_is_shown_in_part(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"a": NaN}\n"' + "x" * 90 + '"\n')
    with pytest.raises(InputError, match='"' + "x" * 39 + " is not an object"):
        jsonl_contents(path)


def test_rows_of_a_workbook_are_counted_below_its_names_and_other_sheets_are_said_not_to_be_read(
    tmp_path: Path,
) -> None:
    assert xlsx_contents(a_workbook(tmp_path / "s.xlsx")).first_row == 2
    with pytest.raises(InputError) as caught:
        xlsx_contents(two_sheets(tmp_path / "t.xlsx"))
    assert caught.value.source == "t.xlsx"
    assert caught.value.remedy == "Put the table there. Its other sheets are not read: Data, More."


def two_sheets(path: Path) -> Path:
    with xlsxwriter.Workbook(str(path)) as book:
        for name in ("Notes", "Data", "More"):
            book.add_worksheet(name)
        book.get_worksheet_by_name("Data").write_string(0, 0, "id")
    return path


@pytest.mark.parametrize(
    ("opener", "problem", "remedy"),
    [
        (xlsx_contents, "it is not a workbook that can be read", "rename it to end in .csv"),
        (sas_contents, "it is not a SAS data set that can be read", "Export it again, or as CSV."),
    ],
)
def test_a_file_of_another_kind_is_refused_with_a_remedy(
    opener: Callable[[Path], Contents], problem: str, remedy: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=problem) as caught:
        opener(a_csv(tmp_path / "s.bin"))
    assert caught.value.source == "s.bin"
    assert remedy in caught.value.remedy


def test_parts_of_parquet_have_the_columns_of_their_folders(tmp_path: Path) -> None:
    for year in (1, 2):
        (tmp_path / f"year={year}").mkdir()
        pl.DataFrame({"id": [f"a{year}"]}).write_parquet(tmp_path / f"year={year}/part.parquet")
    parts = sorted(tmp_path.rglob("*.parquet"))
    contents = parquet_contents(tmp_path, parts)
    assert (contents.columns, contents.first_row) == (("id", "year"), 1)
    assert contents.scan().collect().get_column("id").to_list() == ["a1", "a2"]
    assert parquet_contents(parts[0]).columns == ("id",)  # by itself it is not in a folder of parts


@pytest.mark.parametrize(
    ("write", "opener"),
    [(a_parquet, parquet_contents), (a_workbook, xlsx_contents), (a_jsonl, jsonl_contents)],
)
def test_a_file_is_known_by_its_first_bytes(
    write: Callable[[Path], Path], opener: Callable[[Path], Contents], tmp_path: Path
) -> None:
    path = write(tmp_path / "upload")
    assert contents_by_look(path).scan().collect().equals(opener(path).scan().collect())


def test_other_text_is_a_table_with_the_separator_it_has(tmp_path: Path) -> None:
    for write in (a_csv, a_tsv):
        assert contents_by_look(write(tmp_path / "upload")).columns == ("id", "human", "group")


def test_each_ending_has_its_format() -> None:
    assert {ending for ending, opener in FORMATS.items() if opener is jsonl_contents} == {".jsonl", ".ndjson", ".json"}
    assert {ending for ending, opener in FORMATS.items() if opener is xlsx_contents} == {".xlsx", ".xlsm", ".xls"}
    assert (FORMATS[".parquet"], FORMATS[".sas7bdat"]) == (parquet_contents, sas_contents)


@pytest.mark.parametrize("ending", [".tsv", ".tab"])
def test_tabs_are_expected_where_the_ending_says_so(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"s{ending}"
    path.write_text("a,b\tc\n1,2\t3\n")
    assert FORMATS[ending](path).columns == ("a,b", "c")


def test_rows_of_a_statistics_program_and_of_json_lines_are_counted_from_one(tmp_path: Path) -> None:
    assert readstat_contents(tmp_path / "s.sav", {"H": [4.0]}).first_row == 1
    path = tmp_path / "s.jsonl"
    for line in ('{"a": 1}', '{"a": NaN}'):
        path.write_text(line)
        assert jsonl_contents(path).first_row == 1
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "s.parquet")
    assert parquet_contents(tmp_path / "s.parquet").first_row == 1


def test_half_a_surrogate_pair_is_refused_with_its_row(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"a": NaN}\n{"a": "\\ud83d\\ude00"}\n')
    assert jsonl_contents(path).scan().collect().get_column("a").to_list()[1] == "\U0001f600"
    path.write_text('{"a": NaN}\n{"a": "\\ud83d"}\n')
    with pytest.raises(InputError, match="not valid JSON") as refused:
        jsonl_contents(path)
    assert (refused.value.row, refused.value.source) == (2, "s.jsonl")
