"""What every result can do: a short look, a report, a chart, a table."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from assay.errors import InputError
from assay.metrics.intervals import Estimate
from assay.report.charts.charts import IntervalPlot, IntervalRow
from assay.report.document.document import Disclosure, Document, Paragraph, Section
from assay.workflows.results import Result

CHART = IntervalPlot(
    name="figures", title="Figures", says="One.", alt="One.", rows=(IntervalRow("QWK", (Estimate(0.8),)),)
)


class Small(Result):
    def summary(self) -> list[tuple[str, str]]:
        return [("3 responses", ""), *((f"figure {i}", "<b>") for i in range(20))]

    def to_dict(self) -> dict[str, Any]:
        return {"schema": "small/1"}

    def to_polars(self) -> pl.DataFrame:
        return pl.DataFrame({"a": [1]})

    def document(self) -> Document:
        return Document(title="Small", sections=(Section("All", (Paragraph("x"), Disclosure("More", (CHART,)))),))


def test_a_short_look_is_short() -> None:
    assert repr(Small()).splitlines()[0] == "Small: 3 responses"
    assert len(repr(Small()).splitlines()) < 10


def test_a_look_in_a_notebook_escapes_what_came_from_outside() -> None:
    assert "&lt;b&gt;" in Small()._repr_html_()
    assert "<b>" not in Small()._repr_html_()


def test_a_report_is_written_whole_in_the_format_of_its_name(tmp_path: Path) -> None:
    written = Small().report(tmp_path / "new" / "small.html")
    assert "<title>Small" in written.read_text(encoding="utf-8")
    assert [file.name for file in written.parent.iterdir()] == ["small.html"]
    with pytest.raises(InputError, match=r"small\.docx"):
        Small().report(tmp_path / "small.docx")


def test_charts_are_found_by_name_wherever_they_stand() -> None:
    assert repr(Small().plot("figures")) == "Plot: Figures"
    assert repr(Small().plot("fig")) == "Plot: Figures"
    for unknown in ("figures_by_group", ""):
        with pytest.raises(InputError, match="There are: figures"):
            Small().plot(unknown)


def test_the_table_comes_as_pandas_too() -> None:
    assert Small().to_pandas().to_dict("list") == {"a": [1]}
