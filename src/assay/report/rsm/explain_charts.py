"""The charts of an explanation: all responses at once, and how single scores come about."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay.provenance import Provenance
from assay.report.charts import feature_charts
from assay.report.document.document import Block, Disclosure, Paragraph, Section
from assay.report.document.values import Number
from assay.report.document.wording import counted, number_text, number_word, shortened
from assay.report.rsm.features import number_for
from assay.report.rsm.model import evenly_chosen
from assay.rsm.explain import Cohort, Explanation
from assay.rsm.types import Matrix, Scores

MOST_DOTS = 300
MOST_COLUMNS = 60
MOST_WATERFALLS = 10


@dataclass(frozen=True, eq=False, slots=True)
class ExplainPages:
    """All that the report of an explanation tells of."""

    explanation: Explanation
    values: Matrix
    """The features as they came."""
    background: int
    left_out: int
    model: str
    provenance: Provenance
    summarised: bool = False
    most: int = 15
    """So many features are drawn."""
    cohorts: Sequence[Sequence[Cohort]] = ()
    files: Sequence[str] = field(default=())


def charts_section(pages: ExplainPages) -> Section:
    """All responses at once: bars, swarm, heat map."""
    blocks: list[Block] = [size_bars(pages)]
    if len(pages.explanation) > 1:
        blocks += [swarm(pages), heat_map(pages)]
    return Section("All responses", tuple(blocks))


def size_bars(pages: ExplainPages) -> feature_charts.SignedBars:
    """Mean absolute shares, the largest first."""
    explanation = pages.explanation
    order = explanation.ranked()[: pages.most]
    says = f"{explanation.features[order[0]]} has the largest mean share, {explanation.mean_size[order[0]]:.2f} points."
    return feature_charts.SignedBars(
        name="mean_shares",
        title="Mean size of the shares",
        says=says,
        alt=f"Bars for {counted(len(order), 'feature')}, the largest first. {says}",
        bars=tuple(
            feature_charts.SignedBar(explanation.features[i], (float(explanation.mean_size[i]),)) for i in order
        ),
        series=("Mean size",),
        axis_title="Mean of absolute shares, in points of the raw score",
        number=Number(2),
    )


def swarm(pages: ExplainPages) -> feature_charts.Swarm:
    """A dot per response and feature."""
    explanation = pages.explanation
    order = explanation.ranked()[: pages.most]
    chosen = evenly_chosen(np.argsort(explanation.predictions, kind="stable"), MOST_DOTS)
    rows = []
    for i in order:
        levels = _levels(explanation.matrix[:, i])
        dots = tuple(feature_charts.SwarmDot(float(explanation.values[j, i]), int(levels[j])) for j in chosen)
        ends = explanation.values[:, i]
        rows.append(
            feature_charts.SwarmRow(
                explanation.features[i], dots, float(explanation.mean_size[i]), float(ends.min()), float(ends.max())
            )
        )
    first = order[0]
    spread = np.ptp(explanation.matrix[:, first]) > 0 and np.ptp(explanation.values[:, first]) > 0
    r = np.corrcoef(explanation.matrix[:, first], explanation.values[:, first])[0, 1] if spread else 0.0
    way = "raise" if r > 0.3 else "lower" if r < -0.3 else "do not steadily move"
    says = f"High values of {explanation.features[first]} {way} scores."
    more = f" Drawn are {MOST_DOTS} of {len(explanation):,} responses." if len(explanation) > MOST_DOTS else ""
    return feature_charts.Swarm(
        name="shares",
        title="Shares of every response",
        says=says + more,
        alt=f"Dots for {counted(len(chosen), 'response')} and {counted(len(order), 'feature')} around zero. {says}",
        rows=tuple(rows),
        axis_title="Share in points of the raw score; the fuller a dot, the higher the feature",
    )


def _levels(values: Scores) -> NDArray[np.intp]:
    """0 to 4: in which fifth of all responses each value lies."""
    rank = np.argsort(np.argsort(values, kind="stable"), kind="stable")
    same = np.unique(values, return_inverse=True)[1]
    mean = np.bincount(same, rank) / np.bincount(same)
    return np.asarray(np.minimum(4, (5 * mean[same] / max(len(values), 1)).astype(int)))


def heat_map(pages: ExplainPages) -> feature_charts.ValueMap:
    """Shares of every response, lowest scores on the left."""
    explanation = pages.explanation
    order = explanation.ranked()[: pages.most]
    by_score = np.argsort(explanation.predictions, kind="stable")
    chosen = evenly_chosen(by_score, MOST_COLUMNS)
    low, high = np.array_split(by_score, 2)
    apart = explanation.values[high].mean(axis=0) - explanation.values[low].mean(axis=0)
    best = explanation.features[int(np.argmax(apart))]
    says = f"{best} does most to tell high scores from low ones."
    more = f" Drawn are {MOST_COLUMNS} of {len(explanation):,} responses." if len(explanation) > MOST_COLUMNS else ""
    return feature_charts.ValueMap(
        name="shares_map",
        title="Shares from the lowest score to the highest",
        says=says + more,
        alt=f"A grid of {counted(len(order), 'feature')} by {counted(len(chosen), 'response')}. {says}",
        rows=tuple(explanation.features[i] for i in order),
        columns=tuple(str(explanation.ids[j]) for j in chosen),
        values=tuple(tuple(float(explanation.values[j, i]) for j in chosen) for i in order),
        column_title="Responses, lowest score on the left",
        value_title="Share",
        written=False,
    )


def responses_section(pages: ExplainPages) -> Section:
    """How single scores come about."""
    explanation = pages.explanation
    order = np.argsort(explanation.predictions, kind="stable")
    if len(explanation) <= 3:
        charts: list[Block] = [waterfall(pages, int(j)) for j in order[::-1]]
        return Section("Response by response" if len(explanation) > 1 else "The response", tuple(charts))
    typical = {"highest": int(order[-1]), "middle": int(order[len(order) // 2]), "lowest": int(order[0])}
    blocks: list[Block] = [
        Paragraph(f"Three of {counted(len(explanation), 'response')}: the highest, the middle and the lowest score.")
    ]
    blocks += [waterfall(pages, j, f"{word} score") for word, j in typical.items()]
    rest = [int(j) for j in order[::-1] if int(j) not in typical.values()]
    if len(rest) <= MOST_WATERFALLS:
        others = tuple(waterfall(pages, j) for j in rest)
        blocks.append(Disclosure(f"{number_word(len(rest)).capitalize()} more", others))
    return Section("Response by response", tuple(blocks))


def waterfall(pages: ExplainPages, number: int, word: str = "") -> feature_charts.Waterfall:
    """From the mean score of the background to the score of one response."""
    explanation = pages.explanation
    shares = explanation.values[number]
    order = [int(i) for i in np.argsort(-np.abs(shares), kind="stable")]
    drawn, rest = order[: pages.most], order[pages.most :]
    steps = []
    for i in drawn:
        value = float(pages.values[number, i])
        words = "missing, filled in" if np.isnan(value) else f"is {number_text(value, number_for([value]))}"
        steps.append(feature_charts.WaterfallStep(explanation.features[i], words, float(shares[i])))
    if rest:
        steps.append(
            feature_charts.WaterfallStep(counted(len(rest), "other feature"), "together", float(shares[rest].sum()))
        )
    score = float(explanation.predictions[number])
    first = drawn[0]
    says = (
        f"A raw score of {score:.2f}; {explanation.features[first]} "
        f"{'raises' if shares[first] > 0 else 'lowers'} it most, by {abs(shares[first]):.2f}."
    )
    identity, parts = shortened(str(explanation.ids[number])), counted(len(steps), "part")
    return feature_charts.Waterfall(
        name=f"waterfall_{number}",
        title=f"{identity}{f', {word}' if word else ''}",
        says=says,
        alt=f"Steps from {explanation.base:.2f} to {score:.2f} over {parts}, the largest first. {says}",
        start=explanation.base,
        start_label="Background mean",
        steps=tuple(steps),
        end_label="Raw score",
        axis_title="Raw score",
    )
