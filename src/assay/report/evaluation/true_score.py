"""Section 5 of an evaluation report: the system against the true score."""

from assay.evaluation.result import Evaluation, TrueScore
from assay.report.document.document import Disclosure, Paragraph, Section
from assay.report.document.metric_words import as_is, words
from assay.report.document.values import Column, FormattedEstimate, Number, Table, columns_of
from assay.report.document.wording import counted, value_text
from assay.report.evaluation.facts import FIGURE_COLUMNS

VARIANCE = Number(3)

MISSING = (
    "How well the system predicts the true score (PRMSE) cannot be computed: no response was read twice. Have some "
    "responses read by a second person (--second-human), or give the variance of reading errors if it is known from "
    "elsewhere (--rater-error-variance)."
)


def true_score_section(evaluation: Evaluation) -> Section:
    """Section 5."""
    decisive = evaluation.true_score.get(evaluation.plan.trimmed)
    meaning = (
        "The true score is the average of endlessly many readings of a response. It cannot be seen, but where people "
        "read the same responses, their differences tell how much of the human scores is reading error."
    )
    if decisive is None:
        return Section("True score", (Paragraph(MISSING), Paragraph(meaning, quiet=True)))
    blocks = (Paragraph(_predicted(evaluation, decisive)), _figures_table(decisive), Paragraph(meaning, quiet=True))
    if len(evaluation.true_score) == 1:
        return Section("True score", blocks)
    by_form = Disclosure("The same for every form of the system score", (_forms_table(evaluation),))
    return Section("True score", (*blocks, by_form))


def _predicted(evaluation: Evaluation, true_score: TrueScore) -> str:
    prmse, variance = as_is(true_score.prmse), f"{true_score.error_variance:.3f}"
    if not true_score.prmse.defined:
        return f"How well the system predicts the true score (PRMSE) cannot be computed: {prmse.reason}."
    share = value_text(FormattedEstimate(prmse.value, number=Number(0, percent=True)), Number())
    says = f"Reading errors taken out, the system explains {share} of what differs between true scores: "
    says += f"PRMSE {words(prmse)}."
    if prmse.value < 0:
        says = "Reading errors taken out, the system predicts worse than giving everyone the mean would: "
        says += f"PRMSE {words(prmse)}."
    elif prmse.value > 1:
        why = "the reading errors are known too roughly to say more"
        says = f"PRMSE {words(prmse)} lies above 1, the most it can be: {why}."
    if evaluation.plan.error_variance is not None:
        return f"{says} The variance of reading errors, {variance}, was given."
    times = "twice" if evaluation.readings.raters == 2 else "more than once"
    twice = counted(evaluation.readings.multiple, "response")
    return f"{says} The variance of reading errors, {variance}, comes from {twice} read {times}."


def _figures_table(true_score: TrueScore) -> Table:
    """The form that decides: PRMSE and what it is made of."""
    true_variance, error_variance = (
        FormattedEstimate(value, number=VARIANCE) for value in (true_score.true_variance, true_score.error_variance)
    )
    mse = as_is(true_score.mse, VARIANCE)
    figures = (
        ("PRMSE", as_is(true_score.prmse), "1 less the error below as a share of the variance of true scores"),
        ("Error against true scores", mse, "mean squared error, reading errors taken out"),
        ("Variance of true scores", true_variance, "how much responses truly differ"),
        ("Variance of reading errors", error_variance, "how much one reading differs from another"),
    )
    rows = tuple((title, e, e, says) for title, e, says in figures)
    return Table("true_score", "System score and true score", (*FIGURE_COLUMNS, Column("What it is")), rows)


def _forms_table(evaluation: Evaluation) -> Table:
    """Variances, error and PRMSE for every form."""
    columns = columns_of(
        "Form",
        ("Reading error variance", VARIANCE),
        ("True score variance", VARIANCE),
        ("Mean squared error", "estimate", VARIANCE),
        ("PRMSE", "estimate"),
    )
    rows = tuple(
        (form, t.error_variance, t.true_variance, as_is(t.mse, VARIANCE), as_is(t.prmse))
        for form, t in evaluation.true_score.items()
    )
    return Table("true_score_eval", "System score and true score, by form", columns, rows)
