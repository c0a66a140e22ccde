"""`Result`: what every verb returns: numbers by name, a table, a report, charts, and a short look in a notebook."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import InputError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from assay.report.document.document import Block, Document
    from assay.report.document.values import Chart

SHOWN = 8
"""Most lines of a short look."""


class Result(ABC):
    """What a verb returns. A subclass says what it holds; how it is shown and kept is the same for all."""

    @abstractmethod
    def summary(self) -> list[tuple[str, str]]:
        """The few facts that a short look shows: what, and its value in words. The first is the heading."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON holds it, with the version of its schema."""

    @abstractmethod
    def to_polars(self) -> "pl.DataFrame":
        """The main table."""

    @abstractmethod
    def document(self) -> "Document":
        """The report before it has a format."""

    def to_pandas(self) -> "pd.DataFrame":
        """The main table as a pandas frame."""
        return self.to_polars().to_pandas()

    def report(self, path: str | Path) -> Path:
        """Write the report as one file, HTML or PDF by the ending of its name; an earlier one is replaced.

        Returns
        -------
        Path
            Where it was written.
        """
        from assay.io.tables.output import write_whole  # noqa: PLC0415 - reports are only sometimes asked for

        path = Path(path)
        if path.suffix == ".pdf":
            from assay.report.render.pdf import to_pdf  # noqa: PLC0415 - an extra

            content = to_pdf(self.document())
        elif path.suffix in (".html", ".htm"):
            from assay.report.render.html import to_html  # noqa: PLC0415

            content = to_html(self.document()).encode()
        else:
            raise InputError(f"{path.name!r} is neither .html nor .pdf", field="path", remedy="Name a file of either.")
        write_whole(path, content)
        return path

    def plot(self, name: str) -> "Plot":
        """A chart of the report by its name or the start of it; shown as a picture in a notebook."""
        charts = {chart.name: chart for chart in charts_of(self.document())}
        full_name = name if name in charts else next((known for known in charts if name and known.startswith(name)), "")
        if not full_name:
            known = ", ".join(charts) or "none"
            raise InputError(f"no chart is called {name!r}", field="name", remedy=f"There are: {known}.")
        return Plot(charts[full_name])

    def __repr__(self) -> str:
        heading, *facts = self.summary()[:SHOWN]
        width = max((len(name) for name, _ in facts), default=0)
        lines = [f"{type(self).__name__}: {' '.join(part for part in heading if part)}"]
        return "\n".join([*lines, *(f"  {name:<{width}}  {value}" for name, value in facts)])

    def _repr_html_(self) -> str:
        heading, *facts = self.summary()
        rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in facts)
        title = escape(" ".join(part for part in heading if part))
        return f"<table><caption>{title}</caption><tbody>{rows}</tbody></table>"


@dataclass(frozen=True, slots=True)
class Plot:
    """One chart of a report."""

    chart: "Chart"

    def html(self) -> str:
        """The chart as a page of its own."""
        from assay.report.document.document import Document, Section  # noqa: PLC0415
        from assay.report.render.html import to_html  # noqa: PLC0415

        return to_html(Document(title=self.chart.title, sections=(Section(self.chart.title, (self.chart,)),)))

    def save(self, path: str | Path) -> Path:
        """Write the chart as an HTML file."""
        from assay.io.tables.output import write_whole  # noqa: PLC0415

        write_whole(Path(path), self.html().encode())
        return Path(path)

    def _repr_html_(self) -> str:
        # a frame keeps the look of the report from the notebook around it
        return f'<iframe srcdoc="{escape(self.html())}" style="width:100%;height:480px;border:0"></iframe>'

    def __repr__(self) -> str:
        return f"Plot: {self.chart.title}"


def charts_of(document: "Document") -> "Iterator[Chart]":
    """Every chart of a report, in order, also those behind a disclosure."""
    from assay.report.document.document import Disclosure  # noqa: PLC0415
    from assay.report.document.values import Chart  # noqa: PLC0415

    def charts(blocks: "tuple[Block, ...]") -> "Iterator[Chart]":
        for block in blocks:
            if isinstance(block, Disclosure):
                yield from charts(block.blocks)
            elif isinstance(block, Chart):
                yield block

    for section in document.sections:
        yield from charts(section.blocks)
