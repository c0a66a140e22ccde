"""Scores of new responses -> `Document`: how many there are, and how often each score is given."""

from collections import Counter
from collections.abc import Iterable

from assay import __version__
from assay.report.document.document import INTEGER, Bar, Bars, Block, Column, Document, Section, Table
from assay.report.document.phrases import counted


def predict_report(final: Iterable[float], excluded: int, *, experiment_id: str) -> Document:
    """The whole report. `final` are the rounded scores on the scale of the human ones."""
    scores = sorted(Counter(final).items())
    count = sum(n for _, n in scores)
    columns = (Column("Responses"), Column("Count", "number", INTEGER))
    blocks: list[Block] = [
        Table("responses", "Responses", columns, (("Scored", count), ("Could not be scored", excluded)))
    ]
    if scores:
        most, times = max(scores, key=lambda item: item[1])
        says = f"The most common score is {most:g}, given to {counted(times, 'response')}."
        bars = tuple(Bar(f"{score:g}", n) for score, n in scores)
        title = "Distribution of scores"
        blocks.append(Bars(name="scores", title=title, says=says, alt=f"Bars of {len(bars)} scores. {says}", bars=bars))
    return Document(
        title=f"Scores by “{experiment_id}”",
        subtitle=f"{counted(count, 'response')} scored.",
        sections=(Section("Scores", tuple(blocks)),),
        footer=f"Made by Assay {__version__}. It opens without a network and holds no scripts.",
    )
