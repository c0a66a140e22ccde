"""Reading tables: every format gives the same cells, and a wrong file is told apart by its message."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from assay.errors import InputError
from assay.io.tables import tables
from assay.io.tables.columns import number_column
from assay.io.tables.tables import (
    MOST_NAMES_SHOWN,
    check_unique_ids,
    file_digest,
    open_table,
    open_table_of_stranger,
    read_whole,
    require_columns,
)
from tests.io.tables.table_files import CSV, a_csv, a_gzipped_csv, a_jsonl, a_parquet, a_tsv, a_workbook

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


@pytest.mark.parametrize("name", ["s.xlsx", "s.parquet", "s.sas7bdat", "s.csv.gz"])
def test_a_file_that_is_not_what_its_ending_says_is_refused(tmp_path: Path, name: str) -> None:
    a_csv(tmp_path / name)
    with pytest.raises(InputError, match=f"{name}: .*read"):
        open_table(tmp_path / name)


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
    (tmp_path / "s1.csv").write_text("id,other,more\nx,y,z\n")
    table = open_table(write(tmp_path / name))
    assert table.row_count == 3
    assert table.frame().height == 3
    assert table.frame().get_column("id").to_list() == ["007", "008", "9"]


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


def test_a_table_says_where_it_lies_and_how_it_is_made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    a_csv(Path("s.csv"))
    a_parquet(Path("s.parquet"))
    text, binary = open_table(Path("s.csv")), open_table(Path("s.parquet"))
    assert (text.name, text.place, text.in_parts) == ("s.csv", tmp_path / "s.csv", False)
    assert (text.row_count, binary.row_count, binary.part_rows, binary.in_parts) == (3, 3, (3,), False)
    (tmp_path / "parts").mkdir()
    a_parquet(tmp_path / "parts/1.parquet")
    assert open_table(tmp_path / "parts").in_parts


def test_numbers_of_a_workbook_keep_all_their_digits(tmp_path: Path) -> None:
    pl.DataFrame({"id": ["0004", "7"], "score": [0.1056520231234567, 3.0]}).write_excel(tmp_path / "scores.xlsx")

    frame = open_table(tmp_path / "scores.xlsx").frame()

    assert frame["id"].to_list() == ["0004", "7"]
    assert frame["score"].to_list() == ["0.1056520231234567", "3"]


def test_a_name_longer_than_any_disk_takes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="too long"):
        open_table(tmp_path / ("x" * 5000 + ".csv"))


def test_a_frame_is_a_table_without_a_name_whose_rows_begin_at_1() -> None:
    source = open_table(pl.DataFrame({"id": ["a", None]}))
    assert (source.first_row, source.parts, source.sliceable, source.row_count) == (1, (), False, 2)
    with pytest.raises(InputError) as caught:
        check_unique_ids(source, "id")
    assert (caught.value.row, caught.value.field) == (2, "id")


def test_a_stretch_of_rows_is_read_from_the_middle(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pl.DataFrame({"x": range(10)}).write_parquet(path)
    source = open_table(path)
    assert source.sliceable
    assert pl.concat(source.batches(["x"], span=(3, 4)))["x"].to_list() == [3, 4, 5, 6]
    assert [batch.height for batch in source.batches(["x"], rows=4)] == [4, 4, 2]
    assert not open_table(a_csv(tmp_path / "t.csv")).sliceable


def test_files_are_named_by_their_place_below_the_common_folder(tmp_path: Path) -> None:
    for place in ("a/1.parquet", "b/c/2.parquet"):
        (tmp_path / place).parent.mkdir(parents=True)
        a_parquet(tmp_path / place)
    digest = file_digest(tmp_path / "a/1.parquet")
    source = open_table(tmp_path)
    assert source.digests() == {"a/1.parquet": digest, "b/c/2.parquet": file_digest(tmp_path / "b/c/2.parquet")}
    assert source.part_rows == (3, 3)
    assert open_table(tmp_path / "a/1.parquet").digests() == {"1.parquet": digest}


def test_parts_that_are_marked_are_none_and_other_files_in_a_pattern_are_told(tmp_path: Path) -> None:
    for place in ("1.parquet", "_excluded/2.parquet", ".part-x/3.parquet", "_4.parquet"):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        a_parquet(tmp_path / place)
    assert [part.name for part in open_table(tmp_path).parts] == ["1.parquet"]
    assert [part.name for part in open_table(tmp_path / "*").parts] == ["1.parquet"]
    a_csv(tmp_path / "x.csv")
    for name, said in (
        ("*", "it matches no .parquet files only"),
        ("*.json", "it matches no .parquet files"),
    ):
        with pytest.raises(InputError) as caught:
            open_table(tmp_path / name)
        assert caught.value.problem == said
        assert caught.value.remedy == "Name one table, or a folder or pattern of Parquet parts."
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"it is a folder without \.parquet files") as caught:
        open_table(tmp_path / "empty")
    assert "only" not in str(caught.value.problem)


def test_as_many_names_are_shown_as_fit() -> None:
    def listed(count: int) -> str:
        source = open_table(pl.DataFrame({f"f{i}": [1] for i in range(count)}))
        with pytest.raises(InputError) as caught:
            require_columns(source, {"": "zzz"})
        return str(caught.value.remedy)

    last = MOST_NAMES_SHOWN - 1
    assert listed(MOST_NAMES_SHOWN).endswith(f" f{last}.")
    assert listed(MOST_NAMES_SHOWN + 1).endswith(f" f{last} and 1 more.")


def test_as_many_distinct_values_as_asked_for_are_given() -> None:
    source = open_table(pl.DataFrame({"x": ["a", "b", "a"], "y": [1.0, float("nan"), None]}))
    assert source.distinct("x", most=2) == ["a", "b"]
    assert source.distinct("y", most=2) == [1.0, None]
    with pytest.raises(InputError) as caught:
        source.distinct("x", most=1)
    assert (caught.value.problem, caught.value.column) == ("has more than 1 different values", "x")


def test_near_names_are_at_most_three(tmp_path: Path) -> None:
    for name in ("score1.csv", "score2.csv", "score3.csv", "score4.csv", "other.txt"):
        a_csv(tmp_path / name)
    with pytest.raises(InputError) as caught:
        open_table(tmp_path / "score.csv")
    assert str(caught.value.remedy).count("'score") == 3
    with pytest.raises(InputError) as caught:
        open_table(tmp_path / "zzzzzz")
    assert caught.value.remedy == "Check the name and the folder."


def test_a_table_of_a_stranger_is_read_to_its_end_before_it_is_used(tmp_path: Path) -> None:
    path = tmp_path / "0a1b.csv"
    path.write_text("a,b\n1,2\n")
    read_whole(path)
    assert open_table_of_stranger(path, "scores.csv").frame().rows() == [("1", "2")]
    later = tmp_path / "0c2d.csv"
    later.write_text("a,b\n" + "1,2\n" * 9 + "1,2,3\n")
    assert open_table(later).columns == ("a", "b")
    with pytest.raises(InputError, match="row 11"):
        read_whole(later)
    with pytest.raises(InputError, match=r"scores\.csv|0c2d\.csv"):
        open_table_of_stranger(later, "scores.csv")


def test_a_child_reads_a_parquet_file_first_and_again_when_it_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []

    def apart(function: object, path: Path, *, source: str) -> None:
        read.append((function, path, source))
        if len(read) > 1:
            raise InputError("the process that was reading it ended", source=source)

    monkeypatch.setattr(tables, "read_apart", apart)
    path = tmp_path / "s.parquet"
    pl.DataFrame({"id": ["a"], "human": [1]}).write_parquet(path)
    assert [open_table(path).row_count for _ in range(2)] == [1, 1]
    assert read == [(tables.read_whole, path, "s.parquet")]
    pl.DataFrame({"id": ["a", "b"], "human": [1, 2]}).write_parquet(path)
    with pytest.raises(InputError, match=r"s.parquet: the process that was reading it ended"):
        open_table(path)
    monkeypatch.setattr(tables, "CHECKED_FIRST", 10)
    assert open_table(path).row_count == 2  # too large to read twice
