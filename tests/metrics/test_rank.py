"""Rank correlations: worked examples, references, laws."""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.metrics.pairs import Scores
from assay.metrics.patterns import RatingPatterns
from assay.metrics.rank import goodman_kruskal_gamma, kendall_tau_b, spearman_r, why_undefined

METRICS = [spearman_r, kendall_tau_b, goodman_kruskal_gamma]
RankMetric = Callable[..., float | Scores]
pairs = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=30).map(
    lambda rows: np.array(rows, dtype=float)
)

TWO_RATERS = np.array(
    [
        [6, 3, 4, 5, 5, 6, 6, 2, 2, 1, 3, 6, 6, 1, 4, 5],
        [5, 5, 4, 5, 4, 6, 6, 2, 1, 3, 1, 6, 6, 1, 4, 6],
    ],
    dtype=float,
).T


def midrank(scores: Scores) -> Scores:
    return np.array([(scores < s).sum() + ((scores == s).sum() + 1) / 2 for s in scores])


def spearman_by_hand(h: Scores, m: Scores) -> float:
    if np.ptp(h) == 0 or np.ptp(m) == 0:
        return float("nan")
    return float(np.corrcoef(midrank(h), midrank(m))[0, 1])


def ranked_pairs(h: Scores, m: Scores) -> tuple[int, int, int, int]:
    """Pairs ranked alike, oppositely, not tied by h, not tied by m."""
    alike = opposite = untied_h = untied_m = 0
    for i, j in combinations(range(len(h)), 2):
        sign = np.sign(h[i] - h[j]) * np.sign(m[i] - m[j])
        alike, opposite = alike + (sign > 0), opposite + (sign < 0)
        untied_h, untied_m = untied_h + (h[i] != h[j]), untied_m + (m[i] != m[j])
    return alike, opposite, untied_h, untied_m


def tau_b_by_hand(h: Scores, m: Scores) -> float:
    alike, opposite, untied_h, untied_m = ranked_pairs(h, m)
    return (alike - opposite) / (untied_h * untied_m) ** 0.5 if untied_h and untied_m else float("nan")


def gamma_by_hand(h: Scores, m: Scores) -> float:
    alike, opposite, *_ = ranked_pairs(h, m)
    return (alike - opposite) / (alike + opposite) if alike + opposite else float("nan")


BY_HAND = list(zip(METRICS, [spearman_by_hand, tau_b_by_hand, gamma_by_hand], strict=True))


def test_two_raters_as_in_scipy() -> None:
    # scipy 1.12.0: stats.spearmanr and stats.kendalltau (variant "b")
    human, system = TWO_RATERS.T
    assert spearman_r(human, system) == pytest.approx(0.8630810086771666, abs=1e-12)
    assert kendall_tau_b(human, system) == pytest.approx(0.7353294572821764, abs=1e-12)


@pytest.mark.parametrize(("metric", "by_hand"), BY_HAND)
@settings(deadline=None, max_examples=60)
@given(pairs)
def test_agrees_with_a_loop_over_all_pairs(metric: RankMetric, by_hand: RankMetric, table: Scores) -> None:
    human, system = table.T
    assert metric(human, system) == pytest.approx(by_hand(human, system), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(("metric", "by_hand"), BY_HAND)
def test_continuous_scores_agree_with_a_loop_over_all_pairs(metric: RankMetric, by_hand: RankMetric) -> None:
    rng = np.random.default_rng(5)
    human = rng.normal(size=150)
    system = np.round(human + rng.normal(size=150), 1)
    assert metric(human, system) == pytest.approx(by_hand(human, system), abs=1e-12)


@pytest.mark.parametrize("metric", METRICS)
@given(pairs)
def test_swapping_raters_or_reordering_responses_changes_nothing(metric: RankMetric, table: Scores) -> None:
    expected = pytest.approx(metric(*table.T), abs=1e-12, nan_ok=True)
    assert metric(*table[::-1].T) == expected
    assert metric(table[:, 1], table[:, 0]) == expected


@pytest.mark.parametrize("metric", METRICS)
@given(pairs)
def test_only_the_order_of_scores_matters(metric: RankMetric, table: Scores) -> None:
    expected = pytest.approx(metric(*table.T), abs=1e-12, nan_ok=True)
    assert metric(np.exp(table[:, 0]), table[:, 1] ** 3) == expected
    negative = metric(-table[:, 0], table[:, 1])
    assert negative == pytest.approx(-np.float64(metric(*table.T)), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("metric", METRICS)
@given(pairs)
def test_a_response_of_weight_two_is_two_responses(metric: RankMetric, table: Scores) -> None:
    times = 1 + np.arange(len(table)) % 3
    repeated = np.repeat(table, times, axis=0)
    weighted = metric(RatingPatterns.of(table, weights=times))
    assert weighted == pytest.approx(metric(*repeated.T), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("metric", METRICS)
@settings(deadline=None, max_examples=40)
@given(pairs, st.integers(0, 2**32 - 1))
def test_a_replicate_equals_the_table_with_its_blocks_repeated(metric: RankMetric, table: Scores, seed: int) -> None:
    rng = np.random.default_rng(seed)
    blocks, draws = rng.integers(0, 4, len(table)), rng.integers(0, 3, size=(3, 4))
    draws[0] = 1
    replicates = metric(RatingPatterns.of(table, blocks=blocks, n_blocks=4).resampled(draws.astype(float)))
    expected = [float(metric(np.repeat(table, times[blocks], axis=0))) for times in draws]
    np.testing.assert_allclose(np.asarray(replicates), expected, atol=1e-9)


@pytest.mark.parametrize("metric", METRICS)
def test_a_gap_leaves_its_response_out(metric: RankMetric) -> None:
    gaps = np.concatenate([TWO_RATERS, [[1, np.nan], [np.nan, 6], [np.nan, np.nan]]])
    assert metric(gaps) == metric(TWO_RATERS)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[3, 1], [3, 2]], "all scores of the first rater are equal"),
        ([[1, 0.1], [2, 0.1], [3, 0.1]], "all scores of the second rater are equal"),
        ([[1, np.nan], [np.nan, 2]], "no response has both scores"),
    ],
)
def test_undefined_cases_are_nan_with_a_reason(metric: RankMetric, table: list[list[float]], reason: str) -> None:
    assert np.isnan(metric(table))
    assert why_undefined(table) == reason


def test_there_is_no_reason_where_the_metrics_are_defined() -> None:
    assert why_undefined(TWO_RATERS) == ""


@pytest.mark.parametrize("metric", METRICS)
def test_more_distinct_scores_than_a_tally_holds_work_from_arrays(metric: RankMetric) -> None:
    human = np.random.default_rng(8).permutation(25_000).astype(float)
    assert metric(human, human / 3) == pytest.approx(1)
    assert metric(human, -human) == pytest.approx(-1)


def test_wrong_shapes_are_refused() -> None:
    with pytest.raises(InputError, match="got 1 system scores for 2"):
        spearman_r([1, 2], [1])
    with pytest.raises(InputError, match="compare two raters, got 3"):
        kendall_tau_b(RatingPatterns.of([[1, 2, 3]]))
    with pytest.raises(InputError, match="already holds both raters"):
        spearman_r(RatingPatterns.of([[1, 2]]), [1])


def test_the_reason_looks_at_all_blocks_together_and_at_none_that_was_not_drawn() -> None:
    table = np.array([[1.0, 1], [2, 1], [2, 3]])
    tally = RatingPatterns.of(table, blocks=np.array([0, 1, 2]), n_blocks=3)
    assert why_undefined(tally) == ""
    assert why_undefined(tally.resampled(np.array([[1.0, 0, 0], [0, 1, 0]]))) == (
        "all scores of the second rater are equal"
    )
    assert why_undefined(tally.resampled(np.array([[0.0, 1, 1]]))) == "all scores of the first rater are equal"
    assert why_undefined(tally.resampled(np.zeros((1, 3)))) == "no response has both scores"


@pytest.mark.parametrize("metric", METRICS)
def test_two_raters_who_vary_only_apart_share_no_order(metric: RankMetric) -> None:
    """Ranks of a cross: the one goes up where the other stands still, and the other way round."""
    assert metric([1, 2, 2, 2, 3], [2, 1, 2, 3, 2]) == pytest.approx(0, abs=1e-12)


def test_a_table_of_scores_in_two_axes_is_no_list() -> None:
    with pytest.raises(InputError, match="got 2 system scores for 2") as refused:
        spearman_r([[1, 2]], [[1, 2]])
    assert refused.value.field == "system"
