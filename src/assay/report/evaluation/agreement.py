"""Section 2 of an evaluation report: human and system score, in figures and as a table of one by the other."""

import numpy as np

from assay.evaluation.result import Crossed, Evaluation
from assay.report.charts.charts import HeatMap
from assay.report.document.document import Block, Disclosure, Paragraph, Section
from assay.report.document.metric_words import METRIC_WORDS, as_is, as_share, shown, target_words, verdict
from assay.report.document.values import INTEGER, PERCENT, PLAIN, Column, Row, Table, columns_of
from assay.report.document.wording import be, counted, value_text
from assay.report.evaluation import facts

ORDER = (
    *("qwk", "r", "smd", "exact_agreement", "adjacent_agreement"),  # those with a threshold first
    *("kappa", "linear_kappa", "r2", "rmse", "mae", "mse"),
)

CUT_WORDS = (
    "A score that equals the cut passes. Passes found: of the responses that pass by the human score, those that pass "
    "by the system’s too (sensitivity); fails found likewise (specificity)."
)
CUT_SHARES = {
    "human_pass": "Pass by raters",
    "system_pass": "Pass by the system",
    "accuracy": "Same decision",
    "sensitivity": "Passes found",
    "specificity": "Fails found",
}

MOST_CELLS = 1200
"""So many pairs of scores that occur are shown one by one; beyond that, points are brought together in bands."""
BANDS = 20


def agreement_section(evaluation: Evaluation) -> Section:
    """Section 2."""
    plan = evaluation.plan
    which_form = "Thresholds: Williamson et al. (2012). All figures use the system score as it is."
    if plan.rounded is not None:
        which_form = (
            "Thresholds: Williamson et al. (2012) for QWK, r and SMD, RSMTool 12 for percentages. Percentages and the "
            f"kappas other than QWK use the rounded score ({plan.rounded}), "
            f"all others the trimmed score ({plan.trimmed})."
        )
    blocks: list[Block] = [
        Paragraph(_centre_and_spread(evaluation)),
        short_table(evaluation),
        Paragraph(which_form, quiet=True),
    ]
    if evaluation.crossed is not None:
        blocks.append(confusion_map(evaluation, evaluation.crossed))
    if evaluation.cuts:
        blocks += [_cuts_table(evaluation), Paragraph(CUT_WORDS, quiet=True)]
    if evaluation.further:
        blocks.append(Disclosure("Further figures of agreement", (further_table(evaluation),)))
    if len(evaluation.variants) > 1:
        blocks.append(
            Disclosure(f"All {len(evaluation.variants)} forms of the system score", (_forms_table(evaluation),))
        )
    return Section("Agreement", tuple(blocks))


def _centre_and_spread(evaluation: Evaluation) -> str:
    """Means and standard deviations in a sentence."""
    people, system = facts.main_figures(evaluation).first, facts.main_figures(evaluation).second
    if evaluation.n == 1:
        return f"Raters give {people.mean:.2f}, the system {system.mean:.2f}."
    if people.sd == 0 or system.sd == 0:
        who = "scores of either" if people.sd == system.sd else "human scores" if people.sd == 0 else "system scores"
        spread = f"all {who} are equal"
    elif system.sd < 0.95 * people.sd:
        spread = "the system’s scores are spread less widely"
    else:
        wider = system.sd > 1.05 * people.sd
        spread = "the system’s scores are spread more widely" if wider else "about the same spread"
    given = f"Raters give {people.mean:.2f} on average (SD {people.sd:.2f})"
    return f"{given}, the system {system.mean:.2f} (SD {system.sd:.2f}): {spread}."


def short_table(evaluation: Evaluation) -> Table:
    """Every pair metric on the form it is meant for, with its threshold."""
    figures, judged = facts.decisive(evaluation), facts.judgements(evaluation)
    rows: list[Row] = []
    for name in ORDER:
        if name in figures:
            estimate = shown(name, figures[name])
            met = verdict(name, figures[name]) if name in judged else None
            rows.append((METRIC_WORDS[name].title, estimate, estimate, target_words(name), met))
    caption = f"Agreement of human and system score, {counted(evaluation.n, 'response')}"
    columns = (*facts.FIGURE_COLUMNS, Column("Threshold"), Column("Verdict", "verdict"))
    return Table("eval_short", caption, columns, tuple(rows))


def further_table(evaluation: Evaluation) -> Table:
    """Rank correlations, reliability and their kin."""
    return facts.explained_table("agreement_further", "Further agreement of human and system score", evaluation.further)


def _forms_table(evaluation: Evaluation) -> Table:
    """Every figure for every form of the system score."""
    spread = ("mean", "SD", "lowest", "highest")
    columns = columns_of(
        "Form",
        ("Responses", INTEGER),
        *((f"{who} {what}", "number") for who in ("Human", "System") for what in spread),
        *facts.metric_columns(ORDER),
    )
    rows: list[Row] = []
    for form, figures in evaluation.variants.items():
        summaries = (v for s in (figures.first, figures.second) for v in (s.mean, s.sd, s.min, s.max))
        rows.append((form, figures.n, *summaries, *(shown(name, figures.metrics[name]) for name in ORDER)))
    return Table("eval", "Every figure for every form of the system score", columns, tuple(rows))


def _cuts_table(evaluation: Evaluation) -> Table:
    """Pass or fail at each cut score, by raters and by the system."""
    shares = [Column(title, "estimate", name=name) for name, title in CUT_SHARES.items()]
    columns = (Column("Cut score"), *shares, Column("Kappa", "estimate", PLAIN))
    rows: tuple[Row, ...] = tuple(
        (f"{cut.cut:g}", *(as_share(getattr(cut, name)) for name in CUT_SHARES), as_is(cut.kappa))
        for cut in evaluation.cuts
    )
    return Table("cut_scores", "Pass or fail from each cut score on", columns, rows)


def confusion_map(evaluation: Evaluation, crossed: Crossed) -> HeatMap:
    """Human score by system score."""
    figures = facts.decisive(evaluation)
    exact, near = (value_text(shown(n, figures[n]), PERCENT) for n in ("exact_agreement", "adjacent_agreement"))
    says = f"{exact} agree exactly, {near} within 1 point; {_far_words(crossed)}."
    return _heat_map(evaluation, crossed, evaluation.n, "confusion_matrix", says, ("Human score", "System score"))


def raters_map(evaluation: Evaluation, crossed: Crossed) -> HeatMap:
    """First by second human score."""
    assert evaluation.consistency is not None
    pair, (first, second) = evaluation.consistency, evaluation.raters[:2]
    exact, near = (value_text(shown(n, pair.metrics[n]), PERCENT) for n in ("exact_agreement", "adjacent_agreement"))
    says = f"{exact} of the responses scored twice agree exactly, {near} within 1 point; {_far_words(crossed)}."
    titles = (f"Score of {first}", f"Score of {second}")
    return _heat_map(evaluation, crossed, pair.n, "confusion_matrix_raters", says, titles)


def _far_words(crossed: Crossed) -> str:
    points, counts = np.array(crossed.points), np.array(crossed.counts)
    far = counts[np.abs(points[:, None] - points[None, :]) > 1 + 1e-9].sum()
    whole = counts.sum()
    if far == 0:
        return "none is further apart"
    if float(whole).is_integer() and np.array_equal(counts, np.rint(counts)):
        return f"{int(far):,} of {whole:,.0f} {be(int(far))} further apart"
    return f"{100 * float(far / whole):.1f} % are further apart"


def _heat_map(
    evaluation: Evaluation, crossed: Crossed, n: int, name: str, says: str, titles: tuple[str, str]
) -> HeatMap:
    """The whole table on short scales, by bands on long ones."""
    scale = evaluation.plan.scale
    assert scale is not None
    # points nobody gave are there too, so that neighbours are one step apart
    points = np.union1d(scale.points(), crossed.points)
    places = np.searchsorted(points, crossed.points)
    counts = np.zeros((points.size, points.size))
    counts[np.ix_(places, places)] = crossed.counts
    if facts.weighted(evaluation):
        counts = counts * n / counts.sum()
        says += " Weighted, in whole responses."
    near = max(1, round(1 / scale.step))
    labels = [f"{point:g}" for point in points]
    if np.count_nonzero(counts) > MOST_CELLS:
        width, near = -(-len(labels) // BANDS), 1
        starts = np.arange(0, len(labels), width)
        bands = [labels[start : start + width] for start in starts]
        labels = [band[0] if len(band) == 1 else f"{band[0]} to {band[-1]}" for band in bands]
        counts = np.add.reduceat(np.add.reduceat(counts, starts, axis=0), starts, axis=1)
        points_words = counted(width, "score point")
        says += f" Each row and column stands for {points_words}; single points are in evaluation.json."
    rows, columns = titles
    return HeatMap(
        name=name,
        title=f"{rows} and {columns[:1].lower()}{columns[1:]}",
        says=says,
        alt=f"{rows} in rows, {columns} in columns, {labels[0]} to {labels[-1]}: responses of each pair. {says}",
        levels=tuple(labels),
        counts=tuple(tuple(int(c) for c in row) for row in np.rint(counts)),
        row_title=rows,
        column_title=columns,
        near=near,
    )
