"""Reading tables: every format gives the same cells, and a wrong file is told apart by its message."""

import gzip
import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pyreadstat
import pytest
import xlsxwriter

from assay.errors import InputError, MissingExtra
from assay.io.tables.columns import number_column
from assay.io.tables.table_formats import readstat_contents
from assay.io.tables.tables import check_unique_ids, open_table, require_columns

ROWS = [("007", 4.0, "A"), ("008", None, "B"), ("9", 2.5, None)]
CSV = "id,human,group\n007,4,A\n008,,B\n9,2.5,\n"


def a_csv(path: Path) -> Path:
    path.write_text(CSV)
    return path


def a_gzipped_csv(path: Path) -> Path:
    path.write_bytes(gzip.compress(CSV.encode()))
    return path


def a_tsv(path: Path) -> Path:
    path.write_text(CSV.replace(",", "\t"))
    return path


def a_jsonl(path: Path) -> Path:
    pl.DataFrame(ROWS, schema=["id", "human", "group"], orient="row").write_ndjson(path)
    return path


def a_parquet(path: Path) -> Path:
    pl.DataFrame(ROWS, schema=["id", "human", "group"], orient="row").write_parquet(path)
    return path


def a_workbook(path: Path) -> Path:
    return workbook(path, [("id", "human", "group"), *ROWS])


def workbook(path: Path, rows: list[tuple[object, ...]]) -> Path:
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet()
        for r, row in enumerate(rows):
            for c, cell in enumerate(row):
                if isinstance(cell, str):
                    sheet.write_string(r, c, cell)
                elif cell is not None:
                    sheet.write(r, c, cell)
    return path


FORMATS: list[tuple[str, Callable[[Path], Path], int]] = [
    ("scores.csv", a_csv, 2),
    ("SCORES.CSV", a_csv, 2),
    ("scores.csv.gz", a_gzipped_csv, 2),
    ("scores.tsv", a_tsv, 2),
    ("scores.jsonl", a_jsonl, 1),
    ("scores.parquet", a_parquet, 1),
    ("scores.xlsx", a_workbook, 2),
    # the ending tells nothing: the first bytes do
    ("scores.txt", a_tsv, 2),
    ("scores", a_jsonl, 1),
    ("scores.bin", a_parquet, 1),
    ("scores.upload", a_workbook, 2),
]


@pytest.mark.parametrize(("name", "write", "first_row"), FORMATS)
def test_every_format_gives_the_same_cells(
    tmp_path: Path, name: str, write: Callable[[Path], Path], first_row: int
) -> None:
    source = open_table(write(tmp_path / name))

    assert source.columns == ("id", "human", "group")
    assert source.row_count == 3
    assert source.first_row == first_row
    text = source.frame(as_text=True)
    assert text.rows() == [("007", "4", "A"), ("008", None, "B"), ("9", "2.5", None)]
    human = number_column(source.frame(), "human", source=name, field="human", first_row=first_row)
    assert str(human.tolist()) == "[4.0, nan, 2.5]"


@pytest.mark.parametrize(("name", "write", "first_row"), FORMATS)
def test_batches_together_are_the_whole_table_in_order(
    tmp_path: Path, name: str, write: Callable[[Path], Path], first_row: int
) -> None:
    source = open_table(write(tmp_path / name))
    batches = list(source.batches(["group", "id"], rows=2))
    assert [batch.height for batch in batches] == [2, 1]
    assert pl.concat(batches).equals(source.frame(["group", "id"]))
    assert batches[0].columns == ["group", "id"]


def test_batches_keep_file_order_over_many_parts(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("id,x\n" + "".join(f"{i},{i % 7}\n" for i in range(50_000)))
    batches = list(open_table(path).batches(["id"], rows=900))
    assert len(batches) == 56
    assert pl.concat(batches).get_column("id").to_list() == [str(i) for i in range(50_000)]


def test_a_column_asked_for_twice_comes_once(tmp_path: Path) -> None:
    assert open_table(a_csv(tmp_path / "s.csv")).frame(["id", "id"]).columns == ["id"]


def test_a_folder_and_a_glob_of_parquet_parts_are_one_table_in_name_order(tmp_path: Path) -> None:
    for number in (2, 10, 1):
        pl.DataFrame({"id": [number]}).write_parquet(tmp_path / f"part-{number:02}.parquet")
    (tmp_path / "_SUCCESS").touch()
    for path in (tmp_path, tmp_path / "part-*.parquet"):
        source = open_table(path)
        assert source.frame()["id"].to_list() == [1, 2, 10]
        joined = b"".join(p.read_bytes() for p in sorted(tmp_path.glob("*.parquet")))
        assert source.digest() == hashlib.sha256(joined).hexdigest()


def test_folders_named_by_a_value_become_a_column(tmp_path: Path) -> None:
    for group in "AB":
        (tmp_path / f"group={group}").mkdir()
        pl.DataFrame({"id": [group.lower()]}).write_parquet(tmp_path / f"group={group}" / "0.parquet")
    assert open_table(tmp_path).frame(as_text=True).rows() == [("a", "A"), ("b", "B")]


def test_parquet_parts_with_other_columns_are_refused(tmp_path: Path) -> None:
    pl.DataFrame({"id": [1]}).write_parquet(tmp_path / "1.parquet")
    pl.DataFrame({"name": [1]}).write_parquet(tmp_path / "2.parquet")
    with pytest.raises(InputError, match="column"):
        open_table(tmp_path).frame()


def test_the_digest_is_that_of_the_bytes(tmp_path: Path) -> None:
    path = a_csv(tmp_path / "s.csv")
    assert open_table(path).digest() == hashlib.sha256(CSV.encode()).hexdigest()


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
        ('[{"id": 1}]\n', "one JSON array"),
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


def test_workbook_ids_lose_no_zeros_and_gain_no_decimals(tmp_path: Path) -> None:
    path = workbook(tmp_path / "s.xlsx", [(" id ", "n"), ("007", 1.5), (8, None), (9.25, 3)])
    source = open_table(path)
    assert source.columns == ("id", "n")
    assert source.frame()["id"].to_list() == ["007", "8", "9.25"]


def test_an_empty_workbook_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the first sheet, 'Sheet1', is empty"):
        open_table(workbook(tmp_path / "s.xlsx", []))


@pytest.mark.parametrize("name", ["s.xlsx", "s.parquet", "s.sas7bdat", "s.csv.gz"])
def test_a_file_that_is_not_what_its_ending_says_is_refused(tmp_path: Path, name: str) -> None:
    a_csv(tmp_path / name)
    with pytest.raises(InputError, match=f"{name}: .*read"):
        open_table(tmp_path / name)


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
    with pytest.raises(MissingExtra, match=r"assay\[tables\]"):
        open_table(a_csv(tmp_path / name))


@pytest.mark.parametrize(
    ("name", "write"), [("s.xlsx", a_workbook), ("s.parquet", a_parquet), ("s.csv.gz", a_gzipped_csv)]
)
@pytest.mark.parametrize("kept", [0.3, 0.6, 0.95])
def test_a_file_cut_off_in_transfer_is_refused(
    tmp_path: Path, name: str, write: Callable[[Path], Path], kept: float
) -> None:
    path = write(tmp_path / name)
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * kept)])
    with pytest.raises(InputError, match=f"{name}[,:] "):
        open_table(path).frame()


@pytest.mark.parametrize(("name", "write"), [("s[1].csv", a_csv), ("s[1].jsonl", a_jsonl), ("s*.parquet", a_parquet)])
def test_a_name_that_looks_like_a_pattern_is_a_name(tmp_path: Path, name: str, write: Callable[[Path], Path]) -> None:
    write(tmp_path / "s1.csv")
    assert open_table(write(tmp_path / name)).row_count == 3


def test_a_missing_file_suggests_near_names(tmp_path: Path) -> None:
    a_csv(tmp_path / "scores.csv")
    with pytest.raises(InputError, match=r"does not exist. Did you mean 'scores.csv'\?"):
        open_table(tmp_path / "score.csv")


def test_a_missing_folder_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nor does the folder"):
        open_table(tmp_path / "nowhere" / "scores.csv")


@pytest.mark.parametrize("name", [".", "*.parquet", "*.csv"])
def test_a_folder_or_glob_without_parquet_is_refused(tmp_path: Path, name: str) -> None:
    a_csv(tmp_path / "scores.csv")
    with pytest.raises(InputError, match="Parquet parts"):
        open_table(tmp_path / name)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize(("name", "write"), [(n, w) for n, w, _ in FORMATS[:7]])
def test_a_file_without_permission_is_refused(tmp_path: Path, name: str, write: Callable[[Path], Path]) -> None:
    path = write(tmp_path / name)
    path.chmod(0)
    with pytest.raises(InputError, match="may not be read by you"):
        open_table(path)


def test_all_missing_columns_are_named_at_once_with_the_nearest(tmp_path: Path) -> None:
    source = open_table(a_csv(tmp_path / "scores.csv"))
    with pytest.raises(InputError) as caught:
        require_columns(source, [("id", "id"), ("human", "humna"), ("second_human", "xyz"), ("groups", "GROUP")])
    assert caught.value.text(lambda name: f"--{name.replace('_', '-')}") == (
        "scores.csv: column 'humna' not found (--human). Did you mean 'human'? "
        "column 'xyz' not found (--second-human). "
        "column 'GROUP' not found (--groups). Did you mean 'group'? "
        "The columns are: id, human, group."
    )
    assert caught.value.field == "human"


def test_a_table_with_hundreds_of_columns_lists_only_some(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text(",".join(f"f{i}" for i in range(300)) + "\n")
    with pytest.raises(InputError, match=r"f29 and 270 more\.$"):
        require_columns(open_table(path), [("id", "zzz")])


def test_distinct_values_come_in_order_of_appearance(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("g,h\nB,1\n,2\nA,1\nB,3\n")
    assert open_table(path).distinct("g", most=3) == ["B", None, "A"]


def test_distinct_numbers_are_floats(tmp_path: Path) -> None:
    path = tmp_path / "s.parquet"
    pl.DataFrame({"h": [3, None, 1, 3]}).write_parquet(path)
    assert open_table(path).distinct("h", most=9) == [3.0, None, 1.0]


def test_too_many_distinct_values_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="column 'id': has more than 2 different values"):
        open_table(a_csv(tmp_path / "s.csv")).distinct("id", most=2)


def test_repeated_ids_are_named_with_their_rows(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("id,h\na,1\nb,2\na,3\nc,4\nb,5\na,6\n")
    with pytest.raises(InputError) as caught:
        check_unique_ids(open_table(path), "id", rows=2)
    assert "3 too many: 'a' in rows 2, 4, 7; 'b' in rows 3, 6." in str(caught.value)


def test_ids_that_differ_in_zeros_only_are_different(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("id\n7\n07\n007\n")
    check_unique_ids(open_table(path), "id")


@pytest.mark.parametrize("empty", ['""', " ", '"  "'])
def test_an_empty_id_is_named_with_its_row(tmp_path: Path, empty: str) -> None:
    path = tmp_path / "s.csv"
    path.write_text(f"id,h\na,1\nb,1\n{empty},2\n")
    with pytest.raises(InputError, match=r"s.csv, row 4, column 'id': the id is empty"):
        check_unique_ids(open_table(path), "id", rows=2)


def test_numbers_of_a_workbook_keep_all_their_digits(tmp_path: Path) -> None:
    pl.DataFrame({"id": ["0004", "7"], "score": [0.1056520231234567, 3.0]}).write_excel(tmp_path / "scores.xlsx")

    frame = open_table(tmp_path / "scores.xlsx").frame()

    assert frame["id"].to_list() == ["0004", "7"]
    assert frame["score"].to_list() == ["0.1056520231234567", "3"]
