"""Tables of one score by another as heat maps, whole on short scales and by bands on long ones."""

import numpy as np
from numpy.typing import NDArray

from assay.evaluation.result import Crossed, Evaluation
from assay.report.charts.charts import HeatMap
from assay.report.document.metric_words import shown
from assay.report.document.phrases import be, counted
from assay.report.document.values import PERCENT
from assay.report.document.wording import value_text
from assay.report.evaluation.facts import decisive, weighted
from assay.scale import ScoreScale

MOST_CELLS = 1200
"""So many pairs of scores that occur are shown one by one; beyond that, points are brought together in bands."""

BANDS = 20

Counts = NDArray[np.float64]


def confusion_map(evaluation: Evaluation, crossed: Crossed) -> HeatMap:
    """Human score by system score."""
    found = decisive(evaluation)
    exact, near = (value_text(shown(n, found[n]), PERCENT) for n in ("exact_agreement", "adjacent_agreement"))
    says = f"{exact} agree exactly, {near} within 1 point; {_far_words(crossed)}."
    return _heat_map(evaluation, crossed, evaluation.n, "confusion_matrix", says, ("Human score", "System score"))


def raters_map(evaluation: Evaluation, crossed: Crossed) -> HeatMap:
    """First by second human score."""
    assert evaluation.consistency is not None
    pair, (first, second) = evaluation.consistency, evaluation.raters[:2]
    exact, near = (value_text(shown(n, pair.metrics[n]), PERCENT) for n in ("exact_agreement", "adjacent_agreement"))
    says = f"{exact} of the responses read twice agree exactly, {near} within 1 point; {_far_words(crossed)}."
    return _heat_map(
        evaluation, crossed, pair.n, "confusion_matrix_raters", says, (f"Score of {first}", f"Score of {second}")
    )


def _far_words(crossed: Crossed) -> str:
    points, counts = np.array(crossed.points), np.array(crossed.counts)
    apart = np.abs(points[:, None] - points[None, :]) > 1 + 1e-9
    far = float(counts[apart].sum() / counts.sum())
    if far == 0:
        return "none is further apart"
    whole = counts.sum()
    if float(whole).is_integer() and np.array_equal(counts, np.rint(counts)):
        number = int(counts[apart].sum())
        return f"{number:,} of {whole:,.0f} {be(number)} further apart"
    return f"{100 * far:.1f} % are further apart"


def _heat_map(
    evaluation: Evaluation, crossed: Crossed, n: int, name: str, says: str, titles: tuple[str, str]
) -> HeatMap:
    assert evaluation.plan.scale is not None
    points, counts = _all_points(crossed, evaluation.plan.scale)
    if weighted(evaluation):
        counts = counts * n / counts.sum()
        says += " Weighted, in whole responses."
    near = max(1, round(1 / evaluation.plan.scale.step))
    labels = tuple(f"{point:g}" for point in points)
    if np.count_nonzero(counts) > MOST_CELLS:
        width = -(-len(labels) // BANDS)
        labels, counts, near = _bands(labels, width), _summed(counts, width), 1
        says += (
            f" Each row and column stands for {counted(width, 'score point')}; single points are in evaluation.json."
        )
    rows, columns = titles
    return HeatMap(
        name=name,
        title=f"{rows} and {columns[:1].lower()}{columns[1:]}",
        says=says,
        alt=f"{rows} in rows, {columns} in columns, {labels[0]} to {labels[-1]}: responses of each pair. {says}",
        levels=labels,
        counts=tuple(tuple(int(c) for c in row) for row in np.rint(counts)),
        row_title=rows,
        column_title=columns,
        near=near,
    )


def _all_points(crossed: Crossed, scale: ScoreScale) -> tuple[Counts, Counts]:
    """The counts on every point of the scale, those nobody gave too, so that neighbours are one step apart."""
    given = np.array(crossed.points)
    points = np.union1d(scale.points(), given)
    places = np.searchsorted(points, given)
    counts = np.zeros((points.size, points.size))
    counts[np.ix_(places, places)] = crossed.counts
    return points, counts


def _bands(labels: tuple[str, ...], width: int) -> tuple[str, ...]:
    parts = [labels[i : i + width] for i in range(0, len(labels), width)]
    return tuple(part[0] if len(part) == 1 else f"{part[0]} to {part[-1]}" for part in parts)


def _summed(counts: Counts, width: int) -> Counts:
    starts = np.arange(0, len(counts), width)
    return np.asarray(np.add.reduceat(np.add.reduceat(counts, starts, axis=0), starts, axis=1))
