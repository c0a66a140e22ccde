"""The marginal likelihood of a many-facet Rasch model, its slope and its information.

Level k of a rating of item i by rater j on criterion c has probability proportional to exp(k (m + s z_i - d_j - g_c) -
T_ck), with z_i standard normal: linear in all parameters but z. So an item's ratings enter only through their sum and
through who gave them, and items that agree in both are one group. z is integrated out on an even grid, which is exact
to many digits once its step is below the narrowest posterior (Trefethen & Weideman 2014).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.metrics.bins import Scores, Whole

REACH = 6.5
"""How far the grid goes, in standard deviations of the items."""
CHUNK = 1_000_000
"""Groups times nodes in memory at once."""


def even_grid(nodes: int) -> tuple[Scores, Scores]:
    """Nodes, and the logarithms of their standard normal weights."""
    z = np.linspace(-REACH, REACH, nodes)
    log_weight = -z * z / 2
    return z, log_weight - np.log(np.exp(log_weight).sum())


@dataclass(frozen=True, eq=False, slots=True)
class Groups:
    """Items gathered by who rated them and by the sum of their levels."""

    cell_rater: Whole
    """Cells are the pairs of rater and criterion that occur."""
    cell_criterion: Whole
    cell_set: Whole
    """The set of thresholds of each cell: all the same, or one for each criterion."""
    given: Any
    """Groups x cells: how many ratings; a sparse matrix."""
    total: Scores
    """Sum of the levels of one item of each group."""
    weight: Scores
    item_group: Whole
    """The group of each rated item."""
    rater_sum: Scores
    criterion_sum: Scores
    level_count: Scores
    """Ratings by set of thresholds and level."""
    allowed: Any
    """Sets x levels: levels that occur; boolean."""

    @property
    def raters(self) -> int:
        return self.rater_sum.size

    @property
    def criteria(self) -> int:
        return self.criterion_sum.size


def grouped(
    item: Whole, rater: Whole, criterion: Whole, level: Whole, *, shape: tuple[int, int, int], weight: Scores, sets: int
) -> tuple[Groups, Whole]:
    """The groups of ratings sorted by item, and the cell of each rating; `shape`: raters, criteria, levels."""
    from scipy.sparse import csr_array  # noqa: PLC0415 - takes 50 ms that other figures do not need

    raters, criteria, levels = shape
    cells, cell = np.unique(rater * criteria + criterion, return_inverse=True)
    starts = np.flatnonzero(np.r_[True, item[1:] != item[:-1]])
    sizes = np.diff(np.r_[starts, item.size])
    totals = np.add.reduceat(level, starts)
    # sums of random numbers of 64 bits stand for the set of cells: two sets in a million agree once in 10^7 tables
    keys = np.random.default_rng(20250).integers(0, 2**63, cells.size + 1, dtype=np.uint64)
    mixed = np.add.reduceat(keys[cell], starts) * np.uint64(0x9E3779B97F4A7C15) + totals.astype(np.uint64) * keys[-1]
    _, first, group = np.unique(mixed, return_index=True, return_inverse=True)
    rows = np.repeat(np.arange(first.size), sizes[first])
    places = np.arange(rows.size) - np.repeat(np.r_[0, np.cumsum(sizes[first])[:-1]], sizes[first])
    columns = cell[starts[first][rows] + places]
    given = csr_array((np.ones(rows.size), (rows, columns)), shape=(first.size, cells.size))
    own = weight[item]
    cell_criterion = cells % criteria
    cell_set = cell_criterion if sets > 1 else np.zeros_like(cell_criterion)
    count = _sums(cell_set[cell] * levels + level, own, sets * levels).reshape(sets, levels)
    groups = Groups(
        cell_rater=cells // criteria,
        cell_criterion=cell_criterion,
        cell_set=cell_set,
        given=given,
        total=totals[first].astype(np.float64),
        weight=_sums(group, weight[item[starts]], first.size),
        item_group=group.astype(np.int64),
        rater_sum=_sums(rater, own * level, raters),
        criterion_sum=_sums(criterion, own * level, criteria),
        level_count=count,
        allowed=np.bincount(cell_set[cell] * levels + level, minlength=sets * levels).reshape(sets, levels) > 0,
    )
    return groups, cell


def _sums(codes: Whole, values: Scores, size: int) -> Scores:
    return np.asarray(np.bincount(codes, values, size), dtype=np.float64)


@dataclass(frozen=True, eq=False, slots=True)
class Parameters:
    """All parameters, those that are fixed included."""

    mean: float
    spread: float
    severity: Scores
    difficulty: Scores
    steps: Scores
    """T: sets x levels, 0 at the lowest and the highest level that occurs."""


@dataclass(frozen=True, eq=False, slots=True)
class ParameterLayout:
    """Which parameters are free, and where they stand in one vector: mean, spread, severities, difficulties, steps."""

    raters: Whole
    """Free raters: all that are present but the first."""
    criteria: Whole
    step_set: Whole
    step_level: Whole
    groups: Groups

    @classmethod
    def of(cls, groups: Groups) -> "ParameterLayout":
        raters, criteria = np.unique(groups.cell_rater), np.unique(groups.cell_criterion)
        inner = groups.allowed.copy()
        for row in inner:
            present = np.flatnonzero(row)
            row[present[[0, -1]] if present.size else []] = False
        sets, levels = np.nonzero(inner)
        return cls(raters[1:], criteria[1:], sets, levels, groups)

    @property
    def size(self) -> int:
        return 2 + self.raters.size + self.criteria.size + self.step_set.size

    def vector(self, given: Parameters) -> Scores:
        steps = given.steps[self.step_set, self.step_level]
        parts = ([given.mean, given.spread], given.severity[self.raters], given.difficulty[self.criteria], steps)
        return np.concatenate(parts)

    def parameters(self, vector: Scores) -> Parameters:
        ends = np.cumsum([2, self.raters.size, self.criteria.size])
        severity, difficulty = np.zeros(self.groups.raters), np.zeros(self.groups.criteria)
        severity[self.raters], difficulty[self.criteria] = vector[2 : ends[1]], vector[ends[1] : ends[2]]
        steps = np.zeros(self.groups.allowed.shape)
        steps[self.step_set, self.step_level] = vector[ends[2] :]
        return Parameters(float(vector[0]), float(vector[1]), severity, difficulty, steps)


@dataclass(frozen=True, eq=False, slots=True)
class Nodes:
    """What each cell expects at each node of the grid."""

    z: Scores
    log_weight: Scores
    theta: Scores
    log_total: Scores
    """Cells x nodes: the logarithm of the sum that makes probabilities add up to 1."""
    probability: Scores
    """Cells x nodes x levels."""
    expected: Scores
    variance: Scores

    @classmethod
    def of(cls, groups: Groups, given: Parameters, nodes: int) -> "Nodes":
        z, log_weight = even_grid(nodes)
        theta = given.mean + given.spread * z
        levels = np.arange(groups.allowed.shape[1])
        location = given.severity[groups.cell_rater] + given.difficulty[groups.cell_criterion]
        offset = np.where(groups.allowed, -given.steps, -np.inf)[groups.cell_set]  # cells x levels
        terms = (theta - location[:, None])[:, :, None] * levels + offset[:, None, :]
        highest = terms.max(axis=2, keepdims=True)
        probability = np.exp(terms - highest)
        total = probability.sum(axis=2, keepdims=True)
        probability /= total
        expected = probability @ levels
        variance = probability @ levels**2 - expected**2
        return cls(z, log_weight, theta, (highest + np.log(total))[:, :, 0], probability, expected, variance)


def posteriors(groups: Groups, at: Nodes, rows: slice) -> tuple[Scores, Scores]:
    """Groups x nodes: the posterior weights of the nodes, and the logarithm of each group's likelihood."""
    terms = groups.total[rows, None] * at.theta - groups.given[rows] @ at.log_total + at.log_weight
    highest = terms.max(axis=1, keepdims=True)
    weights = np.exp(terms - highest)
    total = weights.sum(axis=1, keepdims=True)
    return weights / total, (highest + np.log(total))[:, 0]


def chunks(groups: Groups, per_group: int) -> list[slice]:
    size = max(1, CHUNK // max(per_group, 1))
    return [slice(start, start + size) for start in range(0, groups.total.size, size)]


@dataclass(frozen=True, eq=False, slots=True)
class Slope:
    """Log likelihood and its derivatives by the free parameters."""

    value: float
    gradient: Scores
    mass: Scores
    """Cells x nodes: expected ratings at each node."""
    at: Nodes


def slope(layout: ParameterLayout, vector: Scores, nodes: int) -> Slope:
    """The log likelihood and its gradient, by Fisher's identity: observed less expected sums."""
    groups, given = layout.groups, layout.parameters(vector)
    at = Nodes.of(groups, given, nodes)
    mass = np.zeros((groups.cell_rater.size, nodes))
    value, leaning = 0.0, 0.0
    for rows in chunks(groups, nodes):
        posterior, likelihood = posteriors(groups, at, rows)
        weight = groups.weight[rows]
        value += float(weight @ likelihood)
        leaning += float((weight * groups.total[rows]) @ (posterior @ at.z))
        mass += groups.given[rows].T @ (posterior * weight[:, None])
    value -= float(groups.rater_sum @ given.severity + groups.criterion_sum @ given.difficulty)
    value -= float(np.where(groups.allowed, groups.level_count * given.steps, 0.0).sum())
    expected = (mass * at.expected).sum(axis=1)
    by_rater = np.bincount(groups.cell_rater, expected, groups.raters) - groups.rater_sum
    by_criterion = np.bincount(groups.cell_criterion, expected, groups.criteria) - groups.criterion_sum
    counts = np.einsum("cq,cqk->ck", mass, at.probability)
    steps = np.zeros(groups.allowed.shape)
    np.add.at(steps, groups.cell_set, counts)
    steps -= groups.level_count
    gradient = np.r_[
        float(groups.weight @ groups.total) - expected.sum(),
        leaning - float(((mass * at.expected) @ at.z).sum()),
        by_rater[layout.raters],
        by_criterion[layout.criteria],
        steps[layout.step_set, layout.step_level],
    ]
    return Slope(value, gradient, mass, at)


def _features(layout: ParameterLayout, at: Nodes) -> Scores:
    """Cells x nodes x levels x free parameters would be large: expected features alone, cells x parameters x nodes."""
    groups = layout.groups
    cells, nodes = at.expected.shape
    features = np.zeros((cells, layout.size, nodes))
    features[:, 0], features[:, 1] = at.expected, at.expected * at.z
    ends = np.cumsum([2, layout.raters.size, layout.criteria.size])
    for start, free, own in (
        (2, layout.raters, groups.cell_rater),
        (int(ends[1]), layout.criteria, groups.cell_criterion),
    ):
        place = np.searchsorted(free, own)
        inside = np.isin(own, free)
        features[np.flatnonzero(inside), start + place[inside]] = -at.expected[inside]
    for number, (belongs, level) in enumerate(zip(layout.step_set, layout.step_level, strict=True), int(ends[2])):
        mine = groups.cell_set == belongs
        features[mine, number] = -at.probability[mine, :, level]
    return features


def exact_information(layout: ParameterLayout, vector: Scores, nodes: int) -> Scores:
    """Observed information: that of known items less what is lost because they are not known (Louis 1982)."""
    tangent = slope(layout, vector, nodes)
    groups, at = layout.groups, tangent.at
    features = _features(layout, at)
    whole = _complete(layout, tangent)
    size, flat = layout.size, features.reshape(features.shape[0], -1)
    for rows in chunks(groups, size * nodes):
        posterior, _ = posteriors(groups, at, rows)
        scores = -np.asarray(groups.given[rows] @ flat).reshape(-1, size, nodes)
        scores[:, 1] += groups.total[rows, None] * at.z
        weighted = posterior * groups.weight[rows, None]
        mean = np.einsum("gdq,gq->gd", scores, posterior)
        spread = (scores - mean[:, :, None]) * np.sqrt(weighted)[:, None, :]
        crossed = spread.swapaxes(0, 1).reshape(size, -1)
        whole -= crossed @ crossed.T
    return whole


def _complete(layout: ParameterLayout, tangent: Slope) -> Scores:
    """Information if every item's z were known: covariances of the features within cells and nodes."""
    groups, at, mass = layout.groups, tangent.at, tangent.mass
    cells, size = groups.cell_rater.size, layout.size
    # features of a level in a cell: k times a pattern of the parameters (with z for the spread), and -1 for its step
    pattern = np.zeros((cells, size))
    pattern[:, 0] = 1
    ends = np.cumsum([2, layout.raters.size, layout.criteria.size])
    for start, free, codes in (
        (2, layout.raters, groups.cell_rater),
        (int(ends[1]), layout.criteria, groups.cell_criterion),
    ):
        inside = np.isin(codes, free)
        pattern[np.flatnonzero(inside), start + np.searchsorted(free, codes[inside])] = -1
    moments = np.stack([(mass * at.variance) @ at.z**power for power in range(3)])  # (3, cells)
    whole = pattern.T @ (moments[0][:, None] * pattern)
    whole[1] += moments[1] @ pattern
    whole[:, 1] += moments[1] @ pattern
    whole[1, 1] += moments[2].sum()
    levels = np.arange(groups.allowed.shape[1])
    leaning = mass[:, :, None] * at.probability * (levels - at.expected[:, :, None])  # cov of k and the step
    plain, tilted = leaning.sum(axis=1), np.einsum("cqk,q->ck", leaning, at.z)
    for one, (belongs, level) in enumerate(zip(layout.step_set, layout.step_level, strict=True), int(ends[2])):
        mine = groups.cell_set == belongs
        crossed = -plain[mine, level] @ pattern[mine]
        crossed[1] -= tilted[mine, level].sum()
        whole[one, : ends[2]] = crossed[: ends[2]]
        whole[: ends[2], one] = crossed[: ends[2]]
        own = at.probability[mine, :, level]
        for other, (set_of, further) in enumerate(zip(layout.step_set, layout.step_level, strict=True), int(ends[2])):
            if set_of == belongs:
                both = own * ((level == further) - at.probability[mine, :, further])
                whole[one, other] = float((mass[mine] * both).sum())
    return np.asarray(whole)


def summed_information(
    layout: ParameterLayout, vector: Scores, nodes: int, *, row: Whole, cell: Whole, level: Whole, weight: Scores
) -> Any:
    """Information as the sum of squared scores of items, for tables too large for the exact one; a sparse matrix.

    Each rating has the row of its item among those rated, its cell and its level; each of these items a weight.
    """
    from scipy.sparse import csr_array  # noqa: PLC0415 - takes 50 ms that other figures do not need

    groups, given = layout.groups, layout.parameters(vector)
    at = Nodes.of(groups, given, nodes)
    missed, tilted = np.empty(row.size), np.zeros(groups.item_group.size)
    steps = np.empty((row.size, groups.allowed.shape[1]))
    by_group = np.empty((groups.total.size, nodes), dtype=np.float32)  # half the memory; standard errors bear it
    for rows in chunks(groups, nodes):
        by_group[rows] = posteriors(groups, at, rows)[0]
    for start in range(0, row.size, max(1, CHUNK // nodes // 4)):
        part = slice(start, start + max(1, CHUNK // nodes // 4))
        posterior, own = by_group[groups.item_group[row[part]]], at.expected[cell[part]]
        missed[part] = level[part] - (posterior * own).sum(axis=1)
        tilted += np.bincount(
            row[part], ((posterior * at.z) * (level[part][:, None] - own)).sum(axis=1), groups.item_group.size
        )
        steps[part] = np.einsum("rq,rqk->rk", posterior, at.probability[cell[part]])
    items, ends = groups.item_group.size, np.cumsum([2, layout.raters.size, layout.criteria.size])
    columns: list[Whole] = [np.zeros(row.size, dtype=np.int64), np.ones(items, dtype=np.int64)]
    values: list[Scores] = [missed, tilted]
    places: list[Whole] = [row, np.arange(items)]
    for offset, free, code in (
        (2, layout.raters, groups.cell_rater[cell]),
        (int(ends[1]), layout.criteria, groups.cell_criterion[cell]),
    ):
        inside = np.isin(code, free)
        columns.append(offset + np.searchsorted(free, code[inside]))
        values.append(-missed[inside])
        places.append(row[inside])
    for number, (belongs, own_level) in enumerate(zip(layout.step_set, layout.step_level, strict=True), int(ends[2])):
        mine = np.flatnonzero(groups.cell_set[cell] == belongs)
        columns.append(np.full(mine.size, number))
        values.append(steps[mine, own_level] - (level[mine] == own_level))
        places.append(row[mine])
    where = (np.concatenate(places), np.concatenate(columns))
    scores = csr_array((np.concatenate(values), where), shape=(items, layout.size))
    return scores.T @ scores.multiply(weight[:, None]).tocsr()
