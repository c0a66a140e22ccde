"""A model moved towards teachers' scores."""

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.models.erater.model import TrainingPlan, score_table
from assay.essays.models.erater.refit import refit_model, refitted_unseen
from assay.essays.models.erater.train import train_model
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
    with pytest.raises(InputError, match="no point of the model's scale"):
        refit_model(model, replace(off, human=HumanScores(off.human.first + 6)))
