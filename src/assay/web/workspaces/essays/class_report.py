"""All essays of a workspace as one report: how scores spread, every essay with both scores, common errors, doubts."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from assay.essays.models.scoring_model import SCORE_TITLES
from assay.provenance import Provenance
from assay.report.document.document import Bar, Bars, Block, Column, Document, Number, Paragraph, Section, Table
from assay.report.document.phrases import counted, date_words
from assay.store.item_listing import ListedItem
from assay.store.overrides import Decision

MOST_ROWS = 2000
"""Essays listed in the report; the tables have all."""
ErrorRow = tuple[str, str, str, int, int]


def class_report(
    listed: Sequence[ListedItem],
    decided: Mapping[int, Sequence[Decision]],
    failed: Mapping[int, str],
    errors: Sequence[ErrorRow],
    *,
    name: str,
    model: str,
    provenance: Provenance,
) -> Document:
    """The report; system and final score stand side by side."""
    scored = [row for row in listed if row.final is not None]
    changed = sum(row.changes > 0 for row in listed)
    mean = sum(row.final for row in scored if row.final is not None) / len(scored) if scored else 0.0
    rest = f"{counted(len(decided), 'essay')} reviewed by a person, {counted(changed, 'score')} overridden."
    sections = [
        Section("Scores", tuple(_spread(scored))),
        Section("Essay by essay", tuple(_essays(listed, decided, failed))),
        Section("Common errors", tuple(_errors(errors, len(scored)))),
        Section("Reasons for doubt", tuple(_doubts(listed))),
    ]
    return Document(
        title=f"Essays of {name}",
        subtitle=f"Scored by “{model}”",
        verdict_lead=f"{counted(len(scored), 'essay')} scored; the mean final score is {mean:.2f}.",
        verdict_rest=rest,
        sections=tuple(section for section in sections if section.blocks),
        footer=f"Made by Assay {provenance.version}, {date_words(provenance.made)}.",
    )


def _spread(scored: Sequence[ListedItem]) -> Iterator[Block]:
    final = Counter(row.final for row in scored if row.final is not None)
    bars = tuple(Bar(f"{point:g}", final[point]) for point in sorted(final))
    if not bars:
        yield Paragraph("No essay has a score yet.")
        return
    common = max(bars, key=lambda bar: bar.count)
    yield Bars(
        name="final_scores",
        title="Essays at each final score",
        says=f"Most essays have {common.label}: {common.count:,} of {len(scored):,}.",
        alt="; ".join(f"score {bar.label}: {bar.count:,} essays" for bar in bars),
        bars=bars,
        bar_title="Score",
    )


def _essays(
    listed: Sequence[ListedItem], decided: Mapping[int, Sequence[Decision]], failed: Mapping[int, str]
) -> Iterator[Block]:
    whole = all(score is None or score == round(score) for row in listed for score in (row.final, row.system))
    points, count = Number(0 if whole else 1), Number(0)
    columns = (
        *(Column("Essay"), Column("Final score", "number", points), Column("System score", "number", points)),
        *(Column("Raw", "number", Number(2)), Column("Words", "number", count), Column("Findings", "number", count)),
        *(Column("Review"), Column("Reason")),
    )
    rows = []
    for row in listed[:MOST_ROWS]:
        decisions, payload = decided.get(row.id, ()), row.payload or {}
        reason = decisions[-1].reason if decisions else failed.get(row.id, "")
        figures = (payload.get(name) for name in ("raw", "words", "errors"))
        rows.append((row.name, row.final, row.system, *figures, row.state, reason))
    yield Table("essays", "Final and system scores", columns, tuple(rows))
    if len(listed) > MOST_ROWS:
        yield Paragraph(f"{counted(len(listed) - MOST_ROWS, 'further essay')}: see scores.csv.", quiet=True)


def _errors(errors: Sequence[ErrorRow], essays: int) -> Iterator[Block]:
    if not errors:
        return
    first, count = errors[0], Number(0)
    yield Paragraph(f"The commonest finding is “{first[1]}”: in {first[3]:,} of {essays:,} essays, {first[4]:,} times.")
    columns = (*map(Column, ("Finding", "Category")), *(Column(name, "number", count) for name in ("Essays", "Times")))
    yield Table("errors", "Findings over all essays", columns, tuple((t, c, n, f) for _, t, c, n, f in errors))


def _doubts(listed: Sequence[ListedItem]) -> Iterator[Block]:
    tally = Counter(doubt["name"] for row in listed if row.payload for doubt in row.payload["advisories"])
    if tally:
        columns = (Column("Advisory"), Column("Essays", "number", Number(0)))
        rows = tuple((title, tally[name]) for name, title in SCORE_TITLES.items() if tally[name])
        yield Table("advisories", "Reasons for doubt", columns, rows)
        yield Paragraph("An advisory does not change a score. Let a person read these essays.")
