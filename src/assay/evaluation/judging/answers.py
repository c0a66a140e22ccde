"""What a judge gave: a value and a reason for each criterion, or what is wrong with the answer."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isclose
from typing import Any

from assay.evaluation.judging.prompt import REASON_LETTERS, field_of
from assay.evaluation.judging.rubric import Criterion
from assay.metrics.intervals import Estimate, wilson_interval


@dataclass(frozen=True, slots=True)
class Rating:
    """One row of the table: what one run gave one item on one criterion; no value where there is a problem."""

    item_id: str
    criterion: str
    run: int
    value: float | str | None
    reason: str = ""
    tokens: int = 0
    """Sent and received for this row: the request's, shared out among its criteria."""
    problem: str = ""
    """Why there is no value."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Requests and tokens; `unstated` counts answers whose server did not say how many tokens they took."""

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    unstated: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.requests + other.requests,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.unstated + other.unstated,
        )


@dataclass(frozen=True, slots=True)
class JudgeRatings:
    """Everything a run of judges gave, in the order of the items."""

    rater: str
    rows: tuple[Rating, ...]
    items: int
    usage: Usage = field(default_factory=Usage)
    asked_again: int = 0
    """Answers that could not be used and were asked for once more."""

    @property
    def left_out(self) -> Counter[str]:
        """Ratings without a value, by kind of reason."""
        return Counter(row.problem.partition(":")[0] for row in self.rows if row.problem)

    def values(self, criterion: str) -> Counter[float | str]:
        """How often each value was given."""
        return Counter(row.value for row in self.rows if row.criterion == criterion and row.value is not None)

    def steady(self, criterion: str) -> Estimate:
        """The share of items that got one same value in all runs, with its 95 % interval."""
        by_item: dict[str, list[float | str]] = {}
        for row in self.rows:
            if row.criterion == criterion and row.value is not None:
                by_item.setdefault(row.item_id, []).append(row.value)
        repeated = [values for values in by_item.values() if len(values) > 1]
        return share_of(sum(len(set(values)) == 1 for values in repeated), len(repeated), "no item was judged twice")


def share_of(count: int, of: int, reason: str) -> Estimate:
    """A share with its 95 % interval (Wilson).

    >>> share = share_of(3, 10, "")
    >>> round(share.low, 4), round(share.high, 4)
    (0.1078, 0.6032)
    """
    return Estimate(count / of, *wilson_interval(count / of, of)) if of else Estimate(reason=reason)


def values_in(
    content: Mapping[str, Any], criteria: Sequence[Criterion]
) -> tuple[dict[str, tuple[float | str, str]], list[str]]:
    """Criterion -> value and reason, and what is wrong; an answer with a mistake is asked for again as a whole.

    Spaces and case of labels do not matter, nor whether a number is in quotes. Further keys are passed over.

    >>> from assay.evaluation.judging.rubric import RubricLevel
    >>> tone = Criterion("tone", (RubricLevel("Polite"), RubricLevel("Rude")))
    >>> values_in({"tone": {"reason": "It thanks.", "label": " polite"}}, [tone])
    ({'tone': ('Polite', 'It thanks.')}, [])
    >>> values_in({"tone": {"reason": "", "label": "fine"}}, [tone])
    ({}, ["'fine' is no level of 'tone'"])
    """
    values: dict[str, tuple[float | str, str]] = {}
    mistakes: list[str] = []
    for criterion in criteria:
        stated = content.get(criterion.name)
        if isinstance(stated, Mapping):
            given, reason = stated.get(field_of(criterion)), stated.get("reason", "")
        else:
            given, reason = stated, ""
        if given is None:
            mistakes.append(f"there is no {field_of(criterion)} for {criterion.name!r}")
        elif (value := level_of(given, criterion)) is None:
            mistakes.append(f"{_short(given)!r} is no level of {criterion.name!r}")
        else:
            text = " ".join(reason.split()) if isinstance(reason, str) else ""
            values[criterion.name] = (value, text[:REASON_LETTERS])
    return values, mistakes


def level_of(given: Any, criterion: Criterion) -> float | str | None:
    """The level that a judge means; None if there is no such."""
    if isinstance(given, bool) or not isinstance(given, str | int | float):
        return None
    if not criterion.is_score:
        folded = str(given).strip().casefold()
        return next((value for value in criterion.values if str(value).strip().casefold() == folded), None)
    try:
        number = float(given)
    except (ValueError, OverflowError):
        return None
    return next((value for value in criterion.values if isclose(float(value), number, abs_tol=1e-9)), None)


def _short(given: Any) -> str:
    return "".join(letter for letter in str(given) if letter.isprintable())[:40]


def shared(tokens: int, among: int) -> Iterable[int]:
    """Tokens in whole shares that add up.

    >>> list(shared(10, 3))
    [4, 3, 3]
    """
    return (tokens // among + (place < tokens % among) for place in range(among))
