"""What several prompts have in common, learned by a ridge regression with room for each prompt's own."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.models.calibrated.cross_prompt import (
    LONGEST_RUN,
    TREE_ROUNDS,
    TREE_SETTINGS,
    LinearScore,
    PromptSpace,
    Ranker,
    SourcePrompt,
    UnlabeledPrompt,
    curved,
    fit_ranker,
    learn_prompt,
    learn_transfer,
    median_words,
    shared_weights,
    standardised,
)
from assay.essays.models.calibrated.scale_placement import residual_dual
from assay.essays.models.hybrid.boosting import fit_trees
from assay.essays.models.hybrid.ngrams import TOPIC_TITLES, character_runs
from assay.essays.models.hybrid.parts import fit_kernel_ridge
from assay.scale import ScoreScale
from tests.essays.models.hybrid.made_essays import made_essays


def source(slopes: tuple[float, float], *, seed: int, weight: float = 1.0, essays: int = 500) -> SourcePrompt:
    """Essays whose scores follow two features as told, with some noise."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(essays, 2))
    return SourcePrompt(z, z @ np.array(slopes) + 0.1 * rng.normal(size=essays), weight)


def test_what_prompts_share_counts_more_than_what_they_contradict_each_other_in() -> None:
    shared, disputed, *_ = shared_weights([source((1.0, 1.0), seed=1), source((1.0, -1.0), seed=2)])
    assert shared > 0.3
    assert abs(disputed) < 0.05


def test_weights_are_those_of_the_whole_least_squares_problem() -> None:
    # w and every v_p as one ridge regression: [X_p ... X_p ...], weighted by prompt
    sources = [source((1.0, 0.3), seed=1), source((0.5, 0.8), seed=2, weight=0.1, essays=300)]
    size = 4
    rows, scores = [], []
    for place, one in enumerate(sources):
        x = curved(one.z)
        block = np.zeros((len(x), size * 3))
        block[:, :size] = x - x.mean(axis=0)
        block[:, size * (place + 1) : size * (place + 2)] = block[:, :size]
        factor = np.sqrt(one.weight * 1000 / len(x))
        rows.append(block * factor)
        scores.append(standardised(one.scores) * factor)
    penalty = 1000.0 * np.repeat([1.0, *(one.weight for one in sources)], size)
    x, y = np.concatenate(rows), np.concatenate(scores)
    whole = np.linalg.solve(x.T @ x + np.diag(penalty), x.T @ y)
    assert shared_weights(sources) == pytest.approx(whole[:size])


def test_a_feature_that_stops_to_count_gets_a_bent_line() -> None:
    z = np.random.default_rng(3).normal(size=(800, 1))
    slope, bend = shared_weights([SourcePrompt(z, -np.exp(-z[:, 0]))])
    assert slope > 0
    assert bend < 0


def test_without_a_source_prompt_nothing_can_be_learned() -> None:
    with pytest.raises(InputError, match="other prompts"):
        fit_ranker([])


def test_scores_are_scaled_to_mean_0_and_spread_1_and_equal_ones_are_zeros() -> None:
    assert standardised(np.array([1.0, 3.0, 8.0])).std() == pytest.approx(1)
    assert standardised(np.full(3, 4.0)).tolist() == [0, 0, 0]
    assert standardised(np.array([1.0, 1.25])).tolist() == [-1, 1]


def test_curves_are_cut_at_three_standard_deviations() -> None:
    assert curved(np.array([[5.0, -1.0]])).tolist() == [[5, -1, 4.5, 0.5]]


def linear() -> LinearScore:
    return LinearScore(np.array([1.0, 2.0, 6.0]), 0.5, 2.0, np.array([1.0, -1.0]), np.array([3.0]))


def test_a_score_that_is_a_sum_is_shifted_and_scaled_term_by_term() -> None:
    moved = linear().shifted(2.0)
    even = linear().standardised()
    same = LinearScore(np.full(3, 4.0), 1.0, 0.0, np.zeros(2), np.zeros(1)).standardised()

    assert (moved.pool.tolist(), moved.constant, moved.trees) == ([3, 4, 8], 2.5, 2.0)
    assert moved.features.tolist() == [1, -1]
    assert (even.pool.mean(), even.pool.std()) == pytest.approx((0, 1))
    spread = np.std([1, 2, 6])
    assert (even.constant, even.trees, even.features[0]) == pytest.approx(((0.5 - 3) / spread, 2 / spread, 1 / spread))
    assert (same.pool.tolist(), same.constant) == ([0, 0, 0], -3)
    narrow = LinearScore(np.array([1.0, 1.5]), 1.0, 0.5, np.zeros(2), np.zeros(1)).standardised()
    assert (narrow.pool.tolist(), narrow.constant, narrow.trees) == ([-1, 1], -1, 2)


def test_a_prompt_is_standardised_among_its_own_essays() -> None:
    essays, _ = made_essays(40, ("gardens",), seed=6)
    space = learn_prompt(essays)

    z = space.z(essays, among=True)

    assert isinstance(space, PromptSpace)
    assert z.shape == (40, essays.measures.shape[1] + len(TOPIC_TITLES))
    inside = np.abs(z).max(axis=0) < 4  # features that were not cut
    assert z[:, inside].mean(axis=0) == pytest.approx(np.zeros(inside.sum()), abs=1e-6)
    assert median_words(essays) == pytest.approx(
        np.median([len(t.rstrip(".").split()) for t in essays.texts]), rel=1e-4
    )


def test_weights_of_buckets_are_those_of_the_centred_kernel() -> None:
    essays, _ = made_essays(12, ("gardens",), seed=6)
    pool = UnlabeledPrompt.of(essays)
    dual = np.random.default_rng(1).normal(size=12)

    weights = pool.run_weights(dual)

    by_runs = np.asarray((pool.runs @ weights) - pool.middle @ weights).ravel()
    assert by_runs == pytest.approx(pool.kernel @ dual)
    assert np.trace(pool.kernel) == pytest.approx(12)
    assert pool.likeness() == pytest.approx((pool.kernel + pool.feature_kernel) / 2)


def test_residuals_of_scored_essays_correct_those_that_are_like_them() -> None:
    essays, _ = made_essays(12, ("gardens",), seed=6)
    pool = UnlabeledPrompt.of(essays)
    labelled, residuals = np.array([0, 5, 7]), np.array([1.0, -0.5, 0.25])

    found = pool.corrected(labelled, residuals)

    kernel = pool.likeness()
    dual = np.zeros(12)
    dual[labelled] = residual_dual(kernel[np.ix_(labelled, labelled)], residuals)
    assert found.pool == pytest.approx(kernel @ dual)
    # the same as weights of features and of buckets
    again = found.constant + pool.curved @ found.features + np.asarray(pool.runs @ found.characters).ravel()
    assert again == pytest.approx(found.pool)
    assert found.trees == 0


def test_a_ranking_is_the_ridge_and_the_trees_in_equal_parts_with_what_characters_say() -> None:
    pytest.importorskip("lightgbm")
    essays, scores = made_essays(60, ("dogs", "trains"))
    scales = {"dogs": ScoreScale(1, 4), "trains": ScoreScale(1, 4)}
    transfer = learn_transfer(essays, scores, scales)
    new, human = made_essays(30, ("gardens",), seed=6)
    pool = UnlabeledPrompt.of(new)

    rank = pool.ranked(transfer)

    assert (rank.pool.mean(), rank.pool.std()) == pytest.approx((0, 1))
    assert np.corrcoef(rank.pool, human)[0, 1] > 0.6
    assert transfer.same_scale == ScoreScale(1, 4)
    shares = [(scores[place::2] - 1) / 3 for place in (0, 1)]
    assert [level.mean for level in transfer.levels] == pytest.approx([own.mean() for own in shares])
    assert [level.points for level in transfer.levels] == [4, 4]
    own = [essays.at(np.arange(place, 60, 2)) for place in (0, 1)]
    assert [level.words for level in transfer.levels] == [median_words(one) for one in own]
    sources = [SourcePrompt(learn_prompt(one).z(one, among=True), scores[place::2]) for place, one in enumerate(own)]
    assert transfer.ranker.weights == pytest.approx(shared_weights(sources), abs=1e-12)
    assert pool.z.tolist() == learn_prompt(new).z(new, among=True).tolist()
    apart = learn_transfer(essays, scores, {**scales, "trains": ScoreScale(0, 9)})
    assert apart.same_scale is None
    assert apart.levels[1].mean == pytest.approx((scores[1::2] / 9).mean())
    boosted = np.mean([trees.predict(pool.z) for trees in transfer.ranker.trees], axis=0)
    assert transfer.ranker.boosted(pool.z) == pytest.approx(boosted)
    assert isinstance(transfer.ranker, Ranker)
    both = standardised(standardised(pool.curved @ transfer.ranker.weights) + standardised(boosted))
    fit = fit_kernel_ridge(pool.kernel, both, [3.0])
    whole = both + 0.7 * standardised(fit.left_out)
    assert rank.pool == pytest.approx(standardised(whole), abs=1e-12)
    # a new essay gets what characters say by the fit to all, in the same units
    seen = both + 0.7 * (fit.intercept + pool.kernel @ fit.dual - fit.left_out.mean()) / fit.left_out.std()
    again = rank.constant + rank.trees * boosted + pool.curved @ rank.features + pool.runs @ rank.characters
    assert again == pytest.approx((seen - whole.mean()) / whole.std(), abs=1e-9)


def test_trees_of_a_ranking_weigh_each_prompt_alike() -> None:
    pytest.importorskip("lightgbm")
    sources = [source((1.0, 0.3), seed=1, essays=120), source((0.5, 0.8), seed=2, weight=0.5, essays=60)]

    ranker = fit_ranker(sources)

    z = np.concatenate([one.z for one in sources])
    target = np.concatenate([standardised(one.scores) for one in sources])
    weights = np.repeat([1000 / 120, 500 / 60], [120, 60])
    settings = {"learning_rate": 0.03, "num_leaves": 15, "min_child_samples": 50, "feature_fraction": 0.3}
    settings |= {"bagging_fraction": 0.7, "lambda_l2": 10.0, "extra_trees": True}
    expected = [fit_trees(z, target, seed=seed, weights=weights, rounds=400, settings=settings) for seed in (0, 1)]
    assert [trees.text for trees in ranker.trees] == [trees.text for trees in expected]
    assert ranker.weights.tolist() == shared_weights(sources).tolist()
    assert SourcePrompt(z, target).weight == 1.0
    assert (TREE_ROUNDS, dict(TREE_SETTINGS)) == (400, settings)


def test_runs_of_a_new_prompt_are_up_to_five_letters_long() -> None:
    essays, _ = made_essays(3, ("gardens",), seed=6)

    pool = UnlabeledPrompt.of(essays)

    assert LONGEST_RUN == 5
    for row, text in enumerate(essays.texts):
        assert sorted(pool.runs[row].indices.tolist()) == character_runs(text, 5).tolist()
