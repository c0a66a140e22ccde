"""Section 5 of an evaluation report: the system against the true score."""

from assay.evaluation.result import Evaluation, TrueScore
from assay.metrics.intervals import Estimate
from assay.report.document.document import Block, Column, Disclosure, Number, Paragraph, Section, Table
from assay.report.document.metric_words import as_is, words
from assay.report.document.phrases import counted
from assay.report.document.values import FormattedEstimate
from assay.report.document.wording import value_text

VARIANCE = Number(3)

MISSING = (
    "How well the system predicts the true score (PRMSE) cannot be computed: no response was read twice. Have some "
    "responses read by a second person (--second-human), or give the variance of reading errors if it is known from "
    "elsewhere (--rater-error-variance)."
)


def true_score_section(evaluation: Evaluation) -> Section:
    """Section 5."""
    found = evaluation.true_score.get(evaluation.plan.trimmed)
    meaning = (
        "The true score is the average of endlessly many readings of a response. It cannot be seen, but where people "
        "read the same responses, their differences tell how much of the human scores is reading error."
    )
    if found is None:
        blocks: tuple[Block, ...] = (Paragraph(MISSING), Paragraph(meaning, quiet=True))
    else:
        blocks = (Paragraph(_predicted(evaluation, found)), figures_table(found), Paragraph(meaning, quiet=True))
        if len(evaluation.true_score) > 1:
            forms = Disclosure("The same for every form of the system score", (true_score_table(evaluation),))
            blocks = (*blocks, forms)
    return Section("True score", blocks)


def _predicted(evaluation: Evaluation, found: TrueScore) -> str:
    prmse = as_is(found.prmse)
    if not found.prmse.defined:
        return f"How well the system predicts the true score (PRMSE) cannot be computed: {prmse.reason}."
    return f"{_meaning(prmse)} {_basis(evaluation, found)}"


def _meaning(prmse: Estimate) -> str:
    share = value_text(FormattedEstimate(prmse.value, number=Number(0, percent=True)), Number())
    figures = f"PRMSE {words(prmse)}"
    if prmse.value < 0:
        return f"Reading errors taken out, the system predicts worse than giving everyone the mean would: {figures}."
    if prmse.value > 1:
        return f"{figures} lies above 1, the most it can be: the reading errors are known too roughly to say more."
    return f"Reading errors taken out, the system explains {share} of what differs between true scores: {figures}."


def _basis(evaluation: Evaluation, found: TrueScore) -> str:
    if evaluation.plan.error_variance is not None:
        return f"The variance of reading errors, {found.error_variance:.3f}, was given."
    times = "twice" if evaluation.readings.raters == 2 else "more than once"
    twice = counted(evaluation.readings.multiple, "response")
    return f"The variance of reading errors, {found.error_variance:.3f}, comes from {twice} read {times}."


def figures_table(found: TrueScore) -> Table:
    """The form that decides: PRMSE and what it is made of."""
    rows = tuple(
        (title, e, e, says)
        for title, e, says in (
            ("PRMSE", as_is(found.prmse), "1 less the error below as a share of the variance of true scores"),
            ("Error against true scores", as_is(found.mse, VARIANCE), "mean squared error, reading errors taken out"),
            ("Variance of true scores", _variance(found.true_variance), "how much responses truly differ"),
            (
                "Variance of reading errors",
                _variance(found.error_variance),
                "how much one reading differs from another",
            ),
        )
    )
    columns = (Column("Figure"), Column("Value", "number"), Column("95 % interval", "interval"), Column("What it is"))
    return Table("true_score", "System score and true score", columns, rows)


def _variance(value: float) -> Estimate:
    return FormattedEstimate(value, number=VARIANCE)


def true_score_table(evaluation: Evaluation) -> Table:
    """Variances, error and PRMSE for every form."""
    columns = (
        Column("Form"),
        Column("Reading error variance", "number", VARIANCE),
        Column("True score variance", "number", VARIANCE),
        Column("Mean squared error", "estimate", VARIANCE),
        Column("PRMSE", "estimate"),
    )
    rows = tuple(
        (form, t.error_variance, t.true_variance, as_is(t.mse, VARIANCE), as_is(t.prmse))
        for form, t in evaluation.true_score.items()
    )
    return Table("true_score_eval", "System score and true score, by form", columns, rows)
