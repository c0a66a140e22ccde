"""Rater model, consensus, what panels are worth, and preferences."""

from collections.abc import Sequence
from math import isnan

from assay.evaluation.raters.panel import Panel
from assay.evaluation.raters.rater_models import ConsensusModel, MeasurementError, RaterModel, Strengths
from assay.report.charts.charts import IntervalPlot, IntervalRow, Series
from assay.report.document.document import Block, Disclosure, Note, Paragraph, Section, Subheading
from assay.report.document.values import INTEGER, PERCENT, PLAIN, SIGNED, Number, Row, Table, columns_of
from assay.report.document.wording import number_text, p_words

MOST_ROWS = 40
MOST_CONFUSED, MOST_MATRICES = 7, 16
"""Levels and raters up to which confusion matrices are shown."""


def model_section(panel: Panel) -> Section:
    """Question 4."""
    model = panel.models.rasch
    if not model.raters:
        blocks: list[Block] = [Paragraph(f"No rater model: {model.reason}.")]
    else:
        fit = Disclosure("Fit statistics", (fit_table(model),))
        blocks = [Paragraph(_opening(model)), severities(model), fit]
        blocks += [Note(caution) for caution in model.cautions]
        if model.criteria:
            rows = tuple((name, estimate) for name, estimate in model.criteria.items())
            blocks.append(
                Table(
                    "difficulty",
                    "Difficulty of each criterion, logits",
                    columns_of("Criterion", ("Difficulty", "estimate", SIGNED)),
                    rows,
                )
            )
    blocks += _consensus(panel.models.consensus)
    blocks += _studies(panel)
    blocks += _level_errors(panel.models.error_by_level)
    return Section("Rater model", tuple(blocks))


def _consensus(consensus: ConsensusModel) -> list[Block]:
    """How often each rater is right by the consensus, and what it takes for what."""
    if not consensus.raters:
        return [Paragraph(f"No consensus model: {consensus.reason}.", quiet=True)] if consensus.reason else []
    accuracies: tuple[Row, ...] = tuple(
        (a.name, "judge" if a.judge else "person", a.accuracy) for a in consensus.raters[:MOST_ROWS]
    )
    heads = columns_of("Rater", "Kind", ("Correct", PERCENT))
    caption = "Share of correct labels by the consensus of all raters, if the model of Dawid and Skene is right"
    blocks: list[Block] = [Subheading("Consensus"), Table("consensus", caption, heads, accuracies)]
    if len(consensus.levels) <= MOST_CONFUSED:
        rows: tuple[Row, ...] = tuple(
            (rater.name, true, *(None if isnan(share) else share for share in row))
            for rater in consensus.raters[:MOST_MATRICES]
            for true, row in zip(consensus.levels, rater.confusion, strict=True)
        )
        heads = columns_of(
            "Rater", "Consensus", *((f"gives {level}", Number(0, percent=True)) for level in consensus.levels)
        )
        table = Table("confusion", "How often a rater gives which label to items of each consensus label", heads, rows)
        blocks.append(Disclosure("Each rater’s confusion matrix", (table,)))
    return blocks + [Note(caution) for caution in consensus.cautions]


def _level_errors(levels: Sequence[MeasurementError]) -> list[Block]:
    """How far human ratings are off at the bottom, in the middle and at the top."""
    if not levels:
        return []
    heads = columns_of(
        ("Mean of people", PLAIN), ("Items", INTEGER), ("Of one rating", PLAIN), ("Of an item’s mean", PLAIN)
    )
    rows: tuple[Row, ...] = tuple((one.level, one.items, one.one_rating, one.mean_rating) for one in levels)
    caption = "Conditional standard error of measurement of human ratings, in points"
    return [Table("conditional_error", caption, heads, rows)]


def _studies(panel: Panel) -> list[Block]:
    """What a panel of so many people and judges would be worth."""
    decisions = [d for d in panel.models.decisions if not isnan(d.reliability)]
    if not decisions:
        return []
    by_plan = {(d.people, d.judges): d.reliability for d in decisions}
    words = ""
    if (2, 1) in by_plan and (3, 1) in by_plan:
        more = number_text(by_plan[3, 1] - by_plan[2, 1], PLAIN)
        words = f"Two raters and one judge give {number_text(by_plan[2, 1], PLAIN)}; a third rater adds {more}."
    elif (2, 0) in by_plan and (3, 0) in by_plan:
        more = number_text(by_plan[3, 0] - by_plan[2, 0], PLAIN)
        words = f"Two raters give {number_text(by_plan[2, 0], PLAIN)}; a third adds {more}."
    rows: tuple[Row, ...] = tuple((str(d.people), d.judges, d.reliability) for d in decisions)
    heads = columns_of("People", ("Judges", INTEGER), ("Reliability", PLAIN))
    caption = "Reliability of the mean of a panel: squared correlation with the mean of very many people"
    blocks: list[Block] = [Subheading("Decision study")]
    blocks += [Paragraph(words)] if words else []
    blocks.append(Table("decisions", caption, heads, rows))
    total = sum(max(e.value, 0.0) for e in panel.models.components.values())
    if total > 0:
        parts: tuple[Row, ...] = tuple(
            (name.replace("_", " by "), e, max(e.value, 0.0) / total) for name, e in panel.models.components.items()
        )
        heads = columns_of("Effect", ("Variance", "estimate", Number(3)), ("Share", PERCENT))
        blocks.append(Table("components", "Variance components of human ratings", heads, parts))
    return blocks


def _opening(model: RaterModel) -> str:
    parts = []
    for judge, who in ((False, "people"), (True, "judges")):
        values = [r.severity.value for r in model.raters if r.judge is judge and r.severity.defined]
        if len(values) > 1:
            parts.append(f"{who} span {number_text(max(values) - min(values), PLAIN)} logits")
    text = f"In severity, {' and '.join(parts)}." if parts else "Severities are in logits."
    reliability = number_text(model.item_reliability, PLAIN)
    equal = f"Equal severities of all raters: p {p_words(model.p_equal_raters)}."
    return f"{text} {equal} Reliability of item measures: {reliability}."


def severities(model: RaterModel) -> IntervalPlot:
    """The severity of each rater on one axis."""
    raters = model.raters[:MOST_ROWS]
    rows = tuple(IntervalRow(r.name, (None, r.severity) if r.judge else (r.severity, None)) for r in raters)
    return IntervalPlot(
        name="severities",
        title="Severity of each rater",
        says="The higher, the more severe. Zero is the mean of the people.",
        alt="Severity of each rater in logits with its interval",
        rows=rows,
        series=(Series("person", "human"), Series("judge", "system")),
        row_title="Rater",
        axis_title="Logits",
        number=SIGNED,
        zero=True,
    )


def fit_table(model: RaterModel) -> Table:
    """Severity with fit statistics."""
    heads = columns_of(
        "Rater",
        "Kind",
        ("Ratings", INTEGER),
        ("Severity, logits", "estimate", SIGNED),
        ("Infit", PLAIN),
        ("Outfit", PLAIN),
        ("Fair average", PLAIN),
    )
    rows = tuple(
        (r.name, "judge" if r.judge else "person", r.ratings, r.severity, r.infit, r.outfit, r.fair_average)
        for r in model.raters[:MOST_ROWS]
    )
    return Table("rasch", "Severity and fit; an infit above 1.5 is noisy, below 0.5 too regular", heads, rows)


def preferences_section(panel: Panel) -> Section | None:
    """Question 5."""
    tables = [one for one in panel.models.preferences if one.strengths]
    if not panel.models.preferences:
        return None
    blocks: list[Block] = []
    if tables:
        names = list(tables[0].strengths)
        heads = columns_of("Candidate", *((one.who, "estimate", SIGNED) for one in tables[:8]))
        rows = tuple((name, *(one.strengths.get(name) for one in tables[:8])) for name in names)
        if tables[0].who == "people":
            blocks.append(strengths_chart(tables[0]))
        blocks.append(Paragraph("Strengths in log odds: a difference of 0.7 wins two times of three."))
        blocks.append(
            Table("strengths", "Bradley–Terry strengths with ties (Davidson), by people and by each judge", heads, rows)
        )
        heads = columns_of("Rater", ("Comparisons", INTEGER), ("First shown wins between equals", "estimate", PERCENT))
        positions: tuple[Row, ...] = tuple((one.who, one.comparisons, one.first_wins) for one in tables)
        blocks.append(Table("position", "Position effect: 50% is none", heads, positions))
        blocks += _beside_people(tables)
    blocks += [Paragraph(f"{one.who}: {one.reason}") for one in panel.models.preferences if one.reason]
    return Section("Preferences", tuple(blocks))


def strengths_chart(strengths: Strengths) -> IntervalPlot:
    """Candidates by the preferences of people."""
    ranked = sorted(strengths.strengths.items(), key=lambda pair: -pair[1].value if pair[1].defined else 1e9)
    return IntervalPlot(
        name="strengths_people",
        title="Strength of each candidate, by people",
        says="The higher, the more often it wins; equal strengths win half of the time.",
        alt="Bradley-Terry strength of each candidate with its interval",
        rows=tuple(IntervalRow(name, (figure,)) for name, figure in ranked[:MOST_ROWS]),
        row_title="Candidate",
        axis_title="Log odds",
        number=SIGNED,
        zero=True,
    )


def _beside_people(tables: Sequence[Strengths]) -> list[Block]:
    """Judges against the preferences of people, and pairs shown in both orders."""
    blocks: list[Block] = []
    judged = [one for one in tables if one.with_people is not None]
    if judged:
        heads = columns_of(
            "Judge",
            ("Pairs", INTEGER),
            ("Same winner", "estimate", PERCENT),
            ("Opposite", "estimate", PERCENT),
            ("Same, without ties", "estimate", PERCENT),
        )
        rows: tuple[Row, ...] = tuple(
            (one.who, beside.comparisons, beside.same, beside.reversed, beside.without_ties)
            for one in judged
            if (beside := one.with_people) is not None
        )
        blocks.append(Table("preference_agreement", "Each judge against most people, pair by pair", heads, rows))
    swapped = [one for one in tables if one.swaps is not None]
    if swapped:
        heads = columns_of(
            "Rater",
            ("Pairs shown both ways", INTEGER),
            ("Same winner both times", "estimate", PERCENT),
            ("First shown won both times", "estimate", PERCENT),
        )
        rows = tuple(
            (one.who, swaps.pairs, swaps.consistent, swaps.first_both)
            for one in swapped
            if (swaps := one.swaps) is not None
        )
        blocks.append(Table("swaps", "Pairs shown in both orders", heads, rows))
    return blocks
