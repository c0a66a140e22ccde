"""Ways to add up blocks of responses: all of them, all but each one, or as a bootstrap draws them."""

from collections.abc import Callable

import numpy as np

from assay.metrics.pairs import Scores

Totals = Callable[[Scores], Scores]
"""Figures per block on the last axis -> totals per replicate on the last axis."""


def together(blocks: Scores) -> Scores:
    """One replicate: everything."""
    return np.asarray(blocks.sum(axis=-1, keepdims=True))


def leaving_out_each(blocks: Scores) -> Scores:
    """A replicate per block: everything but that block, as the jackknife wants it."""
    return np.asarray(blocks.sum(axis=-1, keepdims=True) - blocks)


def drawn(draws: Scores) -> Totals:
    """A replicate per bootstrap draw; `draws` says how often each draw holds each block: (draws, blocks)."""
    return lambda blocks: blocks @ draws.T


def bootstrap_draws(rng: np.random.Generator, blocks: int, draws: int) -> Scores:
    """How often each of the blocks is drawn, with replacement, as many times as there are blocks."""
    return rng.multinomial(blocks, np.full(blocks, 1 / blocks), size=draws).astype(np.float64)
