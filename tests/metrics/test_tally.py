"""`PairTally`: what it counts, how it merges, and what happens at the edges."""

import inspect
from functools import cache, reduce
from itertools import pairwise
from operator import add

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.errors import InputError
from assay.metrics.bins import Bins, drawn, leaving_out_each
from assay.metrics.catalogue import PAIR_METRICS
from assay.metrics.correlation import pearson_r
from assay.metrics.pairs import Scores
from assay.metrics.tally import MOST_POINTS, PairTally, pair_metric, why_undefined

HUMAN = np.array([1, 2, 3, 4, 3, 2, 4, 1, 2, 3], dtype=float)
SYSTEM = np.array([1.2, 2.1, 3.6, 4.2, 2.9, 2.5, 3.9, 1.7, 2.2, 4.4])
WEIGHTS = np.array([1, 2, 0.5, 1, 3, 1, 1, 0.25, 1, 2])


def test_a_tally_holds_the_sums_of_the_scores() -> None:
    tally = PairTally.of(HUMAN, SYSTEM)
    error = SYSTEM - HUMAN
    assert {name: float(getattr(tally, name)) for name in ("n", "weight", "exact", "adjacent")} == {
        "n": 10,
        "weight": 10,
        "exact": 0,
        "adjacent": 9,
    }
    assert float(tally.human_mean) == pytest.approx(HUMAN.mean())
    assert float(tally.system_ss) == pytest.approx(10 * SYSTEM.var())
    assert float(tally.cross) == pytest.approx(10 * np.cov(HUMAN, SYSTEM, ddof=0)[0, 1])
    assert float(tally.squared_error) == pytest.approx((error**2).sum())
    assert float(tally.absolute_error) == pytest.approx(np.abs(error).sum())
    assert [float(tally.human_min), float(tally.human_max)] == [1, 4]
    assert [float(tally.system_min), float(tally.system_max)] == [1.2, 4.4]


def test_points_are_counted_from_the_lowest_anyone_gave() -> None:
    tally = PairTally.of([1, 2, 4], [2.5, 3.5, 0.4])  # 2.5 goes to 2, 3.5 to 4
    assert tally.points.tolist() == [0, 1, 2, 3, 4]
    assert tally.human_points.tolist() == [0, 1, 1, 0, 1]
    assert tally.system_points.tolist() == [1, 0, 1, 0, 1]
    assert [float(tally.same_point), float(tally.point_distance)] == [0, 1 + 2 + 4]


def test_the_step_says_what_a_point_is() -> None:
    tally = PairTally.of([1, 1.5], [1.2, 1.8], step=0.5)
    assert tally.points.tolist() == [1, 1.5, 2]
    assert float(tally.same_point) == 1


def test_weights_count_in_every_sum_but_not_in_n() -> None:
    tally = PairTally.of(HUMAN, SYSTEM, weights=WEIGHTS)
    mean = np.average(HUMAN, weights=WEIGHTS)
    assert (float(tally.n), float(tally.weight)) == (10, WEIGHTS.sum())
    assert float(tally.human_mean) == pytest.approx(mean)
    assert float(tally.human_ss) == pytest.approx((WEIGHTS * (HUMAN - mean) ** 2).sum())
    assert float(tally.human_points.sum()) == pytest.approx(WEIGHTS.sum())


def test_the_variance_depends_on_the_proportions_of_the_weights_alone() -> None:
    plain, even = PairTally.of(HUMAN, SYSTEM), PairTally.of(HUMAN, SYSTEM, weights=np.full(10, 7.0))
    for ddof in (0, 1):
        assert float(plain.human_variance(ddof)) == pytest.approx(HUMAN.var(ddof=ddof))
        assert float(even.system_variance(ddof)) == pytest.approx(SYSTEM.var(ddof=ddof))


def test_the_variance_of_one_response_is_undefined() -> None:
    assert np.isnan(PairTally.of([2], [3]).human_variance())


def assert_tallies_match(one: PairTally, other: PairTally, tolerance: float = 1e-9) -> None:
    assert np.array_equal(one.points, other.points)
    for name in PairTally.__slots__:
        assert getattr(one, name) == pytest.approx(getattr(other, name), rel=tolerance, abs=tolerance), name


pairs = st.lists(st.tuples(st.integers(-3, 6), st.floats(-4, 7)), min_size=2, max_size=40)


@settings(deadline=None)
@given(pairs, st.lists(st.integers(0, 40), max_size=5))
def test_parts_add_up_to_the_whole_wherever_they_are_cut(rows: list[tuple[int, float]], cuts: list[int]) -> None:
    human, system = np.array(rows, dtype=float).T
    ends = sorted({0, len(rows), *(c for c in cuts if c < len(rows))})
    parts = [PairTally.of(human[a:b], system[a:b]) for a, b in pairwise(ends)]
    assert_tallies_match(reduce(add, parts), PairTally.of(human, system))


def test_bins_give_an_array_of_tallies_that_merge_to_the_whole() -> None:
    bins = Bins.of(np.arange(10) % 4, (4,))
    tallies = PairTally.of(HUMAN, SYSTEM, weights=WEIGHTS, bins=bins)
    assert tallies.shape == (4,)
    assert_tallies_match(tallies.merged(), PairTally.of(HUMAN, SYSTEM, weights=WEIGHTS))
    part = PairTally.of(HUMAN[1::4], SYSTEM[1::4], weights=WEIGHTS[1::4])
    assert float(pearson_r.of_tally(tallies[1])) == pytest.approx(float(pearson_r.of_tally(part)))


def test_an_array_of_tallies_is_indexed_as_numpy_does() -> None:
    bins = Bins.of(np.arange(10) % 6, (2, 3))
    tallies = PairTally.of(HUMAN, SYSTEM, bins=bins)
    points = tallies.points.size
    for index, shape in [(0, (3,)), ((1, 2), ()), ((..., 0), (2,)), (np.array([1, 0]), (2, 3)), (slice(0, 1), (1, 3))]:
        found = tallies[index]
        assert (found.shape, found.human_points.shape) == (shape, (*shape, points))
    assert tallies[np.array([1, 0])].n.tolist() == tallies.n[[1, 0]].tolist()


def test_the_jackknife_gives_the_tally_without_each_block() -> None:
    blocks = PairTally.of(HUMAN, SYSTEM, weights=WEIGHTS, bins=Bins.of(np.arange(10), (10,)))
    replicates = blocks.combined(leaving_out_each)
    for left_out in range(10):
        rest = np.arange(10) != left_out
        by_hand = PairTally.of(HUMAN[rest], SYSTEM[rest], weights=WEIGHTS[rest])
        for name, metric in PAIR_METRICS.items():
            assert metric.formula(replicates)[left_out] == pytest.approx(metric.formula(by_hand), nan_ok=True), name


def test_a_draw_is_the_tally_with_each_block_as_often_as_drawn() -> None:
    times = np.array([2, 0, 1, 1, 3, 0, 0, 1, 1, 1])
    blocks = PairTally.of(HUMAN, SYSTEM, bins=Bins.of(np.arange(10), (10,)))
    draw = blocks.combined(drawn(times[None, :].astype(float)))
    by_hand = PairTally.of(np.repeat(HUMAN, times), np.repeat(SYSTEM, times))
    for name, metric in PAIR_METRICS.items():
        assert metric.formula(draw)[0] == pytest.approx(metric.formula(by_hand)), name


@pytest.mark.parametrize("value", [0.1, 1e9 + 0.1, -7.3])
def test_a_replicate_whose_scores_are_all_equal_is_known_to_be_flat(value: float) -> None:
    human, system = np.full(8, value), np.full(8, value) + np.arange(8)
    human[3] += 1
    replicates = PairTally.of(human, system, bins=Bins.of(np.arange(8), (8,))).combined(leaving_out_each)
    assert replicates.human_flat.tolist() == [i == 3 for i in range(8)]
    assert not replicates.system_flat.any()
    swapped = PairTally.of(system, human, bins=Bins.of(np.arange(8), (8,))).combined(leaving_out_each)
    for tally in (replicates, swapped):
        assert np.isnan(pearson_r.of_tally(tally)).tolist() == [i == 3 for i in range(8)]


@pytest.mark.parametrize("value", [0.1, 1e9 + 0.1, -7.3])
def test_a_replicate_in_which_both_raters_give_one_score_leaves_agreement_undefined(value: float) -> None:
    scores = np.full(8, value)
    scores[3] += 1
    weights = np.array([1, 0.3, 2, 1, 0.7, 1.1, 0.1, 3])
    blocks = PairTally.of(scores, scores, weights=weights, bins=Bins.of(np.arange(8), (8,)))
    replicates = blocks.combined(leaving_out_each)
    assert replicates.system_flat.tolist() == [i == 3 for i in range(8)]
    for name in ("r", "qwk", "kappa", "linear_kappa", "r2", "smd"):
        undefined = np.isnan(PAIR_METRICS[name].formula(replicates))
        assert undefined.tolist() == [i == 3 for i in range(8)], name


def test_equal_scores_are_flat_although_their_variance_is_rounding() -> None:
    tally = PairTally.of([0.1] * 7, [0.3] * 7) + PairTally.of([0.1] * 3, [0.3] * 3)
    assert tally.human_flat
    assert tally.system_flat


def test_an_empty_part_changes_nothing() -> None:
    empty = PairTally.of_checked(np.zeros(0), np.zeros(0), None, step=1.0, bins=Bins.single(0))
    whole = PairTally.of(HUMAN, SYSTEM)
    assert_tallies_match(whole + empty, whole)
    assert_tallies_match(empty + whole, whole)
    for name, metric in PAIR_METRICS.items():
        assert np.isnan(metric.formula(empty)), name


def test_tallies_on_different_steps_do_not_mix() -> None:
    with pytest.raises(InputError, match=r"score steps 1 and 0\.5"):
        PairTally.of([1], [1]) + PairTally.of([1], [1], step=0.5)


def wide(high: float) -> PairTally:
    return PairTally.of([0, high], [0, 1])


def test_points_are_counted_up_to_a_limit_and_then_given_up() -> None:
    just, beyond = wide(MOST_POINTS - 1), wide(MOST_POINTS)
    assert (just.points.size, beyond.points.size) == (MOST_POINTS, 0)
    assert why_undefined(beyond) == "more than 1001 score points"


def test_the_limit_is_the_same_however_parts_are_merged() -> None:
    low, high = PairTally.of([0, 1], [0, 1]), PairTally.of([MOST_POINTS, 3], [4, 3])
    assert not (low + high).has_points
    assert not (wide(5000) + low).has_points
    assert not (low + wide(5000)).has_points
    just = PairTally.of([MOST_POINTS - 1], [4])
    assert (low + just).points.size == MOST_POINTS


def test_figures_that_need_no_points_do_not_mind_the_range() -> None:
    human, system = np.array([0, 5e5, 1e6, 2e6]), np.array([1, 5e5, 1.1e6, 2e6])
    assert float(pearson_r(human, system)) == pytest.approx(np.corrcoef(human, system)[0, 1])
    assert np.isnan(PAIR_METRICS["kappa"].metric(human, system))


LARGE = 1e9


def thousand_scores() -> tuple[Scores, Scores]:
    rng = np.random.default_rng(4)
    human = rng.integers(0, 5, 1000).astype(float)
    return human, human + rng.integers(-1, 2, 1000)


@cache
def merged_one_by_one(shift: float) -> PairTally:
    human, system = thousand_scores()
    return reduce(add, (PairTally.of([h + shift], [m + shift]) for h, m in zip(human, system, strict=True)))


@pytest.mark.parametrize("name", PAIR_METRICS)
def test_scores_near_a_billion_that_differ_by_one_lose_nothing(name: str) -> None:
    human, system = thousand_scores()
    metric = PAIR_METRICS[name].metric
    # a mean near 1e9 is itself only known to 1e-7, which is all the SMD can lose
    tolerance = 1e-7 if name == "smd" else 1e-9
    assert metric(human + LARGE, system + LARGE) == pytest.approx(metric(human, system), abs=tolerance)


@pytest.mark.parametrize("name", PAIR_METRICS)
def test_a_thousand_merges_near_a_billion_lose_next_to_nothing(name: str) -> None:
    human, system = thousand_scores()
    formula, metric = PAIR_METRICS[name].formula, PAIR_METRICS[name].metric
    assert formula(merged_one_by_one(LARGE)) == pytest.approx(metric(human, system), abs=1e-6)


@pytest.mark.parametrize("name", PAIR_METRICS)
def test_a_thousand_merges_of_ordinary_scores_lose_nothing(name: str) -> None:
    human, system = thousand_scores()
    formula, metric = PAIR_METRICS[name].formula, PAIR_METRICS[name].metric
    assert formula(merged_one_by_one(0.0)) == pytest.approx(metric(human, system), abs=1e-9)


PAIR_METRIC_HUMAN = np.array([1, 2, 3, 4, 3, 2, 4, 1, 2, 3], dtype=float)
PAIR_METRIC_SYSTEM = np.array([1, 2, 4, 4, 3, 3, 4, 2, 2, 2], dtype=float)
OF_TWO_LISTS = [
    "adjacent_agreement",
    "cohen_kappa",
    "exact_agreement",
    "mean_squared_error",
    "pearson_r",
    "quadratic_weighted_kappa",
    "r_squared",
    "root_mean_squared_error",
    "standardized_mean_difference",
]


@pytest.mark.parametrize("name", OF_TWO_LISTS)
def test_the_signature_of_a_metric_is_how_it_is_called(name: str) -> None:
    metric = getattr(assay, name)
    signature = inspect.signature(metric)
    assert list(signature.parameters) == ["human", "system", "weights"]
    assert signature.return_annotation is float
    assert isinstance(metric(human=PAIR_METRIC_HUMAN, system=PAIR_METRIC_SYSTEM, weights=np.ones(10)), float)
    assert metric.__name__ == name
    assert ">>>" in (inspect.getdoc(metric) or "")


@pytest.mark.parametrize(
    ("human", "system", "reason"),
    [
        ([2], [3], "only one response"),
        ([2, 2], [3, 3], "all scores of either rater are equal"),
        ([2, 2], [3, 4], "all human scores are equal"),
        ([2, 3], [3, 3], "all system scores are equal"),
        ([2, 2.1], [2.2, 1.9], "all scores round to one point"),
        ([2, 3], [2, 4], ""),
    ],
)
def test_the_reason_why_a_figure_may_be_undefined_is_named(
    human: list[float], system: list[float], reason: str
) -> None:
    assert why_undefined(PairTally.of(human, system)) == reason


def test_the_formula_of_a_tally_gives_what_its_two_lists_give() -> None:
    assert pearson_r.of_tally(PairTally.of(PAIR_METRIC_HUMAN, PAIR_METRIC_SYSTEM)) == pearson_r(
        PAIR_METRIC_HUMAN, PAIR_METRIC_SYSTEM
    )


def test_one_tally_gives_a_float_and_an_array_of_tallies_an_array() -> None:
    blocks = PairTally.of(PAIR_METRIC_HUMAN, PAIR_METRIC_SYSTEM, bins=Bins.of(np.arange(10) % 2, (2,)))
    assert isinstance(pearson_r(PAIR_METRIC_HUMAN, PAIR_METRIC_SYSTEM), float)
    assert pearson_r.of_tally(blocks).shape == (2,)


def test_a_formula_keeps_its_name_and_its_words() -> None:
    @pair_metric
    def responses(tally: PairTally) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        """How many there are."""
        return tally.n

    assert (responses.__name__, responses.__doc__, responses([1, 2], [2, 2])) == ("responses", "How many there are.", 2)


@pytest.mark.parametrize(
    ("human", "system", "field"),
    [
        (["a"], [1], "human"),
        ([1], None, "system"),
        ([[1, 2]], [1], "human"),
        ([1, 2], [1], "system"),
        ({}, [1], "human"),
    ],
)
def test_what_is_no_list_of_scores_is_refused_by_the_name_of_its_argument(
    human: object, system: object, field: str
) -> None:
    with pytest.raises(InputError) as refused:
        pearson_r(human, system)  # type: ignore[arg-type]
    assert refused.value.field == field


def test_groups_of_blocks_are_combined_each_on_its_own() -> None:
    tallies = PairTally.of(HUMAN, SYSTEM, weights=WEIGHTS, bins=Bins.of(np.arange(10), (2, 5)))
    replicates, whole = tallies.combined(leaving_out_each), tallies.merged()
    assert (replicates.shape, whole.shape) == ((2, 5), (2,))
    for group, rows in enumerate((slice(0, 5), slice(5, 10))):
        assert_tallies_match(replicates[group], tallies[group].combined(leaving_out_each))
        alone = PairTally.of(HUMAN[rows], SYSTEM[rows], weights=WEIGHTS[rows])
        for name, metric in PAIR_METRICS.items():
            assert metric.formula(whole)[group] == pytest.approx(metric.formula(alone)), name


def test_arrays_of_tallies_add_up_bin_by_bin_also_where_a_bin_is_empty() -> None:
    numbers = np.array([0, 1, 3, 0, 1, 3, 3, 0, 1, 1])  # nobody is in bin 2
    first = np.arange(10) < 4
    parts = [
        PairTally.of(HUMAN[rows], SYSTEM[rows], weights=WEIGHTS[rows], bins=Bins.of(numbers[rows], (4,)))
        for rows in (first, ~first)
    ]
    both = parts[0] + parts[1]
    whole = PairTally.of(HUMAN, SYSTEM, weights=WEIGHTS, bins=Bins.of(numbers, (4,)))
    assert_tallies_match(both[np.array([0, 1, 3])], whole[np.array([0, 1, 3])])
    assert [float(both.n[2]), float(both.weight[2])] == [0, 0]
    assert all(np.isnan(metric.formula(both)[2]) for metric in PAIR_METRICS.values())


def test_a_group_without_responses_merges_to_an_empty_tally_without_a_warning() -> None:
    tallies = PairTally.of(HUMAN, SYSTEM, bins=Bins.of(np.arange(10) % 5, (2, 5)))
    whole = tallies.merged()
    assert whole.n.tolist() == [10, 0]
    assert [float(whole.human_ss[1]), float(whole.cross[1]), float(whole.squared_error[1])] == [0, 0, 0]
    assert not whole.has_points[1]
    assert why_undefined(whole[1]) == "no responses"


def test_points_in_steps_of_a_tenth_are_the_numbers_people_write() -> None:
    assert PairTally.of([0.1, 0.7], [0.3, 0.6], step=0.1).points.tolist() == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]


def test_parts_too_far_apart_to_count_merge_to_what_their_whole_is() -> None:
    merged = PairTally.of([5.0], [6.0]) + PairTally.of([5000.0], [6.0])
    assert_tallies_match(merged, PairTally.of([5.0, 5000], [6.0, 6]))
    assert merged.lowest_point == 0


def test_an_uncounted_part_leaves_nothing_to_count() -> None:
    assert not (wide(5000) + wide(5000)).has_points
    blank = PairTally.of_checked(np.zeros(0), np.zeros(0), None, step=1.0, bins=Bins.single(0))
    assert (blank + blank).points.size == 0
    assert why_undefined(blank + blank) == "no responses"


def test_variances_are_over_n_less_one_unless_asked_otherwise() -> None:
    tally = PairTally.of(HUMAN, SYSTEM)
    assert float(tally.human_variance()) == pytest.approx(HUMAN.var(ddof=1))
    assert float(tally.system_variance()) == pytest.approx(SYSTEM.var(ddof=1))
