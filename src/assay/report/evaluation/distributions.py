"""Section 6 of an evaluation report: how often each score is given, and how the system errs at each."""

from assay.evaluation.result import Evaluation, LevelError, PointShare
from assay.evaluation.thresholds import DISTRIBUTION_LIMIT
from assay.report.charts.charts import Level, LevelPlot, PairedBars, PairOfBars
from assay.report.document.document import Block, Disclosure, Paragraph, Section
from assay.report.document.metric_words import POINTS, as_is, as_share
from assay.report.document.values import INTEGER, SIGNED, Column, Row, Table, columns_of
from assay.report.document.wording import listed, number_text, value_text
from assay.report.evaluation.facts import main_figures, weighted

MOST_POINTS = 141
"""Longer scales are not drawn point by point."""

MOST_NAMED = 4

REGRESSION = (
    "Some of this is to be expected: human scores hold chance, so very low and very high ones are partly bad and "
    "good luck, and a system that is right on average does not follow them all the way (regression to the mean)."
)


def distributions_section(evaluation: Evaluation) -> Section:
    """Section 6."""
    distribution, levels = evaluation.distribution, evaluation.levels
    if not distribution:
        return Section("Distributions", _without_points(evaluation))
    blocks: list[Block] = []
    if len(distribution) <= MOST_POINTS:
        blocks.append(_distribution_bars(evaluation))
        blocks += [bias_plot(evaluation)] if levels else []
        blocks += [Paragraph(REGRESSION, quiet=True)] if _pulls_to_the_middle(levels) else []
    else:
        many = f"{len(distribution):,} different scores"
        blocks.append(Paragraph(f"{many} are too many to draw one by one; the tables have them."))
    blocks.append(Disclosure("Share of every score, with intervals", (_shares_table(distribution),)))
    if levels:
        columns = columns_of(
            "Human score",
            ("Responses", INTEGER),
            ("Bias", "estimate", SIGNED),
            Column("Root mean squared error", "estimate", name="rmse"),
        )
        rows = tuple((f"{v.point:g}", v.n, as_is(v.bias, SIGNED), as_is(v.rmse)) for v in levels)
        caption = "Bias and error of the trimmed system score at every human score"
        table = Table("level_errors", caption, columns, rows)
        blocks.append(Disclosure("Bias and error at every human score", (table,)))
    return Section("Distributions", tuple(blocks))


def _without_points(evaluation: Evaluation) -> tuple[Block, ...]:
    """Centre and spread of human and system scores."""
    human, system = main_figures(evaluation).first, main_figures(evaluation).second
    why = "The human scores lie on no regular points, so they are described by centre and spread alone."
    if human.min == human.max:
        why = "The human scores are all equal, so there is no distribution to compare."
    columns = (Column("Score"), *(Column(head, "number") for head in ("Mean", "SD", "Lowest", "Highest")))
    rows = tuple((who, s.mean, s.sd, s.min, s.max) for who, s in (("Human", human), ("System", system)))
    return Paragraph(why), Table("score_summary", "Centre and spread of the scores", columns, rows)


def _distribution_bars(evaluation: Evaluation) -> PairedBars:
    """How often people and the system give each score; points of the scale nobody gave are there too."""
    says = distribution_words(evaluation.distribution)
    says += " Weighted, in whole responses." if weighted(evaluation) else ""
    scale, n = evaluation.plan.scale, evaluation.n
    whole = scale.points().tolist() if scale and scale.points().size <= MOST_POINTS else []
    given = {share.point: (share.human.value, share.system.value) for share in evaluation.distribution}
    points = tuple(
        PairOfBars(f"{point:g}", *(round(share * n / 100) for share in given.get(point, (0.0, 0.0))))
        for point in sorted({*whole, *given})
    )
    return PairedBars(
        name="score_distribution",
        title="How often each score is given",
        says=says,
        alt=f"Bars of human and system scores from {points[0].label} to {points[-1].label}. {says}",
        points=points,
    )


def distribution_words(distribution: tuple[PointShare, ...]) -> str:
    """Which scores the system gives notably more or less often than raters do."""
    often = []
    for sign, how in ((+1, "more"), (-1, "less")):
        flagged = [s for s in distribution if sign * s.difference.value > DISTRIBUTION_LIMIT]
        flagged.sort(key=lambda s: -abs(s.difference.value))
        scores = [f"{s.point:g} ({number_text(s.difference.value, POINTS)})" for s in flagged]
        often += [f"{listed(scores, MOST_NAMED, 'score')} {how} often"] if scores else []
    if not often:
        return "No score is given more than 5 percentage points more or less often by the system than by raters."
    more_than = "by more than 5 percentage points (flagged as in RSMTool 12)"
    return f"The system gives {listed(often)} than raters do, {more_than}."


def bias_plot(evaluation: Evaluation) -> LevelPlot:
    """The mean error of the system at each human score."""
    says = bias_words(evaluation.levels)
    return LevelPlot(
        name="bias_by_level",
        title="Bias by human score",
        says=says,
        alt=f"Mean of system minus human score at each human score, with intervals. {says}",
        levels=tuple(Level(f"{v.point:g}", as_is(v.bias, SIGNED), v.n) for v in evaluation.levels),
        axis_title="System minus human, in score points",
    )


def _pulls_to_the_middle(levels: tuple[LevelError, ...]) -> bool:
    """Whether the lowest score is raised and the highest lowered, on average."""
    return len(levels) > 1 and levels[0].bias.value > 0 > levels[-1].bias.value


def bias_words(levels: tuple[LevelError, ...]) -> str:
    """What to see in the bias at each human score."""
    if len(levels) == 1:
        bias = value_text(as_is(levels[0].bias, SIGNED), SIGNED)
        return f"All human scores are {levels[0].point:g}; there the bias is {bias}."
    if _pulls_to_the_middle(levels):
        sure = levels[0].bias.low > 0 and levels[-1].bias.high < 0
        verb = "get" if sure else "seem to get"
        ends = f"Responses that raters score lowest {verb} more from the system, those they score highest less"
        return f"{ends}: it pulls to the middle."
    extremes = (min(levels, key=lambda v: v.bias.value), max(levels, key=lambda v: v.bias.value))
    low, high = (f"{value_text(as_is(v.bias, SIGNED), SIGNED)} at {v.point:g}" for v in extremes)
    return f"The bias runs from {low} to {high}."


def _shares_table(distribution: tuple[PointShare, ...]) -> Table:
    """The share of every score that anyone gave."""
    columns = columns_of(
        "Score",
        ("Human", "estimate"),
        ("System", "estimate"),
        Column("Difference, percentage points", "estimate", POINTS, name="difference"),
        "Flag",
    )
    rows: list[Row] = []
    for s in distribution:
        flag = "more than 5 apart" if abs(s.difference.value) > DISTRIBUTION_LIMIT else None
        rows.append((f"{s.point:g}", as_share(s.human), as_share(s.system), as_is(s.difference, POINTS), flag))
    return Table("score_dist", "Share of every score, by raters and by the system", columns, tuple(rows))
