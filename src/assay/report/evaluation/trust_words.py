"""Trust in words: the verdict, what more reviews bring, why an item comes next, what drift there is."""

from collections.abc import Mapping
from math import isfinite
from typing import NamedTuple, Protocol

from assay.evaluation.trust.judgement import Next, Precision, Trust
from assay.metrics.catalogue import PAIR_METRICS
from assay.report.document.document import KeyFigure
from assay.report.document.metric_words import METRIC_WORDS, short
from assay.report.document.phrases import counted
from assay.report.document.values import Number
from assay.report.document.wording import number_text
from assay.report.evaluation.verdict import verdict_lead, verdict_rest


class Noun(Protocol):
    """What the things that are reviewed are called."""

    @property
    def item(self) -> str: ...

    @property
    def items(self) -> str: ...


class _Responses(NamedTuple):
    item: str = "response"
    items: str = "responses"


RESPONSES = _Responses()

TARGETS: Mapping[str, str] = {
    "match": "matches",
    "label": "labels",
    "attribute": "attributes",
    "miss": "misses excused",
    "extra": "extras accepted",
    "score": "scores",
}
BRINGS: Mapping[str, str] = {
    "no score": "a score where there is none",
    "flagged": "settles a doubt of the system's own",
    "interval": "narrows the widest interval",
    "cut": "tells whether scores fall on the right side",
    "few": "fills a gap in what is reviewed",
}
OPTIONS: Mapping[str, str] = {
    name: METRIC_WORDS[name].title for name in PAIR_METRICS if name in METRIC_WORDS and name != "mse"
}
"""Figures whose precision can be asked for."""


def verdict_words(trust: Trust, figures: tuple[KeyFigure, ...], kind: Noun) -> tuple[str, str]:
    """The verdict: what is certain in bold, then the rest."""
    n = len(trust.pairs)
    if trust.evaluation is None:
        lead = f"{counted(n, kind.item, kind.items)} reviewed so far." if n else "Nothing is reviewed yet."
        rest = f"Confirm or override some {kind.items}, and this page says how far the system agrees with people."
        return lead, rest
    lead = verdict_lead([figure.verdict for figure in figures if figure.target is not None])
    return lead, verdict_rest(trust.evaluation, kind.item)


def selection_words(trust: Trust, kind: Noun) -> str:
    """How the reviewed items were chosen, and what that means for the figures."""
    evidence = trust.evidence
    if evidence.caution:
        return evidence.caution
    if trust.only_sample and evidence.sample is not None:
        size, left = len(evidence.sample["items"]), len(evidence.sample_left)
        drawn = f"Drawn at random: {counted(size, kind.item, kind.items)} of {evidence.sample['of']:,}."
        if left:
            return f"{drawn} {left:,} of them still wait: until they are reviewed, the figures may lean one way."
        return f"{drawn} All are reviewed, so the figures hold for all {evidence.sample['of']:,}."
    if not len(trust.pairs):
        return ""
    return (
        f"The reviewed {kind.items} are not a random sample: people look at what catches the eye, and the list below "
        "asks for hard cases. The figures hold for these, and may be too low or too high for the rest. "
        "Review a random draw to know."
    )


def anchoring_words(trust: Trust) -> str:
    """Decisions are made with the system score in view."""
    decided = sum(when is not None for when in trust.pairs.when)
    if not decided:
        return ""
    return (
        f"{counted(decided, 'human score')} here {'was' if decided == 1 else 'were'} given with the system score in "
        f"view ({trust.evidence.pairs.confirmed:,} confirmed unchanged). Whoever sees a score leans towards it: a "
        "blind second reading would agree somewhat less."
    )


def precision_words(precision: Precision, kind: Noun) -> str:
    """How closely a figure is known, and how many more reviews it takes."""
    name, within = short(precision.figure), _size(precision.figure, precision.within)
    if precision.estimate.reason == "no reviews":
        if precision.needed is None:
            return f"After some reviews this says how many it takes to know {name} within ±{within}."
        drawn = f"{precision.needed:,} {kind.items} drawn at random"
        return f"As a plan: {drawn} tell {name} within ±{within} if it is near 0.70."
    if not isfinite(precision.now):
        return f"{name} has no interval yet ({precision.estimate.reason or 'too few reviews'}); review some more first."
    now = f"{name[:1].upper()}{name[1:]} is known to ±{_size(precision.figure, precision.now)}"
    if precision.needed is None:
        return f"{now}. More reviews than anybody can make would be needed to know it to ±{within}."
    if not precision.more:
        return f"{now} already, as closely as asked (±{within})."
    more = counted(precision.more, "more review")
    return f"{now}. About {more} ({precision.needed:,} in all) bring it to ±{within}, if things stay as they are."


def _size(figure: str, value: float) -> str:
    number = METRIC_WORDS[figure].number
    if number.percent:
        return f"{number_text(value, Number(1))} percentage points"
    return number_text(value, Number(2 if value >= 0.01 else 3))


def why_words(one: Next, kind: Noun) -> str:
    """Why this item comes next."""
    pick, score = one.pick, f"System score {one.system:.3g}"
    if pick.why == "few":
        reviews = f"only {counted(pick.reviewed, 'review')}" if pick.reviewed else "no review"
        where = f"system scores of {pick.part}" if pick.part[:1].isdigit() else pick.part
        return f"{score if isfinite(one.system) else 'No system score'}; {reviews} so far of {where}."
    return {
        "no score": "The system gave no score: a person has to.",
        "flagged": f"{score}, and the system itself has doubts about this {kind.item}.",
        "interval": f"{score} ± {one.spread:.2g}: among the least certain.",
        "cut": f"{one.raw:.2f} before rounding, beside the cut between two scores.",
    }[pick.why]


def drift_words(trust: Trust) -> str:
    """Whether the system moved against people over time."""
    drift = trust.drift
    if not trust.periods:
        return "Too few reviews to look for drift: about 16 are the least."
    if not isfinite(drift.low):
        return "Every review agrees with the system by the same amount: no drift is to be seen."
    value, low, high = (number_text(end, Number(2, signed=True)) for end in (drift.value, drift.low, drift.high))
    size = f"{value} points ({low} to {high})"
    if drift.low <= 0 <= drift.high:
        return f"No drift beyond chance: from the earlier to the later half the difference changed by {size}."
    way = "higher" if drift.value > 0 else "lower"
    return f"The system scores {way} against people than before: from the earlier to the later half {size}."
