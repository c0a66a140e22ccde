"""Trust in words, in pictures and as a report: the verdict, reviews still needed, what to review next, bias, drift."""

from collections.abc import Mapping
from math import isfinite
from typing import NamedTuple, Protocol

from assay.evaluation.result import Evaluation
from assay.evaluation.trust.judgement import Next, Precision, Trust
from assay.metrics.catalogue import PAIR_METRICS
from assay.report.charts.charts import IntervalPlot, IntervalRow, Level, LevelPlot
from assay.report.document.document import Block, Disclosure, Document, Paragraph, Section
from assay.report.document.metric_words import METRIC_WORDS, as_is, short, target
from assay.report.document.values import SIGNED, Column, Number, Table
from assay.report.document.wording import counted, number_text
from assay.report.evaluation.agreement import confusion_map, further_table, short_table
from assay.report.evaluation.distributions import bias_plot
from assay.report.evaluation.facts import shifts
from assay.report.evaluation.groups import dsm_plot
from assay.report.evaluation.verdict import key_figures, verdict_lead, verdict_rest

MOST_LEVELS = 12


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
    "flagged": "settles a flag of the system's own",
    "interval": "narrows the widest interval",
    "cut": "tells whether scores fall on the right side",
    "few": "fills a gap in what is reviewed",
}
OPTIONS: Mapping[str, str] = {
    name: METRIC_WORDS[name].title for name in PAIR_METRICS if name in METRIC_WORDS and name != "mse"
}
"""Figures whose precision can be asked for."""


def verdict_words(trust: Trust, kind: Noun) -> tuple[str, str]:
    """The verdict: what is certain in bold, then the rest."""
    n = len(trust.pairs)
    if trust.evaluation is None:
        lead = f"{counted(n, kind.item, kind.items)} reviewed so far." if n else "Nothing is reviewed yet."
        rest = f"Confirm or override some {kind.items}, and this page says how far the system agrees with them."
        return lead, rest
    lead = verdict_lead([judgement.verdict for judgement in trust.evaluation.judgements])
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
        "flagged": f"{score}, and the system itself flags this {kind.item}.",
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


def trust_report(trust: Trust, *, engine: str, source: str, when: str) -> Document:
    """The whole report; `when` is an ISO date."""
    figures = key_figures(trust.evaluation) if trust.evaluation else ()
    lead, rest = verdict_words(trust, RESPONSES)
    reviewed, waiting = len(trust.pairs), len(trust.evidence.names)
    subtitle = f"{reviewed:,} reviewed, {waiting:,} waiting, read from {source or 'a table'}"
    reviews = [precision_words(trust.precision, RESPONSES), selection_words(trust, RESPONSES)]
    following: Block = Paragraph("Every response has a human score.")
    if trust.next:
        rows = tuple((one.name, why_words(one, RESPONSES), BRINGS[one.pick.why]) for one in trust.next)
        columns = (Column("Response"), Column("Why"), Column("What it brings"))
        following = Table("review_next", "Responses to review next, the most telling first", columns, rows)
    titles = {"agreement": "Agreement", "levels": "Bias by score", "groups": "Groups", "drift": "Drift"}
    parts = trust_blocks(trust, trust.evaluation) if trust.evaluation else {}
    if parts:
        parts["drift"] = (Paragraph(drift_words(trust)), *parts["drift"])
    return Document(
        title=f"How far “{engine}” can be trusted",
        subtitle=f"{subtitle}; {when[:10]}" if when else subtitle,
        verdict_lead=lead,
        verdict_rest=rest,
        key_figures=figures,
        sections=(
            Section("Reviews", tuple(Paragraph(text) for text in reviews)),
            Section("Review next", (following,)),
            *(Section(titles.get(name, "All figures"), blocks) for name, blocks in parts.items() if blocks),
        ),
    )


def trust_blocks(trust: Trust, evaluation: Evaluation) -> dict[str, tuple[Block, ...]]:
    """Trust in pictures: agreement, bias by score, groups and drift; and all figures."""
    crossed = evaluation.crossed
    tables: list[Block] = [short_table(evaluation)]
    if evaluation.further:
        tables.append(Disclosure("Further figures of agreement", (further_table(evaluation),)))
    groups = [(g, shifts(evaluation, [g])) for g in evaluation.groupings if len(g.groups) > 1]
    return {
        "agreement": () if crossed is None else (confusion_map(evaluation, crossed),),
        "levels": _level_blocks(trust, evaluation),
        "groups": tuple(dsm_plot(grouping, shifted) for grouping, shifted in groups if shifted),
        "drift": _drift_blocks(trust),
        "tables": (Disclosure("All figures as a table", tuple(tables)),),
    }


def _level_blocks(trust: Trust, evaluation: Evaluation) -> tuple[Block, ...]:
    """Bias by the human score: point by point, or by bands."""
    levels = trust.levels
    if evaluation.levels and len(evaluation.levels) <= MOST_LEVELS:
        return (bias_plot(evaluation),)
    if not levels:
        return ()
    says = f"All human scores lie between {levels[0].label}."
    if len(levels) > 1:
        extremes = min(levels, key=lambda p: p.error.value), max(levels, key=lambda p: p.error.value)
        low, high = (f"{p.error.value:+.1f} where people give {p.label}".replace("-", "\u2212") for p in extremes)
        says = f"System minus human runs from {low} to {high}."
    return (
        LevelPlot(
            name="bias_by_band",
            title="Bias by human score",
            says=says,
            alt=f"Mean of system minus human score in each band of the human score. {says}",
            levels=tuple(Level(part.label, as_is(part.error, SIGNED), part.n) for part in levels),
            axis_title="System minus human, in points",
        ),
    )


def _drift_blocks(trust: Trust) -> tuple[Block, ...]:
    """Error and agreement, one stretch of reviews after the other."""
    if not trust.periods:
        return ()
    says = drift_words(trust)
    error = IntervalPlot(
        name="drift_error",
        title="Drift",
        says=says,
        alt=f"Mean of system minus human score in {len(trust.periods)} stretches of reviews. {says}",
        rows=tuple(IntervalRow(p.label, (as_is(p.error, SIGNED),), p.n) for p in trust.periods),
        row_title="Reviews",
        axis_title="System minus human, in points",
        number=SIGNED,
        zero=True,
    )
    known = [p.qwk.value for p in trust.periods if p.qwk.defined]
    if len(known) < 2:
        return (error,)
    says = f"QWK lies between {min(known):.2f} and {max(known):.2f}; each part is small, so look at the intervals."
    agreement = IntervalPlot(
        name="drift_qwk",
        title="Agreement over time",
        says=says,
        alt=f"QWK in each stretch of reviews, with its interval. {says}",
        rows=tuple(IntervalRow(p.label, (as_is(p.qwk),), p.n) for p in trust.periods),
        row_title="Reviews",
        axis_title="QWK, 1 is perfect agreement",
        band=target("qwk"),
    )
    return (error, agreement)
