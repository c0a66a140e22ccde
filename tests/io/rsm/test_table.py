"""What kind of values a column holds, as pandas decides it."""

import sys
from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from assay.errors import InputError, MissingExtra
from assay.io.rsm.table import (
    as_text,
    check_free,
    inferred,
    inferred_from_json,
    numbers_or_nan,
    read_rsm_table,
    write_rsm_table,
)


@pytest.mark.parametrize(
    ("cells", "dtype", "values"),
    [
        (["1", "02", "+3"], pl.Int64, [1, 2, 3]),
        (["1", "", "NA"], pl.Float64, [1.0, None, None]),
        ([" 1.5", "1e1 "], pl.Float64, [1.5, 10.0]),
        (["True", "false", ""], pl.Boolean, [True, False, None]),
        (["1", "x", "None"], pl.String, ["1", "x", None]),
        (["1,5", "2"], pl.String, ["1,5", "2"]),
        (["", None], pl.Float64, [None, None]),
    ],
)
def test_a_column_is_the_narrowest_kind_that_fits(
    cells: list[str | None], dtype: type[pl.DataType], values: list[object]
) -> None:
    found = inferred(pl.Series("c", cells, dtype=pl.String))

    assert found.dtype == dtype
    assert found.to_list() == values


def test_numbers_among_text_are_read_and_the_rest_is_missing() -> None:
    found = numbers_or_nan(inferred(pl.Series(["4 ", "x", "inf", "", "1_000"])))

    np.testing.assert_array_equal(found, [4, np.nan, np.inf, np.nan, np.nan])


def test_typed_values_become_the_text_python_prints() -> None:
    assert as_text(pl.Series([1, 2])).to_list() == ["1", "2"]
    assert as_text(pl.Series([1, None])).to_list() == ["1.0", "nan"]
    assert as_text(pl.Series(["a", None])).to_list() == ["a", "None"]
    assert as_text(pl.Series([True, False])).to_list() == ["True", "False"]


def test_lists_become_text() -> None:
    assert inferred(pl.Series([[1, 2], None])).to_list() == ["[1, 2]", None]


def test_in_json_a_text_is_a_number_only_where_all_are_and_no_word_is_an_empty_cell() -> None:
    assert inferred_from_json(pl.Series(["1", "2.5", None])).to_list() == [1.0, 2.5, None]
    assert inferred_from_json(pl.Series(["NA", "2"])).to_list() == ["NA", "2"]
    assert inferred_from_json(pl.Series(["true", "false"])).to_list() == ["true", "false"]


def test_in_a_workbook_true_and_false_with_gaps_are_numbers() -> None:
    assert inferred(pl.Series(["true", "false", None]), sheet=True).to_list() == [1.0, 0.0, None]
    assert inferred(pl.Series(["true", "false"]), sheet=True).to_list() == [True, False]


TABLE = pl.DataFrame(
    {"name": ["a", "=b", ""], "on": [True, False, None], "x": [1.5, float("nan"), None], "n": [1, 2, 3]}
)


@pytest.mark.parametrize(("ending", "separator"), [("csv", ","), ("tsv", "\t")])
def test_a_table_is_written_as_rsmtool_writes_it(ending: str, separator: str, tmp_path: Path) -> None:
    write_rsm_table(tmp_path / f"t.{ending}", TABLE)
    lines = (tmp_path / f"t.{ending}").read_text(encoding="utf-8").splitlines()
    rows = [line.replace(separator, "|") for line in lines]
    assert rows == ["name|on|x|n", "a|True|1.5|1", "=b|False||2", '""|||3']
    write_rsm_table(tmp_path / f"t.{ending}", TABLE, names=["n", "n", 'a "b"', "c"])
    assert (tmp_path / f"t.{ending}").read_text(encoding="utf-8").splitlines()[0] == separator.join(
        ["n", "n", '"a ""b"""', "c"]
    )


def test_a_workbook_holds_numbers_truths_and_texts(tmp_path: Path) -> None:
    write_rsm_table(tmp_path / "t.xlsx", TABLE.with_columns(y=pl.Series([float("inf"), 1.0, 2.0])))
    read = read_rsm_table(tmp_path / "t.xlsx")
    assert (read.cells, read.frame.columns) == ("sheet", ["name", "on", "x", "n", "y"])
    assert read.frame.rows() == [
        ("a", "true", "1.5", "1", "inf"),
        ("=b", "false", None, "2", "1"),
        (None, None, None, "3", "2"),
    ]


def test_tables_are_read_with_the_names_pandas_gives(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(",a, \n1,2,3\n", encoding="utf-8")
    read = read_rsm_table(tmp_path / "t.csv")
    assert (read.cells, read.frame.columns) == ("text", ["Unnamed: 0", "a", "Unnamed: 2"])
    (tmp_path / "t.jsonl").write_text('{"id": "x", "scores": {"h1": 3, "h2": 4}}\n', encoding="utf-8")
    read = read_rsm_table(tmp_path / "t.jsonl")
    assert (read.cells, read.frame.columns) == ("typed", ["id", "h1", "h2"])
    (tmp_path / "t.jsonl").write_text('{"h1": "x", "scores": {"h1": 3}}\n', encoding="utf-8")
    assert read_rsm_table(tmp_path / "t.jsonl").frame.columns == ["h1", "scores.h1"]
    TABLE.write_parquet(tmp_path / "t.parquet")
    assert read_rsm_table(tmp_path / "t.parquet").cells == "typed"
    assert read_rsm_table(tmp_path / "t.parquet", (1, 2)).frame.get_column("n").to_list() == [2, 3]


def test_a_table_without_rows_and_repeated_ids_are_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id,a\n", encoding="utf-8")
    with pytest.raises(InputError, match="holds no responses: there is no row below the names"):
        read_rsm_table(tmp_path / "t.csv").require({"id_column": "id"})
    (tmp_path / "t.csv").write_text("id,a\n" + "".join(f"{i},1\n{i},2\n" for i in range(5)), encoding="utf-8")
    with pytest.raises(InputError, match="holds 5 ids more than once: '0', '1', '2'") as caught:
        read_rsm_table(tmp_path / "t.csv").require({}, ids="id")
    assert (caught.value.source, caught.value.column, caught.value.field) == ("t.csv", "id", "id_column")
    read_rsm_table(tmp_path / "t.csv").require({})


def test_a_folder_with_files_is_written_to_only_by_force(tmp_path: Path) -> None:
    check_free(tmp_path / "new", force=False)
    check_free(tmp_path, force=False)
    (tmp_path / "file").touch()
    check_free(tmp_path, force=True)
    with pytest.raises(InputError, match="holds files already") as caught:
        check_free(tmp_path, force=False)
    assert caught.value.field == "out"


def test_json_lines_that_polars_refuses_are_read_with_long_names(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"id": "x", "scores": {"h1": NaN}}\n{"id": "y", "scores": {"h1": 3}}\n', encoding="utf-8")
    read = read_rsm_table(path)
    assert (read.cells, read.frame.columns) == ("typed", ["id", "scores.h1"])
    assert str(read.frame.get_column("scores.h1").to_list()) == "[nan, 3.0]"


@pytest.mark.parametrize(
    ("cells", "dtype", "values"),
    [
        (pl.Series([1.5, float("nan")]), pl.Float64, [1.5, None]),
        (pl.Series([1.5, None], dtype=pl.Float32), pl.Float64, [1.5, None]),
        (pl.Series([1, 2]), pl.Int64, [1, 2]),
        (pl.Series([1, None]), pl.Float64, [1.0, None]),
        (pl.Series([True, False]), pl.Boolean, [True, False]),
        (pl.Series([True, None]), pl.Float64, [1.0, None]),
        (pl.Series([[1, 2], None]), pl.String, ["[1, 2]", None]),
        (pl.Series([b"ab", None]), pl.String, ["b'ab'", None]),
        (pl.Series([date(2026, 1, 2)]), pl.String, ["2026-01-02"]),
    ],
)
def test_typed_columns_keep_what_pandas_would_keep(
    cells: pl.Series, dtype: type[pl.DataType], values: list[object]
) -> None:
    for read in (inferred(cells), inferred_from_json(cells)):
        assert read.dtype == dtype
        assert read.to_list() == values


def test_a_workbook_that_cannot_be_written_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    with pytest.raises(MissingExtra, match=r"Writing XLSX needs .*assay-scoring\[tables\]"):
        write_rsm_table(tmp_path / "t.xlsx", pl.DataFrame({"a": [1]}))


def test_repeated_column_names_are_told_apart_as_pandas_does(tmp_path: Path) -> None:
    file = tmp_path / "train.csv"
    file.write_text("id,note,note,sc1\na,x,y,3\nb,u,v,4\n", encoding="utf-8")

    table = read_rsm_table(file)

    assert table.frame.to_dict(as_series=False) == {
        "id": ["a", "b"],
        "note": ["x", "u"],
        "note.1": ["y", "v"],
        "sc1": ["3", "4"],
    }
