"""Section 6 of an evaluation report: how often each score is given, and how the system errs at each."""

from assay.evaluation.result import Evaluation, LevelError, PointShare
from assay.evaluation.thresholds import DISTRIBUTION_LIMIT
from assay.report.document.document import (
    INTEGER,
    SIGNED,
    Block,
    Column,
    Disclosure,
    Level,
    LevelPlot,
    PairedBars,
    PairOfBars,
    Paragraph,
    Section,
    Table,
)
from assay.report.document.metric_words import POINTS, as_is, as_share
from assay.report.document.phrases import listed
from assay.report.document.wording import number_text, value_text
from assay.report.evaluation.facts import main_figures, weighted

MOST_POINTS = 141
"""Longer scales are not drawn point by point."""

MOST_NAMED = 4


def distributions_section(evaluation: Evaluation) -> Section:
    """Section 6."""
    if not evaluation.distribution:
        return Section("Distributions", (Paragraph(_no_points(evaluation)), summary_table(evaluation)))
    blocks: list[Block] = []
    if len(evaluation.distribution) <= MOST_POINTS:
        blocks.append(distribution_bars(evaluation))
        blocks += [bias_plot(evaluation)] if evaluation.levels else []
        note = regression_words(evaluation)
        blocks += [Paragraph(note, quiet=True)] if note else []
    else:
        many = f"{len(evaluation.distribution):,} different scores"
        blocks.append(Paragraph(f"{many} are too many to draw one by one; the tables have them."))
    blocks.append(Disclosure("Share of every score, with intervals", (shares_table(evaluation),)))
    if evaluation.levels:
        blocks.append(Disclosure("Bias and error at every human score", (levels_table(evaluation),)))
    return Section("Distributions", tuple(blocks))


def _no_points(evaluation: Evaluation) -> str:
    human = main_figures(evaluation).first
    if human.min == human.max:
        return "The human scores are all equal, so there is no distribution to compare."
    return "The human scores lie on no regular points, so they are described by centre and spread alone."


def summary_table(evaluation: Evaluation) -> Table:
    """Centre and spread of human and system scores."""
    figures = main_figures(evaluation)
    columns = (Column("Score"), *(Column(head, "number") for head in ("Mean", "SD", "Lowest", "Highest")))
    rows = tuple((who, s.mean, s.sd, s.min, s.max) for who, s in (("Human", figures.first), ("System", figures.second)))
    return Table("score_summary", "Centre and spread of the scores", columns, rows)


def distribution_bars(evaluation: Evaluation) -> PairedBars:
    """How often people and the system give each score."""
    says = distribution_words(evaluation.distribution)
    says += " Weighted, in whole responses." if weighted(evaluation) else ""
    points = tuple(_bars(share, evaluation.n) for share in on_whole_scale(evaluation))
    return PairedBars(
        name="score_distribution",
        title="How often each score is given",
        says=says,
        alt=f"Bars of human and system scores from {points[0].label} to {points[-1].label}. {says}",
        points=points,
    )


def on_whole_scale(evaluation: Evaluation) -> tuple[tuple[float, float, float], ...]:
    """Score point, human and system share in per cent; zeros for points of the scale nobody gave."""
    given = {share.point: (share.human.value, share.system.value) for share in evaluation.distribution}
    scale = evaluation.plan.scale
    points = scale.points().tolist() if scale and scale.points().size <= MOST_POINTS else []
    return tuple((point, *given.get(point, (0.0, 0.0))) for point in sorted({*points, *given}))


def _bars(share: tuple[float, float, float], n: int) -> PairOfBars:
    point, human, system = share
    return PairOfBars(f"{point:g}", round(human * n / 100), round(system * n / 100))


def distribution_words(distribution: tuple[PointShare, ...]) -> str:
    """Which scores the system gives notably more or less often than people do."""
    more = _flagged(distribution, +1)
    less = _flagged(distribution, -1)
    if not more and not less:
        return "No score is given more than 5 percentage points more or less often by the system than by people."
    often = [
        f"{listed(which, MOST_NAMED, 'score')} {how} often" for which, how in ((more, "more"), (less, "less")) if which
    ]
    return (
        f"The system gives {listed(often)} than people do, by more than 5 percentage points (flagged as in RSMTool 12)."
    )


def _flagged(distribution: tuple[PointShare, ...], sign: int) -> list[str]:
    found = [s for s in distribution if sign * s.difference.value > DISTRIBUTION_LIMIT]
    found.sort(key=lambda s: -abs(s.difference.value))
    return [f"{s.point:g} ({number_text(s.difference.value, POINTS)})" for s in found]


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


def pulls_to_the_middle(levels: tuple[LevelError, ...]) -> bool:
    """Whether the lowest score is raised and the highest lowered, on average."""
    return len(levels) > 1 and levels[0].bias.value > 0 > levels[-1].bias.value


def bias_words(levels: tuple[LevelError, ...]) -> str:
    """What to see in the bias at each human score."""
    if len(levels) == 1:
        bias = value_text(as_is(levels[0].bias, SIGNED), SIGNED)
        return f"All human scores are {levels[0].point:g}; there the bias is {bias}."
    if pulls_to_the_middle(levels):
        sure = levels[0].bias.low > 0 and levels[-1].bias.high < 0
        verb = "get" if sure else "seem to get"
        ends = f"Responses that people score lowest {verb} more from the system, those they score highest less"
        return f"{ends}: it pulls to the middle."
    extremes = (min(levels, key=lambda v: v.bias.value), max(levels, key=lambda v: v.bias.value))
    low, high = (f"{value_text(as_is(v.bias, SIGNED), SIGNED)} at {v.point:g}" for v in extremes)
    return f"The bias runs from {low} to {high}."


def regression_words(evaluation: Evaluation) -> str:
    """Why a bias that falls with the human score is to be expected."""
    if not pulls_to_the_middle(evaluation.levels):
        return ""
    return (
        "Some of this is to be expected: human scores hold chance, so very low and very high ones are partly bad and "
        "good luck, and a system that is right on average does not follow them all the way (regression to the mean)."
    )


def shares_table(evaluation: Evaluation) -> Table:
    """The share of every score that anyone gave."""
    columns = (
        Column("Score"),
        Column("Human", "estimate"),
        Column("System", "estimate"),
        Column("Difference, percentage points", "estimate", POINTS, name="difference"),
        Column("Flag"),
    )
    rows = tuple(
        (f"{s.point:g}", as_share(s.human), as_share(s.system), as_is(s.difference, POINTS), _flag(s))
        for s in evaluation.distribution
    )
    return Table("score_dist", "Share of every score, by people and by the system", columns, rows)


def _flag(share: PointShare) -> str | None:
    return "more than 5 apart" if abs(share.difference.value) > DISTRIBUTION_LIMIT else None


def levels_table(evaluation: Evaluation) -> Table:
    """Bias and RMSE at every human score."""
    columns = (
        Column("Human score"),
        Column("Responses", "number", INTEGER),
        Column("Bias", "estimate", SIGNED),
        Column("Root mean squared error", "estimate", name="rmse"),
    )
    rows = tuple((f"{v.point:g}", v.n, as_is(v.bias, SIGNED), as_is(v.rmse)) for v in evaluation.levels)
    return Table("level_errors", "Bias and error of the trimmed system score at every human score", columns, rows)
