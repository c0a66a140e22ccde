"""Ways to add up blocks of responses."""

import numpy as np

from assay.metrics.resampling import bootstrap_draws, drawn, leaving_out_each, together

BLOCKS = np.array([[1.0, 2, 4], [10, 20, 40]])


def test_together_is_one_replicate_of_everything() -> None:
    assert together(BLOCKS).tolist() == [[7], [70]]


def test_leaving_out_each_block_leaves_the_others() -> None:
    assert leaving_out_each(BLOCKS).tolist() == [[6, 5, 3], [60, 50, 30]]


def test_a_draw_counts_each_block_as_often_as_it_was_drawn() -> None:
    draws = np.array([[1.0, 1, 1], [0, 0, 3], [2, 1, 0], [0, 3, 0]])
    assert drawn(draws)(BLOCKS).tolist() == [[7, 12, 4, 6], [70, 120, 40, 60]]


def test_every_bootstrap_draw_has_as_many_blocks_as_there_are() -> None:
    draws = bootstrap_draws(np.random.default_rng(3), 20, 500)
    assert draws.shape == (500, 20)
    assert (draws.sum(axis=1) == 20).all()
    assert abs(draws.mean(axis=0) - 1).max() < 0.25  # each block is drawn once on average; 5 standard errors


def test_the_generator_decides_the_draws() -> None:
    first, again, other = (bootstrap_draws(np.random.default_rng(seed), 9, 5).tolist() for seed in (1, 1, 2))
    assert first == again != other
