"""Sections 3 and 5 of an evaluation report: people beside people, the system beside them, and the true score."""

from math import isnan

from assay.evaluation.result import COMPARED, Evaluation, PairFigures, TrueScore
from assay.evaluation.thresholds import THRESHOLDS
from assay.metrics.intervals import Estimate
from assay.report.charts.charts import IntervalPlot, IntervalRow, Series
from assay.report.document.document import Block, Disclosure, Paragraph, Section
from assay.report.document.metric_words import (
    METRIC_WORDS,
    as_is,
    gap,
    gap_title,
    short,
    shown,
    target_words,
    verdict,
    words,
)
from assay.report.document.values import INTEGER, Column, FormattedEstimate, Number, Row, Table, columns_of
from assay.report.document.wording import be, counted, listed, sentence, value_text
from assay.report.evaluation.agreement import raters_map
from assay.report.evaluation.facts import FIGURE_COLUMNS, decisive, explained_table, judgements, metric_columns, on_form
from assay.report.evaluation.verdict import second_rater_words

DRAWN = ("qwk", "r", "linear_kappa", "kappa", "exact_agreement", "adjacent_agreement")
"""Figures that run up to 1, so that they share an axis."""
VARIANCE = Number(3)

MISSING = (
    "How well the system predicts the true score (PRMSE) cannot be computed: no response was scored twice. Have some "
    "responses scored by a second rater, or give the rater error variance if it is known from elsewhere."
)


def raters_section(evaluation: Evaluation) -> Section:
    """Section 3."""
    blocks: list[Block] = []
    if evaluation.consistency is not None:
        blocks += _two_raters(evaluation, evaluation.consistency)
    elif len(evaluation.raters) < 2:
        why = "Each response was scored by one rater, so the system cannot be held against a second rater."
        remedy = "Add a second human score; scoring a part of the responses twice is enough."
        blocks.append(Paragraph(f"{why} {remedy}"))
    else:
        both = f"both “{evaluation.raters[0]}” and “{evaluation.raters[1]}”"
        why = f"No response was scored by {both}, so the system cannot be held against a second rater."
        blocks.append(Paragraph(why))
    if len(evaluation.raters) > 2 and evaluation.rater_pairs:
        blocks.append(_pairs_table(evaluation))
    if evaluation.reliability:
        caption = f"Reliability of {counted(len(evaluation.raters), 'rater')}"
        table = explained_table("reliability", caption, evaluation.reliability)
        blocks.append(Disclosure("Reliability of all raters together", (table,)))
    if evaluation.crossed_raters is not None:
        blocks.append(Disclosure("First by second human score", (raters_map(evaluation, evaluation.crossed_raters),)))
    return Section("Two raters", tuple(blocks))


def _two_raters(evaluation: Evaluation, people: PairFigures) -> list[Block]:
    first, second = evaluation.raters[:2]
    points = " Percentages differ by percentage points." if evaluation.plan.rounded else ""
    plot = _comparison_plot(evaluation, people)
    drawn = any(e is not None and not isnan(e.value) for row in plot.rows for e in row.estimates)
    corrected = _corrected_words(evaluation)
    return [
        Paragraph(_opening(evaluation, people)),
        *([plot] if drawn else []),
        _consistency_table(evaluation, people),
        Paragraph(
            f"Two raters: “{first}” and “{second}” on the {counted(people.n, 'response')} both scored. "
            f"Rater and system: all {counted(evaluation.n, 'response')}.{points} Thresholds: Williamson et al. (2012). "
            "On the same responses: the difference where the first two raters both scored, for rater and system too.",
            quiet=True,
        ),
        *([Paragraph(corrected)] if corrected else []),
    ]


def _opening(evaluation: Evaluation, people: PairFigures) -> str:
    qwk = shown("qwk", people.metrics["qwk"])
    both = "Two raters scored" if len(evaluation.raters) == 2 else "The first two raters share"
    opening = f"{both} {counted(people.n, 'response')}"
    if isnan(qwk.value):
        return f"{opening}; their agreement is not defined: {qwk.reason or 'nothing is left to chance'}."
    opening += f" and reach QWK {words(qwk)}."
    judged = judgements(evaluation).get("degradation_qwk")
    if judged is None or judged.verdict is None:
        return opening
    difference = words(gap("qwk", judged.estimate))
    if isnan(judged.estimate.low):
        return f"{opening} With the system it differs by {difference}."
    return f"{opening} {second_rater_words(judged.estimate, judged.verdict)}: the difference is {difference}."


def _comparison_plot(evaluation: Evaluation, people: PairFigures) -> IntervalPlot:
    """Human-human beside human-system for the figures that run up to 1."""
    system = decisive(evaluation)
    names = [name for name in DRAWN if name in system]
    rows = tuple(
        IntervalRow(METRIC_WORDS[name].title, tuple(_drawn(name, pair[name]) for pair in (system, people.metrics)))
        for name in names
    )
    ends = [end for row in rows for e in row.estimates if e is not None for end in (e.value, e.low) if not isnan(end)]
    differences = {name: on_form(evaluation, evaluation.degradation, name) for name in names if name in COMPARED}
    lower = [short(name) for name, e in differences.items() if e.high < 0]
    higher = [short(name) for name, e in differences.items() if e.low > 0]
    certain = [
        f"{listed(which)} {be(len(which))} {how}" for which, how in ((lower, "lower"), (higher, "higher")) if which
    ]
    says = "No interval of a difference between system and second rater excludes 0."
    if certain:
        says = sentence(f"{listed(certain)} with the system than with a second rater")
    return IntervalPlot(
        name="human_human",
        title="Rater and system beside two raters",
        says=says,
        alt=f"{counted(len(rows), 'figure')}, each with an interval for the system and one for two raters. {says}",
        rows=rows,
        series=(Series("rater and system", "system"), Series("two raters", "human")),
        row_title="Figure",
        axis_title="1 or 100 % is perfect agreement",
        axis=(0.0, 1.0) if min(ends, default=0.0) >= 0 else None,  # below 0 where an interval reaches there
    )


def _drawn(name: str, measured: Estimate) -> Estimate:
    """The figure with whole per cents, so that two fit beside the plot; the table has the decimals."""
    formatted = shown(name, measured)
    number = Number(0, percent=True) if METRIC_WORDS[name].number.percent else formatted.number
    reason = "" if measured.defined else measured.reason
    return FormattedEstimate(formatted.value, formatted.low, formatted.high, reason, number)


def _consistency_table(evaluation: Evaluation, people: PairFigures) -> Table:
    """People beside people, people beside the system, and the difference with its threshold."""
    pairs = ("Two raters", "Rater and system", "Difference", "On the same responses")
    columns = columns_of("Figure", *((title, "estimate") for title in pairs), "Threshold", ("Verdict", "verdict"))
    system = decisive(evaluation)
    rows: list[Row] = []
    for name in METRIC_WORDS:
        if name in people.metrics and name in system:
            cells: Row = (None, None, None, None)
            if name in COMPARED:
                difference, judged = on_form(evaluation, evaluation.degradation, name), f"degradation_{name}"
                threshold = target_words(judged) if judged in THRESHOLDS else None
                common = gap(name, on_form(evaluation, evaluation.degradation_common, name))
                cells = (gap(name, difference), common, threshold, verdict(judged, difference))
            both = (shown(name, people.metrics[name]), shown(name, system[name]))
            rows.append((METRIC_WORDS[name].title, *both, *cells))
    return Table("consistency", "Two raters, and rater and system", columns, tuple(rows))


def _corrected_words(evaluation: Evaluation) -> str:
    """The correlation without the raters' own disagreement."""
    corrected = evaluation.disattenuated.get(evaluation.plan.trimmed)
    if corrected is None:
        return ""
    estimate = shown("disattenuated_r", corrected.corrected)
    judged = verdict("disattenuated_r", corrected.corrected)
    if judged is None:
        return f"The correlation cannot be corrected for the raters’ own disagreement: {estimate.reason}."
    limit = f"threshold {target_words('disattenuated_r')} (RSMTool 12): {judged}"
    return f"Corrected for the raters’ own disagreement, Pearson r is {words(estimate)}; {limit}."


def _pairs_table(evaluation: Evaluation) -> Table:
    """Every pair of raters who share responses."""
    names = ("qwk", "r", "exact_agreement", "adjacent_agreement", "smd")  # those that fit a page; tables/ has all
    columns = (Column("Raters"), Column("Responses", "number", INTEGER), *metric_columns(names))
    rows: tuple[Row, ...] = tuple(
        (f"{pair.first}, {pair.second}", pair.figures.n, *(shown(name, pair.figures.metrics[name]) for name in names))
        for pair in evaluation.rater_pairs
    )
    return Table("rater_pairs", "Every pair of raters", columns, rows)


def degradation_table(evaluation: Evaluation) -> Table:
    """Human-system minus human-human, for every form."""
    columns = (Column("Form"), *(Column(gap_title(name), "estimate", name=name) for name in COMPARED))
    rows: tuple[Row, ...] = tuple(
        (form, *(gap(name, figures[name]) for name in COMPARED)) for form, figures in evaluation.degradation.items()
    )
    return Table("degradation", "Rater and system minus two raters", columns, rows)


def disattenuated_table(evaluation: Evaluation) -> Table:
    """The corrected correlation, for every form."""
    numbers = [Column(title, "number") for title in ("r of rater and system", "r of two raters")]
    columns = (Column("Form"), *numbers, Column("Corrected r", "estimate"))
    rows: tuple[Row, ...] = tuple(
        (form, d.human_system, d.human_human, as_is(d.corrected)) for form, d in evaluation.disattenuated.items()
    )
    return Table("disattenuated_correlations", "Correlations without the raters’ own disagreement", columns, rows)


def true_score_section(evaluation: Evaluation) -> Section:
    """Section 5."""
    trimmed = evaluation.true_score.get(evaluation.plan.trimmed)
    meaning = (
        "The true score is the average over endlessly many raters of a response. It cannot be seen, but where raters "
        "scored the same responses, their differences tell how much of the human scores is rater error."
    )
    if trimmed is None:
        return Section("True score", (Paragraph(MISSING), Paragraph(meaning, quiet=True)))
    blocks = (Paragraph(_predicted(evaluation, trimmed)), _figures_table(trimmed), Paragraph(meaning, quiet=True))
    if len(evaluation.true_score) == 1:
        return Section("True score", blocks)
    by_form = Disclosure("The same for every form of the system score", (_forms_table(evaluation),))
    return Section("True score", (*blocks, by_form))


def _predicted(evaluation: Evaluation, true_score: TrueScore) -> str:
    prmse, variance = as_is(true_score.prmse), f"{true_score.error_variance:.3f}"
    if not true_score.prmse.defined:
        return f"How well the system predicts the true score (PRMSE) cannot be computed: {prmse.reason}."
    share = value_text(FormattedEstimate(prmse.value, number=Number(0, percent=True)), Number())
    says = f"With rater error removed, the system explains {share} of what differs between true scores: "
    says += f"PRMSE {words(prmse)}."
    if prmse.value < 0:
        says = "With rater error removed, the system predicts worse than giving everyone the mean would: "
        says += f"PRMSE {words(prmse)}."
    elif prmse.value > 1:
        why = "the rater error variance is known too roughly to say more"
        says = f"PRMSE {words(prmse)} lies above 1, the most it can be: {why}."
    if evaluation.plan.error_variance is not None:
        return f"{says} The rater error variance, {variance}, was given."
    times = "twice" if evaluation.readings.raters == 2 else "more than once"
    twice = counted(evaluation.readings.multiple, "response")
    return f"{says} The rater error variance, {variance}, comes from {twice} scored {times}."


def _figures_table(true_score: TrueScore) -> Table:
    """The form that decides: PRMSE and what it is made of."""
    true_variance, error_variance = (
        as_is(figure, VARIANCE) for figure in (true_score.true_variance, true_score.error_variance)
    )
    mse = as_is(true_score.mse, VARIANCE)
    figures = (
        ("PRMSE", as_is(true_score.prmse), "1 minus the error below divided by the true-score variance"),
        ("Error against true scores", mse, "mean squared error, rater error removed"),
        ("True-score variance", true_variance, "how much responses truly differ"),
        ("Rater error variance", error_variance, "how much raters differ on the same response"),
    )
    rows = tuple((title, e, e, says) for title, e, says in figures)
    return Table("true_score", "System score and true score", (*FIGURE_COLUMNS, Column("What it is")), rows)


def _forms_table(evaluation: Evaluation) -> Table:
    """Variances, error and PRMSE for every form."""
    columns = columns_of(
        "Form",
        ("Rater error variance", "estimate", VARIANCE),
        ("True-score variance", "estimate", VARIANCE),
        ("Mean squared error", "estimate", VARIANCE),
        ("PRMSE", "estimate"),
    )
    rows: tuple[Row, ...] = tuple(
        (form, *(as_is(figure, VARIANCE) for figure in (t.error_variance, t.true_variance, t.mse)), as_is(t.prmse))
        for form, t in evaluation.true_score.items()
    )
    return Table("true_score_eval", "System score and true score, by form", columns, rows)
