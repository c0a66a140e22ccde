"""Section 1 of an evaluation report: what was read, what was left out and why, and what is known of the rest."""

from assay.evaluation.exclusions import FEW_ITEMS, FLAGGED, NO_HUMAN, NO_SYSTEM, NO_WEIGHT, ZERO_HUMAN
from assay.evaluation.result import Evaluation
from assay.report.document.document import INTEGER, Block, Code, Column, Note, Paragraph, Section, Span, Strong, Table
from assay.report.document.phrases import be, counted
from assay.report.evaluation.facts import main_figures, weighted
from assay.scale import TRIM_TOLERANCE

FEW_RESPONSES = 30
"""Below so many responses a reader is told to take the intervals seriously."""

WHY = {
    FLAGGED: "a flag column rules them out (--flag)",
    NO_HUMAN: "the first human score is empty or not a number",
    ZERO_HUMAN: "0 often stands for off topic or blank; kept with --keep-zeros, or with a scale that holds 0",
    NO_SYSTEM: "the system score is empty or not a number",
    NO_WEIGHT: "the weight is empty, not a number, or not above 0",
    FEW_ITEMS: "their candidate has too few usable responses (--min-items)",
}


def data_section(evaluation: Evaluation, *, source: str) -> Section:
    """Section 1."""
    exclusions = evaluation.exclusions
    left_out = sum(exclusions.left_out.values())
    rows = [("Read", exclusions.read, f"rows of {source}" if source else "rows of the table")]
    rows += [(_step(reason), -count, WHY.get(reason, reason)) for reason, count in exclusions.left_out.items()]
    table = Table(
        "data_composition",
        "Responses read, left out and used",
        (Column("Step"), Column("Responses", "number", INTEGER), Column("Why")),
        tuple(rows),
        foot=(("Used", exclusions.used, None),),
    )
    used = f"{left_out:,} {be(left_out)} left out" if left_out else "none is left out"
    read: tuple[Span, ...] = (
        f"{counted(exclusions.read, 'response')} {_were(exclusions.read)} read",
        *_from(source),
        "; ",
    )
    opening = Paragraph((*read, Strong(f"{exclusions.used:,} {be(exclusions.used)} used"), f", {used}."))
    scores = " ".join((scale_words(evaluation), *_forms(evaluation)))
    responses = " ".join((_readings(evaluation), *_further(evaluation)))
    blocks: tuple[Block, ...] = (opening, table, Paragraph(responses), Paragraph(scores))
    return Section("Data and exclusions", (*blocks, *_caution(evaluation)))


def _step(reason: str) -> str:
    return reason[:1].upper() + reason[1:]


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def _from(source: str) -> tuple[Span, ...]:
    return (" from ", Code(source)) if source else ()


def scale_words(evaluation: Evaluation) -> str:
    """The scale, and how it is known."""
    plan, human = evaluation.plan, main_figures(evaluation).first
    if plan.scale is None:
        why = "are all equal" if human.min == human.max else "lie on no regular score points"
        return (
            f"There is no scale: the human scores {why}. So nothing is trimmed or rounded, and figures that count "
            "score points (kappas, agreement in per cent, the table of human by system score) are not given."
        )
    opening = f"The scale runs from {plan.scale}"
    if plan.scale_declared:
        return f"{opening}, as declared."
    if plan.scale_declared is False:
        return f"{opening}, as seen in the human scores; declare it with --scale if the rubric allows other scores."
    return f"{opening}."


def _readings(evaluation: Evaluation) -> str:
    readings = evaluation.readings
    if not readings.multiple:
        return "Each response was read by one person." if evaluation.n > 1 else "The response was read by one person."
    people = "two people" if readings.raters == 2 else f"two or more of {readings.raters} people"
    if not readings.single:
        return f"Each response was read by {people}."
    single = f"{readings.single:,} by one"
    return f"{counted(readings.multiple, 'response')} {_were(readings.multiple)} read by {people}, {single}."


def _forms(evaluation: Evaluation) -> list[str]:
    """What is done to the system scores before they are judged."""
    plan, lines = evaluation.plan, []
    if plan.scaling is not None:
        s = plan.scaling
        lines.append(
            f"System scores are scaled as training responses ask: mean {s.system_mean:.2f} (SD {s.system_sd:.2f}) "
            f"becomes {s.human_mean:.2f} (SD {s.human_sd:.2f})."
        )
    if plan.scale is not None:
        slack = TRIM_TOLERANCE * plan.scale.step if plan.trim_tolerance is None else plan.trim_tolerance
        low, high = plan.scale.lowest - slack, plan.scale.highest + slack
        lines.append(f"Scores beyond the scale are trimmed to {low:.6g} and {high:.6g}, then rounded to score points.")
    return lines


def _further(evaluation: Evaluation) -> list[str]:
    """Settings that bear on the figures and are not the usual ones."""
    plan, lines = evaluation.plan, []
    if weighted(evaluation):
        lines.append("Responses are weighted: all figures use the weights, all counts of responses do not.")
    if plan.least_items > 1:
        lines.append(f"Only candidates with at least {plan.least_items} usable responses take part.")
    return lines


def _caution(evaluation: Evaluation) -> tuple[Block, ...]:
    if evaluation.n >= FEW_RESPONSES:
        return ()
    few = counted(evaluation.n, "response")
    return (
        Note(f"{few} can say little: read every figure with its interval, and gather more before deciding.", "caution"),
    )
