"""What was left out of an evaluation or a comparison, by reason, and what a reader must be warned of at once."""

from collections.abc import Mapping, Sequence

from assay.evaluation import exclusions as reasons
from assay.evaluation.exclusions import Exclusions
from assay.report.document.values import INTEGER, Column, Row, Table
from assay.report.document.wording import be, counted, listed, shortened

FEW_RESPONSES = 30
"""Below so many responses readers are told to take the intervals seriously."""

WHY = {
    reasons.FLAGGED: "the flag column does not name them as usable",
    reasons.NO_HUMAN: "no human score is given, or it is not a number",
    reasons.ZERO_HUMAN: "the declared scale does not include 0, or zeros were to be left out",
    reasons.TIED: "two scores were given equally often, so there is no majority",
    reasons.NO_SYSTEM: "the system score is empty or not a number",
    reasons.INFINITE: "the score is infinite",
    reasons.NO_WEIGHT: "the weight is empty, not a number, or 0",
    reasons.FEW_ITEMS: "their candidate has fewer usable responses than required",
}


def cautions(exclusions: Exclusions) -> list[str]:
    """What the first paragraph of a report and the terminal say before any figure."""
    sentences = [
        f"{count:,} of {counted(exclusions.read, 'response')} ({100 * count / exclusions.read:.0f} %) {be(count)} left "
        f"out: {reason}."
        for reason, count in exclusions.notable.items()
    ]
    if exclusions.used < FEW_RESPONSES:
        sentences.append(few_words(exclusions.used))
    return sentences


def few_words(used: int) -> str:
    """What a handful of responses is worth."""
    if used == 1:
        return "Only one response is left: no figure has an interval, and most are not defined."
    return f"{counted(used, 'response')} can say little: read every figure with its interval, and gather more."


def left_out_words(by_engine: Mapping[str, Exclusions], unscored: Mapping[str, int]) -> list[str]:
    """For each engine, or once for all where they were judged on the same responses, what was left out and why."""
    known = list(by_engine.items())
    if not known:
        return []
    if all(exclusions == known[0][1] for _, exclusions in known):
        return [_left_out(known[0][1]), *_unscored(unscored)]
    return [f"“{shortened(engine)}”: {_left_out(exclusions)}" for engine, exclusions in known]


def _left_out(exclusions: Exclusions) -> str:
    left_out = exclusions.read - exclusions.used
    read = counted(exclusions.read, "response")
    if not left_out:
        return f"{read} read, none left out."
    why = listed([f"{reason} {count:,}" for reason, count in exclusions.left_out.items()])
    return f"{left_out:,} of {read} left out: {why}."


def _unscored(unscored: Mapping[str, int]) -> list[str]:
    missing = [f"“{shortened(engine)}” {count:,}" for engine, count in unscored.items() if count]
    if not missing:
        return []
    return [
        f"Responses without a score, by engine: {listed(missing)}. A response counts only if every engine scored it."
    ]


def exclusions_table(exclusions: Exclusions, source: str = "", name: str = "data_composition") -> Table:
    """Read, left out by reason, used: the counts add up."""
    rows: list[Row] = [("Read", exclusions.read, f"rows of {source}" if source else "rows of the table")]
    rows += [(r[:1].upper() + r[1:], -count, WHY.get(r, r)) for r, count in exclusions.left_out.items()]
    columns: Sequence[Column] = (Column("Step"), Column("Responses", "number", INTEGER), Column("Why"))
    foot = (("Used", exclusions.used, None),)
    return Table(name, "Responses read, left out and used", tuple(columns), tuple(rows), foot=foot)
