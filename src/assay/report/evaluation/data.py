"""Section 1 of an evaluation report: what was read, what was left out and why, and what is known of the rest."""

from assay.evaluation.plan import Plan
from assay.evaluation.result import Evaluation
from assay.report.document.document import Block, Note, Paragraph, Section
from assay.report.document.values import Code, Inline, Strong
from assay.report.document.wording import be, counted
from assay.report.evaluation.facts import main_figures, weighted
from assay.report.evaluation.left_out import FEW_RESPONSES, exclusions_table, few_words
from assay.scale import TRIM_TOLERANCE


def data_section(evaluation: Evaluation, *, source: str) -> Section:
    """Section 1."""
    exclusions, plan = evaluation.exclusions, evaluation.plan
    left_out = sum(exclusions.left_out.values())
    rest = f"{left_out:,} {be(left_out)} left out" if left_out else "none is left out"
    read = f"{counted(exclusions.read, 'response')} {'was' if exclusions.read == 1 else 'were'} read"
    where: tuple[Inline, ...] = (" from ", Code(source)) if source else ()
    used = Strong(f"{exclusions.used:,} {be(exclusions.used)} used")
    responses = [_readings(evaluation), *_reference(evaluation)]
    if weighted(evaluation):
        responses.append("Responses are weighted: all figures use the weights, all counts of responses do not.")
    if plan.least_items > 1:
        responses.append(f"Only candidates with at least {plan.least_items} usable responses take part.")
    blocks: list[Block] = [
        Paragraph((read, *where, "; ", used, f", {rest}.")),
        exclusions_table(exclusions, source),
        Paragraph(" ".join(responses)),
        Paragraph(" ".join((scale_words(evaluation), *_forms(plan)))),
    ]
    if evaluation.n < FEW_RESPONSES:
        blocks.append(Note(few_words(evaluation.n), "caution"))
    return Section("Data and exclusions", tuple(blocks))


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
        return f"{opening}, as seen in the human scores. If the rubric allows other scores, declare the scale."
    return f"{opening}."


def _readings(evaluation: Evaluation) -> str:
    readings = evaluation.readings
    if not readings.multiple:
        return "Each response was scored by one rater." if evaluation.n > 1 else "The response was scored by one rater."
    people = "two raters" if readings.raters == 2 else f"two or more of {readings.raters} raters"
    if not readings.single:
        return f"Each response was scored by {people}."
    multiple = (
        f"{counted(readings.multiple, 'response')} {'was' if readings.multiple == 1 else 'were'} scored by {people}"
    )
    return f"{multiple}, {readings.single:,} by one."


def _reference(evaluation: Evaluation) -> list[str]:
    """Which human score the engine is judged by, where there is a choice."""
    if len(evaluation.raters) < 2:
        return []
    which = {
        "first": "the first human score a response has",
        "mean": "the mean of the human scores of a response",
        "median": "the median of the human scores of a response",
        "majority": "the score that most raters gave",
    }
    return [f"The system is judged by {which[evaluation.plan.reference]}."]


def _forms(plan: Plan) -> list[str]:
    """What is done to the system scores before they are judged."""
    lines = []
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
