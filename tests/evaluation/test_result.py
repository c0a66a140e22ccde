"""Headline figures by name, as gates and comparisons ask for them."""

import numpy as np
import pytest

from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import GroupColumn, Ratings
from assay.evaluation.result import Evaluation, largest_group_difference
from assay.evaluation.score_variants import Scaling
from assay.metrics.catalogue import PAIR_METRICS
from assay.scale import ScoreScale

RNG = np.random.default_rng(51)
HUMAN = RNG.integers(1, 6, (120, 1)).astype(float) + np.zeros((1, 2))
HUMAN[:, 1] = np.clip(HUMAN[:, 1] + RNG.integers(-1, 2, 120), 1, 5)
SYSTEM = HUMAN[:, 0] + RNG.normal(0.1, 0.6, 120)
GROUPS = (GroupColumn.of("g", list("ab" * 60)), GroupColumn.of("h", ["x"] * 40 + ["y"] * 80))


def evaluated(plan: Plan | None = None) -> Evaluation:
    return evaluate_engine(Ratings(HUMAN, SYSTEM, groups=GROUPS), plan or Plan(ScoreScale(1, 5)))


def test_plain_names_are_of_the_form_that_decides() -> None:
    found = evaluated()
    figures = found.figures()
    for name, metric in PAIR_METRICS.items():
        form = "raw_trim_round" if metric.on_points else "raw_trim"
        assert figures[name] is found.variants[form].metrics[name]
    for form, pair in found.variants.items():
        assert figures[f"{form}.qwk"] is pair.metrics["qwk"]
    assert figures["n"].value == 120


def test_the_scaled_form_decides_when_there_is_scaling() -> None:
    found = evaluated(Plan(ScoreScale(1, 5), scaling=Scaling(3, 1, 3, 1.2)))
    assert found.figures()["qwk"] is found.variants["scale_trim"].metrics["qwk"]
    assert found.figures()["kappa"] is found.variants["scale_trim_round"].metrics["kappa"]


def test_without_a_scale_all_figures_are_of_the_score_as_it_is() -> None:
    found = evaluated(Plan(None))
    assert found.figures()["exact_agreement"] is found.variants["raw"].metrics["exact_agreement"]
    assert found.figures()["degradation_kappa"] is found.degradation["raw"]["kappa"]


def test_figures_of_people_degradation_and_groups_have_names_of_their_own() -> None:
    found = evaluated()
    figures = found.figures()
    assert found.consistency is not None
    assert figures["human_qwk"] is found.consistency.metrics["qwk"]
    assert figures["human_alpha"] is found.reliability["alpha"]
    assert figures["prmse"] is found.true_score["raw_trim"].prmse
    assert figures["degradation_qwk"] is found.degradation["raw_trim"]["qwk"]
    assert figures["degradation_kappa"] is found.degradation["raw_trim_round"]["kappa"]
    assert figures["disattenuated_r"] is found.disattenuated["raw_trim"].corrected
    assert {"dsm[g=a]", "dsm[g=b]", "dsm[h=x]", "dsm[h=y]"} <= set(figures)


def test_the_largest_group_difference_is_the_farthest_from_zero() -> None:
    found = evaluated()
    shifts = [group.joint["dsm"] for grouping in found.groupings for group in grouping.groups]
    worst = largest_group_difference(found)
    assert worst is not None
    assert len(shifts) == 4
    assert abs(worst[2].value) == max(map(abs, shifts))
    assert found.figures()["largest_dsm"] is worst[2]
    alone = evaluate_engine(Ratings(HUMAN, SYSTEM), Plan(ScoreScale(1, 5)))
    assert largest_group_difference(alone) is None
    assert "largest_dsm" not in alone.figures()


def test_a_group_may_be_the_worst_because_it_is_scored_too_low() -> None:
    columns = (GroupColumn.of("g", ["few"] * 20 + ["many"] * 100),)
    system = SYSTEM - np.where(np.arange(120) < 20, 1.0, 0.0)
    worst = largest_group_difference(evaluate_engine(Ratings(HUMAN, system, groups=columns), Plan(ScoreScale(1, 5))))
    assert worst is not None
    assert (worst[:2], worst[2].value < 0) == (("g", "few"), True)


def test_every_figure_with_a_threshold_is_judged() -> None:
    judgements = {j.name: j for j in evaluated().judgements}
    assert {"qwk", "r", "smd", "exact_agreement", "degradation_qwk", "largest_dsm", "disattenuated_r"} <= set(
        judgements
    )
    assert judgements["qwk"].verdict == "met"


def test_the_decisive_forms_keep_their_blocks_for_comparisons() -> None:
    found = evaluated()
    assert list(found.blocks) == ["raw_trim", "raw_trim_round"]
    assert PAIR_METRICS["qwk"].formula(found.blocks["raw_trim"].merged()) == pytest.approx(found.figures()["qwk"].value)
