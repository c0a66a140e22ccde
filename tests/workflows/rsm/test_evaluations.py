"""Evaluations of experiments: as they are made, and anew from what is stored of them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assay.evaluation.plan import Plan
from assay.evaluation.ratings import Ratings
from assay.io.rsm.stored import read_experiment
from assay.rsm.stored import StoredExperiment
from assay.scale import ScoreScale
from assay.workflows.rsm.evaluations import compare_stored, evaluate_responses, evaluate_stored
from assay.workflows.rsm.tool import RsmToolResult, rsm_tool
from tests.io.rsm.rsm_training import write_training


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("evaluations")


@pytest.fixture(scope="module")
def result(home: Path) -> RsmToolResult:
    config = write_training(home, subgroups=["group"], second_human_score_column="h2")
    return rsm_tool(config, home / "out", no_report=True)


@pytest.fixture(scope="module")
def stored(home: Path, result: RsmToolResult) -> StoredExperiment:
    return read_experiment(home / "out", result.identity)


def test_a_stored_experiment_has_the_figures_it_had_when_it_was_made(
    stored: StoredExperiment, result: RsmToolResult
) -> None:
    again = evaluate_stored(stored)

    assert again is not None
    for name in ("qwk", "r", "smd", "exact_agreement"):
        assert again.figures()[name].value == pytest.approx(result.evaluation.figures()[name].value)
    assert [grouping.column for grouping in again.groupings] == ["group"]
    only = evaluate_stored(stored, groups=())
    assert only is not None
    assert only.groupings == ()


def test_without_scores_or_a_scale_there_is_nothing_to_evaluate(stored: StoredExperiment) -> None:
    assert evaluate_stored(replace(stored, scores=None)) is None
    assert compare_stored([stored, replace(stored, scores=None)]) == (None, 0)
    assert compare_stored([stored]) == (None, 0)


def test_experiments_are_compared_on_the_responses_they_share(stored: StoredExperiment) -> None:
    assert stored.scores is not None
    fewer = replace(stored, name="fewer", scores=stored.scores.where(list(range(30, 5, -1))))

    comparison, shared = compare_stored([stored, fewer])

    assert comparison is not None
    assert shared == 25
    assert {d.estimate.value for d in comparison.differences if d.metric == "qwk"} == {0.0}


def test_points_people_gave_outside_the_scale_are_known_and_the_plan_stays_as_asked() -> None:
    human = np.array([0.0, 1, 2, 3, 4, 5, 6, 6])
    plan = Plan(ScoreScale(1, 4), leave_out_zeros=False)
    evaluated = evaluate_responses(
        Ratings(human[:, None], human), plan, {}, engine="e", raters=("h", None), compat=False
    )

    assert evaluated.evaluation.plan is plan
    assert [level.point for level in evaluated.evaluation.levels] == [0, 1, 2, 3, 4, 5, 6]
    assert (evaluated.reasons == -1).all()
    assert evaluated.variants["raw"].tolist() == human.tolist()
