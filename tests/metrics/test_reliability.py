"""Agreement of many raters: published examples, other implementations, loops written out, laws."""

from collections.abc import Callable
from functools import partial
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.metrics import reliability as rel
from assay.metrics.pairs import Scores
from assay.metrics.patterns import RatingPatterns

NAN = float("nan")
SCALE = range(1, 7)
Metric = Callable[..., float | Scores]

ALPHAS: list[Metric] = [
    rel.krippendorff_alpha_nominal,
    rel.krippendorff_alpha_ordinal,
    rel.krippendorff_alpha_interval,
]
ICCS: list[Metric] = [rel.icc_1, rel.icc_2, rel.icc_3, rel.icc_1k, rel.icc_2k, rel.icc_3k]
ON_A_SCALE: list[Metric] = [
    rel.gwet_ac1,
    rel.gwet_ac2_linear,
    rel.gwet_ac2_quadratic,
    rel.brennan_prediger,
]
WITHOUT_SAMPLE_SIZE: list[Metric] = [rel.fleiss_kappa, *(partial(m, levels=SCALE) for m in ON_A_SCALE)]
ALL = [*ALPHAS, *ICCS, *WITHOUT_SAMPLE_SIZE]

# Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, sections C and D: 4 observers, 12 units.
# The same table is cac.raw4raters in Gwet's package irrCAC.
FOUR_OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
).T

# Shrout & Fleiss (1979), Intraclass Correlations, table 2: 6 targets, 4 judges.
SIX_TARGETS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], dtype=float
)

# Wikipedia, "Fleiss' kappa", worked example: how many of 14 raters put each of 10 subjects into 5 categories.
FOURTEEN_RATERS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]

# 40 responses by 3 raters on a scale of 1 to 6, a fifth of the ratings missing, one response without any.
GAPPY = np.array(
    [
        [NAN, 5, 6], [NAN, 5, 4], [4, 4, 5], [5, NAN, 6], [5, 4, 5], [6, NAN, 5], [NAN, NAN, 5], [2, 2, 1],
        [2, 1, 1], [1, 3, 3], [3, 1, NAN], [6, NAN, 5], [6, NAN, 6], [1, NAN, 1], [4, 4, 2], [5, NAN, 6],
        [NAN, 1, 1], [6, 5, 4], [1, 1, 2], [3, 3, 4], [6, 5, 5], [2, 1, 1], [NAN, 3, 3], [1, 1, 1],
        [5, 6, 5], [2, 2, 3], [6, NAN, 6], [3, 3, NAN], [3, 4, 4], [3, 4, 4], [4, 3, 3], [NAN, NAN, 3],
        [4, 5, 5], [NAN, 5, 6], [4, 4, 5], [NAN, NAN, NAN], [5, 4, NAN], [5, NAN, 5], [NAN, 4, NAN], [6, 5, 5],
    ]
)  # fmt: skip


rating = st.one_of(st.integers(1, 6).map(float), st.just(NAN))
gappy_tables = st.lists(st.tuples(rating, rating, rating), min_size=1, max_size=25).map(np.array)
full_tables = st.lists(st.tuples(*[st.integers(1, 6)] * 3), min_size=2, max_size=25).map(
    lambda rows: np.array(rows, dtype=float)
)


def from_counts(counts: list[list[int]]) -> Scores:
    return np.array([np.repeat(np.arange(1.0, len(row) + 1), row) for row in counts])


# --- published worked examples


@pytest.mark.parametrize(("metric", "published"), list(zip(ALPHAS, [0.743, 0.815, 0.849], strict=True)))
def test_krippendorff_2011_four_observers(metric: Metric, published: float) -> None:
    assert metric(FOUR_OBSERVERS) == pytest.approx(published, abs=0.0005)


@pytest.mark.parametrize(("metric", "published"), list(zip(ICCS, [0.17, 0.29, 0.71, 0.44, 0.62, 0.91], strict=True)))
def test_shrout_and_fleiss_1979_six_targets_four_judges(metric: Metric, published: float) -> None:
    assert metric(SIX_TARGETS) == pytest.approx(published, abs=0.005)


def test_fleiss_kappa_of_fourteen_raters() -> None:
    assert rel.fleiss_kappa(from_counts(FOURTEEN_RATERS)) == pytest.approx(0.210, abs=0.0005)


def test_gwet_three_diagnoses_by_two_abstractors() -> None:
    # cont3x3abstractors, vignette of Gwet's R package irrCAC 1.0: Scott's pi 0.7962397, which for two raters
    # is Fleiss' kappa. AC1 and Brennan-Prediger from the Python package irrCAC 0.4.4.
    counts = {(1, 1): 13, (2, 2): 20, (2, 3): 7, (3, 2): 4, (3, 3): 56}
    tally = RatingPatterns.of(list(counts), weights=list(counts.values()))
    assert rel.fleiss_kappa(tally) == pytest.approx(0.7962397, abs=5e-8)
    assert rel.gwet_ac1(tally) == pytest.approx(0.8493305482, abs=1e-9)
    assert rel.brennan_prediger(tally) == pytest.approx(0.835, abs=1e-9)


def test_ac1_stays_high_where_nearly_all_have_one_score() -> None:
    # 118 yes-yes, 5 yes-no, 2 no-yes: p_a = .944, pi = .972, p_e = 2 (.972)(.028), where kappa is below 0
    tally = RatingPatterns.of([[1, 1], [1, 2], [2, 1]], weights=[118, 5, 2])
    by_chance = 2 * 0.972 * 0.028
    assert rel.gwet_ac1(tally) == pytest.approx((0.944 - by_chance) / (1 - by_chance))
    assert rel.gwet_ac1(tally) == pytest.approx(0.9407763376, abs=1e-9)  # irrCAC 0.4.4
    assert rel.fleiss_kappa(tally) < 0


# --- other implementations


@pytest.mark.parametrize(
    ("metric", "four_observers", "gappy"),
    [
        # krippendorff 0.9.0
        (rel.krippendorff_alpha_nominal, 0.743421052631579, 0.25194692817998277),
        (rel.krippendorff_alpha_ordinal, 0.8153875037548814, 0.8418877542873567),
        (rel.krippendorff_alpha_interval, 0.8491071428571428, 0.8522419751030434),
        # irrCAC 0.4.4, which has to be spared the response without ratings
        (rel.fleiss_kappa, 0.7611692754, 0.2490237443),
        (rel.gwet_ac1, 0.7754440681, 0.2700962386),
        (rel.gwet_ac2_linear, 0.8587391364, 0.6601650956),
        (rel.gwet_ac2_quadratic, 0.9140007236, 0.8673800957),
        (rel.brennan_prediger, 0.7727272727, 0.2666666667),
    ],
)
def test_tables_with_gaps_as_in_krippendorff_and_irrcac(metric: Metric, four_observers: float, gappy: float) -> None:
    assert metric(FOUR_OBSERVERS) == pytest.approx(four_observers, abs=1e-9)
    assert metric(GAPPY) == pytest.approx(gappy, abs=1e-9)


@pytest.mark.parametrize(
    ("metric", "irrcac"),
    list(zip(ON_A_SCALE, [0.7855267812, 0.8902373665, 0.9474077898, 0.7818181818], strict=True)),
)
def test_an_unused_point_of_the_scale_counts_when_named(metric: Metric, irrcac: float) -> None:
    # irrCAC 0.4.4 with categories=[1, 2, 3, 4, 5, 6]; only 1 to 5 occur
    assert metric(FOUR_OBSERVERS, levels=SCALE) == pytest.approx(irrcac, abs=1e-9)


@pytest.mark.parametrize(
    ("metric", "pingouin"),
    list(
        zip(
            ICCS,
            # pingouin 0.6.1, intraclass_corr: ICC(1,1), ICC(A,1), ICC(C,1), ICC(1,k), ICC(A,k), ICC(C,k)
            [0.1657417684, 0.2897637795, 0.7148407148, 0.4427971337, 0.6200505476, 0.9093155424],
            strict=True,
        )
    ),
)
def test_intraclass_correlations_as_in_pingouin(metric: Metric, pingouin: float) -> None:
    assert metric(SIX_TARGETS) == pytest.approx(pingouin, abs=1e-9)


# --- the definitions, written out as loops


def alpha_by_hand(table: Scores, distance: Callable[[float, float, list[float]], float]) -> float:
    units = [[r for r in row if not np.isnan(r)] for row in table.tolist()]
    units = [unit for unit in units if len(unit) >= 2]
    pool = [r for unit in units for r in unit]
    if len(set(pool)) < 2:
        return NAN
    observed = sum(sum(distance(a, b, pool) for a, b in permutations(u, 2)) / (len(u) - 1) for u in units)
    expected = sum(distance(a, b, pool) for a, b in permutations(pool, 2)) / (len(pool) - 1)
    return 1 - observed / expected


def ordinal_distance(a: float, b: float, pool: list[float]) -> float:
    low, high = min(a, b), max(a, b)
    between = sum(low <= r <= high for r in pool)
    return (between - (pool.count(a) + pool.count(b)) / 2) ** 2 if a != b else 0.0


DISTANCES: list[Callable[[float, float, list[float]], float]] = [
    lambda a, b, pool: float(a != b),
    ordinal_distance,
    lambda a, b, pool: (a - b) ** 2,
]


@pytest.mark.parametrize(("metric", "distance"), list(zip(ALPHAS, DISTANCES, strict=True)))
@settings(deadline=None, max_examples=30)
@given(gappy_tables)
def test_alpha_is_one_minus_observed_over_expected_disagreement(
    metric: Metric, distance: Callable[[float, float, list[float]], float], table: Scores
) -> None:
    assert metric(table) == pytest.approx(alpha_by_hand(table, distance), abs=1e-9, nan_ok=True)


def kappa_by_hand(table: Scores, credit: Callable[[float, float], float], by_chance: Metric) -> float:
    rows = [[r for r in row if not np.isnan(r)] for row in table.tolist()]
    agreements = [np.mean([credit(a, b) for a, b in permutations(row, 2)]) for row in rows if len(row) >= 2]
    if not agreements:
        return NAN
    share = np.array([np.mean([row.count(c) / len(row) for row in rows if row]) for c in SCALE])
    chance = float(by_chance(share, sum(credit(a, b) for a in SCALE for b in SCALE)))
    return (float(np.mean(agreements)) - chance) / (1 - chance) if chance < 1 - 1e-12 else NAN


def gwet_chance(share: Scores, total_credit: float) -> float:
    return float(total_credit * (share * (1 - share)).sum() / (6 * 5))


KAPPAS: list[tuple[Callable[[float, float], float], Metric]] = [
    (lambda a, b: float(a == b), lambda share, total: float((share**2).sum())),
    (lambda a, b: float(a == b), gwet_chance),
    (lambda a, b: 1 - abs(a - b) / 5, gwet_chance),
    (lambda a, b: 1 - (a - b) ** 2 / 25, gwet_chance),
    (lambda a, b: float(a == b), lambda share, total: 1 / 6),
]


@pytest.mark.parametrize(
    ("metric", "credit", "by_chance"),
    [(metric, *terms) for metric, terms in zip(WITHOUT_SAMPLE_SIZE, KAPPAS, strict=True)],
)
@settings(deadline=None, max_examples=30)
@given(gappy_tables)
def test_kappas_are_agreement_beyond_chance(
    metric: Metric, credit: Callable[[float, float], float], by_chance: Metric, table: Scores
) -> None:
    assert metric(table) == pytest.approx(kappa_by_hand(table, credit, by_chance), abs=1e-9, nan_ok=True)


def two_way_by_hand(table: Scores) -> tuple[float, float, float]:
    """Mean squares of responses, raters and the rest."""
    n, k = table.shape
    grand, rows, columns = table.mean(), table.mean(axis=1), table.mean(axis=0)
    of_rows = k * sum((row - grand) ** 2 for row in rows) / (n - 1)
    of_columns = n * sum((column - grand) ** 2 for column in columns) / (k - 1)
    rest = sum((table[i, j] - rows[i] - columns[j] + grand) ** 2 for i in range(n) for j in range(k))
    return float(of_rows), float(of_columns), float(rest / ((n - 1) * (k - 1)))


@settings(deadline=None, max_examples=60)
@given(full_tables)
def test_two_way_iccs_are_ratios_of_mean_squares(table: Scores) -> None:
    n, k = table.shape
    rows, columns, rest = two_way_by_hand(table)
    denominators = [
        (rel.icc_2, rows + (k - 1) * rest + k * (columns - rest) / n),
        (rel.icc_2k, rows + (columns - rest) / n),
        (rel.icc_3, rows + (k - 1) * rest),
        (rel.icc_3k, rows),
    ]
    for metric, denominator in denominators:
        expected = (rows - rest) / denominator if denominator > 1e-9 else NAN
        assert metric(table) == pytest.approx(expected, abs=1e-7, nan_ok=True)


@settings(deadline=None, max_examples=60)
@given(gappy_tables)
def test_one_way_iccs_with_gaps_use_the_average_number_of_ratings(table: Scores) -> None:
    responses = [row[~np.isnan(row)] for row in table if not np.isnan(row).all()]
    sizes = np.array([len(r) for r in responses])
    if len(responses) < 2 or sizes.max() < 2:
        assert np.isnan(rel.icc_1(table))
        return
    pool = np.concatenate(responses)
    between = sum(len(r) * (r.mean() - pool.mean()) ** 2 for r in responses) / (len(responses) - 1)
    within = sum(((r - r.mean()) ** 2).sum() for r in responses) / (sizes.sum() - len(responses))
    n0 = (sizes.sum() - (sizes**2).sum() / sizes.sum()) / (len(responses) - 1)
    single = between + (n0 - 1) * within
    expected = (between - within) / single if single > 1e-9 else NAN
    assert rel.icc_1(table) == pytest.approx(expected, abs=1e-7, nan_ok=True)
    of_mean = (between - within) / between if between > 1e-9 else NAN
    assert rel.icc_1k(table) == pytest.approx(of_mean, abs=1e-7, nan_ok=True)


# --- laws


@pytest.mark.parametrize("metric", ALL)
@settings(deadline=None, max_examples=30)
@given(gappy_tables)
def test_the_order_of_responses_and_of_raters_changes_nothing(metric: Metric, table: Scores) -> None:
    expected = pytest.approx(metric(table), abs=1e-9, nan_ok=True)
    assert metric(table[::-1]) == expected
    assert metric(table[:, [2, 0, 1]]) == expected


@pytest.mark.parametrize("metric", ALL)
@settings(deadline=None, max_examples=30)
@given(gappy_tables, st.integers(0, 25))
def test_merging_two_parts_gives_the_metric_of_the_whole(metric: Metric, table: Scores, cut: int) -> None:
    merged = RatingPatterns.of(table[:cut]) + RatingPatterns.of(table[cut:])
    assert metric(merged) == pytest.approx(metric(table), abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("metric", ALL)
@settings(deadline=None, max_examples=30)
@given(gappy_tables, st.integers(0, 2**32 - 1))
def test_a_replicate_equals_the_table_with_its_blocks_repeated(metric: Metric, table: Scores, seed: int) -> None:
    rng = np.random.default_rng(seed)
    blocks, draws = rng.integers(0, 4, len(table)), rng.integers(0, 3, size=(3, 4))
    draws[0] = 1  # each block once: the whole
    replicates = metric(RatingPatterns.of(table, blocks=blocks, n_blocks=4).resampled(draws.astype(float)))
    expected = [float(metric(np.repeat(table, times[blocks], axis=0))) for times in draws]
    np.testing.assert_allclose(np.asarray(replicates), expected, atol=1e-9)


@pytest.mark.parametrize("metric", WITHOUT_SAMPLE_SIZE)
@settings(deadline=None, max_examples=30)
@given(gappy_tables)
def test_a_response_of_weight_two_is_two_responses(metric: Metric, table: Scores) -> None:
    times = 1 + np.arange(len(table)) % 3
    weighted = metric(RatingPatterns.of(table, weights=times))
    assert weighted == pytest.approx(metric(np.repeat(table, times, axis=0)), abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("metric", ALL)
@settings(deadline=None, max_examples=30)
@given(gappy_tables)
def test_equal_weights_of_any_size_change_nothing(metric: Metric, table: Scores) -> None:
    weighted = metric(RatingPatterns.of(table, weights=np.full(len(table), 0.3)))
    assert weighted == pytest.approx(metric(table), abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("metric", [*ALPHAS, *ICCS])
def test_with_a_sample_size_only_the_proportions_of_weights_matter(metric: Metric) -> None:
    weights = 1 + np.arange(len(GAPPY)) % 4
    small, large = (metric(RatingPatterns.of(GAPPY, weights=weights * size)) for size in (1, 100))
    assert small == pytest.approx(large, abs=1e-12)
    assert small != pytest.approx(metric(GAPPY), abs=1e-4)


def test_weights_of_mean_one_multiply_the_squares() -> None:
    n, k = SIX_TARGETS.shape
    w = np.array([1, 3, 2, 2, 5, 4]) * n / 17
    tally = RatingPatterns.of(SIX_TARGETS, weights=w * 8)
    mean, severity = SIX_TARGETS.mean(axis=1), np.average(SIX_TARGETS, axis=0, weights=w)
    grand = severity.mean()
    rows = k * (w * (mean - grand) ** 2).sum() / (n - 1)
    rest = (w[:, None] * (SIX_TARGETS - mean[:, None] - severity + grand) ** 2).sum() / ((n - 1) * (k - 1))
    assert rel.icc_3(tally) == pytest.approx((rows - rest) / (rows + (k - 1) * rest))
    within = np.average(SIX_TARGETS.var(axis=1, ddof=1), weights=w)
    pooled = (w[:, None] * (SIX_TARGETS - grand) ** 2).sum() / (n * k - 1)
    assert rel.krippendorff_alpha_interval(tally) == pytest.approx(1 - within / pooled)


@pytest.mark.parametrize("metric", ALL)
def test_raters_who_always_agree_have_reliability_one(metric: Metric) -> None:
    assert metric(np.repeat([[1.0], [4], [2], [6], [2]], 3, axis=1)) == pytest.approx(1)


def test_a_severe_rater_lowers_agreement_but_not_consistency() -> None:
    table = np.array([[1, 2], [2, 3], [3, 4], [4, 5]], dtype=float)
    assert rel.icc_3(table) == pytest.approx(1)
    assert rel.icc_2(table) < 0.9


def test_scores_far_from_zero_lose_no_precision() -> None:
    for metric in (rel.icc_1, rel.icc_2k, rel.icc_3, rel.krippendorff_alpha_interval):
        assert metric(SIX_TARGETS + 1e8) == pytest.approx(metric(SIX_TARGETS), abs=1e-9)


# --- undefined and refused


@pytest.mark.parametrize("metric", ALL)
@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[NAN, NAN], [NAN, NAN]], "there are no ratings"),
        ([[1, NAN], [NAN, 2]], "no response has two ratings"),
        ([[1], [2]], "no response has two ratings"),
    ],
)
def test_every_metric_needs_a_response_with_two_ratings(metric: Metric, table: list[list[float]], reason: str) -> None:
    assert np.isnan(metric(table))
    assert rel.why_undefined(table) == reason


@pytest.mark.parametrize("metric", [*ALPHAS, *ICCS, rel.fleiss_kappa, *ON_A_SCALE])
@pytest.mark.parametrize("score", [3, 0.1])
def test_equal_ratings_leave_nothing_to_measure(metric: Metric, score: float) -> None:
    table = np.full((7, 3), score)
    assert np.isnan(metric(table))
    assert rel.why_undefined(table) == "all ratings are equal"


@pytest.mark.parametrize("metric", [*ALPHAS, *ICCS, rel.fleiss_kappa])
def test_a_replicate_of_equal_ratings_is_undefined_though_the_whole_is_not(metric: Metric) -> None:
    table = np.array([[0.1, 0.1, 0.1]] * 3 + [[0.1, 0.7, 0.3]] * 3)
    tally = RatingPatterns.of(table, blocks=np.array([0, 0, 0, 1, 1, 1]), n_blocks=2)
    replicates = np.asarray(metric(tally.resampled(np.array([[1.0, 1], [2, 0], [0, 0]]))))
    np.testing.assert_array_equal(np.isnan(replicates), [False, True, True])


@pytest.mark.parametrize(
    ("metric", "table", "reason"),
    [
        (rel.icc_2, [[1, 2], [2, NAN]], "fewer than two complete responses"),
        (rel.icc_2, [[1, 3, NAN], [2, 2, 2]], "fewer than two complete responses"),
        (rel.icc_1k, [[1, 3, NAN], [2, 2, 2]], "all responses have the same mean rating"),
        (rel.icc_1, [[1, 2]], "fewer than two rated responses"),
        (rel.icc_3, [[1, 2], [1, 2], [1, 2]], "all complete responses have the same ratings"),
        (rel.icc_3, [[1, 1, 1], [1, 1, 1], [2, 1, NAN]], "all ratings of the complete responses are equal"),
        (rel.icc_3k, [[1, 3], [2, 2], [3, 1]], "all complete responses have the same mean rating"),
        (rel.icc_2, [[1, 2], [2, 1]], "all complete responses have the same mean rating"),
        (rel.icc_2k, [[1, 6], [6, 2], [3, 4]], "ratings of one response differ far more than the responses do"),
        (
            rel.krippendorff_alpha_interval,
            [[1, 1, NAN], [1, 1, NAN], [2, NAN, NAN]],
            "all ratings of the responses with two or more ratings are equal",
        ),
    ],
)
def test_what_is_undefined_is_nan_with_a_reason(
    metric: Callable[[list[list[float]]], float], table: list[list[float]], reason: str
) -> None:
    assert np.isnan(metric(table))
    assert rel.why_undefined(table, metric.__name__) == reason


def test_mutual_disagreement_is_not_turned_into_a_reliability_above_one() -> None:
    # the plain formula of ICC(2,k) gives (0.17 - 10.17) / (0.17 - 9.5 / 3) = 3.33 here
    rows, columns, rest = two_way_by_hand(np.array([[1, 6], [6, 2], [3, 4]], dtype=float))
    assert (rows - rest) / (rows + (columns - rest) / 3) > 1
    assert np.isnan(rel.icc_2k([[1, 6], [6, 2], [3, 4]]))


@pytest.mark.parametrize("metric", [*ALPHAS, *ICCS, rel.fleiss_kappa, *ON_A_SCALE])
@settings(deadline=None, max_examples=40)
@given(gappy_tables)
def test_whenever_a_metric_is_undefined_there_is_a_reason(metric: Callable[[Scores], float], table: Scores) -> None:
    if np.isnan(metric(table)):
        assert rel.why_undefined(table, metric.__name__)


@settings(deadline=None)
@given(gappy_tables)
def test_there_is_no_reason_where_all_metrics_are_defined(table: Scores) -> None:
    undefined = any(np.isnan(metric(table)) for metric in [*ALPHAS, *ICCS, rel.fleiss_kappa, *ON_A_SCALE])
    assert undefined == bool(rel.why_undefined(table))


def test_on_a_named_scale_equal_ratings_agree_fully() -> None:
    assert rel.gwet_ac1(np.full((4, 2), 3), levels=SCALE) == pytest.approx(1)


def test_a_rating_off_the_named_scale_is_refused() -> None:
    with pytest.raises(InputError, match=r"a rating is 2.5, which is not one of the 6 levels given"):
        rel.gwet_ac2_quadratic([[1.0, 2.5], [2.0, 2.0]], levels=SCALE)


@pytest.mark.parametrize("metric", [*ALPHAS[:2], rel.fleiss_kappa, *ON_A_SCALE])
def test_metrics_of_categories_refuse_continuous_scores(metric: Metric) -> None:
    table = np.random.default_rng(4).normal(size=(4_000, 2))
    with pytest.raises(InputError, match=r"8,000 different scores: this metric needs a scale of points"):
        metric(table)


@pytest.mark.parametrize("metric", [rel.krippendorff_alpha_interval, *ICCS[:3]])
def test_metrics_of_variance_take_continuous_scores(metric: Metric) -> None:
    assert abs(np.float64(metric(np.random.default_rng(4).normal(size=(4_000, 2))))) < 0.1


def test_reasons_call_what_was_rated_by_its_name() -> None:
    assert rel.why_undefined([[1, NAN], [NAN, 2]], item="essay") == "no essay has two ratings"
    gap: list[list[float]] = [[1, 2], [2, NAN]]
    assert rel.why_undefined(gap, "icc_2", item="essay") == "fewer than two complete essays"
    assert rel.why_undefined([[1, 3], [2, 2], [3, 1]], "icc_3k", item="essay") == (
        "all complete essays have the same mean rating"
    )


def test_a_reason_is_given_only_to_the_metric_it_holds_for() -> None:
    table: list[list[float]] = [[1, 2, NAN], [2, 3, NAN], [NAN, 1, 1], [3, 3, 2]]
    assert rel.why_undefined(table, "icc_2") == "fewer than two complete responses"
    assert rel.why_undefined(table, "icc_1") == ""
    assert rel.why_undefined(table, "krippendorff_alpha_interval") == ""
    assert rel.why_undefined(table, "fleiss_kappa") == ""


def test_the_reason_looks_at_all_replicates_together_and_only_at_what_has_weight() -> None:
    table = np.array([[1.0, 1], [2, 2], [2, 1]])
    tally = RatingPatterns.of(table, blocks=np.array([0, 1, 2]), n_blocks=3)
    assert rel.why_undefined(tally) == ""
    assert rel.why_undefined(tally.resampled(np.array([[3.0, 0, 0]]))) == "all ratings are equal"
    assert rel.why_undefined(RatingPatterns.of(table, weights=[1, 0, 0])) == "all ratings are equal"
    groups = RatingPatterns(tally.patterns, tally.weight[None], tally.count[None])
    assert rel.why_undefined(groups) == ""


def test_two_complete_responses_are_enough_for_an_intraclass_correlation() -> None:
    """Rows 1, 2 and 3, 5: MSR = 2 (4 - 1.5)^2 / 2 = 6.25, MSC = 2.25, MSE = 0.25, MSW = (0.5 + 2) / 2 = 1.25."""
    table: list[list[float]] = [[1, 2], [3, 5]]
    found = [metric(table) for metric in (rel.icc_1, rel.icc_1k, rel.icc_2, rel.icc_2k, rel.icc_3, rel.icc_3k)]
    assert found == pytest.approx([5 / 7.5, 5 / 6.25, 6 / 8.5, 6 / 7.25, 6 / 6.5, 6 / 6.25])


def test_distances_on_a_named_scale_are_those_between_its_points() -> None:
    """Levels 0, 1, 4: |0 - 4| is the longest, so a miss between 0 and 1 costs a quarter, or a sixteenth."""
    table, levels = [[0, 1], [4, 4]], [4, 0, 1]
    share = np.array([0.25, 0.25, 0.5])
    spread = float((share * (1 - share)).sum())
    for metric, credit, total in (
        (rel.gwet_ac2_linear, 3 / 4, 3 + 2 * (3 / 4 + 0 + 1 / 4)),
        (rel.gwet_ac2_quadratic, 15 / 16, 3 + 2 * (15 / 16 + 0 + 7 / 16)),
    ):
        chance = total * spread / (3 * 2)
        assert metric(table, levels=levels) == pytest.approx(((1 + credit) / 2 - chance) / (1 - chance))


@pytest.mark.parametrize("metric", ALL)
def test_responses_that_weigh_nothing_leave_a_metric_undefined_without_a_warning(metric: Metric) -> None:
    assert np.isnan(metric(RatingPatterns.of([[1, 2, 2], [2, 2, 3]], weights=[0, 0])))


def test_alpha_ratio_is_krippendorffs_own_example() -> None:
    """The reliability data of Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, C: ratio 0.797."""
    nan = float("nan")
    raters = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, nan, nan, nan],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, nan, 3],
        [nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, nan],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, nan],
    ]

    assert rel.krippendorff_alpha_ratio(np.array(raters).T) == pytest.approx(0.797, abs=5e-4)


def test_alpha_ratio_of_scores_below_zero_is_undefined() -> None:
    assert np.isnan(rel.krippendorff_alpha_ratio([[-1, 1], [1, 2], [2, 2]]))
