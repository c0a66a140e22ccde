"""Whether a judge treats groups of items differently at equal human scores, and how versions of its model differ."""

from assay.evaluation.raters.group_bias import GroupBias
from assay.evaluation.raters.judge_errors import JudgeErrors
from assay.evaluation.raters.panel import Panel
from assay.report.charts.charts import IntervalPlot, IntervalRow
from assay.report.document.document import Block, Disclosure, Paragraph, Subheading
from assay.report.document.values import INTEGER, SIGNED, Number, Row, Table, columns_of
from assay.report.document.wording import counted, listed, p_words

MOST_ROWS = 60


def group_blocks(panel: Panel) -> list[Block]:
    """Differential functioning: what stands out, and every test."""
    tested = [row for row in panel.group_bias if row.difference.defined]
    if not tested:
        return []
    blocks: list[Block] = [Subheading("Groups at equal human scores"), Paragraph(bias_words(tested))]
    table = bias_table(tested)
    notes = Paragraph(
        "Each group against all other items at the same human score. People err too: groups whose means differ show a "
        "small gap even under a fair judge.",
        quiet=True,
    )
    return [*blocks, table if len(tested) <= 12 else Disclosure("Every test", (table,)), notes]


def bias_words(rows: list[GroupBias]) -> str:
    """Which judge and group stand out."""
    notable = [row for row in rows if row.adjusted_p < 0.05 and row.size != "negligible"]
    if not notable:
        count = len({(row.column, row.group) for row in rows})
        return f"No judge treats any of {counted(count, 'group')} differently by more than a negligible amount (Holm)."
    parts = [
        f"{row.judge} scores {row.group} {'higher' if row.difference > 0 else 'lower'} ({row.size})"
        for row in notable[:6]
    ]
    more = f" {counted(len(notable) - 6, 'more effect')} below." if len(notable) > 6 else ""
    return f"At equal human scores, {listed(parts)}.{more}"


def bias_table(rows: list[GroupBias]) -> Table:
    """Mantel-Haenszel or Mantel, and logistic regression."""
    passes = any(row.delta.defined for row in rows)
    heads = columns_of(
        "Judge",
        "Group",
        ("Items", INTEGER),
        ("Group minus others", "estimate", SIGNED),
        "p (Mantel, Holm)",
        *((("Delta (Mantel–Haenszel)", "estimate", SIGNED), "ETS class") if passes else ()),
        "p (logistic, uniform)",
        "p (non-uniform)",
        ("R² gained", Number(3)),
        "Size",
    )
    shown: tuple[Row, ...] = tuple(
        (
            row.judge,
            f"{row.column}: {row.group}",
            row.items,
            row.difference,
            p_words(row.adjusted_p),
            *((row.delta if row.delta.defined else None, row.category) if passes else ()),
            p_words(row.uniform_p),
            p_words(row.nonuniform_p),
            row.r2_gain,
            row.size,
        )
        for row in rows[:MOST_ROWS]
    )
    return Table("group_bias", "Differential functioning of judges by group, at equal human scores", heads, shown)


def version_blocks(judges: tuple[JudgeErrors, ...]) -> list[Block]:
    """Each version of a judge's model."""
    several = [judge for judge in judges if len(judge.versions) > 1]
    if not several:
        return []
    chart = IntervalPlot(
        name="version_drift",
        title="From the first version to the last",
        says="How judge minus people changes from the first version of the model to the last.",
        alt="Drift of each judge between versions",
        rows=tuple(IntervalRow(judge.name, (judge.version_drift,)) for judge in several),
        row_title="Judge",
        axis_title="Last version minus first",
        number=SIGNED,
        zero=True,
    )
    heads = columns_of("Judge", "Version", ("Items", INTEGER), ("Judge minus people", "estimate", SIGNED))
    rows: tuple[Row, ...] = tuple(
        (judge.name, part.name, part.items, part.gap) for judge in several for part in judge.versions
    )
    return [chart, Table("versions", "Each version of a judge’s model against people", heads, rows)]
