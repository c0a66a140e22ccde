import numpy as np
import pytest

from assay.evaluation.raters import pair_sums
from assay.evaluation.raters.panel_ratings import Labels
from assay.evaluation.raters.replacement import ReplacementPlan, gradient, metric_of, replacement_of
from assay.metrics.kappa import quadratic_weighted_kappa
from tests.evaluation.raters.panels import panel_from, random_table
from tests.evaluation.raters.test_pair_sums import pairs_of_people, pairs_with_judge

PLAN = ReplacementPlan(least_items=20)


def test_judge_and_people_are_compared_on_the_same_items() -> None:
    table = random_table(1, items=100)
    table[:40, 5] = np.nan

    judge = replacement_of(panel_from(table, 2), PLAN).judges[1]

    common = table[np.isfinite(table[:, 5]) & (np.isfinite(table[:, :4]).sum(axis=1) >= 2)]
    assert judge.items == len(common)
    assert judge.agreement == pytest.approx(quadratic_weighted_kappa(*pairs_with_judge(common, 4, 5)), abs=1e-12)
    assert judge.ceiling == pytest.approx(quadratic_weighted_kappa(*pairs_of_people(common, 4)), abs=1e-12)
    assert judge.difference == pytest.approx(judge.agreement - judge.ceiling, abs=1e-12)
    assert judge.difference.low < judge.difference < judge.difference.high


def test_a_rater_who_scores_at_random_is_noticed_and_nobody_else() -> None:
    table = random_table(2, items=200, people=5, gaps=0.4)
    rng = np.random.default_rng(102)
    table[:, 2] = np.where(np.isfinite(table[:, 2]), rng.integers(1, 6, size=200), np.nan)

    answer = replacement_of(panel_from(table, 2), PLAN)

    assert [person.name for person in answer.unrelated] == ["h2"]


def test_few_ratings_are_no_reason_to_call_a_rater_unrelated() -> None:
    table = random_table(3, items=60, people=4, gaps=0.0)
    table[4:, 3] = np.nan

    assert replacement_of(panel_from(table, 2), PLAN).unrelated == ()


def test_a_copy_of_people_passes_and_a_constant_does_not() -> None:
    table = random_table(4, items=150, people=4, judges=2, gaps=0.0)
    table[:, 4] = np.rint(np.median(table[:, :4], axis=1))
    table[:, 5] = 1

    good, bad = replacement_of(panel_from(table, 2), PLAN).judges

    assert good.verdict == "met"
    assert good.non_inferior == "met"
    assert bad.verdict == "not met"
    assert bad.non_inferior == "not met"


def test_one_person_gives_no_verdict_but_an_agreement() -> None:
    judge = replacement_of(panel_from(random_table(5, people=1, judges=1), 1), PLAN).judges[0]

    assert judge.verdict is None
    assert judge.reason
    assert judge.agreement.defined
    assert judge.ceiling.reason == "no item has two human ratings"


def test_a_judge_without_an_item_in_common_has_a_reason() -> None:
    table = random_table(6, items=40, people=3, judges=1)
    table[:20, 3] = np.nan
    table[20:, :3] = np.nan

    judge = replacement_of(panel_from(table, 1), PLAN).judges[0]

    assert judge.agreement.reason == "no item in common with people"
    assert judge.verdict is None


@pytest.mark.parametrize(
    ("kind", "name"), [("number", "qwk"), ("ordered", "qwk"), ("boolean", "qwk"), ("category", "kappa")]
)
def test_the_figure_fits_the_kind_of_label(kind: str, name: str) -> None:
    assert metric_of(Labels(kind, ("a", "b")))[0] == name  # type: ignore[arg-type]


def test_the_gradient_is_the_change_by_a_small_step() -> None:
    sums = np.array([10.0, 3, 4, 20, 22, 15, 6])
    slope = gradient(pair_sums.qwk, sums)
    step = np.zeros(7)
    step[pair_sums.PRODUCT] = 1e-3

    moved = float(pair_sums.qwk(sums + step) - pair_sums.qwk(sums))
    assert slope[pair_sums.PRODUCT] == pytest.approx(moved / 1e-3, rel=1e-3)


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    """Agreement of a judge with many more people on many more items, from 6 of them on 80 items; 60 panels."""
    rng = np.random.default_rng(11)

    def ratings(items: int, people: int) -> np.ndarray:
        true = rng.normal(3, 1.2, size=(items, 1))
        severity = rng.normal(0, 0.4, size=(1, people))
        scores = true + severity + rng.normal(0, 0.7, size=(items, people))
        judge = true + 0.2 + rng.normal(0, 0.6, size=(items, 1))
        return np.rint(np.hstack([scores, judge]))

    large = replacement_of(panel_from(ratings(4000, 200), 1), ReplacementPlan(least_items=10_000)).judges[0]
    inside = 0
    for _ in range(60):
        judge = replacement_of(panel_from(ratings(80, 6), 1), ReplacementPlan(least_items=10_000)).judges[0]
        inside += judge.agreement.low <= large.agreement.value <= judge.agreement.high

    assert inside >= 53


def test_of_many_honest_people_hardly_anybody_is_called_unrelated() -> None:
    rng = np.random.default_rng(8)
    named = 0
    for _ in range(8):
        table = np.full((600, 60), np.nan)
        truth = rng.normal(3, 1, 600)
        for item in range(600):
            table[item, rng.choice(60, 4, replace=False)] = np.clip(np.rint(truth[item] + rng.normal(0, 1, 4)), 1, 5)
        named += len(replacement_of(panel_from(table, 0), ReplacementPlan()).unrelated)

    assert named <= 1
