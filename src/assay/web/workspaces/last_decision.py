"""What happened last to the score of an item, in one sentence: read aloud where the work goes on."""

from collections.abc import Sequence
from datetime import datetime

from assay.store.overrides import Decision


def last_decision(decisions: Sequence[Decision], final: str) -> str:
    """Whether the score was confirmed, changed or brought back by the latest step, and what it is now; "" before any.

    The undoing of a decision is a step of its own; one that was made again in the same moment does not hide it.
    """
    if not decisions:
        return ""
    last = max(decisions, key=_moment)
    if last.undone is not None:
        return f"Undone: the score is {final} again."
    if last.kind == "confirm":
        return f"Confirmed at {final} by {last.author}."
    return f"Override saved: the score is {final} now, by {last.author}."


def _moment(decision: Decision) -> tuple[datetime, bool, int]:
    return decision.undone or decision.made, decision.undone is not None, decision.id
