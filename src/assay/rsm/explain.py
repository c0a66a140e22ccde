"""`Explanation`, the share of each feature in each score. FRONT DOORS `explain_responses`, `explain_model`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.rsm.feature_model import FeatureModel, predict
from assay.rsm.learners.fitted import FittedModel
from assay.rsm.tree_shares import TreeSum, line_of, tree_shares, trees_of
from assay.rsm.types import FeatureTable, Matrix, Scores, Texts

Method = Literal["linear", "trees", "sampled"]
MOST_STEPS = 100
CHECKED = 200
"""Background responses on which a model that was taken apart must give the scores of the whole."""
ROUNDS = 100
"""Pairs of orders drawn per response."""
Predict = Callable[[Matrix], Scores]
Tick = Callable[[], None]


@dataclass(frozen=True, eq=False, slots=True)
class Background:
    """Responses a score is compared with, perhaps weighted: what a feature is replaced by when it is taken away."""

    matrix: Matrix
    weights: Scores
    """Not negative, sum 1."""

    @classmethod
    def of(cls, matrix: Matrix, weights: Scores | None = None) -> "Background":
        """InputError when there is no response, or a value that is no number."""
        if not len(matrix):
            raise InputError("there is no background response to compare with", field="background_data")
        if not np.isfinite(matrix).all():
            raise InputError("a background response has a feature that is no number", field="background_data")
        given = np.ones(len(matrix)) if weights is None else weights
        return cls(matrix, given / given.sum())


@dataclass(frozen=True, eq=False, slots=True)
class Explanation:
    """The share of each feature in each score. Base value and shares of a response add up to its score.

    A share is a Shapley value: how much the score changes when the feature is added to others, averaged over all
    orders in which features can be added, and over background responses that stand in for features not yet added.
    Source: Lundberg & Lee (2017); Janzing, Minorics & Blöbaum (2020) on replacing features independently.
    """

    ids: Texts
    features: tuple[str, ...]
    matrix: Matrix
    """(responses, features), as the model sees them."""
    values: Matrix
    """(responses, features): the shares."""
    base: float
    """The mean score of the background responses."""
    predictions: Scores
    method: Method
    errors: Matrix | None = None
    """Standard errors of sampled shares."""
    backgrounds: int = 0
    """How many background responses there were."""

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def mean_size(self) -> Scores:
        """Per feature the mean of the absolute shares."""
        return np.asarray(np.abs(self.values).mean(axis=0))

    def ranked(self) -> list[int]:
        """The features by mean absolute share, the largest first."""
        return [int(i) for i in np.argsort(-self.mean_size, kind="stable")]


def cluster_centres(matrix: Matrix, count: int, *, rng: np.random.Generator) -> Background:
    """At most so many centres, each weighted by the responses nearest to it.

    Lloyd's algorithm from k-means++ seeds: each drawn with the square of its distance to those before it. The mean of
    the weighted centres is that of the responses.
    """
    if len(np.unique(matrix, axis=0)) <= count:
        return Background.of(matrix)
    seeds = [matrix[rng.integers(len(matrix))]]
    distance = ((matrix - seeds[0]) ** 2).sum(axis=1)
    while len(seeds) < count and distance.sum() > 0:
        seeds.append(matrix[rng.choice(len(matrix), p=distance / distance.sum())])
        distance = np.minimum(distance, ((matrix - seeds[-1]) ** 2).sum(axis=1))
    centres = np.array(seeds)
    nearest = _nearest(matrix, centres)
    for _ in range(MOST_STEPS):
        sizes = np.bincount(nearest, minlength=len(centres))
        sums = np.stack([np.bincount(nearest, column, minlength=len(centres)) for column in matrix.T], axis=1)
        centres = np.divide(sums, sizes[:, None], out=centres.copy(), where=sizes[:, None] > 0)
        again = _nearest(matrix, centres)
        if np.array_equal(again, nearest):
            break
        nearest = again
    weights: Scores = np.bincount(nearest, minlength=len(centres)).astype(float)
    return Background.of(centres[weights > 0], weights[weights > 0])


def _nearest(matrix: Matrix, centres: Matrix) -> NDArray[np.intp]:
    squares = (centres**2).sum(axis=1) - 2 * matrix @ centres.T  # the square of the response itself is the same for all
    return np.asarray(np.argmin(squares, axis=1))


def explain_responses(
    model: FeatureModel, table: FeatureTable, background: FeatureTable, *, seed: int = 0
) -> Explanation:
    """The share of each feature in the raw score of each response, from features as they come.

    Responses that cannot be scored are left out, of both tables; `seed` matters only where shares are sampled.
    """
    explained, compared = predict(model, table), predict(model, background)
    columns = model.model.columns_of(model.names)
    return explain_model(
        model.model,
        explained.table.ids,
        explained.preprocessed[:, columns],
        Background.of(compared.preprocessed[:, columns]),
        rng=np.random.default_rng(seed),
    )


def explain_model(
    model: FittedModel,
    ids: Texts,
    matrix: Matrix,
    background: Background,
    *,
    rng: np.random.Generator,
    rounds: int = ROUNDS,
    tick: Tick | None = None,
) -> Explanation:
    """The share of each feature in each raw score. Features are prepared, in the order of `model.features`.

    Exact for linear models and for trees, forests and boosted trees; sampled, with a standard error, for any other.
    A model is only called linear or trees when its parts give the very scores of the whole.
    """
    if not len(matrix):
        raise InputError("there is no response to explain", field="explain_data")
    errors = None
    method: Method
    if (line := _line_in(model, background)) is not None:
        centre = background.weights @ background.matrix
        method, values = "linear", line * (matrix - centre)  # b_j (x_j - mean of the background)
    elif (trees := _trees_in(model, background)) is not None:
        method, values = "trees", tree_shares(trees, matrix, background.matrix, background.weights)
    else:
        method = "sampled"
        values, errors = sampled_shares(model.predict, matrix, background, rng=rng, rounds=rounds, tick=tick)
    base = float(background.weights @ model.predict(background.matrix))
    predictions = model.predict(matrix)
    return Explanation(
        ids, model.features, matrix, values, base, predictions, method, errors, backgrounds=len(background.matrix)
    )


def _line_in(model: FittedModel, background: Background) -> Scores | None:
    """The coefficients of a linear model; None when it is not linear."""
    if model.points or model.coefficients is not None:
        return model.coefficients
    line = line_of(model.estimator, len(model.features))
    if line is None:
        return None
    rows = background.matrix[:CHECKED]
    rest = model.predict(rows) - rows @ line
    return line if np.allclose(rest, rest[0], rtol=1e-7, atol=1e-9) else None


def _trees_in(model: FittedModel, background: Background) -> TreeSum | None:
    """The trees of a model; None when it is no sum of trees."""
    trees = None if model.points else trees_of(model.estimator)
    rows = background.matrix[:CHECKED]
    same = trees is not None and np.allclose(trees.predict(rows), model.predict(rows), rtol=1e-7, atol=1e-9)
    return trees if same else None


def sampled_shares(
    predict: Predict,
    matrix: Matrix,
    background: Background,
    *,
    rng: np.random.Generator,
    rounds: int = ROUNDS,
    tick: Tick | None = None,
) -> tuple[Matrix, Matrix]:
    """The shares and their standard errors, (responses, features) each.

    A round draws an order of the features and a background response, adds the features of the response in this order
    and in the reverse one (which halves the noise), and notes by how much the score changes at each. The standard
    error is that of the mean over rounds. What the drawn background responses lack to the whole background is
    shared out in proportion to the squared errors, so that base value and shares add up to the score.
    Source: Strumbelj & Kononenko (2014); Mitchell et al. (2022) on reversed orders. `tick` is called per response.
    """
    base = float(background.weights @ predict(background.matrix))
    scores = predict(matrix)
    shares, errors = np.zeros(matrix.shape), np.zeros(matrix.shape)
    for number, row in enumerate(matrix):
        changes = _changes(predict, row, background, rng, rounds)
        mean, error = changes.mean(axis=0), changes.std(axis=0, ddof=1) / np.sqrt(rounds)
        lacking = scores[number] - base - mean.sum()
        spread = (error**2).sum()
        shares[number] = mean + (lacking * error**2 / spread if spread > 0 else lacking / len(row))
        errors[number] = error
        if tick:
            tick()
    return shares, errors


def _changes(predict: Predict, row: Scores, background: Background, rng: np.random.Generator, rounds: int) -> Matrix:
    """The change of the score at each feature, per round the mean of an order and its reverse. (rounds, features)."""
    count = len(row)
    orders = rng.permuted(np.tile(np.arange(count), (rounds, 1)), axis=1)
    drawn = background.matrix[rng.choice(len(background.matrix), size=rounds, p=background.weights)]
    both = np.zeros((rounds, count))
    for order in (orders, orders[:, ::-1]):
        rank = np.argsort(order, axis=1)
        # (rounds, steps, features): at step s the first s features of the order are those of the response
        added = rank[:, None, :] < np.arange(count + 1)[None, :, None]
        mixed = np.where(added, row, drawn[:, None, :])
        scores = predict(mixed.reshape(-1, count)).reshape(rounds, count + 1)
        both += np.take_along_axis(np.diff(scores, axis=1), rank, axis=1)
    return both / 2


@dataclass(frozen=True, eq=False, slots=True)
class Cohort:
    """Responses that meet a condition, and the mean absolute share of each feature among them."""

    rule: str
    n: int
    mean_size: Scores


def cohorts(explanation: Explanation, count: int) -> tuple[Cohort, ...]:
    """At most so many groups, told apart by feature values so that shares within each are as alike as can be.

    The leaves of a regression tree that predicts the shares from the features. Source: shap 0.4x, auto cohorts.
    """
    from sklearn.tree import DecisionTreeRegressor  # noqa: PLC0415

    if len(explanation) < 2 * count:
        return ()
    fitted = DecisionTreeRegressor(max_leaf_nodes=count, random_state=0).fit(explanation.matrix, explanation.values)
    leaf, tree = fitted.apply(explanation.matrix), fitted.tree_
    rules: dict[int, str] = {}  # leaf -> the conditions on the way to it
    waiting: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    while waiting:
        node, conditions = waiting.pop()
        if tree.children_left[node] < 0:
            rules[node] = " and ".join(conditions) or "all responses"
            continue
        name, cut = explanation.features[tree.feature[node]], f"{tree.threshold[node]:.2f}"
        waiting.append((int(tree.children_left[node]), (*conditions, f"{name} ≤ {cut}")))
        waiting.append((int(tree.children_right[node]), (*conditions, f"{name} > {cut}")))
    return tuple(
        Cohort(rules[node], int(np.sum(leaf == node)), np.abs(explanation.values[leaf == node]).mean(axis=0))
        for node in sorted(set(leaf.tolist()))
    )
