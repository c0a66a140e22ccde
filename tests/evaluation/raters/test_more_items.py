import numpy as np

from assay.evaluation.raters.more_items import FACTORS, _settled, more_items_of
from assay.evaluation.raters.replacement import ReplacementPlan, replacement_of
from tests.evaluation.raters.panels import panel_from, random_table


def test_an_uncertain_judge_has_a_curve_that_narrows() -> None:
    panel = panel_from(random_table(11, items=120, people=3, judges=4, gaps=0.1, noise=0.9), 4)
    plan = ReplacementPlan(least_items=20)
    judges = replacement_of(panel, plan).judges
    uncertain = [judge.name for judge in judges if judge.verdict and "," in judge.verdict]

    curves = more_items_of(panel, judges, plan)

    assert [curve.judge for curve in curves] == uncertain
    assert uncertain
    for curve in curves:
        assert len(curve.items) == len(FACTORS)
        assert curve.high[-1] - curve.low[-1] <= curve.high[0] - curve.low[0]


def test_certain_verdicts_need_no_more_items() -> None:
    table = random_table(12, items=300, gaps=0.0, noise=0.3)
    table[:, 4:] = np.random.default_rng(1).integers(1, 6, size=(300, 2))
    panel = panel_from(table, 2)
    plan = ReplacementPlan()

    assert more_items_of(panel, replacement_of(panel, plan).judges, plan) == ()


def test_a_verdict_is_settled_where_it_stays_so() -> None:
    assert _settled((10, 20, 30), (0.6, 0.4, 0.6), (1, 1, 1)) == (30, "met")
    assert _settled((10, 20, 30), (0, 0, 0), (0.6, 0.4, 0.3)) == (20, "not met")
    assert _settled((10, 20, 30), (0, 0, 0), (1, 1, 1)) == (None, "")
