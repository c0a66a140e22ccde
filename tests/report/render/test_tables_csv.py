"""The CSV of a table reads back as the numbers it was made from, and runs nothing."""

import csv
import io
from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.metrics.intervals import Estimate
from assay.report.document.document import Document, Section
from assay.report.document.values import Code, Column, Table
from assay.report.render.tables_csv import csv_files, to_csv
from tests.report.sample import HOSTILE, sample_document


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@given(st.floats(allow_nan=False), st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_numbers_read_back_as_they_were(value: float, low: float, high: float) -> None:
    table = Table("t", "T", (Column("QWK", "estimate"),), ((Estimate(value, low, high),),))

    (row,) = read(to_csv(table))

    assert (float(row["qwk"]), float(row["qwk_low"]), float(row["qwk_high"])) == (value, low, high)


def test_undefined_is_empty_beside_its_reason() -> None:
    columns = (Column("QWK", "estimate"), Column("r", "estimate", undefined="one response"), Column("N", "number"))
    table = Table("t", "T", columns, ((Estimate(reason="all human scores are equal"), Estimate(), nan),))

    (row,) = read(to_csv(table))

    assert (row["qwk"], row["qwk_reason"]) == ("", "all human scores are equal")
    assert (row["r"], row["r_reason"], row["n"]) == ("", "one response", "")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_text_that_would_run_as_a_formula_is_disarmed(start: str) -> None:
    text = f'{start}HYPERLINK("http://x","y")'
    table = Table("t", "T", (Column("Group"),), ((text,),))

    (row,) = csv.reader(io.StringIO(to_csv(table).partition("\n")[2], newline=""))

    assert row == ["'" + text]


def test_negative_numbers_are_no_formulas() -> None:
    assert to_csv(Table("t", "T", (Column("SMD", "number"),), ((-0.25,),))) == "smd\n-0.25\n"


def test_hostile_words_and_code_come_back_word_by_word() -> None:
    table = Table("t", "T", (Column("A"), Column("B")), ((HOSTILE, ("in ", Code("a,b\n"))),))

    assert read(to_csv(table)) == [{"a": HOSTILE, "b": "in a,b\n"}]


def test_two_columns_of_one_name_stay_apart() -> None:
    table = Table("t", "T", (Column("QWK", "number"), Column("qwk", "number")), ((1, 2),))

    assert to_csv(table) == "qwk,qwk_2\n1,2\n"


def test_two_tables_of_one_name_get_two_files_and_no_name_leaves_the_folder() -> None:
    table = Table("../secret", "T", (Column("A"),), (("x",),))

    files = csv_files(Document("D", sections=(Section("S", (table, table)),)))

    assert list(files) == ["secret.csv", "secret_2.csv"]


def test_the_sample_report_has_a_file_for_each_table() -> None:
    files = csv_files(sample_document())

    assert len(files) == 13
    assert read(files["key_figures.csv"])[0] == {
        "figure": "Agreement with people",
        "measure": "QWK, at least 0.70",
        "value": "0.76",
        "value_low": "0.72",
        "value_high": "0.79",
        "value_reason": "",
        "least": "0.7",
        "most": "",
        "verdict": "met",
    }
