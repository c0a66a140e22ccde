"""Where a judge errs: by level, criterion, group and length, by order and author, from run to run, item by item.

The gap of an item is the judge's score minus the mean of the people; for categories, the share of people with another
label than the judge. Intervals leave out each block of items; those of a list of levels or groups hold together, at
Šidák's level.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import nan
from typing import Any

import numpy as np
from scipy.special import ndtri

from assay.evaluation.raters.pair_sums import HumanRatings, added
from assay.evaluation.raters.panel_ratings import Codes, Numbers, PanelRatings
from assay.evaluation.raters.uncertainty import Spread, crossed_estimate
from assay.metrics.bins import Scores
from assay.metrics.intervals import BLOCKS, Estimate
from assay.metrics.simultaneous import shrunken_estimates

LEAST = 10
"""Items of a level or group; with fewer, no figure is shown."""
MOST_ITEMS = 20
NO_VERSIONS = Estimate(reason="no versions in the table")
MOST_GROUPS = 40


@dataclass(frozen=True, slots=True)
class SubsetGap:
    """The gap on some items."""

    name: str
    items: int
    gap: Estimate
    shrunken: float = nan
    """The gap pulled towards that of all items as far as chance explains how the parts differ."""


@dataclass(frozen=True, slots=True)
class JudgeErrors:
    """Everything about one judge; an effect that cannot be measured has a reason."""

    name: str
    severity: Estimate
    """The mean gap: above 0 the judge is more lenient than people."""
    spread: Estimate
    """The standard deviation of the judge over that of a person on the same items: below 1 is central tendency."""
    halo: Estimate
    """The mean correlation between criteria, of the judge minus that of people."""
    length: Estimate
    """How the gap moves with the length of the item, for one standard deviation more: verbosity."""
    order: Estimate
    """How the gap moves from the judge's first rating to its last, in time."""
    own_family: Estimate
    """The gap on items by the judge's own model family minus that on others."""
    run_noise: Estimate
    """The standard deviation of repeated runs on the same item; the share of other labels for categories."""
    version_drift: Estimate = NO_VERSIONS
    """The gap of the judge's last version minus that of its first."""
    versions: tuple[SubsetGap, ...] = ()
    """By version of the judge's model, in order of appearance."""
    levels: tuple[SubsetGap, ...] = ()
    """By what people gave, rounded."""
    criteria: tuple[SubsetGap, ...] = ()
    groups: Mapping[str, tuple[SubsetGap, ...]] = field(default_factory=dict)
    """Intervals of a column of groups hold together."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An item on which judges and people differ."""

    item: str
    people: tuple[str, ...]
    judges: tuple[str, ...]
    gap: float
    text: str = ""


@dataclass(frozen=True, slots=True)
class Errors:
    """Question 3 of a panel."""

    judges: tuple[JudgeErrors, ...]
    items: tuple[Disagreement, ...]
    """Largest disagreement first."""


def errors_of(ratings: PanelRatings) -> Errors:
    """Every judge, and the items on which judges and people differ most."""
    human = HumanRatings(ratings, min(BLOCKS, max(len(ratings.items), 1)))
    judges = tuple(_errors(human, judge) for judge in ratings.judge_numbers) if ratings.people else ()
    return Errors(judges, largest_disagreements(ratings))


def _errors(human: HumanRatings, judge: int) -> JudgeErrors:
    ratings = human.ratings
    column = ratings.of_rater(judge)
    gaps = _gaps(human, column)
    unit = np.flatnonzero(np.isfinite(gaps))
    means = _Means(human, unit, gaps[unit])
    return JudgeErrors(
        name=ratings.raters[judge],
        severity=means.of(np.ones(unit.size, dtype=np.bool_)),
        spread=_spread(human, column, unit),
        halo=_halo(human, column),
        length=_slope_on(means, _length_of(ratings, unit), "no length in the table"),
        order=_slope_on(means, _order_of(ratings, judge, unit), "no times in the table"),
        own_family=_own_family(means, judge),
        run_noise=_run_noise(ratings, judge),
        **_by_version(human, judge),
        levels=_levels(human, means),
        criteria=_criteria(means),
        groups={name: _groups(means, name) for name in ratings.groups},
    )


def _by_version(human: HumanRatings, judge: int) -> dict[str, Any]:
    """The gap of each version of a judge's model, and how far the last is from the first, item by item where both are.

    A version that rated an item again is among the repeats; each version has one label an item.
    """
    ratings = human.ratings
    columns = version_columns(ratings, judge)
    if len(columns) < 2:
        return {} if ratings.version is None else {"version_drift": Estimate(reason="one version")}
    gaps = {name: _gaps(human, column) for name, column in columns.items()}
    parts = []
    for name, gap in gaps.items():
        unit = np.flatnonzero(np.isfinite(gap))
        few = Estimate(reason=f"fewer than {LEAST} items")
        means = _Means(human, unit, gap[unit])
        together = np.ones(unit.size, dtype=np.bool_)
        mean = means.of(together, together=len(gaps)) if unit.size >= LEAST else few
        parts.append(SubsetGap(name, int(unit.size), mean))
    first, *_, last = gaps.values()
    both = np.flatnonzero(np.isfinite(first) & np.isfinite(last))
    if both.size >= LEAST:
        drift = _Means(human, both, (last - first)[both]).of(np.ones(both.size, dtype=np.bool_))
    else:
        unit = np.flatnonzero(np.isfinite(first) ^ np.isfinite(last))
        later = np.isfinite(last[unit])
        joined = _Means(human, unit, np.where(later, last[unit], first[unit]))
        enough = min(later.sum(), (~later).sum()) >= LEAST
        drift = _slope_on(joined, later.astype(float), "") if enough else Estimate(reason=f"fewer than {LEAST} items")
    return {"versions": tuple(parts), "version_drift": drift}


def version_columns(ratings: PanelRatings, judge: int) -> dict[str, Numbers]:
    """The judge's labels by version of its model: one for each unit, NaN where there is none."""
    if ratings.version is None:
        return {}
    mine = ratings.rater == judge
    unit, value, version = ratings.unit[mine], ratings.value[mine], ratings.version[mine]
    if ratings.repeats is not None and ratings.repeats.version is not None:
        again = ratings.repeats.rater == judge
        unit = np.concatenate([unit, ratings.repeats.unit[again]])
        value = np.concatenate([value, ratings.repeats.value[again]])
        version = np.concatenate([version, ratings.repeats.version[again]])
    columns = {}
    for code in np.unique(version):
        column = np.full(ratings.unit_count, np.nan)
        own = version == code
        column[unit[own][::-1]] = value[own][::-1]  # of several runs of a version, the first
        columns[ratings.versions[code] or "no version"] = column
    return columns


def _gaps(human: HumanRatings, column: Numbers) -> Numbers:
    """The gap of each unit, NaN where judge or people gave nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        if human.ratings.labels.ordered:
            return np.asarray(column - (human.sums / human.people + human.origin))
        same = np.zeros(column.size)
        np.add.at(same, human.unit, human.value + human.origin == column[human.unit])
        return np.where(np.isfinite(column), 1 - same / human.people, np.nan)


@dataclass(frozen=True, eq=False, slots=True)
class _Means:
    """Means of the gaps of some units, with intervals over items."""

    human: HumanRatings
    unit: Codes
    gap: Numbers

    @property
    def item(self) -> Codes:
        return self.unit // max(len(self.human.ratings.criteria), 1)

    @property
    def weight(self) -> Numbers:
        weights = self.human.ratings.item_weight
        return np.ones(self.unit.size) if weights is None else weights[self.item]

    def of(self, marked: np.ndarray, *, together: int = 1) -> Estimate:
        """The mean gap of the units marked; `together` intervals hold at once."""
        w = self.weight[marked]
        sums = added(
            np.column_stack([w, w * self.gap[marked]]), self.item[marked] % self.human.blocks, self.human.blocks
        )
        filled = sums[:, 0] > 0
        whole = sums.sum(axis=0)
        if not whole[0]:
            return Estimate(reason="no items")
        with np.errstate(divide="ignore", invalid="ignore"):
            rest = (whole[1] - sums[filled, 1]) / (whole[0] - sums[filled, 0])
        return crossed_estimate(float(whole[1] / whole[0]), Spread(rest, np.zeros(0)), level=0.95 ** (1 / together))


def _parts(means: _Means, names: Sequence[str], codes: Codes, *, shrink: bool = False) -> tuple[SubsetGap, ...]:
    counts = np.bincount(codes[codes >= 0], minlength=len(names))
    together = max(int((counts >= LEAST).sum()), 1)
    parts = []
    for place in np.flatnonzero(counts)[:MOST_GROUPS]:
        few = Estimate(reason=f"fewer than {LEAST} items")
        gap = means.of(codes == place, together=together) if counts[place] >= LEAST else few
        parts.append(SubsetGap(names[place], int(counts[place]), gap))
    return _shrunken(parts, together) if shrink else tuple(parts)


def _shrunken(parts: Sequence[SubsetGap], together: int) -> tuple[SubsetGap, ...]:
    """The gaps of groups pulled towards the mean of all groups, small groups most."""
    known = [part for part in parts if part.gap.has_interval]
    if not known:
        return tuple(parts)
    middle = sum(part.items * part.gap.value for part in known) / sum(part.items for part in known)
    limit = float(ndtri((1 + 0.95 ** (1 / together)) / 2))
    apart = [Estimate(p.gap.value - middle, p.gap.low - middle, p.gap.high - middle) for p in parts]
    pulled = shrunken_estimates(apart, [(p.gap.high - p.gap.low) / (2 * limit) for p in parts])
    return tuple(replace(part, shrunken=middle + one.value) for part, one in zip(parts, pulled, strict=True))


def _levels(human: HumanRatings, means: _Means) -> tuple[SubsetGap, ...]:
    """By what people gave: the nearest label to their mean, or their most frequent label."""
    ratings = human.ratings
    if ratings.labels.ordered:
        mean = human.sums[means.unit] / human.people[means.unit]
        middle = (human.levels[1:] + human.levels[:-1]) / 2
        codes = np.searchsorted(middle, mean)
    else:
        codes = human.level_counts[means.unit].argmax(axis=1)
    if human.levels.size > 25:
        return ()
    names = [ratings.labels.word(level + human.origin) for level in human.levels]
    return _parts(means, names, codes.astype(np.int64))


def _criteria(means: _Means) -> tuple[SubsetGap, ...]:
    criteria = means.human.ratings.criteria
    return _parts(means, criteria, means.unit % len(criteria)) if len(criteria) > 1 else ()


def _groups(means: _Means, name: str) -> tuple[SubsetGap, ...]:
    names, codes = means.human.ratings.groups[name]
    return _parts(means, names, codes[means.item], shrink=True)


def _spread(human: HumanRatings, column: Numbers, unit: Codes) -> Estimate:
    """Standard deviation of the judge over that of single human ratings, on the same units."""
    if not human.ratings.labels.ordered:
        return Estimate(reason="categories have no spread")
    mine = np.isin(human.unit, unit)
    item_of = max(len(human.ratings.criteria), 1)
    y = column[unit] - human.origin
    judge = added(np.column_stack([np.ones(unit.size), y, y**2]), (unit // item_of) % human.blocks, human.blocks)
    x = human.value[mine]
    people = added(np.column_stack([np.ones(x.size), x, x**2]), human.block[mine], human.blocks)

    def ratio(a: Scores, b: Scores) -> Scores:
        with np.errstate(divide="ignore", invalid="ignore"):
            top, bottom = (s[..., 2] / s[..., 0] - (s[..., 1] / s[..., 0]) ** 2 for s in (a, b))
            return np.asarray(np.sqrt(np.where(bottom > 1e-12, np.maximum(top, 0) / bottom, np.nan)))

    whole = judge.sum(axis=0), people.sum(axis=0)
    filled = judge[:, 0] > 0
    rest = ratio(whole[0] - judge[filled], whole[1] - people[filled])
    value = float(ratio(*whole))
    return crossed_estimate(value, Spread(rest, np.zeros(0)), even="log", reason="all human ratings are equal")


def _halo(human: HumanRatings, column: Numbers) -> Estimate:
    """How much closer the criteria lie together in the judge's scores than in people's."""
    ratings = human.ratings
    count = len(ratings.criteria)
    if count < 2 or not ratings.labels.ordered:
        return Estimate(reason="fewer than two criteria" if count < 2 else "categories have no correlation")
    own = _mean_correlation(column.reshape(-1, count))
    people = [_mean_correlation(ratings.of_rater(p).reshape(-1, count)) for p in ratings.people[:50]]
    known = [value for value in people if np.isfinite(value)]
    if not known or not np.isfinite(own):
        return Estimate(reason="too few items with two criteria")
    table, rows = column.reshape(-1, count), len(ratings.items)
    blocks = min(human.blocks, 100)
    block = np.arange(rows) % blocks
    columns = [ratings.of_rater(p).reshape(-1, count) for p in ratings.people[:50]]
    rest = []
    for left in range(blocks):
        others = block != left
        theirs = [_mean_correlation(c[others]) for c in columns]
        rest.append(_mean_correlation(table[others]) - float(np.nanmean(theirs)) if np.isfinite(theirs).any() else nan)
    return crossed_estimate(own - float(np.mean(known)), Spread(np.array(rest), np.zeros(0)))


def _mean_correlation(table: Numbers) -> float:
    """The mean correlation of the columns of complete rows."""
    complete = table[np.isfinite(table).all(axis=1)]
    if len(complete) < LEAST or (np.ptp(complete, axis=0) == 0).any():
        return nan
    r = np.atleast_2d(np.corrcoef(complete.T))
    return float(r[np.triu_indices(complete.shape[1], 1)].mean())


def _length_of(ratings: PanelRatings, unit: Codes) -> Numbers | None:
    if ratings.length is None:
        return None
    length = ratings.length[unit // max(len(ratings.criteria), 1)]
    spread = float(np.nanstd(length)) if np.isfinite(length).any() else 0.0
    return length / spread if spread > 0 else None


def _order_of(ratings: PanelRatings, judge: int, unit: Codes) -> Numbers | None:
    """When the judge rated each unit: 0 for its first rating, 1 for its last."""
    if ratings.time is None:
        return None
    when = np.full(ratings.unit_count, np.nan)
    mine = ratings.rater == judge
    when[ratings.unit[mine]] = ratings.time[mine]
    times = when[unit]
    known = np.isfinite(times)
    if known.sum() < LEAST or np.ptp(times[known]) == 0:
        return None
    ranks = np.full(times.size, np.nan)
    order = np.argsort(np.argsort(times[known], kind="stable"), kind="stable")
    ranks[known] = order / max(known.sum() - 1, 1)
    return ranks


def _slope_on(means: _Means, x: Numbers | None, reason: str) -> Estimate:
    """The slope of the gap on a number, by least squares."""
    if x is None:
        return Estimate(reason=reason)
    known = np.isfinite(x)
    if known.sum() < LEAST:
        return Estimate(reason=f"fewer than {LEAST} items")
    w, gap, at = means.weight[known], means.gap[known], x[known] - x[known].mean()
    columns = np.column_stack([w, w * at, w * gap, w * at**2, w * at * gap])
    sums = added(columns, means.item[known] % means.human.blocks, means.human.blocks)

    def slope(s: Scores) -> Scores:
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = s[..., 3] - s[..., 1] ** 2 / s[..., 0]
            return np.asarray(
                np.where(spread > 1e-12, (s[..., 4] - s[..., 1] * s[..., 2] / s[..., 0]) / spread, np.nan)
            )

    whole = sums.sum(axis=0)
    rest = slope(whole - sums[sums[:, 0] > 0])
    return crossed_estimate(float(slope(whole)), Spread(rest, np.zeros(0)), reason="all items are alike in it")


def _own_family(means: _Means, judge: int) -> Estimate:
    """Self-preference: the gap on items by the judge's own family minus that on the others."""
    ratings = means.human.ratings
    family = ratings.family.get(ratings.raters[judge], "")
    if not ratings.author or not family:
        return Estimate(reason="no families of judges and authors in the table")
    own = np.array([author == family for author in ratings.author])[means.item]
    if min(own.sum(), (~own).sum()) < LEAST:
        return Estimate(reason=f"fewer than {LEAST} items of the own or of another family")
    return _slope_on(means, own.astype(float), "")


def _run_noise(ratings: PanelRatings, judge: int) -> Estimate:
    """How much repeated runs differ on the same unit."""
    repeats = ratings.repeats
    if repeats is None or not (repeats.rater == judge).any():
        return Estimate(reason="no repeated runs")
    mine = repeats.rater == judge
    first = ratings.of_rater(judge)
    unit = np.concatenate([repeats.unit[mine], np.flatnonzero(np.isfinite(first))])
    value = np.concatenate([repeats.value[mine], first[np.isfinite(first)]])
    count = np.bincount(unit, minlength=ratings.unit_count).astype(float)
    several = count >= 2
    if not several.any():
        return Estimate(reason="no repeated runs")
    if ratings.labels.ordered:
        mean = np.bincount(unit, value, minlength=count.size) / np.maximum(count, 1)
        square = np.bincount(unit, (value - mean[unit]) ** 2, minlength=count.size)
        noise, weight = square[several], count[several] - 1
    else:
        key, repeat = np.unique(unit * 1000 + value.astype(np.int64), return_counts=True)
        alike = np.bincount(key // 1000, repeat * (repeat - 1), minlength=count.size)
        pairs = count * (count - 1)
        noise, weight = (pairs - alike)[several], pairs[several]
    item = np.flatnonzero(several) // max(len(ratings.criteria), 1)
    blocks = min(BLOCKS, max(len(ratings.items), 1))
    sums = added(np.column_stack([weight, noise]), item % blocks, blocks)
    root = np.sqrt if ratings.labels.ordered else (lambda share: share)
    whole = sums.sum(axis=0)
    filled = sums[:, 0] > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        rest = root((whole[1] - sums[filled, 1]) / (whole[0] - sums[filled, 0]))
    value_ = float(root(whole[1] / whole[0]))
    return crossed_estimate(value_, Spread(np.asarray(rest), np.zeros(0)))


def largest_disagreements(ratings: PanelRatings) -> tuple[Disagreement, ...]:
    """The items on which judges and people differ most; of equal ones, those on which people agree first."""
    judged = ratings.judges[ratings.rater]
    if not judged.any() or judged.all():
        return ()
    size = ratings.unit_count
    n_people, n_judges = (np.bincount(ratings.unit[m], minlength=size) for m in (~judged, judged))
    both = (n_people > 0) & (n_judges > 0)
    if ratings.labels.ordered:
        mean = [
            np.bincount(ratings.unit[m], ratings.value[m], minlength=size) / np.maximum(n, 1)
            for m, n in ((~judged, n_people), (judged, n_judges))
        ]
        gap = np.where(both, mean[1] - mean[0], 0.0)
        square = np.bincount(ratings.unit[~judged], ratings.value[~judged] ** 2, minlength=size) / np.maximum(
            n_people, 1
        )
        apart = np.maximum(square - mean[0] ** 2, 0)
    else:
        gap, apart = _label_gap(ratings, judged, both)
    chosen = np.lexsort((apart, -np.round(np.abs(gap), 9)))[:MOST_ITEMS]
    order = np.argsort(ratings.unit, kind="stable")
    sorted_unit = ratings.unit[order]
    items = []
    for unit in chosen:
        if not both[unit] or gap[unit] == 0:
            continue
        rows = order[np.searchsorted(sorted_unit, unit) : np.searchsorted(sorted_unit, unit, side="right")]
        item, criterion = divmod(int(unit), max(len(ratings.criteria), 1))
        name = ratings.items[item] + (f", {ratings.criteria[criterion]}" if ratings.criteria else "")
        words = [
            tuple(ratings.labels.word(v) for v in np.sort(ratings.value[rows[judged[rows] == which]])[:12])
            for which in (False, True)
        ]
        text = ratings.texts[item] if ratings.texts else ""
        items.append(Disagreement(name, words[0], words[1], float(gap[unit]), text[:300]))
    return tuple(items)


def _label_gap(ratings: PanelRatings, judged: np.ndarray, both: np.ndarray) -> tuple[Numbers, Numbers]:
    """For categories: how unlike the labels of judges and people are (half the distance of their shares)."""
    size = ratings.unit_count
    levels, code = np.unique(ratings.value, return_inverse=True)
    shares = []
    for marked in (~judged, judged):
        cells = np.bincount(ratings.unit[marked] * levels.size + code[marked], minlength=size * levels.size)
        table = cells.reshape(size, levels.size).astype(float)
        shares.append(table / np.maximum(table.sum(axis=1, keepdims=True), 1))
    gap = np.where(both, np.abs(shares[0] - shares[1]).sum(axis=1) / 2, 0.0)
    return gap, 1 - shares[0].max(axis=1)
