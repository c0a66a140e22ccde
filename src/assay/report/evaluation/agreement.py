"""Section 2 of an evaluation report: human and system score."""

from collections.abc import Mapping

from assay.evaluation.result import CutDecision, Evaluation, PairFigures
from assay.evaluation.thresholds import THRESHOLDS, Judgement
from assay.metrics.catalogue import PAIR_METRICS
from assay.metrics.intervals import Estimate
from assay.report.document.document import INTEGER, PLAIN, Block, Column, Disclosure, Paragraph, Row, Section, Table
from assay.report.document.metric_words import METRIC_WORDS, as_is, as_share, head, shown, target_words
from assay.report.document.phrases import counted
from assay.report.evaluation.confusion import confusion_map
from assay.report.evaluation.facts import decisive, judgements, main_figures

ORDER = [
    "qwk",
    "r",
    "smd",
    "exact_agreement",
    "adjacent_agreement",
    "kappa",
    "linear_kappa",
    "r2",
    "rmse",
    "mae",
    "mse",
]  # those with a threshold first

CUT_WORDS = (
    "A score that equals the cut passes. Passes found: of the responses that pass by the human score, those that pass "
    "by the system’s too (sensitivity); fails found likewise (specificity)."
)

FIGURE_COLUMNS = (Column("Figure"), Column("Value", "number"), Column("95 % interval", "interval"))


def agreement_section(evaluation: Evaluation) -> Section:
    """Section 2."""
    blocks: list[Block] = [
        Paragraph(centre_and_spread(evaluation)),
        short_table(evaluation),
        Paragraph(_which_form(evaluation), quiet=True),
    ]
    if evaluation.crossed is not None:
        blocks.append(confusion_map(evaluation, evaluation.crossed))
    if evaluation.cuts:
        blocks += [cuts_table(evaluation.cuts), Paragraph(CUT_WORDS, quiet=True)]
    if evaluation.further:
        blocks.append(Disclosure("Further figures of agreement", (further_table(evaluation),)))
    if len(evaluation.forms) > 1:
        blocks.append(Disclosure(f"All {len(evaluation.forms)} forms of the system score", (forms_table(evaluation),)))
    return Section("Agreement", tuple(blocks))


def centre_and_spread(evaluation: Evaluation) -> str:
    """Means and standard deviations in a sentence."""
    figures = main_figures(evaluation)
    people, system = figures.first, figures.second
    if evaluation.n == 1:
        return f"People give {people.mean:.2f}, the system {system.mean:.2f}."
    given = f"People give {people.mean:.2f} on average (SD {people.sd:.2f})"
    return f"{given}, the system {system.mean:.2f} (SD {system.sd:.2f}){_spread(people.sd, system.sd)}."


def _spread(people: float, system: float) -> str:
    if people == 0 or system == 0:
        who = "scores of either" if people == system else "human scores" if people == 0 else "system scores"
        return f": all {who} are equal"
    if system < 0.95 * people:
        return ": the system’s scores are spread less widely"
    return ": the system’s scores are spread more widely" if system > 1.05 * people else ": about the same spread"


def short_table(evaluation: Evaluation) -> Table:
    """Every pair metric on the form it is meant for, with its threshold."""
    columns = (*FIGURE_COLUMNS, Column("Threshold"), Column("Verdict", "verdict"))
    found, judged = decisive(evaluation), judgements(evaluation)
    rows = tuple(_judged_row(name, found[name], judged) for name in ORDER if name in found)
    n = counted(evaluation.n, "response")
    return Table("eval_short", f"Agreement of human and system score, {n}", columns, rows)


def _judged_row(name: str, measured: Estimate, judged: Mapping[str, Judgement]) -> Row:
    estimate = shown(name, measured)
    threshold = THRESHOLDS.get(name)
    verdict = threshold.verdict(measured) if threshold and name in judged else None
    return (METRIC_WORDS[name].title, estimate, estimate, target_words(name), verdict)


def _which_form(evaluation: Evaluation) -> str:
    plan = evaluation.plan
    if plan.rounded is None:
        return "Thresholds: Williamson et al. (2012). All figures use the system score as it is."
    return (
        "Thresholds: Williamson et al. (2012) for QWK, r and SMD, RSMTool 12 for percentages. Percentages and the "
        f"kappas other than QWK use the rounded score ({plan.rounded}), all others the trimmed score ({plan.trimmed})."
    )


def further_table(evaluation: Evaluation) -> Table:
    """Rank correlations, reliability and their kin."""
    names = [name for name in METRIC_WORDS if name in evaluation.further]
    rows = tuple(
        (METRIC_WORDS[name].title, e, e, METRIC_WORDS[name].says)
        for name in names
        for e in (shown(name, evaluation.further[name]),)
    )
    caption = "Further agreement of human and system score"
    return Table("agreement_further", caption, (*FIGURE_COLUMNS, Column("What it says")), rows)


def forms_table(evaluation: Evaluation) -> Table:
    """Every figure for every form of the system score."""
    names = [name for name in ORDER if name in PAIR_METRICS]
    columns = (
        Column("Form"),
        Column("Responses", "number", INTEGER),
        *(
            Column(f"{who} {what}", "number")
            for who in ("Human", "System")
            for what in ("mean", "SD", "lowest", "highest")
        ),
        *(Column(head(name), "estimate", METRIC_WORDS[name].number, name=name) for name in names),
    )
    rows = tuple((form, *_form_cells(figures, names)) for form, figures in evaluation.forms.items())
    return Table("eval", "Every figure for every form of the system score", columns, rows)


def _form_cells(figures: PairFigures, names: list[str]) -> Row:
    summaries = (v for s in (figures.first, figures.second) for v in (s.mean, s.sd, s.min, s.max))
    return (figures.n, *summaries, *(shown(name, figures.metrics[name]) for name in names))


def cuts_table(cuts: tuple[CutDecision, ...]) -> Table:
    """Pass or fail at each cut score, by people and by the system."""
    shares = ("human_pass", "system_pass", "accuracy", "sensitivity", "specificity")
    titles = ("Pass by people", "Pass by the system", "Same decision", "Passes found", "Fails found")
    columns = (
        Column("Cut score"),
        *(Column(title, "estimate", name=name) for title, name in zip(titles, shares, strict=True)),
        Column("Kappa", "estimate", PLAIN),
    )
    rows: tuple[Row, ...] = tuple(
        (f"{cut.cut:g}", *(as_share(getattr(cut, name)) for name in shares), as_is(cut.kappa)) for cut in cuts
    )
    return Table("cut_scores", "Pass or fail from each cut score on", columns, rows)
