"""Differential functioning: does a judge score one group higher or lower than people who gave the same score do?

Each group of items is held against the others at equal human scores. Human scores hold error, so that groups of unlike
means show a little of it even under a fair judge; small effects are not to be read.
"""

from dataclasses import dataclass, replace
from math import isfinite, nan
from typing import Literal

import numpy as np

from assay.errors import InputError
from assay.evaluation.panels.differential import logistic_dif, mantel, mantel_haenszel
from assay.evaluation.raters.corrections import mean_of_people
from assay.evaluation.raters.panel_ratings import Numbers, PanelRatings
from assay.metrics.bins import Scores
from assay.metrics.intervals import Estimate, holm

LEAST = 20
"""Items of a group and of the others; with fewer, no test is made."""
MOST_GROUPS = 40
MOST_LEVELS = 15

Size = Literal["negligible", "moderate", "large", "n/a"]


@dataclass(frozen=True, slots=True)
class GroupBias:
    """One judge and one group of items, at equal human scores."""

    judge: str
    column: str
    group: str
    items: int
    difference: Estimate
    """Mean score of the group minus that of the others, in points (Mantel, Dorans & Schmitt)."""
    standardized: float
    """The same in standard deviations of the judge's score."""
    mantel_p: float
    delta: Estimate
    """Mantel-Haenszel on ETS's delta scale, for yes or no or with a pass mark: below 0 the group has it harder."""
    category: str
    """ETS's class: A, B, C, or n/a."""
    uniform_p: float
    """Logistic regression: the group is ahead or behind at every score."""
    nonuniform_p: float
    """Logistic regression: how far depends on the score."""
    r2_gain: float
    """What the group adds to Nagelkerke's R2."""
    adjusted_p: float = nan
    """The smaller of Mantel's p over all groups of the judge, Holm's correction made."""
    size: Size = "n/a"
    """Of the effect, by R2: below 0.035 negligible, from 0.07 on large (Jodoin & Gierl 2001); negligible unless
    significant."""
    reason: str = ""


def group_bias_of(ratings: PanelRatings, pass_mark: float | None = None) -> tuple[GroupBias, ...]:
    """Every judge and every group of items with enough of them."""
    if not ratings.labels.ordered or not ratings.people or not ratings.groups:
        return ()
    matching = matched_levels(ratings)
    rows: list[GroupBias] = []
    for judge in ratings.judge_numbers:
        column = ratings.of_rater(judge)
        unit = np.flatnonzero(np.isfinite(column) & np.isfinite(matching))
        own: list[GroupBias] = []
        for name, (groups, codes) in ratings.groups.items():
            group = codes[unit // max(len(ratings.criteria), 1)]
            sizes = np.bincount(group[group >= 0], minlength=len(groups))
            for place in np.argsort(-sizes, kind="stable")[:MOST_GROUPS]:
                if sizes[place] and (group != place).any():
                    about = (ratings.raters[judge], name, groups[place], int(sizes[place]))
                    focal = (group == place).astype(np.float64)
                    own.append(_one(about, column[unit], focal, matching[unit], _mark(ratings, pass_mark)))
        rows += _judged_together(own)
    return tuple(rows)


def _mark(ratings: PanelRatings, pass_mark: float | None) -> float | None:
    return 0.5 if ratings.labels.kind == "boolean" else pass_mark


def matched_levels(ratings: PanelRatings) -> Numbers:
    """The mean of the people of each unit, at the nearest of at most fifteen levels."""
    mean = mean_of_people(ratings)
    known = mean[np.isfinite(mean)]
    if not known.size:
        return mean
    levels = np.unique(ratings.value)
    if levels.size > MOST_LEVELS:
        levels = np.unique(np.quantile(known, np.linspace(0, 1, MOST_LEVELS)))
    place = np.searchsorted((levels[1:] + levels[:-1]) / 2, mean)
    return np.where(np.isfinite(mean), levels[np.minimum(place, levels.size - 1)], np.nan)


def _one(
    about: tuple[str, str, str, int], score: Scores, focal: Scores, matching: Scores, mark: float | None
) -> GroupBias:
    none = Estimate(reason=f"fewer than {LEAST} items in the group or the others")
    if min(focal.sum(), (1 - focal).sum()) < LEAST:
        return GroupBias(*about, none, nan, nan, none, "n/a", nan, nan, nan, reason=none.reason)
    gap = mantel(score, focal, matching)
    delta, category = Estimate(reason="no pass mark"), "n/a"
    if mark is not None:
        test = mantel_haenszel((score >= mark).astype(float), focal, matching)
        delta, category = test.delta, test.category
    uniform, nonuniform, gain = _logistic(score, focal, matching)
    reason = gap.difference.reason
    return GroupBias(
        *about, gap.difference, gap.standardized, gap.p, delta, category, uniform, nonuniform, gain, reason=reason
    )


def _logistic(score: Scores, focal: Scores, matching: Scores) -> tuple[float, float, float]:
    levels, code = np.unique(score, return_inverse=True)
    if not 2 <= levels.size <= MOST_LEVELS:
        return nan, nan, nan
    steps, step = np.unique(matching, return_inverse=True)
    counts = np.bincount(
        (code * steps.size + step) * 2 + focal.astype(np.int64), minlength=2 * steps.size * levels.size
    )
    cell = np.flatnonzero(counts)
    try:
        level, group, place = cell // (2 * steps.size), cell % 2, cell // 2 % steps.size
        fit = logistic_dif(level.astype(float), group, steps[place], counts[cell].astype(float))
    except InputError:
        return nan, nan, nan
    return fit.uniform_p, fit.nonuniform_p, fit.r2_gain


def _judged_together(rows: list[GroupBias]) -> list[GroupBias]:
    """Mantel's p of a judge's groups with Holm's correction, and the size of each effect."""
    known = [row for row in rows if isfinite(row.mantel_p)]
    adjusted = holm(np.array([row.mantel_p for row in known])).tolist() if known else []
    by_group = {(row.column, row.group): p for row, p in zip(known, adjusted, strict=True)}
    p_of = [by_group.get((row.column, row.group)) for row in rows]
    return [
        replace(row, adjusted_p=nan if p is None else p, size=_size(row, p)) for row, p in zip(rows, p_of, strict=True)
    ]


def _size(row: GroupBias, p: float | None) -> Size:
    if p is None or not isfinite(row.r2_gain):
        return "n/a"
    if p >= 0.05 or row.r2_gain < 0.035:
        return "negligible"
    return "large" if row.r2_gain >= 0.07 else "moderate"
