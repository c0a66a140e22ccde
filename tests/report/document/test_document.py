"""The parts of a report are valid once they exist."""

import pytest

from assay.errors import InputError
from assay.metrics.intervals import Estimate
from assay.report.document.document import KeyFigure, tables_of
from assay.report.document.values import Band, Column, Table
from tests.report.sample import sample_document


def test_a_row_of_the_wrong_length_names_its_table() -> None:
    with pytest.raises(InputError, match="'t': 1 cells for 2 columns"):
        Table("t", "T", (Column("A"), Column("B")), (("only one",),))


def test_a_cell_of_the_wrong_kind_names_its_column() -> None:
    with pytest.raises(InputError, match="column 'QWK': 'high' is not a cell of kind 'estimate'"):
        Table("t", "T", (Column("QWK", "estimate"),), (("high",),))


def test_only_the_four_verdicts_are_verdicts() -> None:
    with pytest.raises(InputError, match="'nearly'"):
        Table("t", "T", (Column("Verdict", "verdict"),), (("nearly",),))


def test_an_undefined_figure_has_no_verdict() -> None:
    with pytest.raises(InputError, match="undefined"):
        KeyFigure("QWK", "", Estimate(reason="one response"), Band(least=0.7), "met")


def test_an_empty_band_is_refused() -> None:
    with pytest.raises(InputError, match="lower end first"):
        Band(0.1, -0.1)


def test_every_chart_and_every_hidden_table_is_among_the_tables() -> None:
    names = [table.name for table in tables_of(sample_document())]

    assert names == [
        "key_figures", "exclusions", "agreement", "confusion", "bias_by_level", "human_human",
        "dsm_by_first_language", "subgroups", "distribution", "distribution_raw", "confusion_raw", "bias_raw", "eval",
    ]  # fmt: skip
