"""Where each judge errs, and the items on which judges and people differ most."""

from collections.abc import Callable, Sequence

from assay.evaluation.raters.judge_errors import JudgeErrors, SubsetGap
from assay.evaluation.raters.panel import Panel
from assay.metrics.intervals import Estimate
from assay.report.charts.charts import IntervalPlot, IntervalRow
from assay.report.document.document import Block, Disclosure, Paragraph, Section
from assay.report.document.values import INTEGER, PLAIN, SIGNED, Column, Number, Table, columns_of
from assay.report.document.wording import listed, number_text, sentence, shortened
from assay.report.panel.groups import group_blocks, version_blocks

EFFECTS: Sequence[tuple[str, str, str]] = (
    ("length", "Length", "for one standard deviation more"),
    ("order", "Order", "from the first rating to the last"),
    ("own_family", "Own family", "items by its own family minus others"),
    ("halo", "Halo", "correlation between criteria, judge minus people"),
)
MOST_LEVELS_SHOWN = 12


def errors_section(panel: Panel) -> Section:
    """Question 3."""
    judges = panel.errors.judges
    ordered = panel.labels.ordered
    blocks: list[Block] = [Paragraph(_opening(panel))]
    if judges:
        blocks.append(severity_chart(panel))
        if ordered:
            blocks.append(_habits(judges))
        if levels := _by_part(judges, lambda judge: judge.levels, "levels", _level_title(ordered), ordered):
            blocks += [levels, Paragraph(_LEVEL_NOTE, quiet=True)] if ordered else [levels]
        if criteria := _by_part(judges, lambda judge: judge.criteria, "criteria", "Criterion", ordered):
            blocks.append(criteria)
        for name in judges[0].groups:
            if table := _by_part(judges, lambda judge, name=name: judge.groups[name], f"group_{name}", name, ordered):  # type: ignore[misc]
                blocks.append(table)
        blocks += group_blocks(panel)
        blocks += version_blocks(judges)
        blocks += _effects(judges)
    return Section("Where a judge errs", tuple(blocks))


_LEVEL_NOTE = (
    "Levels are what people gave on average. People err too, so that any judge, even a perfect one, seems a little low "
    "at the top and a little high at the bottom."
)


def _level_title(ordered: bool) -> str:
    return "Level given by people" if ordered else "Label most people gave"


def _opening(panel: Panel) -> str:
    judges = panel.errors.judges
    if not judges:
        return "There is no judge to compare with people."
    if not panel.labels.ordered:
        worst = max(judges, key=lambda judge: judge.severity.value if judge.severity.defined else -1)
        share = number_text(worst.severity, Number(0, percent=True))
        return f"{worst.name} most often gives another label than people ({share})."
    harsh = [j.name for j in judges if j.severity.has_interval and j.severity.high < 0]
    mild = [j.name for j in judges if j.severity.has_interval and j.severity.low > 0]
    narrow = [j.name for j in judges if j.spread.has_interval and j.spread.high < 1]
    parts = []
    if harsh:
        parts.append(f"{listed(harsh)} {'scores' if len(harsh) == 1 else 'score'} lower than people")
    if mild:
        parts.append(f"{listed(mild)} {'scores' if len(mild) == 1 else 'score'} higher")
    if narrow:
        parts.append(f"{listed(narrow)} {'uses' if len(narrow) == 1 else 'use'} less of the scale than a person does")
    return f"{'; '.join(parts)}." if parts else "No judge is clearly more lenient or severe than people."


def severity_chart(panel: Panel) -> IntervalPlot:
    """The mean gap of each judge."""
    judges, ordered = panel.errors.judges, panel.labels.ordered
    return IntervalPlot(
        name="severity",
        title="Lenient or severe" if ordered else "How often another label than people",
        says="Above 0 the judge gives more than people do, below 0 less." if ordered else "The lower the better.",
        alt="Mean difference of each judge from people",
        rows=tuple(IntervalRow(judge.name, (judge.severity,)) for judge in judges),
        row_title="Judge",
        axis_title="Judge minus mean of people" if ordered else "Share of human labels that differ",
        number=SIGNED if ordered else Number(1, percent=True),
        zero=ordered,
    )


def _habits(judges: Sequence[JudgeErrors]) -> Table:
    repeated = any(judge.run_noise.defined for judge in judges)
    heads = columns_of(
        "Judge",
        ("Judge minus people", "estimate", SIGNED),
        ("Spread over a person’s", "estimate"),
        *((("Noise from run to run", "estimate"),) if repeated else ()),
    )
    rows = tuple(
        (judge.name, judge.severity, judge.spread, *((judge.run_noise,) if repeated else ())) for judge in judges
    )
    what = "Severity, central tendency and noise" if repeated else "Severity and central tendency"
    return Table("habits", f"{what}; a spread below 1 is central tendency", heads, rows)


def _by_part(
    judges: Sequence[JudgeErrors],
    of: Callable[[JudgeErrors], Sequence[SubsetGap]],
    name: str,
    title: str,
    ordered: bool,
) -> Table | None:
    parts = list(dict.fromkeys(part.name for judge in judges for part in of(judge)))
    if not parts or len(parts) > 60:
        return None
    shown = judges[:8]
    by_judge = [{part.name: part for part in of(judge)} for judge in shown]
    number = SIGNED if ordered else Number(1, percent=True)
    heads = columns_of(title, ("Items", INTEGER), *(Column(judge.name, "estimate", number) for judge in shown))
    rows = tuple(
        (
            part,
            max(own[part].items for own in by_judge if part in own),
            *(own[part].gap if part in own else None for own in by_judge),
        )
        for part in parts
        if any(part in own for own in by_judge)
    )
    what = "Judge minus mean of people" if ordered else "Share of people with another label"
    return Table(name, f"{what}, by {title[:1].lower()}{title[1:]}; intervals of a column hold together", heads, rows)


def _effects(judges: Sequence[JudgeErrors]) -> list[Block]:
    """Length, order, own family and halo, where they can be measured; otherwise why not, behind a line."""
    blocks: list[Block] = []
    missing = []
    for name, title, unit in EFFECTS:
        figures: list[Estimate] = [getattr(judge, name) for judge in judges]
        if not any(figure.defined for figure in figures):
            missing.append(f"{title}: {figures[0].reason}")
            continue
        blocks.append(
            IntervalPlot(
                name=name,
                title=title,
                says=f"How judge minus people changes, {unit}." if name != "halo" else f"{sentence(unit)}",
                alt=f"{title} effect of each judge",
                rows=tuple(IntervalRow(judge.name, (figure,)) for judge, figure in zip(judges, figures, strict=True)),
                row_title="Judge",
                axis_title=sentence(unit).rstrip("."),
                number=SIGNED,
                zero=True,
            )
        )
    if missing:
        blocks.append(Disclosure("Not measured", tuple(Paragraph(sentence(text), quiet=True) for text in missing)))
    return blocks


def items_section(panel: Panel) -> Section | None:
    """The items of largest disagreement."""
    items = panel.errors.items
    if not items:
        return None
    ordered = panel.labels.ordered
    texts = any(item.text for item in items)
    heads = columns_of(
        "Item",
        *(("Text",) if texts else ()),
        "People",
        "Judges",
        ("Judges minus people" if ordered else "Difference of labels", SIGNED if ordered else PLAIN),
    )
    rows = tuple(
        (
            item.item,
            *((shortened(item.text, 180),) if texts else ()),
            ", ".join(item.people),
            ", ".join(item.judges),
            item.gap,
        )
        for item in items
    )
    table = Table("disagreements", f"The {len(items)} items on which judges and people differ most", heads, rows)
    return Section(
        "Items to look at", (Paragraph("Largest difference first; of equal ones, those on which people agree."), table)
    )
