"""How far an engine can be trusted, from what people decided: figures, reviews still needed, what to review, drift."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from scipy.special import stdtrit

from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import NO_INFO, Ratings
from assay.evaluation.result import Evaluation
from assay.evaluation.trust.evidence import Pairs, ReviewEvidence
from assay.evaluation.trust.precision import half_width, planned_reviews, reviews_needed
from assay.evaluation.trust.review_order import Pick, Stratum, review_order
from assay.metrics.bins import Bins
from assay.metrics.catalogue import PAIR_METRICS, estimates
from assay.metrics.intervals import BLOCKS, Estimate, Resampling
from assay.metrics.pairs import Scores
from assay.metrics.tally import PairTally

LEAST = 3
"""Below so many pairs there is no figure worth showing."""
LEAST_IN_PART = 8
MOST_PARTS = 6
BANDS = 5
LEAST_GROUP = 5
MOST_GROUPS = 20
NEXT = 8
WITHIN: Mapping[str, float] = {"exact_agreement": 5.0, "adjacent_agreement": 3.0, "smd": 0.1}
"""How closely a figure should be known unless somebody asks otherwise; 0.05 for the others without a unit."""


@dataclass(frozen=True, slots=True)
class Precision:
    """How closely a figure is known, and what it takes to know it as closely as asked."""

    figure: str
    estimate: Estimate
    now: float
    within: float
    needed: int | None
    """Reviews in all; None when there is nothing to tell from."""
    reviewed: int

    @property
    def more(self) -> int | None:
        return None if self.needed is None else max(0, self.needed - self.reviewed)


@dataclass(frozen=True, slots=True)
class TrustPart:
    """One stretch of the reviews: system minus human, and agreement."""

    label: str
    n: int
    error: Estimate
    qwk: Estimate


@dataclass(frozen=True, slots=True)
class Next:
    """A response to review next, and why."""

    name: str
    link: str
    pick: Pick
    system: float
    raw: float
    spread: float


@dataclass(frozen=True, eq=False, slots=True)
class Trust:
    """All that reviews say of an engine."""

    evidence: ReviewEvidence
    pairs: Pairs
    """Those the figures are made of: all, or the random sample."""
    only_sample: bool
    evaluation: Evaluation | None
    levels: tuple[TrustPart, ...]
    """Bands of the human score, where the scale has no points."""
    periods: tuple[TrustPart, ...]
    drift: Estimate
    """Mean of system minus human in the later half less that in the earlier half."""
    precision: Precision
    next: tuple[Next, ...]


def judge(evidence: ReviewEvidence, *, only_sample: bool, figure: str, within: float | None, most: int = NEXT) -> Trust:
    """Everything, from the evidence."""
    pairs = evidence.pairs.where(evidence.pairs.drawn) if only_sample else evidence.pairs
    evaluation = evaluated(evidence, pairs) if len(pairs) >= LEAST else None
    return Trust(
        evidence=evidence,
        pairs=pairs,
        only_sample=only_sample,
        evaluation=evaluation,
        levels=() if evidence.scale else by_band(pairs),
        periods=by_period(pairs),
        drift=drift(pairs),
        precision=precision(evidence, evaluation, len(pairs), figure, within),
        next=next_reviews(evidence, most),
    )


def evaluated(evidence: ReviewEvidence, pairs: Pairs) -> Evaluation:
    """The engine judged by these pairs; groups with one part, or with too many, are left out."""
    groups = {name: values for name, values in pairs.groups.items() if 1 < len(set(values)) <= MOST_GROUPS}
    declared = True if evidence.scale else None
    plan = Plan(evidence.scale, leave_out_zeros=False, least_group=LEAST_GROUP, scale_declared=declared)
    raters = [f"rater {i + 1}" for i in range(pairs.readings.shape[1])]
    return evaluate_engine(Ratings.of(pairs.readings, pairs.system, groups=groups), plan, raters=raters)


def mean_error(human: Scores, system: Scores) -> Estimate:
    """Mean of system minus human with Student's interval.

    >>> mean_error(np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, 4.0])).value
    0.6666666666666666
    """
    error = system - human
    if error.size == 0:
        return Estimate(reason="no responses")
    without_each = (error.sum() - error) / max(1, error.size - 1)
    return Resampling.jackknife().estimate(float(error.mean()), without_each, np.ones(error.size))


def _part(label: str, human: Scores, system: Scores) -> TrustPart:
    qwk = Estimate(reason="no responses")
    if human.size > 1:
        places = np.arange(human.size, dtype=np.int64) % BLOCKS
        blocks = PairTally.of(human, system, bins=Bins.of(places, (min(BLOCKS, human.size),)))
        qwk = estimates(blocks, Resampling.jackknife(), {"qwk": PAIR_METRICS["qwk"]})["qwk"]
    return TrustPart(label, int(human.size), mean_error(human, system), qwk)


def round_edges(scores: Scores, most: int = BANDS) -> Scores:
    """Round numbers around scores, at most so many steps apart.

    >>> round_edges(np.array([61.0, 97.3])).tolist(), round_edges(np.array([0.2, 0.9])).tolist()
    ([60.0, 70.0, 80.0, 90.0, 100.0], [0.2, 0.4, 0.6, 0.8, 1.0])
    """
    low, high = float(scores.min()), float(scores.max())
    size = 10.0 ** np.floor(np.log10(max(high - low, 1e-6) / most))
    for step in (size * factor for factor in (1, 2, 5, 10, 20)):
        first, last = np.floor(low / step + 1e-9), np.ceil(high / step - 1e-9)
        if last - first <= most:
            break
    return np.asarray(np.round(np.arange(first, max(last, first + 1) + 1) * step, 10), dtype=np.float64)


def by_band(pairs: Pairs) -> tuple[TrustPart, ...]:
    """Bands of the human score, those with a response in them."""
    if not len(pairs):
        return ()
    edges = round_edges(pairs.human)
    place = np.clip(np.searchsorted(edges, pairs.human, side="right") - 1, 0, edges.size - 2)
    return tuple(
        _part(f"{edges[band]:g} to {edges[band + 1]:g}", pairs.human[place == band], pairs.system[place == band])
        for band in np.unique(place)
    )


def by_period(pairs: Pairs) -> tuple[TrustPart, ...]:
    """Reviews in the order they were made, in as many equal parts as make sense; none when there are too few."""
    count = min(MOST_PARTS, len(pairs) // LEAST_IN_PART)
    if count < 2:
        return ()
    parts = np.array_split(np.arange(len(pairs)), count)
    return tuple(
        _part(_stretch(pairs, int(rows[0]), int(rows[-1])), pairs.human[rows], pairs.system[rows]) for rows in parts
    )


def _stretch(pairs: Pairs, start: int, stop: int) -> str:
    """From when to when; by place in the table where no time is known."""
    moments = [when.astimezone() for when in (pairs.when[start], pairs.when[stop]) if when is not None]
    if len(moments) < 2:
        return f"{start + 1:,} to {stop + 1:,}"
    day, last_day = (f"{moment:%d %b}".lstrip("0") for moment in moments)
    if day != last_day:
        return f"{day} to {last_day}"
    clock, last_clock = (f"{moment:%H:%M}" for moment in moments)
    return f"{day}, {clock}" if clock == last_clock else f"{day}, {clock} to {last_clock}"


def drift(pairs: Pairs) -> Estimate:
    """How much higher the system scores, against people, in the later half of the reviews than in the earlier half.

    The interval is Welch's, with the smaller half's degrees of freedom, which is on the safe side.
    """
    n = len(pairs) // 2
    if n < LEAST_IN_PART:
        return Estimate(reason=f"fewer than {2 * LEAST_IN_PART} reviews")
    error = pairs.system - pairs.human
    halves = error[:n], error[n:]
    spread = float(np.sqrt(sum(half.var(ddof=1) / half.size for half in halves)))
    value = float(halves[1].mean() - halves[0].mean())
    if spread == 0:
        return Estimate(value, reason="no spread")
    reach = float(stdtrit(n - 1, 0.975)) * spread
    return Estimate(value, value - reach, value + reach)


def precision(
    evidence: ReviewEvidence, evaluation: Evaluation | None, n: int, figure: str, within: float | None
) -> Precision:
    """How many reviews bring a figure to a half-width; before there are any, a plan for a correlation of 0.7."""
    figure = figure if figure in PAIR_METRICS else "qwk"
    even, asked = PAIR_METRICS[figure].even, within or WITHIN.get(figure, 0.05)
    if not within and figure in ("rmse", "mae", "mse"):
        asked = 0.1 * evidence.scale.step if evidence.scale else 1.0
    if evaluation is None:
        needed = planned_reviews(0.7, asked) if even == "fisher" and asked < 0.5 else None
        return Precision(figure, Estimate(reason="no reviews"), float("nan"), asked, needed, n)
    estimate = evaluation.figures()[figure]
    needed = reviews_needed(estimate, n, asked, "same" if even == "share" else even)
    return Precision(figure, estimate, half_width(estimate), asked, needed, n)


def next_reviews(evidence: ReviewEvidence, most: int = NEXT) -> tuple[Next, ...]:
    """What to review next, most telling first, with its reason."""
    waiting = evidence.waiting
    strata = [_level_stratum(evidence)] if len(evidence.names) else []
    for name, values in evidence.waiting_groups.items():
        reviewed = evidence.pairs.groups.get(name, ())
        labels = sorted({value or NO_INFO for value in (*values, *reviewed)})
        if 1 < len(labels) <= MOST_GROUPS:
            codes = np.array([labels.index(value or NO_INFO) for value in values], dtype=np.int64)
            counts = np.bincount([labels.index(value or NO_INFO) for value in reviewed], minlength=len(labels))
            strata.append(Stratum(name, tuple(labels), codes, counts))
    step = evidence.scale.step if evidence.scale else None
    picks = review_order(replace(waiting, strata=tuple(strata)), step=step, most=most)
    figures = (waiting.system, waiting.raw, waiting.spread)
    return tuple(
        Next(evidence.names[pick.row], evidence.links[pick.row], pick, *(float(values[pick.row]) for values in figures))
        for pick in picks
    )


def _level_stratum(evidence: ReviewEvidence) -> Stratum:
    if evidence.scale:
        edges = evidence.scale.points()
        labels = tuple(f"{point:g}" for point in edges)
        cuts = edges[1:] - evidence.scale.step / 2
    else:
        scores = np.concatenate([evidence.waiting.system, evidence.pairs.system])
        known = scores[np.isfinite(scores)]
        bands = round_edges(known if known.size else np.zeros(1))
        labels = tuple(f"{a:g} to {b:g}" for a, b in pairwise(bands))
        cuts = bands[1:-1]
    codes = np.searchsorted(cuts, np.nan_to_num(evidence.waiting.system), side="right")
    seen = np.bincount(np.searchsorted(cuts, evidence.pairs.system, side="right"), minlength=len(labels))
    return Stratum("System score", labels, codes.astype(np.int64), seen)
