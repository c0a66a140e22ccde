"""Delimited text in all its dialects, and each way it can be broken: one clear message, never a wrong table."""

import csv
import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay.io.tables.csv_text as records_module
from assay.errors import InputError
from assay.io.tables.output import write_csv
from assay.io.tables.tables import TableSource, open_table


def table(folder: Path, content: bytes | str, name: str = "s.csv") -> TableSource:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return open_table(path)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_found_in_the_header(tmp_path: Path, separator: str) -> None:
    source = table(tmp_path, f"id{separator}human\na{separator}4\n")
    assert source.frame().rows() == [("a", "4")]


def test_a_decimal_comma_does_not_pass_for_a_separator(tmp_path: Path) -> None:
    assert table(tmp_path, "id;human\na;4,5\n").frame().rows() == [("a", "4,5")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_unicode_is_read_with_and_without_a_mark(tmp_path: Path, encoding: str) -> None:
    source = table(tmp_path, "näme,human\nMüller 😀,4\n".encode(encoding))
    assert source.columns == ("näme", "human")
    assert source.frame().rows() == [("Müller 😀", "4")]


def test_windows_line_ends_and_blank_lines_at_the_end_are_no_rows(tmp_path: Path) -> None:
    source = table(tmp_path, "id,h\r\na,1\r\nb,\r\n\r\n\r\n")
    assert source.frame().rows() == [("a", "1"), ("b", None)]
    assert source.row_count == 2


def test_a_last_row_without_a_line_end_counts(tmp_path: Path) -> None:
    assert table(tmp_path, "id,h\na,1\nb,2").frame().rows() == [("a", "1"), ("b", "2")]


def test_quoted_cells_may_hold_separators_quotes_and_line_breaks(tmp_path: Path) -> None:
    source = table(tmp_path, '"id","text"\na,"one, ""two""\nthree"\nb,the "best" essay\n')
    assert source.frame().rows() == [("a", 'one, "two"\nthree'), ("b", 'the "best" essay')]


def test_a_type_seen_in_early_rows_binds_no_later_row(tmp_path: Path) -> None:
    source = table(tmp_path, "id,h\n" + "1,1\n" * 5000 + "x7,2.5\n")
    assert source.frame().row(-1) == ("x7", "2.5")


def test_blanks_around_names_are_stripped_and_nameless_columns_numbered(tmp_path: Path) -> None:
    assert table(tmp_path, " id , human ,\na,1,\n").columns == ("id", "human", "column 3")


def test_hostile_names_are_names(tmp_path: Path) -> None:
    names = ["^.*$", "*", "=1+1", "<script>", "a b", "column_1", "x'y"]
    source = table(tmp_path, ",".join(names) + "\n1,2,3,4,5,6,7\n")
    assert source.frame(["*"]).rows() == [("2",)]
    assert source.frame(["x'y", "^.*$"]).rows() == [("7", "1")]


def test_a_header_alone_is_a_table_without_rows(tmp_path: Path) -> None:
    source = table(tmp_path, "id,human\n")
    assert source.row_count == 0
    assert source.frame().shape == (0, 2)
    assert sum(batch.height for batch in source.batches(["id"])) == 0


FAULTS = {
    "empty": (b"", "s.csv: it is empty"),
    "only line ends": (b"\n\n", "s.csv: it is empty"),
    "blank first row": (b"\nid,h\na,1\n", "row 1: the row is blank"),
    "blank row inside": (b"id,h\na,1\n\nb,2\n", "s.csv, row 3: the row is blank"),
    "row too short": (b"id,h\na,1\nb\n", "s.csv, row 3: the row has 1 cell where the header has 2"),
    "row too long": (b"id,h\na,1\nb,2,3\n", "s.csv, row 3: the row has 3 cells where the header has 2"),
    "one too short, one too long": (b"id,h\na\nb,2,3\n", "s.csv, row 2: the row has 1 cell"),
    "rows longer than the header": (b"id,h\na,1,\nb,2,\n", "s.csv, row 2: the row has 3 cells"),
    "decimal comma unquoted": (b"id,h\na,4,5\n", "s.csv, row 2: the row has 3 cells"),
    "same name twice": (b"id,h,id\na,1,b\n", "more than one column is called 'id' (columns 1, 3)"),
    "same name after stripping": (b"id,h, id\na,1,b\n", "'id' (columns 1, 3)"),
    "NUL byte": (b"id,h\na,1\nb,\x00\n", "s.csv, row 3: NUL bytes"),
    "unclosed quote": (b'id,h\na,1\nb,"2\nc,3\n', "s.csv, row 3: a quotation mark opens a cell and is never"),
    "unclosed, then quoted": (b'id,h\nb,"2\nc,"3"\n', "s.csv, row 2: a quotation mark"),
    "text after a quote": (b'id,h\na,"2"x\nb,3\n', "s.csv, row 2: a quotation mark stands inside a cell"),
    "inch marks": (b'id,h\na 5",1\nb,6\nc 6",2\n', "s.csv, row 2: a quotation mark stands inside a cell"),
    "quotes that hide a comma": (b'id,h\na"b,c"d,2\n', "s.csv, row 2: a quotation mark stands inside"),
    "mixed line ends": (b"id,h\na,1\rb,2\nc\r,3\n", "s.csv, row 2: the row holds a carriage return"),
    "lone carriage return": (b"id,h\na,1\r\nb\r,3\r\n", "s.csv, row 3: the row holds a carriage return"),
    "Latin-1": ("id,h\na,1\nMüller,2\n".encode("latin-1"), "row 3: not UTF-8; near 'Müller,2' it seems"),
    "Latin-1 header": ("näme,h\na,1\n".encode("latin-1"), "row 1: not UTF-8"),
    "UTF-16 without a mark": ("id,h\na,1\n".encode("utf-16-le"), "UTF-16"),
    "UTF-16 cut off": ("id,h\na,1\n".encode("utf-16")[:-1], "damaged"),
    "UTF-32": ("id,h\n".encode("utf-32"), "UTF-32"),
    "old Mac line ends": (b"id,h\ra,1\r", "CR alone"),
    "a workbook": (b"PK\x03\x04rest", ".xlsx"),
    "an old workbook": (b"\xd0\xcf\x11\xe0rest", ".xls"),
    "Parquet": (b"PAR1rest", ".parquet"),
    "gzip": (gzip.compress(b"id,h\n"), ".csv.gz if it holds CSV"),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "NUL bytes"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_has_a_message_of_its_own(tmp_path: Path, fault: str) -> None:
    content, message = FAULTS[fault]
    with pytest.raises(InputError) as caught:
        table(tmp_path, content).frame(["id"])
    assert message in str(caught.value)
    assert str(caught.value).endswith(".")


def test_a_truncated_gzip_is_refused(tmp_path: Path) -> None:
    whole = gzip.compress(b"id,h\n" + b"".join(b"%d,%d\n" % (i, i * i % 97) for i in range(5000)))
    with pytest.raises(InputError, match=r"s.csv.gz: it cannot be read"):
        table(tmp_path, whole[: len(whole) // 2], "s.csv.gz").frame()


@pytest.mark.parametrize("block", [16, 64, 1000])
def test_faults_are_found_wherever_a_block_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(records_module, "BLOCK", block)
    good = "".join(f'r{i},"text, {i}\nmore ""ö"" {i}"\n' for i in range(100))
    assert table(tmp_path, "id,h\n" + good).row_count == 100
    with pytest.raises(InputError, match="row 102: the row has 1 cell"):
        table(tmp_path, "id,h\n" + good + "bad\n" + good).frame()
    with pytest.raises(InputError, match="row 102: the row is blank"):
        table(tmp_path, "id,h\n" + good + "\n\n\n" + good).frame()
    with pytest.raises(InputError, match="row 102: not UTF-8"):
        table(tmp_path, f"id,h\n{good}".encode() + b"\xe4,1\n").frame()


def test_a_quote_never_closed_does_not_swallow_a_huge_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records_module, "BLOCK", 100)
    monkeypatch.setattr(records_module, "LONGEST_RECORD", 1000)
    with pytest.raises(InputError, match="row 3: a quotation mark opens a cell and is never closed"):
        table(tmp_path, 'id,h\na,1\nb,"2\n' + "c,3\n" * 1000).frame()


cells = st.text(st.characters(exclude_characters="\0", codec="utf-8"), min_size=1, max_size=6)


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=8))
def test_what_is_written_is_what_is_read(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]) -> None:
    path = tmp_path_factory.mktemp("csv") / "s.csv"
    write_csv(path, ["a", "b"], rows)
    read = [tuple(cell.removeprefix("'") for cell in row) for row in open_table(path).frame().rows()]
    assert read == [tuple(cell.removeprefix("'") for cell in row) for row in rows]


pieces = st.sampled_from(["a", "b", "a,b\n", '"a","b"\n', ",", '"', "\n", "\r\n", "\r", " ", '""', '"a\nb",'])


@given(st.lists(pieces, max_size=12))
def test_what_is_not_refused_is_read_as_the_standard_library_reads_it(
    tmp_path_factory: pytest.TempPathFactory, body: list[str]
) -> None:
    text = "x,y\n" + "".join(body)
    source = table(tmp_path_factory.mktemp("csv"), text)
    try:
        rows = source.frame(as_text=True).rows()
    except InputError:
        return
    expected = [tuple(cell or None for cell in row) for row in csv.reader(io.StringIO(text, newline=""))][1:]
    while expected and not expected[-1]:
        expected.pop()
    assert rows == expected
    assert source.frame(["x"], as_text=True).rows() == [row[:1] for row in rows]
    assert source.row_count == len(rows)


def fault(folder: Path, content: bytes | str) -> InputError:
    with pytest.raises(InputError) as caught:
        table(folder, content).frame()
    return caught.value


def test_records_are_found_wherever_blocks_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'id,h\na,"x,""y""\nz"\nb,"1"\n"c\n\n""","2"\nd,3\n'
    for block in range(1, len(text) + 2):
        monkeypatch.setattr(records_module, "BLOCK", block)
        source = table(tmp_path, text)
        assert source.row_count == 4
        assert source.frame().rows() == [("a", 'x,"y"\nz'), ("b", "1"), ('c\n\n"', "2"), ("d", "3")]
        assert fault(tmp_path, text + "e,4,5\n").row == 6
        assert fault(tmp_path, text + "\nf,6\n").row == 6
        assert fault(tmp_path, text + "f\x00,6\n").row == 6
        assert fault(tmp_path, text + "f,6\rg,7\n").row == 6
        assert table(tmp_path, text + "\r\n\n").row_count == 4


@pytest.mark.parametrize(
    ("content", "row", "problem", "remedy"),
    [
        ("a;b\n1;2;3\n", 2, "the row has 3 cells where the header has 2 (separated by semicolons).", "Put cells"),
        ("a\tb\n1\n", 2, "the row has 1 cell where the header has 2 (separated by tabs).", "Add the missing"),
        ("a|b|c\n1|2|3\n1|2\n", 3, "the row has 2 cells where the header has 3 (separated by bars).", "Add the"),
        ("a,b\n1\n2\n3\n4,5\n", 2, "the row has 1 cell where the header has 2 (separated by commas). "
         "More such rows near it: 2.", "Add the missing"),
        ("a,b\n1\n4,5\n2,3,4\n", 2, "(separated by commas). More such rows near it: 1.", "Add the missing"),
        ("a\n1\n2,3\n", 3, "the row has 2 cells where the header has 1", "Put cells"),
    ],
)  # fmt: skip
def test_a_ragged_row_is_told_with_what_separates_cells(
    tmp_path: Path, content: str, row: int, problem: str, remedy: str
) -> None:
    refused = fault(tmp_path, content)
    assert (refused.row, refused.source) == (row, "s.csv")
    assert problem in str(refused.problem)
    assert str(refused.remedy).startswith(remedy)


def test_what_is_not_utf_8_is_shown_with_what_stands_around_it(tmp_path: Path) -> None:
    line = b"abcdefghijklmnop\xe9qrstuvwxyzabcdef,1\n"
    refused = fault(tmp_path, b"id,h\n" + line)
    assert refused.problem == "not UTF-8; near 'efghijklmnopéqrstuvwxyza' it seems to be Windows-1252 (Latin-1)"
    assert refused.row == 2
    assert "near 'aéb' it" in str(fault(tmp_path, b"id,h\nx,1\na\xe9b\nc,2\n").problem)
    header = fault(tmp_path, b"id,\xe9" + b"x" * 60 + b"\na,1\n")
    assert f"near {'é' + 'x' * 39!r} it" in str(header.problem)
    assert header.row == 1


@pytest.mark.parametrize(
    ("near", "utf16"),
    [(b"\0a\0b\0cdefg", False), (b"\0a\0b\0c\0def", True), (b"\0", False), (b"\0a\0", True), (b"a\0\0b\0c\0", False)],
)
def test_every_other_byte_a_nul_is_utf_16(near: bytes, utf16: bool) -> None:
    refused = records_module._nul_error("s.csv", near, row=7)
    assert refused.problem.startswith("it seems to be text in UTF-16") == utf16  # type: ignore[union-attr]
    assert refused.row == (None if utf16 else 7)


def test_the_separator_is_a_comma_unless_the_header_has_none(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for text, asked, separator in (
        ("a,b;c;d\n", ",", ","),
        ("a,b;c;d\n", None, ";"),
        ("a;b\n", ",", ";"),
        ("a|b|c;d\n", ";", ";"),
        ("a\n", None, ","),
    ):
        path.write_text(text, encoding="utf-8")
        assert records_module.open_csv(path, separator=asked).separator == separator
    path.write_text("a,b;c;d\n", encoding="utf-8")
    contents = records_module.csv_contents(path)
    assert (contents.columns, contents.first_row) == (("a", "b;c;d"), 2)


def failing(problem: Exception) -> InputError:
    with pytest.raises(InputError) as caught, records_module.reading(Path("folder/x.csv")):
        raise problem
    return caught.value


def test_what_goes_wrong_while_reading_is_told_in_a_line() -> None:
    assert failing(OSError("bad.\nmore")).problem == "it cannot be read as a table: bad"
    assert failing(EOFError()).problem == "it cannot be read as a table: EOFError"
    assert failing(EOFError()).source == "x.csv"
    refused = failing(PermissionError())
    assert (refused.problem, refused.source) == ("it may not be read by you", "folder/x.csv")


@pytest.mark.parametrize(
    ("cell", "row"),
    [
        ('x"y', None),
        ('"x"y', 2),
        ('x"y"', None),
        ('"x""y"', None),
        ('x"a,b"', 2),
        ('""', None),
        ('"x"\r', None),
    ],
)
def test_quotes_within_a_cell_do_harm_only_where_they_hide_something(
    tmp_path: Path, cell: str, row: int | None
) -> None:
    text = f'id,h\na,{cell}\nb,"2"\n'
    if row is None and cell != 'x"y':
        assert table(tmp_path, text).row_count == 2
    else:
        refused = fault(tmp_path, text)
        assert refused.row == 2
        assert "quotation mark" in str(refused.problem)


def test_a_record_may_be_as_long_as_is_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records_module, "BLOCK", 10)
    monkeypatch.setattr(records_module, "LONGEST_RECORD", 60)
    assert table(tmp_path, "id,h\na," + '"' + "x\n" * 20 + '"\n').row_count == 1
    refused = fault(tmp_path, "id,h\na,1\nb," + '"' + "x\n" * 60 + '"\n')
    assert refused.row == 3


def test_a_nul_at_the_very_beginning_is_in_row_1(tmp_path: Path) -> None:
    refused = fault(tmp_path, b"\x00id,h\n" + b"a,1\n" * 20)
    assert (refused.row, str(refused.problem)[:9]) == (1, "NUL bytes")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_packed_table_is_read_no_further_than_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    packed = gzip.compress(("id,human\n" + "a,4\n" * 50_000).encode(encoding))
    assert table(tmp_path, packed, "s.csv.gz").frame().height == 50_000
    monkeypatch.setenv("ASSAY_LIMIT_GZIP_BYTES", "100k")
    with pytest.raises(InputError, match=r"s.csv.gz: the unpacked table has more than 102,400 bytes.*GZIP_BYTES"):
        table(tmp_path, packed, "s.csv.gz").frame()


def test_names_that_are_too_long_to_be_read_are_told_of_the_first_row(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("a," + "x" * 200_000 + "\n1,2\n")
    with pytest.raises(InputError, match="this cannot be read as column names") as refused:
        records_module.open_csv(path, separator=",")
    assert (refused.value.source, refused.value.row, refused.value.remedy) == ("s.csv", 1, "Check its quotation marks.")
