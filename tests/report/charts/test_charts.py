"""Charts are valid once they exist, and each has a table of its figures."""

from typing import Any

import pytest

from assay.errors import InputError
from assay.metrics.intervals import Estimate
from assay.report.charts.charts import (
    Bar,
    Bars,
    Breakdown,
    BreakdownRow,
    HeatMap,
    IntervalPlot,
    IntervalRow,
    Level,
    LevelPlot,
    PairedBars,
    PairOfBars,
)
from assay.report.document.document import tables_of
from tests.report.sample import sample_document


def test_a_chart_without_alt_text_is_refused() -> None:
    with pytest.raises(InputError, match="alt text"):
        HeatMap(name="h", title="T", says="S", alt="", levels=("1",), counts=((1,),))


def test_a_heat_map_is_square() -> None:
    with pytest.raises(InputError, match="2 levels need 2 rows of 2 counts"):
        HeatMap(name="h", title="T", says="S", alt="A", levels=("1", "2"), counts=((1, 2),))


def test_a_row_of_an_interval_plot_has_an_estimate_per_series() -> None:
    with pytest.raises(InputError, match="one estimate for each"):
        IntervalPlot(name="i", title="T", says="S", alt="A", rows=(IntervalRow("a", ()),))


def test_the_table_of_a_heat_map_counts_every_response_once() -> None:
    table = next(t for t in tables_of(sample_document()) if t.name == "confusion")

    assert sum(row[2] for row in table.rows if isinstance(row[2], int)) == 412


WORDS: dict[str, Any] = {"name": "c", "title": "T", "says": "S", "alt": "A"}


def test_shares_are_of_all_responses_of_each_side() -> None:
    chart = PairedBars(**WORDS, points=(PairOfBars("1", 1, 0), PairOfBars("2", 3, 2)))

    assert chart.shares == ((0.25, 0.0), (0.75, 1.0))
    assert chart.table.rows == (("1", 1, 0, 0.25, 0.0), ("2", 3, 2, 0.75, 1.0))


def test_responses_are_a_column_only_where_they_are_known() -> None:
    estimate = Estimate(0.1, 0.0, 0.2)
    rows = (IntervalRow("a", (estimate,)), IntervalRow("b", (None,)))
    counted = (IntervalRow("a", (estimate,), 9),)

    assert IntervalPlot(**WORDS, rows=rows).table.rows == (("a", estimate), ("b", None))
    assert IntervalPlot(**WORDS, rows=counted).table.rows == (("a", 9, estimate),)
    assert LevelPlot(**WORDS, levels=(Level("1", estimate, 4),)).table.rows == (("1", 4, estimate),)


def test_parts_and_counts_have_their_table_too() -> None:
    rows = (BreakdownRow("Quality", "80 x 0.50", 0, 40), BreakdownRow("Place", "", 10, 4, depth=1))

    assert [row[2] for row in Breakdown(**WORDS, rows=rows).table.rows] == [40, -6]
    assert str(Breakdown(**WORDS, rows=rows).table.rows[1][0]).endswith("Place")
    assert Bars(**WORDS, bars=(Bar("spelling", 3),)).table.rows == (("spelling", 3),)
