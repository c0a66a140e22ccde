"""One label for each item from the labels of many raters, and how far each rater can be believed.

Majority vote takes all raters as equal. The model of Dawid and Skene learns how often each rater gives which label to
items of each true class, and weighs the raters by it; with one number for each rater instead of a table it needs less
data. A jury gives judges the weights with which they predict human scores best.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from assay.errors import InputError
from assay.evaluation.panels.design import LongRatings, Ratings, as_ratings
from assay.metrics.bins import Scores, Whole
from assay.metrics.intervals import Estimate
from assay.metrics.pairs import float_array, response_weights

MOST_ROUNDS = 1000
SETTLED = 1e-8
"""Rounds end when no posterior probability moves by more."""
LEAST = 1e-10
"""The smallest share of a label in a confusion matrix: a label never seen may still come, once in a long time."""
TIE = 1e-9
SMALL = 1_000_000
"""Cells up to which an array takes less time than a sparse matrix."""


@dataclass(frozen=True, eq=False, slots=True)
class Consensus:
    """The label of each item, with its probability and what was learned about the raters."""

    labels: Scores
    """Code of the likeliest class; NaN for a tie and for an item without a rating."""
    posterior: Scores
    """Probability of each class: items x classes; NaN for an item without a rating."""
    prior: Scores
    """Share of each class among all items."""
    confusion: Scores
    """How often a rater gives which label to items of a true class: raters x true x given; NaN where none was seen."""
    accuracy: Scores
    """Share of correct labels of each rater, if the model is right; NaN for a rater without a label."""
    log_likelihood: float
    rounds: int
    cautions: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class _Labels:
    """Labels ready for the rounds: for each rated item, which rater gave which label."""

    rated: Whole
    """Items that have a label."""
    given: Any
    """Rated items x (rater, label): how often; a sparse matrix, or an array where that is small."""
    weight: Scores
    raters: int
    classes: int

    def counts(self, posterior: Scores) -> Scores:
        """How often each rater gave each label to items of each true class, by expectation: raters x true x given."""
        sums = self.given.T @ (posterior * self.weight[:, None])
        return np.asarray(sums).reshape(self.raters, self.classes, self.classes).swapaxes(1, 2)

    def evidence(self, prior: Scores, confusion: Scores) -> Scores:
        """Logarithm of the probability of each item's labels together with each class; laid out class by class."""
        table = np.log(confusion).swapaxes(1, 2).reshape(-1, self.classes)
        if isinstance(self.given, np.ndarray):
            return np.asarray((np.log(np.maximum(prior, LEAST))[:, None] + table.T @ self.given.T).T)
        # class by class, so that sums over classes run along memory
        return np.asfortranarray(np.log(np.maximum(prior, LEAST)) + self.given @ table)


def majority_vote(levels: Ratings, weights: ArrayLike | None = None) -> Consensus:
    """The most frequent label of each item; posterior probabilities are shares of the votes.

    The confusion matrices hold each rater against the votes, the rater's own included, which flatters a little where
    raters are few.

    >>> majority_vote([[0, 0, 1], [1, 1, 1], [0, 1, float("nan")]]).labels.tolist()
    [0.0, 1.0, nan]
    """
    ratings = as_ratings(levels, weights)
    labels = _prepared(ratings)
    votes = _votes(labels)
    return _consensus(ratings, labels, votes, _normalized(labels.counts(votes)), float("nan"), 0, ())


def dawid_skene(levels: Ratings, weights: ArrayLike | None = None) -> Consensus:
    """Labels and confusion matrices that make the ratings most likely, by expectation and maximization.

    P(labels, class c) = prior_c * product over raters of confusion_r[c, label];  raters err independently given c

    Begins with the shares of the votes. Source: Dawid & Skene (1979), Maximum Likelihood Estimation of Observer
    Error-Rates Using the EM Algorithm.

    >>> fit = dawid_skene([[0, 0, 1], [1, 1, 1], [0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 0]])
    >>> fit.labels.tolist(), fit.accuracy.round(2).tolist()
    ([0.0, 1.0, 0.0, 1.0, 0.0, 1.0], [1.0, 1.0, 0.5])
    """
    return _rounds(levels, weights, _normalized)


def one_coin(levels: Ratings, weights: ArrayLike | None = None) -> Consensus:
    """As `dawid_skene`, with one probability to be right for each rater and all wrong labels equally likely.

    Fewer numbers to learn: for raters with few labels. Source: the model is that of Dawid & Skene (1979) with equal
    error rates; Zhang, Chen, Zhou & Jordan (2016), Spectral Methods Meet EM, section 2.
    """

    def coin(counts: Scores) -> Scores:
        classes = counts.shape[1]
        right = np.trace(counts, axis1=1, axis2=2) / np.maximum(counts.sum(axis=(1, 2)), LEAST)
        right = np.clip(right, LEAST, 1 - LEAST)[:, None, None]
        same = np.eye(classes, dtype=np.bool_)
        return np.asarray(np.where(same, right, (1 - right) / max(classes - 1, 1)))

    return _rounds(levels, weights, coin)


def _rounds(levels: Ratings, weights: ArrayLike | None, learn: Callable[[Scores], Scores]) -> Consensus:
    ratings = as_ratings(levels, weights)
    labels = _prepared(ratings)
    if labels.classes < 2:
        return majority_vote(ratings)
    posterior, share = _votes(labels), labels.weight / labels.weight.sum()
    rounds, change = 0, np.inf
    while rounds < MOST_ROUNDS and change > SETTLED:
        rounds += 1
        confusion, prior = learn(labels.counts(posterior)), share @ posterior
        evidence = labels.evidence(prior, confusion)
        highest = evidence.max(axis=1, keepdims=True)
        likelihood = np.exp(evidence - highest)
        total = likelihood.sum(axis=1, keepdims=True)
        before, posterior = posterior, likelihood / total
        change = float(np.abs(posterior - before).max())
    cautions = () if change <= SETTLED else (f"The model had not settled after {MOST_ROUNDS} rounds.",)
    fit = float(labels.weight @ (highest + np.log(total))[:, 0])
    return _consensus(ratings, labels, posterior, learn(labels.counts(posterior)), fit, rounds, cautions)


def _prepared(ratings: LongRatings) -> _Labels:
    from scipy.sparse import csr_array  # noqa: PLC0415 - takes 50 ms that other figures do not need

    if ratings.criteria > 1:
        raise InputError("a consensus is found for one criterion at a time", field="levels")
    codes = ratings.levels()
    classes = int(codes.max()) + 1
    rated, row = np.unique(ratings.item, return_inverse=True)
    shape = (rated.size, ratings.raters * classes)
    given = csr_array((np.ones(row.size), (row, ratings.rater * classes + codes)), shape=shape)
    if shape[0] * shape[1] <= SMALL:
        given = given.toarray()
    return _Labels(rated, given, ratings.weight[rated], ratings.raters, classes)


def _votes(labels: _Labels) -> Scores:
    each = np.tile(np.eye(labels.classes), (labels.raters, 1))
    votes = np.asarray(labels.given @ each)
    return np.asarray(votes / votes.sum(axis=1, keepdims=True))


def _normalized(counts: Scores) -> Scores:
    raised = np.maximum(counts, LEAST)
    return np.asarray(raised / raised.sum(axis=2, keepdims=True))


def _consensus(
    ratings: LongRatings,
    labels: _Labels,
    posterior: Scores,
    confusion: Scores,
    log_likelihood: float,
    rounds: int,
    cautions: tuple[str, ...],
) -> Consensus:
    counts = labels.counts(posterior)
    seen = counts.sum(axis=2)  # raters x true classes
    whole = np.full((ratings.items, labels.classes), np.nan)
    whole[labels.rated] = posterior
    best = np.argmax(posterior, axis=1)
    ordered = np.sort(posterior, axis=1)
    tied = ordered[:, -1] - ordered[:, -2] < TIE if labels.classes > 1 else np.zeros(best.size, dtype=np.bool_)
    chosen = np.full(ratings.items, np.nan)
    chosen[labels.rated] = np.where(tied, np.nan, best)
    with np.errstate(invalid="ignore"):
        accuracy = np.trace(counts, axis1=1, axis2=2) / seen.sum(axis=1)
    prior = labels.weight @ posterior / labels.weight.sum()
    shown = np.where(seen[:, :, None] > LEAST, confusion, np.nan)
    notes = (*cautions, *_cautions(ratings, labels, int(tied.sum())))
    return Consensus(chosen, whole, prior, shown, accuracy, log_likelihood, rounds, notes)


def _cautions(ratings: LongRatings, labels: _Labels, ties: int) -> list[str]:
    notes = []
    if labels.classes < 2:
        notes.append("All labels are the same: there is nothing to weigh.")
    if ties:
        notes.append(f"{ties} of {labels.rated.size} items are tied between labels and have none.")
    single = int((np.bincount(ratings.rater, minlength=ratings.raters) == 1).sum())
    if single:
        notes.append(f"{single} of {ratings.raters} raters gave one label: their error rates say little.")
    if int(np.bincount(ratings.item).max()) < 2:
        notes.append("No item has two labels: the consensus is each item's only label.")
    return notes


@dataclass(frozen=True, eq=False, slots=True)
class Jury:
    """Judges with weights learned from human scores; errors are those on items the weights were not learned from."""

    intercept: float
    weights: Scores
    """What each judge's score counts; none below 0, 0 for a judge that adds nothing."""
    typical: Scores
    """Mean and standard deviation of each judge, 2 x judges: they stand in for a judge without a score."""
    cross_fitted: Scores
    """The jury's score of each item with a human score, learned from the other folds; NaN without any judge."""
    mse: Estimate
    best_judge: int
    best_judge_mse: Estimate
    equal_weights_mse: Estimate
    gain: Estimate
    """Mean squared error of the best single judge minus that of the jury: above 0 when the jury is better."""
    cautions: tuple[str, ...] = ()

    def score(self, judges: ArrayLike) -> Scores:
        """The jury's score of other items: items x judges, NaN for a gap."""
        return np.asarray(self.intercept + _filled(float_array(judges, "judges"), self.typical) @ self.weights)


def fit_jury(
    judges: ArrayLike, human: ArrayLike, rng: np.random.Generator, *, folds: int = 5, weights: ArrayLike | None = None
) -> Jury:
    """Weights with which the judges together predict the human score best, by least squares without negative weights.

    score = intercept + sum of weight_j * judge_j, weight_j >= 0

    A missing score is filled with what the judges present say, on the scale of the missing one. The single judges and
    the mean of all are fitted in the same way, fold by fold, so that the comparison is fair. Source: Breiman (1996),
    Stacked Regressions; Lawson & Hanson (1974) for the least squares.

    >>> rng = np.random.default_rng(1)
    >>> truth = rng.normal(3, 1, 200)
    >>> panel = truth[:, None] + rng.normal(0, [0.3, 0.6, 2.0], (200, 3))
    >>> fit_jury(panel, truth, rng).weights.round(1).tolist()
    [0.7, 0.2, 0.0]
    """
    table, y = float_array(judges, "judges"), float_array(human, "human")
    if table.ndim != 2 or y.shape != (table.shape[0],) or table.shape[1] < 1:
        raise InputError("judges is a table of items and judges, with one human score for each item", field="judges")
    w = np.ones(y.size) if weights is None else response_weights(weights, y.size)
    usable = np.flatnonzero(np.isfinite(y) & np.isfinite(table).any(axis=1) & (w > 0))
    if usable.size < max(2 * folds, table.shape[1] + 2):
        problem = f"{usable.size} items with a human score are too few for {table.shape[1]} judges"
        raise InputError(problem, field="human", remedy="Label more items.")
    x, y, w = table[usable], y[usable], w[usable]
    fold = rng.permutation(np.arange(usable.size) % folds)
    whole = _jury_fit(x, y, w)
    jury = _jury_errors(x, y, w, fold)
    single = [_jury_errors(x[:, [j]], y, w, fold) for j in range(x.shape[1])]
    with np.errstate(invalid="ignore"):
        mean = _jury_errors(np.nanmean(x, axis=1, keepdims=True), y, w, fold)
    best = int(np.argmin([np.average(errors**2, weights=w) for errors in single]))
    predicted = np.full(table.shape[0], np.nan)
    predicted[usable] = y + jury
    notes = []
    if usable.size < 10 * x.shape[1]:
        notes.append(f"{usable.size} human scores for {x.shape[1]} judges: the weights are hardly known.")
    return Jury(
        *whole,
        predicted,
        _mean_of(jury**2, w),
        best,
        _mean_of(single[best] ** 2, w),
        _mean_of(mean**2, w),
        _mean_of(single[best] ** 2 - jury**2, w),
        tuple(notes),
    )


def _jury_fit(x: Scores, y: Scores, w: Scores) -> tuple[float, Scores, Scores]:
    """Intercept, weights, and the mean and standard deviation of each judge."""
    from scipy.optimize import nnls  # noqa: PLC0415 - takes 100 ms that other figures do not need

    present = np.isfinite(x)
    mass = np.maximum((present * w[:, None]).sum(axis=0), 1e-300)
    mean = (np.where(present, x, 0.0) * w[:, None]).sum(axis=0) / mass
    spread = np.sqrt((np.where(present, x - mean, 0.0) ** 2 * w[:, None]).sum(axis=0) / mass)
    typical = np.stack([mean, spread])
    filled = _filled(x, typical)
    share = w / w.sum()
    centre, middle = share @ filled, float(share @ y)
    root = np.sqrt(w)
    weights = nnls((filled - centre) * root[:, None], (y - middle) * root)[0]
    return middle - float(centre @ weights), np.asarray(weights), typical


def _filled(x: Scores, typical: Scores) -> Scores:
    """Gaps filled with the mean standing of the judges present; NaN for an item that no judge scored."""
    present = np.isfinite(x)
    mean, spread = typical[0], typical[1]
    z_scores = np.where(present & (spread > 0), (x - mean) / np.where(spread > 0, spread, 1.0), 0.0)
    count = (present & (spread > 0)).sum(axis=1)
    average = np.where(count > 0, z_scores.sum(axis=1) / np.maximum(count, 1), 0.0)
    filled = np.where(present, x, mean + spread * average[:, None])
    return np.asarray(np.where(present.any(axis=1, keepdims=True), filled, np.nan))


def _jury_errors(x: Scores, y: Scores, w: Scores, fold: Whole) -> Scores:
    """Predicted minus human score of each item, fold by fold; an item no judge scored is predicted by the mean."""
    errors = np.empty(y.size)
    for code in np.unique(fold):
        out = fold == code
        intercept, weights, typical = _jury_fit(*(part[~out & np.isfinite(x).any(axis=1)] for part in (x, y, w)))
        predicted = intercept + _filled(x[out], typical) @ weights
        errors[out] = np.where(np.isfinite(predicted), predicted, np.average(y[~out], weights=w[~out])) - y[out]
    return errors


def _mean_of(values: Scores, w: Scores) -> Estimate:
    """A weighted mean over items with Student's interval."""
    value = float(w @ values / w.sum())
    error = sqrt(float(((w * (values - value)) ** 2).sum())) / float(w.sum())
    if error == 0:
        return Estimate(value, reason="the same for every item")
    reach = float(stdtrit(values.size - 1, 0.975)) * error * sqrt(values.size / (values.size - 1))
    return Estimate(value, value - reach, value + reach)
