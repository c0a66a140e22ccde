"""A model moved towards teachers' scores."""

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.models.erater.model import TrainingPlan, score_table
from assay.essays.models.erater.prompt_vocabulary import dealt_folds
from assay.essays.models.erater.refit import (
    FOLDS,
    _pulled_line,
    refit_model,
    refit_weights,
    refittable,
    refitted_unseen,
)
from assay.essays.models.erater.train import train_model
from assay.essays.models.erater.weights import FeatureWeights
from assay.essays.models.resolution import HumanScores
from tests.essays.models.erater.made_essays import made_table

PLAN = TrainingPlan(kind="generic10")


def test_a_stricter_teacher_moves_the_scores_down() -> None:
    table = made_table(400)
    model = train_model(table, PLAN)
    new = made_table(60, seed=9)
    strict = replace(new, human=HumanScores(np.clip(new.human.first - 1, 1, 6)))

    before, after = refitted_unseen(model, strict)

    human = strict.human.first
    assert np.mean(np.abs(after - human)) < np.mean(np.abs(before - human)) - 0.3


def test_scores_the_model_would_have_given_change_little() -> None:
    table = made_table(400)
    model = train_model(table, PLAN)
    new = made_table(60, seed=9)
    raw = np.array([score.score for score in score_table(new, model)])

    refitted = refit_model(model, replace(new, human=HumanScores(raw)))

    given = np.array([score.score for score in score_table(new, refitted)])
    assert np.mean(given == raw) > 0.85


def test_the_new_model_is_a_revision_and_the_old_one_stays() -> None:
    model = train_model(made_table(400), PLAN)
    kept = model.equations[""].weights.raw.copy()

    new = refit_model(model, made_table(40, seed=3))

    assert (model.training.revision, new.training.revision) == (1, 2)
    assert "40 new scores" in new.training.notes[-1]
    assert model.equations[""].weights.raw.tolist() == kept.tolist()


def test_a_fixed_share_stays_what_it_was() -> None:
    model = train_model(made_table(400), PLAN)

    weights = refit_model(model, made_table(80, seed=3)).equations[""].weights

    assert weights.relative[weights.names.index("length")] == pytest.approx(0.2)


def test_too_few_scores_and_scores_off_the_scale_are_named() -> None:
    model = train_model(made_table(400), PLAN)
    with pytest.raises(InputError, match="at least 10"):
        refit_model(model, made_table(5))
    off = made_table(20)
    strange = np.where(np.arange(20) < 18, off.human.first, [0.0] * 19 + [7.5])
    strange[4] = 6.5
    with pytest.raises(InputError, match=r"the new score 6\.5 is no point of the model's scale, 1 to 6\. Give"):
        refit_model(model, replace(off, human=HumanScores(strange)))
    assert refit_model(model, made_table(10)).training.notes[-1] == "revision 2: moved towards 10 new scores"


def weights(**given: object) -> FeatureWeights:
    raw, sd = np.array([1.0, -0.5]), np.array([1.0, 2.0])
    settings = {"names": ("a", "b"), "mean": np.array([2.0, 4.0]), "sd": sd, "standardised": raw * sd / 2, "raw": raw}
    return FeatureWeights(**{**settings, "intercept": 3.0, "fixed": {}, **given})  # type: ignore[arg-type]


def test_scores_the_old_weights_give_leave_them_as_they_are() -> None:
    values = np.random.default_rng(1).normal([2, 4], [1, 2], size=(30, 2))
    old = weights()

    new = refit_weights(old, values, old.predict(values))

    assert new.intercept == pytest.approx(3.0)
    assert new.raw.tolist() == pytest.approx([1.0, -0.5])
    assert new.standardised == pytest.approx(old.standardised)


@pytest.mark.parametrize("raw", [[0.25, -1.5], [4.0, 0.0], [0.0, 0.3]])
def test_standardised_weights_stay_in_the_unit_they_were_in(raw: list[float]) -> None:
    values = np.random.default_rng(1).normal([2, 4], [1, 2], size=(30, 2))
    old = weights(raw=np.array(raw), standardised=np.array(raw) * [1.0, 2.0] / 1.7)
    assert refit_weights(old, values, old.predict(values)).standardised == pytest.approx(old.standardised)


def test_new_scores_pull_at_weights_as_a_ridge_regression_would() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal([2, 4], [1, 2], size=(40, 2))
    values[0, 1] = np.nan
    scores = 3 + 2 * values[:, 0] + rng.normal(size=40)
    old = weights()

    new = refit_weights(old, values, scores)

    filled = np.where(np.isnan(values), [2, 4], values)
    z, missed = (filled - [2, 4]) / [1, 2], scores - old.predict(values)
    points = np.array([1.0, -1.0])
    moved = points + np.linalg.solve(z.T @ z + 200.0 * np.eye(2), z.T @ (missed - missed.mean()))
    moved = np.where(moved * points < 0, 0, moved)
    interim = old.average_score + z @ moved
    a, b = _pulled_line(interim, scores, old.average_score)
    assert new.raw == pytest.approx(b * moved / [1, 2])
    assert new.predict(values) == pytest.approx(a + b * interim)


def test_a_weight_that_would_change_its_sign_is_zero() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal([2, 4], [1, 2], size=(3000, 2))
    scores = 3 - 2 * values[:, 0] - 3 * values[:, 1]

    assert refit_weights(weights(), values, scores).raw[0] == 0


def test_a_line_is_pulled_to_where_it_was_by_ten_essays() -> None:
    interim = np.array([1.0, 2.0, 3.0])
    same = _pulled_line(interim, interim, 2.0)
    up, slope = _pulled_line(interim, interim + 1, 2.0)

    assert same == pytest.approx((0.0, 1.0))
    assert (up, slope) == pytest.approx((3 / 13, 1.0))
    _, turned = _pulled_line(interim, -50 * interim, 2.0)
    assert turned == 0.1  # a scale is never turned round
    assert _pulled_line(np.full(3, 2.0), np.full(3, 3.0), 2.0) == pytest.approx((3 / 13, 1.0))


def test_each_group_moves_by_its_own_scores_and_the_others_stay() -> None:
    table = made_table(400, prompts=2)
    model = train_model(table, TrainingPlan(kind="specific"))
    rows = np.array([row for row in range(80) if table.prompts[row] == "p0"])
    new = refit_model(model, replace(table.at(rows), human=HumanScores(np.clip(table.human.first[rows] - 1, 1, 6))))

    assert new.equations["p1"] is model.equations["p1"]
    assert new.equations["p0"].weights.intercept != model.equations["p0"].weights.intercept
    assert new.training.notes[-1] == "revision 2: moved towards 40 new scores"
    with pytest.raises(InputError, match="the model knows no prompt of these essays"):
        refit_model(model, replace(table.at(rows), prompts=("other",) * len(rows)))


def test_cutoffs_move_by_the_share_of_new_scores_and_a_version_may_be_named() -> None:
    model = train_model(made_table(400), TrainingPlan(kind="generic10", cutoffs="rounding"), version="1")
    moved = replace(model.equations[""].cutoffs, cuts=model.equations[""].cutoffs.cuts + 1)
    shifted = replace(model, equations={"": replace(model.equations[""], cutoffs=moved)})

    new = refit_model(shifted, made_table(50, seed=3), version="2")

    assert new.equations[""].cutoffs.cuts == pytest.approx(np.arange(1.5, 6) + 1 - 50 / 250)
    assert (new.training.version, refit_model(model, made_table(50, seed=3)).training.version) == ("2", "1")


def test_a_model_that_cannot_be_moved_is_refused_with_its_kind() -> None:
    model = train_model(made_table(400), PLAN)

    assert refittable(model) is model
    old = replace(model, kind="v1")
    with pytest.raises(InputError, match="a v1 model cannot be refitted"):
        refittable(old)
    with pytest.raises(InputError, match=r"9 new scores are too few to refit a model: at least 10 are needed"):
        refit_model(model, made_table(9))


def test_a_line_is_pulled_around_the_score_of_the_average_essay() -> None:
    interim, scores = np.array([1.0, 2.0, 4.0]), np.array([2.0, 2.0, 5.0])

    intercept, slope = _pulled_line(interim, scores, 2.0)

    # distances of -1, 0 and 2 around the average essay, their spread, and errors of 1, 0 and 1
    spread = np.std([-1, 0, 2])
    x = np.array([-1, 0, 2]) / spread
    level, tilt = np.linalg.solve([[13, x.sum()], [x.sum(), x @ x + 10]], [2, x @ [1, 0, 1]])
    assert slope == pytest.approx(1 + tilt / spread, abs=1e-12)
    assert intercept == pytest.approx(level + 2 - 2 * slope, abs=1e-12)


def test_a_fixed_share_is_reckoned_from_what_the_others_moved_to() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal([2, 4], [1, 2], size=(40, 2))
    scores = 3 + 2 * values[:, 0] + rng.normal(size=40)
    old = weights(fixed={"b": 0.25})

    new = refit_weights(old, values, scores)

    z, missed = (values - [2, 4]) / [1, 2], scores - old.predict(values)
    first = 1 + z[:, 0] @ (missed - missed.mean()) / (z[:, 0] @ z[:, 0] + 200)
    moved = np.array([first, -first / 3])  # a quarter of the whole, with its old sign
    a, b = _pulled_line(old.average_score + z @ moved, scores, old.average_score)
    assert new.raw == pytest.approx(b * moved / [1, 2], abs=1e-12)
    assert new.standardised == pytest.approx(b * moved / 2, abs=1e-12)
    assert new.intercept == pytest.approx(a + b * old.average_score - new.raw @ [2, 4], abs=1e-12)
    assert new.relative.tolist() == pytest.approx([0.75, 0.25], abs=1e-12)


def test_where_every_share_is_fixed_only_the_line_moves() -> None:
    values = np.random.default_rng(1).normal([2, 4], [1, 2], size=(30, 2))
    old = weights(fixed={"a": 0.5, "b": 0.5})

    new = refit_weights(old, values, old.predict(values) + 1)

    a, b = _pulled_line(old.predict(values), old.predict(values) + 1, old.average_score)
    assert new.raw.tolist() == pytest.approx([b, -b / 2], abs=1e-12)
    assert new.intercept == pytest.approx(a + 3 * b, abs=1e-12)


def test_unseen_scores_come_from_models_of_the_other_four_folds() -> None:
    model, new = train_model(made_table(200), PLAN), made_table(30, seed=9)

    before, after = refitted_unseen(model, new)

    assert FOLDS == 5
    assert before.tolist() == [score.score for score in score_table(new, model)]
    fold = dealt_folds(new.human.first, 5)
    for number in range(5):
        inside, outside = np.flatnonzero(fold == number), np.flatnonzero(fold != number)
        refitted = refit_model(model, new.at(outside))
        assert after[inside].tolist() == [score.score for score in score_table(new.at(inside), refitted)]


def test_programs_move_by_their_own_scores() -> None:
    table = made_table(300, programs=2)
    model = train_model(table, PLAN)
    rows = np.arange(0, 60, 2)  # of the first program, five of them without a new score
    scores = np.where(np.arange(30) < 5, np.nan, np.clip(table.human.first[rows] - 1, 1, 6))

    new = refit_model(model, replace(table.at(rows), human=HumanScores(scores)))

    assert new.equations["grade 7"] is model.equations["grade 7"]
    assert new.equations["grade 6"].weights.intercept != model.equations["grade 6"].weights.intercept
    assert new.training.notes[-1] == "revision 2: moved towards 25 new scores"
