"""From features and human scores to a model."""

from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.features.features import FEATURES
from assay.essays.models.erater.model import TrainingPlan, score_table
from assay.essays.models.erater.train import check_scores, train_model, trainable
from assay.essays.models.erater.weights import fit_weights
from assay.essays.models.feature_table import SHAPE_OF, model_values
from assay.essays.models.resolution import HumanScores
from assay.scale import ScoreScale
from tests.essays.models.erater.made_essays import made_table

KINDS = ["specific", "generic12", "generic10"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_of_each_kind_agrees_with_people_on_essays_it_has_not_seen(kind: str) -> None:
    table = made_table(500, prompts=2)
    train, test = table.at(np.arange(400)), table.at(np.arange(400, 500))

    model = train_model(train, TrainingPlan(kind=kind))
    given = np.array([score.score for score in score_table(test, model)])

    assert np.corrcoef(given, test.human.first)[0, 1] > 0.6
    assert model.scale.holds(given).all()


def test_specific_models_weigh_each_prompt_by_itself() -> None:
    model = train_model(made_table(400, prompts=2), TrainingPlan(kind="specific"))

    one, other = (model.equations[prompt].weights.raw for prompt in ("p0", "p1"))

    assert not np.allclose(one, other)


def test_length_has_the_weight_it_was_given() -> None:
    model = train_model(made_table(), TrainingPlan(fixed={"length": 0.3}))

    weights = model.equations[""].weights

    assert weights.relative[weights.names.index("length")] == pytest.approx(0.3)


def test_the_same_essays_make_the_same_model() -> None:
    one, other = (train_model(made_table()) for _ in range(2))

    assert one.equations[""].weights.raw.tolist() == other.equations[""].weights.raw.tolist()
    assert one.training.digest == other.training.digest


def test_essays_without_words_scores_or_resolution_are_left_out_by_reason() -> None:
    table = made_table(300)
    first, second = table.human.first.copy(), table.human.first.copy()
    first[0] = second[0] = np.nan
    second[1] = first[1] + (3 if first[1] <= 3 else -3)
    values = table.values.copy()
    values[2] = np.nan
    values[2, -1] = 0
    changed = replace(table, values=values, human=HumanScores(first, second))

    model = train_model(changed, scale=ScoreScale(1, 6))

    assert dict(model.training.left_out) == {
        "no human score": 1,
        "two scores more than a point apart and no third": 1,
        "no words": 1,
    }
    assert model.training.essays == 297


@pytest.mark.parametrize(("lowest", "highest"), [(0, 3), (0, 60), (2, 12)])
def test_any_scale_will_do(lowest: int, highest: int) -> None:
    table = made_table(300, lowest=lowest, highest=highest)

    model = train_model(table, scale=ScoreScale(lowest, highest))

    assert model.equations[""].agreement["qwk"] > 0.6


def test_the_paper_s_own_recipe_works_too() -> None:
    model = train_model(made_table(), TrainingPlan.paper("generic12"))

    assert set(model.shapes) == {"as_measured"}
    assert model.training.cutoffs == "signal-detection"
    assert model.equations[""].agreement["qwk"] > 0.6


def test_too_few_essays_one_level_and_a_strange_scale_are_named() -> None:
    table = made_table(300)
    with pytest.raises(InputError, match=r"30 scored essays are too few to estimate 11 weights: at least 55"):
        train_model(table.at(np.arange(30)))
    with pytest.raises(InputError, match="every essay has the human score 3"):
        train_model(replace(table, human=HumanScores(np.full(300, 3.0))))
    with pytest.raises(InputError, match="no points of the scale 1 to 4"):
        train_model(table, scale=ScoreScale(1, 4))
    with pytest.raises(InputError, match="no model is called 'best'"):
        train_model(table, TrainingPlan(kind="best"))
    with pytest.raises(InputError, match="no model is called 'whatever'"):
        train_model(table, TrainingPlan(kind="whatever"))


def test_notes_say_what_a_user_of_the_model_should_know() -> None:
    small = train_model(made_table(200), TrainingPlan(kind="generic10"), scale=ScoreScale(0, 7), version="9")
    large = train_model(made_table(260), TrainingPlan(kind="generic10"))

    assert small.training.notes[0] == "trained on 200 essays only; the paper used 265 and more"
    assert small.training.notes[-1] == "no training essay has the score 0, 7"
    assert (small.training.version, small.training.prompts, small.training.essays) == ("9", ("p0",), 200)
    assert not any("trained on" in note for note in large.training.notes)
    specific = train_model(made_table(200, prompts=2), TrainingPlan(kind="specific"))
    assert specific.training.notes[0] == "p0: trained on 100 essays only; the paper used 265 and more"


def test_too_few_essays_are_refused_with_what_would_help() -> None:
    with pytest.raises(InputError) as caught:
        train_model(made_table(80, prompts=2), TrainingPlan(kind="specific"))
    assert str(caught.value) == (
        "40 scored essays for 'p0' are too few to estimate 11 weights: at least 55 are needed. Give more essays, "
        "fix weights with fix, or pool prompts with kind generic12 or generic10."
    )
    fixed = dict.fromkeys(FEATURES, 1 / 12)
    assert train_model(made_table(10), TrainingPlan(fixed=fixed)).training.essays == 10
    with pytest.raises(InputError, match="9 scored essays are too few to estimate 0 weights: at least 10 are needed"):
        train_model(made_table(9), TrainingPlan(fixed=fixed))


def test_a_share_may_be_fixed_for_features_of_the_model_and_left_out_for_any() -> None:
    table = made_table(200)
    with pytest.raises(InputError, match=r"no feature is called 'wit'. A weight can be fixed for: grammar"):
        train_model(table, TrainingPlan(fixed={"wit": 0.2}))
    with pytest.raises(InputError, match="no feature is called 'max_cos'"):
        train_model(table, TrainingPlan(kind="generic10", fixed={"max_cos": 0.2}))
    model = train_model(table, TrainingPlan(kind="generic10", fixed={"max_cos": 0.0}))
    assert len(model.features) == 10


def test_without_weight_on_its_vocabulary_a_model_keeps_no_words() -> None:
    table = made_table(200)

    bare = train_model(table, TrainingPlan(fixed={"max_cos": 0.0, "cos_highest": 0.0}))
    half = train_model(table, TrainingPlan(fixed={"max_cos": 0.0}))

    assert (dict(bare.content), list(half.content)) == ({}, ["p0"])


def test_scores_no_model_can_be_trained_on_are_refused_before_essays_are_read() -> None:
    check_scores(HumanScores(np.array([np.nan, np.nan])))
    check_scores(HumanScores(np.array([1.0, 2.5, np.nan])), ScoreScale(1, 3, 0.5))
    with pytest.raises(InputError, match="every essay has the human score 2"):
        check_scores(HumanScores(np.array([2.0, 2.0])))
    with pytest.raises(InputError, match="human scores 5 are no points of the scale 1 to 4"):
        check_scores(HumanScores(np.array([2.0, 5.0])), ScoreScale(1, 4))


def test_a_table_without_scores_has_nothing_to_train_on() -> None:
    with pytest.raises(InputError, match=r"no essay has both words and a human score. Check the columns named with"):
        trainable(replace(made_table(5), human=HumanScores(np.full(5, np.nan))))
    used, left_out = trainable(made_table(5))
    assert (len(used), left_out) == (5, {})


def test_programs_make_equations_and_one_program_no_common_scale() -> None:
    table = made_table(200, programs=1)

    model = train_model(table, TrainingPlan(kind="generic10"))

    assert (model.grouping, list(model.equations), model.common_scale) == ("program", ["grade 6"], None)


def test_a_model_of_250_essays_has_seen_enough_and_one_of_249_few() -> None:
    notes = [train_model(made_table(count), TrainingPlan(kind="generic10")).training.notes for count in (249, 250)]

    assert notes[0][0] == "trained on 249 essays only; the paper used 265 and more"
    assert not any("essays only" in note for note in notes[1])


def test_essays_of_a_single_word_can_be_learned_from_and_those_of_unknown_length_cannot() -> None:
    table = made_table(6)
    values = table.values.copy()
    values[:4, table.position["length"]] = [0.0, np.nan, 1.0, 0.5]

    used, left_out = trainable(replace(table, values=values))

    assert used.essay_ids == ("e2", "e3", "e4", "e5")
    assert left_out == {"no words": 2}


def test_without_lengths_an_essay_of_which_nothing_is_known_has_no_words() -> None:
    table = made_table(5)
    values = table.values[:, :3].copy()
    values[1] = np.nan
    values[2, 1:] = np.nan

    used, left_out = trainable(replace(table, names=table.names[:3], values=values))

    assert (used.essay_ids, left_out) == (("e0", "e2", "e3", "e4"), {"no words": 1})


def test_scores_a_point_apart_are_resolved_and_those_farther_apart_are_not() -> None:
    scores = HumanScores(np.array([3.0, 3.0, 3.0, np.nan]), np.array([4.0, 5.0, 3.5, np.nan]))
    apart = "two scores more than a point apart and no third"

    assert trainable(replace(made_table(4), human=scores))[1] == {"no human score": 1, apart: 1}
    assert trainable(replace(made_table(4), human=scores), ScoreScale(1, 6, 0.5))[1] == {"no human score": 1, apart: 2}
    check_scores(HumanScores(np.array([1.0, 2.0]), np.array([2.0, 3.0])))  # resolved to 2 and 3
    with pytest.raises(InputError, match="every essay has the human score 4"):
        check_scores(HumanScores(np.array([3.0, 3.0, 4.0]), np.array([4.0, 5.0, 4.0])))


def test_two_programs_have_a_common_scale() -> None:
    model = train_model(made_table(200, programs=2), TrainingPlan(kind="generic10"))

    assert model.common_scale is not None
    assert set(model.common_scale.landmarks) == {"grade 6", "grade 7"}


def test_the_digest_is_that_of_ids_scores_and_values_of_the_essays_used() -> None:
    table = made_table(100)

    model = train_model(table, TrainingPlan(kind="generic10"))

    rows = zip(table.essay_ids, table.human.first.tolist(), table.values.tolist(), strict=True)
    assert model.training.digest == sha256("\n".join(map(repr, rows)).encode()).hexdigest()
    with pytest.raises(InputError, match="no feature is called 'wit'"):
        train_model(table, TrainingPlan(kind="generic10", fixed={"wit": 0.0}))


def test_the_plan_is_followed_to_the_letter() -> None:
    table = made_table(200)
    plan = TrainingPlan(kind="generic10", fixed={}, cutoffs="mean-sd", ridge=3.0, keep_wrong_signs=True)

    own = train_model(table, plan).equations[""]

    names = [name for name in FEATURES if name not in ("max_cos", "cos_highest")]
    values = model_values(table, names, [SHAPE_OF.get(name, "as_measured") for name in names])
    expected = fit_weights(names, values, table.human.first, ridge=3.0, keep_wrong_signs=True)
    assert own.weights.raw == pytest.approx(expected.raw, rel=1e-9)
