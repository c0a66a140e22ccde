"""Ratings of a judge as a report: what it gave, what it could not rate, how steady it is, what misleads it."""

from collections.abc import Iterator, Sequence

from assay.evaluation.judging.answers import JudgeRatings, Usage
from assay.evaluation.judging.probe import NEUTRAL, ProbeFigures
from assay.evaluation.judging.rubric import Criterion, JudgeRubric, Prices
from assay.provenance import Provenance
from assay.report.charts.charts import Bar, Bars
from assay.report.document.document import Block, Document, Note, Paragraph, Section
from assay.report.document.values import INTEGER, PERCENT, SIGNED, Code, Table, columns_of
from assay.report.document.wording import counted, date_words, number_text

MOST_REASONS = 20
"""Ratings whose reasons a report quotes; ratings.csv has all."""
LONGEST_REASON = 300


def judge_report(
    ratings: JudgeRatings,
    rubric: JudgeRubric,
    *,
    url: str,
    model: str,
    runs: int,
    probes: Sequence[ProbeFigures],
    probe_items: int,
    usage: Usage,
    provenance: Provenance,
) -> Document:
    """The report of one run of a judge."""
    given = sum(row.value is not None for row in ratings.rows)
    left = len(ratings.rows) - given
    rest = f"{counted(left, 'rating')} could not be had; see below." if left else "Every item got a rating."
    named = f"model {model} at {url}" if model else url
    sections = [
        Section("Ratings", tuple(_rating_blocks(ratings, rubric, left))),
        *([Section("Runs", tuple(_run_blocks(ratings, rubric, runs)))] if runs > 1 else []),
        *([Section("Text that misleads", tuple(_probe_blocks(probes, probe_items)))] if probes else []),
        Section("Reasons", tuple(_reason_blocks(ratings))),
        Section("Rubric and cost", tuple(_rubric_blocks(rubric, usage))),
    ]
    return Document(
        title=f"Ratings by “{ratings.rater}”",
        subtitle=f"{counted(ratings.items, 'item')}, {counted(runs, 'run')}, {named}",
        verdict_lead=f"{given:,} of {counted(len(ratings.rows), 'rating')} given.",
        verdict_rest=f"{rest} Compare them with human ratings before you rely on them.",
        sections=tuple(sections),
        footer=f"Made by Assay {provenance.version}, {date_words(provenance.created)}. Command: {provenance.command}",
    )


def usage_words(usage: Usage, prices: Prices | None) -> str:
    """Requests, tokens and cost in one line.

    >>> usage_words(Usage(3, 1200, 90), Prices(2.5, 10))
    '3 requests, 1,200 tokens in, 90 out, 0.0039 USD'
    """
    said = f"{counted(usage.requests, 'request')}, {usage.tokens_in:,} tokens in, {usage.tokens_out:,} out"
    if usage.unstated:
        answers = counted(usage.unstated, "answer")
        return f"{said}; the server did not count the tokens of {answers}, so the cost is not known"
    if prices is None:
        return f"{said}; the cost is not known, as no prices are given"
    cost = prices.cost(usage.tokens_in, usage.tokens_out)
    return f"{said}, {f'{cost:.2f}' if cost >= 0.1 or not cost else f'{cost:.2g}'} {prices.currency}"


def _rating_blocks(ratings: JudgeRatings, rubric: JudgeRubric, left: int) -> Iterator[Block]:
    if left:
        rows = tuple(sorted(ratings.left_out.items()))
        share = left / len(ratings.rows)
        if share > 0.05:
            yield Note(f"{number_text(share, PERCENT)} of the ratings are missing.", "caution")
        yield Table("no_rating", "Ratings that could not be had", columns_of("Why", ("Ratings", INTEGER)), rows)
    for criterion in rubric.criteria:
        counts = ratings.values(criterion.name)
        bars = tuple(Bar(_level(value), counts[value]) for value in criterion.values)
        total = sum(bar.count for bar in bars)
        says = "No rating was given."
        if total:
            common = max(bars, key=lambda bar: bar.count)
            says = f"Most common: {common.label}, {number_text(common.count / total, PERCENT)} of {total:,} ratings."
        yield Bars(
            name=f"ratings_{rubric.criteria.index(criterion) + 1}",
            title=criterion.name[:1].upper() + criterion.name[1:],
            says=says,
            alt="; ".join(f"{bar.label}: {bar.count:,}" for bar in bars),
            bars=bars,
            bar_title="Score" if criterion.is_score else "Label",
            count_title="Ratings",
        )


def _level(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _run_blocks(ratings: JudgeRatings, rubric: JudgeRubric, runs: int) -> Iterator[Block]:
    yield Paragraph(f"Each item was judged {runs} times at temperature {rubric.temperature:g}.")
    rows = tuple((criterion.name, ratings.steady(criterion.name)) for criterion in rubric.criteria)
    columns = columns_of("Criterion", ("Items with the same rating in all runs", "estimate", PERCENT))
    yield Table("runs", "Agreement of the judge with itself", columns, rows)


def _probe_blocks(probes: Sequence[ProbeFigures], items: int) -> Iterator[Block]:
    yield Paragraph(
        f"{counted(items, 'item')} were judged again with a text planted at the end that asks for a score. "
        "A judge that treats the item as data does not move. The control asks for nothing: what it moves is the "
        "judge's own unsteadiness."
    )
    for criterion in dict.fromkeys(probe.criterion for probe in probes):
        own = [probe for probe in probes if probe.criterion == criterion]
        control = next((probe for probe in own if probe.probe == NEUTRAL), None)
        moving = [
            probe
            for probe in own
            if control and probe is not control and probe.share.defined and probe.share.low > control.share.high
        ]
        if moving:
            titles = ", ".join(probe.title.lower() for probe in moving)
            yield Note(f"More than the control moves “{criterion}”: {titles}.", "caution")
        columns = columns_of(
            "Planted text",
            ("Items", INTEGER),
            ("Changed", INTEGER),
            ("Moved as asked", "estimate", PERCENT),
            ("Mean change", "estimate", SIGNED),
        )
        rows = tuple((p.title, p.pairs, p.moved, p.share, p.shift) for p in own)
        number = [*dict.fromkeys(probe.criterion for probe in probes)].index(criterion) + 1
        yield Table(f"probes_{number}", f"What planted text does to “{criterion}”", columns, rows)
    yield Paragraph(
        "Moved as asked: of the items that were not at that end already, the share whose rating went towards it, with "
        "its 95 % interval (Wilson). For the control: the share that changed at all.",
        quiet=True,
    )


def _reason_blocks(ratings: JudgeRatings) -> Iterator[Block]:
    rows = [row for row in ratings.rows if row.reason and row.run == 1][:MOST_REASONS]
    if not rows:
        yield Paragraph("The judge gave no reasons.")
        return
    without = sum(row.value is not None and not row.reason for row in ratings.rows)
    cells = tuple((r.item_id, r.criterion, _level(r.value or 0.0), r.reason[:LONGEST_REASON]) for r in rows)
    yield Table("reasons", "Reasons of the first ratings", columns_of("Item", "Criterion", "Rating", "Reason"), cells)
    missing = f" {counted(without, 'rating')} came without a reason." if without else ""
    yield Paragraph(("All reasons are in ", Code("ratings.csv"), f".{missing}"), quiet=True)


def _rubric_blocks(rubric: JudgeRubric, usage: Usage) -> Iterator[Block]:
    if rubric.task:
        yield Paragraph(rubric.task)
    for number, criterion in enumerate(rubric.criteria, start=1):
        yield _criterion_table(criterion, number)
    yield Paragraph(f"Sent and received for these ratings: {usage_words(usage, rubric.prices)}.")


def _criterion_table(criterion: Criterion, number: int) -> Table:
    title = f"Levels of “{criterion.name}”" + (f": {criterion.question}" if criterion.question else "")
    rows = tuple((_level(level.value), level.description) for level in criterion.levels)
    return Table(f"levels_{number}", title, columns_of("Level", "Description"), rows)
