"""Shares of any model, estimated from random orders of its features."""

from collections.abc import Callable

import numpy as np

from assay.rsm.explain.explanation import Background
from assay.rsm.types import Matrix, Scores

Predict = Callable[[Matrix], Scores]
Tick = Callable[[], None]

ROUNDS = 100
"""Pairs of orders drawn per response."""


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
