"""The front door: counts, parts, weights, candidates, and hostile input."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import pytest

from assay.errors import InputError
from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.exclusions import FEW_ITEMS, FLAGGED, NO_HUMAN, NO_SYSTEM, NO_WEIGHT, ZERO_HUMAN
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import GroupColumn, Ratings
from assay.evaluation.reference import reference_scores
from assay.evaluation.result import Crossed, Evaluation
from assay.evaluation.score_variants import Scaling
from assay.metrics.intervals import Estimate, Resampling
from assay.metrics.pairs import Scores
from assay.metrics.tally import PairTally
from assay.scale import ScoreScale

SCALE = ScoreScale(1, 6)


def sample(n: int, seed: int = 61) -> Ratings:
    """Responses with everything that can be known of them, some of it missing."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(3.5, 1.1, n)
    human = np.clip(np.rint(quality[:, None] + rng.normal(0, 0.5, (n, 3))), 0, 6)
    human[rng.random((n, 3)) < [0.02, 0.4, 0.6]] = np.nan
    system = quality + rng.normal(0, 0.4, n)
    system[rng.random(n) < 0.02] = np.nan
    return Ratings(
        human,
        system,
        groups=(
            GroupColumn.of("school", [["East", "West", None][k] for k in rng.choice(3, n, p=[0.5, 0.4, 0.1])]),
            GroupColumn.of("sex", [["f", "m"][k] for k in rng.integers(0, 2, n)]),
        ),
        weights=rng.choice([0.5, 1, 2, 0], n, p=[0.3, 0.5, 0.19, 0.01]),
        length=200 + 40 * quality + rng.normal(0, 30, n),
        flagged=rng.random(n) < 0.02,
    )


def part(ratings: Ratings, start: int, end: int) -> Ratings:
    rows = slice(start, end)
    return Ratings(
        ratings.human[rows],
        ratings.system[rows],
        groups=tuple(replace(g, codes=g.codes[rows]) for g in ratings.groups),
        weights=None if ratings.weights is None else ratings.weights[rows],
        length=None if ratings.length is None else ratings.length[rows],
        candidate=None if ratings.candidate is None else ratings.candidate[rows],
        flagged=None if ratings.flagged is None else ratings.flagged[rows],
        first_row=start,
    )


def in_parts(ratings: Ratings, size: int) -> Iterator[Ratings]:
    return (part(ratings, start, start + size) for start in range(0, len(ratings), size))


def leaves(value: Any, where: str = "") -> Iterator[tuple[str, Any]]:
    """Every number and word of a result, with the way to it."""
    if isinstance(value, PairTally):
        return  # blocks of responses, compared by the figures they give
    if is_dataclass(value):
        for field in fields(value):
            yield from leaves(getattr(value, field.name), f"{where}.{field.name}")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from leaves(item, f"{where}[{key}]")
    elif isinstance(value, tuple):
        for number, item in enumerate(value):
            yield from leaves(item, f"{where}[{number}]")
    else:
        yield where, value


def assert_same_evaluation(one: Evaluation, other: Evaluation) -> None:
    first, second = dict(leaves(one)), dict(leaves(other))
    assert first.keys() == second.keys()
    assert len(first) > 500
    for where, value in first.items():
        if isinstance(value, float):
            assert second[where] == pytest.approx(value, rel=1e-9, abs=1e-9, nan_ok=True), where
        else:
            assert second[where] == value, where


PLAN = Plan(SCALE, cuts=(3.0, 4.0), scaling=Scaling(3.4, 1.1, 3.5, 1.2))


@pytest.mark.parametrize(("n", "size"), [(120, 1), (700, 7), (2500, 1000)])
def test_parts_of_any_size_give_the_same_evaluation_intervals_included(n: int, size: int) -> None:
    ratings = sample(n)
    whole = evaluate_engine(ratings, PLAN)
    assert_same_evaluation(evaluate_engine(in_parts(ratings, size), PLAN), whole)


def test_candidates_in_parts_are_the_same_candidates() -> None:
    ratings = replace(sample(300), candidate=np.random.default_rng(1).integers(0, 90, 300))
    whole = evaluate_engine(ratings, PLAN)
    assert_same_evaluation(evaluate_engine(in_parts(ratings, 50), PLAN), whole)


def test_every_response_is_used_or_left_out_for_a_reason() -> None:
    ratings = sample(2000)
    found = evaluate_engine(ratings, PLAN)
    exclusions = found.exclusions
    assert set(exclusions.left_out) == {FLAGGED, NO_HUMAN, ZERO_HUMAN, NO_SYSTEM, NO_WEIGHT}
    assert exclusions.read == 2000 == exclusions.used + sum(exclusions.left_out.values())
    assert {pair.n for pair in found.variants.values()} == {found.n}
    assert sum(level.n for level in found.levels) == found.n
    for grouping in found.groupings:
        assert sum(group.n for group in grouping.groups) == found.n
    assert found.readings.single + found.readings.multiple == found.n
    assert found.crossed is not None
    assert sum(map(sum, found.crossed.counts)) == pytest.approx(kept_weight(ratings))


def kept_weight(ratings: Ratings) -> float:
    human, weights, flagged = reference_scores(ratings.human, "first"), ratings.weights, ratings.flagged
    assert weights is not None
    assert flagged is not None
    kept = np.isfinite(human) & (human != 0) & np.isfinite(ratings.system) & ~flagged
    return float(weights[kept].sum())


def test_responses_without_a_group_are_a_group() -> None:
    names = [group.name for group in evaluate_engine(sample(300), PLAN).groupings[0].groups]
    assert names == ["East", "No info", "West"]


def test_nothing_left_to_evaluate_is_an_error_that_says_where_all_went() -> None:
    ratings = Ratings(np.array([[0.0], [np.nan], [2]]), np.array([1.0, 1, np.nan]))
    with pytest.raises(InputError, match="Of 3 read, left out were: no human score: 1; human score 0: 1; no system"):
        evaluate_engine(ratings, Plan(SCALE))
    with pytest.raises(InputError, match="no rows"):
        evaluate_engine([], Plan(SCALE))


def test_a_part_without_usable_responses_is_counted_and_passed_over() -> None:
    ratings = sample(60)
    unread = Ratings(
        np.full((5, 3), np.nan), np.ones(5), groups=tuple(replace(g, codes=g.codes[:5]) for g in ratings.groups)
    )
    found = evaluate_engine([unread, part(ratings, 0, 60)], PLAN)
    assert found.exclusions.read == 65
    assert found.exclusions.left_out[NO_HUMAN] >= 5


# --- weights ------------------------------------------------------------------------------------------------------


def test_weights_that_are_all_equal_change_no_figure() -> None:
    ratings = sample(200)
    plain = evaluate_engine(replace(ratings, weights=None), PLAN)
    even = evaluate_engine(replace(ratings, weights=np.full(200, 0.3)), PLAN)
    for form in plain.variants:
        for name, estimate in plain.variants[form].metrics.items():
            found = even.variants[form].metrics[name]
            assert (found.value, found.low, found.high) == pytest.approx((estimate.value, estimate.low, estimate.high))
    assert even.true_score["raw"].prmse.value == pytest.approx(plain.true_score["raw"].prmse.value)
    assert even.further["alpha"].value == pytest.approx(plain.further["alpha"].value)


def test_heavy_responses_pull_the_figures_their_way() -> None:
    human = np.array([1.0, 2, 3, 4, 5, 1, 2, 3, 4, 5])
    system = human + np.array([0.0] * 5 + [1.5] * 5)
    light, heavy = (
        evaluate_engine(Ratings(human[:, None], system, weights=np.array([1.0] * 5 + [w] * 5)), Plan(SCALE))
        for w in (0.1, 10)
    )
    assert light.figures()["mae"].value < 0.2
    assert heavy.figures()["mae"].value > 1.3


# --- candidates ---------------------------------------------------------------------------------------------------


def width(estimate: Estimate) -> float:
    return estimate.high - estimate.low


@pytest.mark.parametrize("name", ["qwk", "r", "rmse", "exact_agreement", "kappa", "smd", "alpha"])
def test_copies_of_a_response_add_no_certainty_once_their_candidate_is_known(name: str) -> None:
    ratings = sample(80)
    human, system = (np.nan_to_num(x, nan=3.0) for x in (ratings.human[:, :1], ratings.system))
    human = np.maximum(human, 1)
    once = evaluate_engine(Ratings(human, system), Plan(SCALE)).figures()[name]
    copied = Ratings(np.repeat(human, 5, axis=0), np.repeat(system, 5), candidate=np.repeat(np.arange(80), 5))
    known = evaluate_engine(copied, Plan(SCALE)).figures()[name]
    unknown = evaluate_engine(replace(copied, candidate=None), Plan(SCALE)).figures()[name]
    assert width(known) == pytest.approx(width(once), rel=0.03)  # the sd over N - 1 knows the copies, hardly
    assert width(unknown) < 0.6 * width(known)


def test_candidates_with_too_few_usable_responses_are_left_out() -> None:
    human = np.array([[1.0], [2], [3], [np.nan], [5], [4]])
    ratings = Ratings(human, np.arange(1.0, 7), candidate=np.array([7, 7, 8, 8, 9, 9]))
    found = evaluate_engine(ratings, Plan(SCALE, least_items=2))
    assert (found.n, dict(found.exclusions.left_out)) == (4, {NO_HUMAN: 1, FEW_ITEMS: 1})
    with pytest.raises(InputError, match="needs a column that names candidates"):
        evaluate_engine(replace(ratings, candidate=None), Plan(SCALE, least_items=2))


# --- hostile sizes and scales -------------------------------------------------------------------------------------


def estimates_in(value: Any, where: str = "") -> Iterator[tuple[str, Estimate]]:
    if isinstance(value, Estimate):
        yield where, value
    elif is_dataclass(value) and not isinstance(value, PairTally):
        for field in fields(value):
            yield from estimates_in(getattr(value, field.name), f"{where}.{field.name}")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from estimates_in(item, f"{where}[{key}]")
    elif isinstance(value, tuple):
        for number, item in enumerate(value):
            yield from estimates_in(item, f"{where}[{number}]")


def assert_every_estimate_is_honest(found: Evaluation) -> None:
    """A value or a reason; an interval around the value or a reason; nothing infinite."""
    for where, e in estimates_in(found):
        assert not np.isinf([e.value, e.low, e.high]).any(), where
        assert e.defined or e.reason, where
        assert np.isnan(e.low) == np.isnan(e.high), where
        if np.isfinite(e.low):
            slack = 1e-9 * max(1.0, abs(e.value))
            assert e.low - slack <= e.value <= e.high + slack, where
        elif not where.endswith("n"):
            assert e.reason, where


TINY = np.array([[3.0, 4], [3, np.nan], [2, 2], [5, 4], [1, 1]])


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("scale", [SCALE, None])
def test_a_handful_of_responses_is_evaluated_as_far_as_it_goes(n: int, scale: ScoreScale | None) -> None:
    ratings = Ratings(TINY[:n], TINY[:n, 0] + 0.3, groups=(GroupColumn.of("g", ["a", None, "b", "b", "a"][:n]),))
    found = evaluate_engine(ratings, Plan(scale, cuts=(3.0,)))
    assert found.n == n
    assert_every_estimate_is_honest(found)


def scores_like(kind: str) -> tuple[Scores, ScoreScale | None]:
    rng = np.random.default_rng(9)
    base = rng.integers(1, 7, 40).astype(float)
    kinds: dict[str, tuple[Scores, ScoreScale | None]] = {
        "constant": (np.full(40, 3.0), SCALE),
        "half points": (base / 2, ScoreScale(0.5, 3, 0.5)),
        "tenths": (base / 10, ScoreScale(0.1, 0.6, 0.1)),
        "negative": (base - 10, ScoreScale(-9, -4)),
        "huge": (base * 1e6, ScoreScale(1e6, 6e6)),
        "near a billion": (base + 1e9, ScoreScale(1e9, 1e9 + 6)),
        "tiny unit": (base * 1e-6, None),
        "off the scale": (base + 20, SCALE),
    }
    return kinds[kind]


KINDS = ("constant", "half points", "tenths", "negative", "huge", "near a billion", "tiny unit", "off the scale")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("engine", ["same", "constant", "noisy"])
def test_no_scale_is_too_odd_to_answer(kind: str, engine: str) -> None:
    human, scale = scores_like(kind)
    unit = scale.step if scale else 1e-6
    noise = np.random.default_rng(2).normal(0, unit, 40)
    system = {"same": human, "constant": np.full(40, human[0]), "noisy": human + noise}[engine]
    second = np.where(np.arange(40) % 2, human, np.nan)
    ratings = Ratings(np.column_stack([human, second]), system, groups=(GroupColumn.of("g", list("ab" * 20)),))
    found = evaluate_engine(ratings, Plan(scale, cuts=(float(np.median(human)),)))
    assert found.n == 40
    assert_every_estimate_is_honest(found)


@pytest.mark.parametrize("kind", ["half points", "tenths", "negative"])
def test_the_scale_only_names_the_points_and_changes_no_agreement(kind: str) -> None:
    rng = np.random.default_rng(9)
    base = rng.integers(1, 7, 40).astype(float)
    given = base + rng.integers(-1, 2, 40).astype(float)
    expected = evaluate_engine(Ratings(base[:, None], given), Plan(SCALE)).figures()
    human, scale = scores_like(kind)
    assert scale is not None
    system = given * scale.step + (human[0] - base[0] * scale.step)
    found = evaluate_engine(Ratings(human[:, None], system), Plan(scale)).figures()
    for name in ("qwk", "r", "kappa", "linear_kappa", "exact_agreement", "smd", "r2", "alpha", "spearman"):
        assert (found[name].value, found[name].low) == pytest.approx((expected[name].value, expected[name].low)), name


# --- names and choices --------------------------------------------------------------------------------------------


def test_raters_have_the_names_they_were_given_or_numbers() -> None:
    ratings = sample(60)
    assert evaluate_engine(ratings, PLAN).raters == ("human 1", "human 2", "human 3")
    named = evaluate_engine(ratings, PLAN, raters=["Ann", "Ben", "Cy"], engine="e-rater")
    assert (named.engine, named.raters) == ("e-rater", ("Ann", "Ben", "Cy"))
    assert [(p.first, p.second) for p in named.rater_pairs] == [("Ann", "Ben"), ("Ann", "Cy"), ("Ben", "Cy")]
    with pytest.raises(InputError, match="got 2 names for 3 raters: Ann, Ben"):
        evaluate_engine(ratings, PLAN, raters=["Ann", "Ben"])


def test_the_first_two_raters_are_the_consistency_even_if_others_read_more() -> None:
    ratings = sample(100)
    human = ratings.human.copy()
    human[:, 1] = np.nan
    found = evaluate_engine(replace(ratings, human=human), PLAN)
    assert found.consistency is None
    assert [(p.first, p.second) for p in found.rater_pairs] == [("human 1", "human 3")]


def test_zero_may_be_a_score() -> None:
    human = np.array([[0.0, 0], [1, 0], [2, 2], [3, 3]])
    found = evaluate_engine(Ratings(human, human[:, 0]), Plan(ScoreScale(0, 3)))
    assert (found.n, found.readings.multiple) == (4, 4)
    without = evaluate_engine(Ratings(human, human[:, 0]), Plan(ScoreScale(0, 3), leave_out_zeros=True))
    assert (without.n, without.readings.multiple) == (3, 2)
    assert evaluate_engine(Ratings(human, human[:, 0]), Plan(ScoreScale(1, 3))).n == 3


def test_a_bootstrap_is_repeatable_and_honest() -> None:
    ratings = sample(150)
    found, again = (
        evaluate_engine(ratings, PLAN, resampling=Resampling.bootstrapped(np.random.default_rng(4), draws=60))
        for _ in range(2)
    )
    assert_same_evaluation(found, again)
    assert found.figures()["qwk"].low < found.figures()["qwk"].value < found.figures()["qwk"].high


def test_two_lists_in_place_of_ratings_and_a_plan_are_answered_with_what_to_pass() -> None:
    human, system = np.array([1.0, 2.0]), np.array([1.0, 2.0])
    with pytest.raises(InputError, match=r"Ratings\.of\(human, system\)") as refused:
        evaluate_engine(human, system)  # type: ignore[arg-type]
    assert refused.value.field == "plan"
    with pytest.raises(InputError, match=r"Ratings\.of\(human, system\)") as refused:
        evaluate_engine(human, Plan("1-6"))  # type: ignore[arg-type]
    assert refused.value.field == "ratings"


def test_defaults_name_the_engine_and_take_the_jackknife() -> None:
    found = evaluate_engine(Ratings.of([1.0, 2, 3, 4], [1.0, 2, 4, 4]), Plan(SCALE))
    assert (found.engine, found.raters, found.bootstrap_draws) == ("system", ("human 1",), 0)
    assert (found.rater_pairs, found.consistency, found.crossed_raters) == ((), None, None)
    assert found.readings.raters == 1


def test_two_raters_are_crossed_where_both_read_and_not_where_they_never_met() -> None:
    human = np.array([[1.0, 1, 2], [2, 3, 2], [3, 3, 4], [4, 4, 4]])
    met = evaluate_engine(Ratings(human, human[:, 0]), Plan(SCALE))
    apart = evaluate_engine(Ratings(np.where([[False, True, False]], np.nan, human), human[:, 0]), Plan(SCALE))
    counts = ((1, 0, 0, 0), (0, 0, 1, 0), (0, 0, 1, 0), (0, 0, 0, 1))
    assert [found.crossed_raters for found in (met, apart)] == [Crossed((1, 2, 3, 4), counts), None]
    assert met.consistency is met.rater_pairs[0].figures
    assert [len(found.rater_pairs) for found in (met, apart)] == [3, 1]
