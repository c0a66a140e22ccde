"""Who wins when two are compared: strengths from preferences, with ties and an advantage of the place.

Each comparison shows one candidate first and one second; the outcome is 1 when the first won, 0 when the second won,
0.5 for a tie. A candidate is whatever is compared: a system, a response, a judge.
"""

from dataclasses import dataclass, replace
from math import isnan, nan, sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.special import expit, ndtri

from assay.errors import InputError
from assay.evaluation.panels.design import LongRatings
from assay.metrics.bins import Scores, Whole
from assay.metrics.intervals import Estimate, wilson_interval
from assay.metrics.pairs import paired, response_weights

MOST_CANDIDATES = 2000
"""More are not fitted: the time grows with the cube."""
MOST_ROUNDS = 200
FARTHEST = 30.0
"""Log odds beyond which a strength is running off to infinity."""


@dataclass(frozen=True, eq=False, slots=True)
class BradleyTerry:
    """Strength of each candidate as log odds, mean 0 over those that have one."""

    strength: Scores
    standard_error: Scores
    covariance: Scores
    """Covariance of the strengths; NaN for a candidate without one."""
    reason: tuple[str, ...]
    """Why a candidate has no strength; empty where it has one."""
    ties: Estimate
    """Davidson's nu: two equals tie in nu of 2 + nu comparisons; 0 without a tie."""
    position: Estimate
    """Log odds of the candidate shown first against an equal one; NaN when it was not asked for."""
    log_likelihood: float
    comparisons: int
    """How many were used."""
    cautions: tuple[str, ...] = ()

    @property
    def first_wins(self) -> Estimate:
        """How often the first of two equals wins, among comparisons without a tie: 0.5 is fair."""
        if not self.position.defined:
            return self.position
        low, value, high = expit([self.position.low, self.position.value, self.position.high])
        return Estimate(float(value), float(low), float(high), self.position.reason)

    def win_probability(self) -> Scores:
        """Probability that the row beats the column, ties left out and no advantage of the place."""
        return np.asarray(expit(self.strength[:, None] - self.strength[None, :]))

    def difference(self, one: int, other: int) -> Estimate:
        """Strength of one candidate minus another's, with its own interval."""
        value = float(self.strength[one] - self.strength[other])
        if isnan(value):
            return Estimate(nan, reason=self.reason[one] or self.reason[other])
        c = self.covariance
        return _wald(value, float(c[one, one] + c[other, other] - 2 * c[one, other]))


@dataclass(frozen=True, eq=False, slots=True)
class _Comparisons:
    first: Whole
    second: Whole
    outcome: Scores
    weight: Scores
    cluster: Whole | None

    def only(self, keep: np.ndarray) -> "_Comparisons":
        cluster = None if self.cluster is None else self.cluster[keep]
        return _Comparisons(self.first[keep], self.second[keep], self.outcome[keep], self.weight[keep], cluster)


def bradley_terry(
    first: ArrayLike,
    second: ArrayLike,
    outcome: ArrayLike,
    *,
    candidates: int | None = None,
    position: bool = True,
    clusters: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> BradleyTerry:
    """Strengths by maximum likelihood; `clusters` numbers the items (or raters) that comparisons belong to.

    first wins : tie : second wins  =  exp(a + g) : nu exp((a + g + b) / 2) : exp(b)
    a, b strengths of first and second, g advantage of the first place, nu for ties

    Standard errors come from the information, or with `clusters` from the scores of the clusters (sandwich), which
    allows for comparisons of one item being alike. Strengths exist only within a set of candidates each of whom has
    beaten or tied with others of the set and has been beaten or tied, in a chain that leads round (Ford 1957): the
    largest such set is fitted, and a reason is given for every candidate outside it. Source: Bradley & Terry (1952);
    Davidson (1970), On Extending the Bradley-Terry Model to Accommodate Ties; Davidson & Beaver (1977) for the order.

    >>> fit = bradley_terry([0, 0, 1, 1, 2, 2, 0, 1], [1, 1, 2, 2, 0, 0, 2, 0], [1, 1, 1, 0, 0, 0.5, 0, 1])
    >>> fit.strength.round(3).tolist()
    [0.27, -0.358, 0.088]
    """
    table = _comparisons(first, second, outcome, clusters, weights)
    size = int(max(table.first.max(), table.second.max())) + 1 if candidates is None else candidates
    if size <= int(max(table.first.max(), table.second.max())):
        raise InputError(f"a code of a candidate is {size} or more", field="candidates", remedy="Codes count from 0.")
    if size > MOST_CANDIDATES:
        raise InputError(f"{size:,} candidates are more than {MOST_CANDIDATES:,}", field="candidates")
    members, reasons = _comparable(table, size)
    inside = members[table.first] & members[table.second]
    used = table.only(inside)
    strength, covariance = np.full(size, nan), np.full((size, size), nan)
    if int(members.sum()) < 2:
        none = Estimate(nan, reason="no two candidates can be compared")
        reasons = tuple(reason or none.reason for reason in reasons)
        note = f"None of the {size} candidates has a strength."
        return BradleyTerry(strength, strength, covariance, reasons, none, none, nan, 0, (note,))
    notes = () if members.all() else (f"{int((~members).sum())} of {size} candidates have no strength.",)
    fitted = _fit(used, np.flatnonzero(members), position)
    where = np.ix_(np.flatnonzero(members), np.flatnonzero(members))
    strength[members], covariance[where] = fitted.strength, fitted.covariance
    return BradleyTerry(
        strength=strength,
        standard_error=np.sqrt(np.diagonal(covariance)),
        covariance=covariance,
        reason=reasons,
        ties=fitted.ties,
        position=fitted.position,
        log_likelihood=fitted.log_likelihood,
        comparisons=used.first.size,
        cautions=(*notes, *fitted.notes),
    )


def _comparisons(
    first: ArrayLike, second: ArrayLike, outcome: ArrayLike, clusters: ArrayLike | None, weights: ArrayLike | None
) -> _Comparisons:
    given = LongRatings.of_long(first, second, outcome)  # checks codes and leaves out gaps
    keep = np.isfinite(np.asarray(outcome, dtype=np.float64))
    result = np.asarray(outcome, dtype=np.float64)[keep]
    one, other = np.asarray(first, dtype=np.int64)[keep], np.asarray(second, dtype=np.int64)[keep]
    if not np.isin(given.score, (0, 0.5, 1)).all():
        raise InputError("an outcome is 1 (first won), 0 (second won) or 0.5 (tie)", field="outcome")
    if (one == other).any():
        raise InputError("a candidate is compared with itself", field="second")
    weight = np.ones(one.size) if weights is None else response_weights(weights, keep.size)[keep]
    if clusters is None:
        return _Comparisons(one, other, result, weight, None)
    codes = np.unique(np.asarray(clusters)[keep], return_inverse=True)[1]
    return _Comparisons(one, other, result, weight, codes.astype(np.int64))


def _comparable(table: _Comparisons, size: int) -> tuple[np.ndarray, tuple[str, ...]]:
    """Which candidates have a finite strength together, and why the others have none."""
    from scipy.sparse import csr_array  # noqa: PLC0415 - takes 50 ms that other figures do not need
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    counted = table.weight > 0
    won, lost = counted & (table.outcome > 0), counted & (table.outcome < 1)
    winner = np.concatenate([table.first[won], table.second[lost]])
    loser = np.concatenate([table.second[won], table.first[lost]])
    beaten = csr_array((np.ones(winner.size), (winner, loser)), shape=(size, size))
    _, group = connected_components(beaten, directed=True, connection="strong")
    _, linked = connected_components(beaten, directed=False)
    largest = int(np.argmax(np.bincount(group)))
    members = group == largest
    compared = np.bincount(np.concatenate([winner, loser]), minlength=size) > 0
    anchor = int(linked[np.flatnonzero(members)[0]])
    reasons = []
    for candidate in range(size):
        if members[candidate]:
            reasons.append("")
        elif not compared[candidate]:
            reasons.append("never compared")
        elif linked[candidate] != anchor:
            reasons.append("not compared with the others, not even through one another")
        elif not (loser == candidate).any():
            reasons.append("won every comparison")
        elif not (winner == candidate).any():
            reasons.append("lost every comparison")
        else:
            reasons.append("no chain of wins and losses leads round to the others")
    return members, tuple(reasons)


@dataclass(frozen=True, eq=False, slots=True)
class _Fitted:
    strength: Scores
    covariance: Scores
    ties: Estimate
    position: Estimate
    log_likelihood: float
    notes: tuple[str, ...]


def _fit(table: _Comparisons, members: Whole, position: bool) -> _Fitted:
    """Newton's method on the log likelihood, which is concave: the model is log-linear."""
    size = members.size
    one, other = np.searchsorted(members, table.first), np.searchsorted(members, table.second)
    tied = bool(((table.outcome == 0.5) & (table.weight > 0)).any())
    decided = bool(((table.outcome != 0.5) & (table.weight > 0)).any())
    model = _Model(one, other, table.outcome, table.weight, size, position and decided, tied and decided)
    optimum = _maximum(model)
    if optimum is None:  # the place alone explains the outcomes, as when the first always won
        model = replace(model, position=False)
        optimum = _maximum(model)
    if optimum is None:
        raise InputError("the preferences have no finite strengths", field="outcome")
    beta, value, inverse = optimum
    covariance = inverse if table.cluster is None else model.sandwich(beta, inverse, table.cluster)
    centre = np.eye(size) - 1 / size
    notes = []
    if tied and not decided:
        notes.append("Every comparison is a tie: all strengths are equal, and nothing is known of their spread.")
        covariance = np.full_like(covariance, nan)
    if table.cluster is not None and int(table.cluster.max()) + 1 < 10:
        notes.append("Fewer than 10 clusters: standard errors are too small.")
    spread = np.sqrt(np.diagonal(covariance))
    ties = _tie_estimate(beta, spread, tied, decided)
    place = Estimate(nan, reason="not asked for" if not position else "every comparison is a tie")
    if model.position:
        place = _wald(float(beta[size]), float(covariance[size, size]))
    elif position and decided:
        place = Estimate(nan, reason="the place alone explains who won")
        notes.append("The place alone explains who won: strengths are not corrected for it.")
    return _Fitted(
        centre @ beta[:size], centre @ covariance[:size, :size] @ centre, ties, place, float(value), tuple(notes)
    )


def _maximum(model: "_Model") -> tuple[Scores, float, Scores] | None:
    """The best parameters, their log likelihood and the inverse information; None when they run off to infinity."""
    beta = np.zeros(model.parameters)
    value, gradient, information = model.derivatives(beta)
    for _ in range(MOST_ROUNDS):
        try:
            step = cho_solve(cho_factor(_anchored(information, model.size)), gradient)
        except LinAlgError:
            return None
        length, moved = 1.0, model.derivatives(beta + step)
        while moved[0] < value - 1e-12 * abs(value) and length > 1e-8:
            length /= 2
            moved = model.derivatives(beta + length * step)
        beta = beta + length * step
        value, gradient, information = moved
        if np.abs(step).max() < 1e-10:
            return beta, value, np.asarray(np.linalg.inv(_anchored(information, model.size)), dtype=np.float64)
        if np.abs(beta).max() > FARTHEST:
            return None
    return None


def _tie_estimate(beta: Scores, spread: Scores, tied: bool, decided: bool) -> Estimate:
    if not tied:
        return Estimate(0.0, reason="no ties")
    if not decided:
        return Estimate(nan, reason="every comparison is a tie")
    log_nu, reach = float(beta[-1]), float(ndtri(0.975)) * float(spread[-1])
    return Estimate(float(np.exp(log_nu)), float(np.exp(log_nu - reach)), float(np.exp(log_nu + reach)))


def _anchored(information: Scores, size: int) -> Scores:
    """The information with the mean of the strengths tied to 0, which the comparisons leave open."""
    anchored = information.copy()
    anchored[:size, :size] += 1 / size
    return anchored


@dataclass(frozen=True, eq=False, slots=True)
class _Model:
    """Comparisons as a log-linear model: features of each of the three outcomes, less those of a win of the second."""

    one: Whole
    other: Whole
    outcome: Scores
    weight: Scores
    size: int
    position: bool
    tied: bool

    @property
    def parameters(self) -> int:
        return self.size + self.position + self.tied

    def _parts(self, beta: Scores) -> tuple[Scores, Scores, Scores]:
        """Log likelihood of each comparison, the expected share of the first, the probability of a tie."""
        ahead = beta[self.one] - beta[self.other] + (beta[self.size] if self.position else 0.0)
        log_nu = beta[-1] if self.tied else -np.inf
        terms = np.stack([ahead, np.broadcast_to(log_nu, ahead.shape) + ahead / 2, np.zeros_like(ahead)])
        highest = terms.max(axis=0)
        weights = np.exp(terms - highest)
        total = weights.sum(axis=0)
        win, tie = weights[0] / total, weights[1] / total
        seen = np.where(self.outcome == 1, terms[0], np.where(self.outcome == 0.5, terms[1], 0.0))
        if not self.tied:
            seen = np.where(self.outcome == 0.5, ahead / 2, seen)  # all ties: nu is set aside
        return seen - highest - np.log(total), win + tie / 2, tie

    def derivatives(self, beta: Scores) -> tuple[float, Scores, Scores]:
        value, share, tie = self._parts(beta)
        w, size = self.weight, self.size
        missed = self.outcome - share
        variance = w * (share - tie / 4 - share**2)  # of the share of the first
        gradient, information = np.zeros(self.parameters), np.zeros((self.parameters, self.parameters))
        gradient[:size] = np.bincount(self.one, w * missed, size) - np.bincount(self.other, w * missed, size)
        pairs = np.bincount(self.one * size + self.other, variance, size * size).reshape(size, size)
        pairs = pairs + pairs.T
        information[:size, :size] = np.diag(pairs.sum(axis=1)) - pairs
        for place, column, own in self._further(missed, variance, tie, share):
            gradient[place] = own[0]
            crossed = np.bincount(self.one, column, size) - np.bincount(self.other, column, size)
            information[place, :size] = information[:size, place] = crossed
            information[place, place] = own[1]
        if self.position and self.tied:
            both = float((w * tie * (0.5 - share)).sum())
            information[size, -1] = information[-1, size] = both
        return float(w @ value), gradient, information

    def _further(
        self, missed: Scores, variance: Scores, tie: Scores, share: Scores
    ) -> list[tuple[int, Scores, tuple[float, float]]]:
        """Parameters beside the strengths: their place, covariance with the first's share, slope and information."""
        rows: list[tuple[int, Scores, tuple[float, float]]] = []
        if self.position:
            rows.append((self.size, variance, (float(self.weight @ missed), float(variance.sum()))))
        if self.tied:
            slope = float(self.weight @ ((self.outcome == 0.5) - tie))
            own = float((self.weight * tie * (1 - tie)).sum())
            rows.append((self.parameters - 1, self.weight * tie * (0.5 - share), (slope, own)))
        return rows

    def sandwich(self, beta: Scores, inverse: Scores, cluster: Whole) -> Scores:
        """Covariance of the parameters from the scores of clusters, with their number over one less."""
        _, share, tie = self._parts(beta)
        missed = self.weight * (self.outcome - share)
        count = int(cluster.max()) + 1
        scores = np.zeros((count, self.parameters))
        np.add.at(scores, (cluster, self.one), missed)
        np.add.at(scores, (cluster, self.other), -missed)
        if self.position:
            scores[:, self.size] = np.bincount(cluster, missed, count)
        if self.tied:
            scores[:, -1] = np.bincount(cluster, self.weight * ((self.outcome == 0.5) - tie), count)
        meat = scores.T @ scores * (count / (count - 1) if count > 1 else nan)
        return np.asarray(inverse @ meat @ inverse)


def _wald(value: float, variance: float) -> Estimate:
    if not variance >= 0:
        return Estimate(value, reason="no standard error")
    reach = float(ndtri(0.975)) * sqrt(variance)
    return Estimate(value, value - reach, value + reach)


@dataclass(frozen=True, slots=True)
class PreferenceAgreement:
    """How a judge's preferences go with people's on the same comparisons; shares of all of them."""

    same: Estimate
    reversed: Estimate
    """The judge prefers the one, people the other."""
    tie_on_one_side: float
    without_ties: Estimate
    """Share of the same winner where neither tied."""
    comparisons: int


def preference_agreement(judge: ArrayLike, human: ArrayLike) -> PreferenceAgreement:
    """Shares of comparisons with the same and with the opposite outcome; outcomes are 1, 0 and 0.5 for a tie.

    Intervals are Wilson's, for comparisons that are independent. NaN shares where there is nothing to count.

    >>> preference_agreement([1, 0, 0.5, 1], [1, 0, 1, 0]).same
    Estimate(0.5, 0.15 to 0.85)
    """
    machine, person = paired(judge, human)
    same, opposite = machine == person, np.abs(machine - person) == 1
    decided = (machine != 0.5) & (person != 0.5)
    n = machine.size
    return PreferenceAgreement(
        _share(int(same.sum()), n),
        _share(int(opposite.sum()), n),
        float(n - same.sum() - opposite.sum()) / n,
        _share(int((same & decided).sum()), int(decided.sum())),
        n,
    )


def _share(count: int, n: int) -> Estimate:
    if not n:
        return Estimate(nan, reason="every comparison has a tie")
    low, high = wilson_interval(count / n, n)
    return Estimate(count / n, low, high)
