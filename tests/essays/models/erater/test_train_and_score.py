"""From features to a model, and from a model to scores with their reasons."""

from dataclasses import replace
from math import isnan

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.features.features import FEATURES
from assay.essays.models.erater.model import TrainingPlan, score_table
from assay.essays.models.erater.train import train_model
from assay.essays.models.feature_table import EssayFeatures
from assay.essays.models.resolution import HumanScores
from assay.essays.models.scoring_model import check_known, score_each
from assay.essays.text.text import Essay
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


def test_generic10_has_no_prompt_specific_features_and_scores_any_prompt() -> None:
    table = made_table()
    model = train_model(table, TrainingPlan(kind="generic10"))
    strange = replace(table, prompts=("never seen",) * len(table))

    scores = score_table(strange, model)

    assert len(model.features) == 10
    assert "max_cos" not in model.features
    assert all(score.scored for score in scores)


def test_specific_models_weigh_each_prompt_by_itself() -> None:
    model = train_model(made_table(400, prompts=2), TrainingPlan(kind="specific"))

    one, other = (model.equations[prompt].weights.raw for prompt in ("p0", "p1"))

    assert not np.allclose(one, other)


def test_shares_average_and_raw_score_add_up() -> None:
    table = made_table()

    for score in score_table(table, train_model(table)):
        assert score.average + sum(score.shares.values()) == pytest.approx(score.raw, abs=6e-5)


def test_length_has_the_weight_it_was_given() -> None:
    model = train_model(made_table(), TrainingPlan(fixed={"length": 0.3}))

    weights = model.equations[""].weights

    assert weights.relative[weights.names.index("length")] == pytest.approx(0.3)


def test_an_essay_has_the_same_score_alone_and_among_others_in_any_order() -> None:
    table = made_table()
    model = train_model(table)
    rows = np.random.default_rng(1).permutation(len(table))

    together = {score.essay_id: score for score in score_table(table.at(rows), model)}
    alone = [score_table(table.at(np.array([row])), model)[0] for row in range(20)]

    assert all(repr(score) == repr(together[score.essay_id]) for score in alone)


def test_last_digits_of_a_feature_do_not_change_a_score() -> None:
    table = made_table()
    model = train_model(table)
    nudged = replace(table, values=table.values * (1 + 1e-12))

    assert repr(score_table(nudged, model)) == repr(score_table(table, model))


def test_the_same_essays_make_the_same_model() -> None:
    one, other = (train_model(made_table()) for _ in range(2))

    assert one.equations[""].weights.raw.tolist() == other.equations[""].weights.raw.tolist()
    assert one.training.digest == other.training.digest


def test_the_interval_holds_nine_in_ten_human_scores() -> None:
    table = made_table(1500)
    model = train_model(table.at(np.arange(1000)))
    test = table.at(np.arange(1000, 1500))

    inside = [
        score.low - 0.5 <= human <= score.high + 0.5
        for score, human in zip(score_table(test, model), test.human.first.tolist(), strict=True)
    ]

    assert np.mean(inside) > 0.85


def test_percentiles_are_even_over_training_essays() -> None:
    table = made_table(600)

    found = [score.percentile for score in score_table(table, train_model(table))]

    assert np.percentile(found, [25, 50, 75]) == pytest.approx([25, 50, 75], abs=6)


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


def test_an_empty_essay_and_an_unknown_prompt_get_no_score_but_a_reason() -> None:
    table = made_table()
    model = train_model(table)
    values = table.values[:2].copy()
    values[0] = np.nan
    values[0, -1] = 0
    odd = replace(table.at(np.arange(2)), values=values, prompts=("p0", "other"))

    empty, strange = score_table(odd, model)

    assert isnan(empty.score)
    assert [doubt.name for doubt in empty.advisories] == ["empty"]
    assert isnan(strange.raw)
    assert [doubt.name for doubt in strange.advisories] == ["unknown_prompt"]
    with pytest.raises(InputError, match="generic10"):
        check_known(model, prompts=["other"], programs=[])


def test_an_undefined_feature_is_named_and_the_average_stands_in() -> None:
    table = made_table()
    model = train_model(table)
    values = table.values[:1].copy()
    values[0, list(FEATURES).index("vocabulary")] = np.nan

    (score,) = score_table(replace(table.at(np.array([0])), values=values), model)

    assert score.shares["vocabulary"] == 0
    assert "vocabulary: fewer than five words" in score.advisories[0].evidence


def test_an_essay_unlike_all_others_raises_an_advisory() -> None:
    table = made_table()
    model = train_model(table)
    values = table.values[:1].copy()
    values[0, -1] = 90_000

    (score,) = score_table(replace(table.at(np.array([0])), values=values), model)

    assert "beyond_training" in [doubt.name for doubt in score.advisories]


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


def test_programs_have_their_own_equations_and_a_common_scale() -> None:
    table = made_table(600, programs=3)
    # grade 8 is stricter: the same work gets a point less
    scores = table.human.first - np.array([program == "grade 8" for program in table.programs])
    strict = replace(table, human=HumanScores(np.clip(scores, 1, 6)))

    model = train_model(strict, TrainingPlan(kind="generic10"))
    scored = score_table(strict, model)

    assert set(model.equations) == {"grade 6", "grade 7", "grade 8"}
    assert model.common_scale is not None
    marks = model.common_scale.landmarks
    assert marks["grade 8"][3.0] > marks["grade 6"][3.0] + 20
    assert np.mean([score.common for score in scored]) == pytest.approx(500, abs=10)
    assert np.std([score.common for score in scored]) == pytest.approx(100, abs=10)


def test_an_essay_of_an_unknown_program_gets_no_score() -> None:
    table = made_table(300, programs=2)
    model = train_model(table, TrainingPlan(kind="generic10"))

    (score,) = score_table(table.at(np.array([0])), model, programs=["grade 12"])

    assert not score.scored
    assert score.advisories[0].name == "unknown_program"


def test_essays_are_scored_from_their_text() -> None:
    table = made_table()
    model = train_model(table, TrainingPlan(kind="generic10"))
    essays = [
        Essay("1", "Dogs are good friends. I think everybody should have one, because they never lie."),
        Essay("2", ""),
    ]

    written, empty = score_each(essays, model, None)

    assert written.scored
    assert written.features["length"] == 14
    assert not empty.scored
    assert repr(written) == repr(next(score_each(essays[:1], model, None)))


def test_a_table_needs_an_entry_for_each_essay() -> None:
    table = made_table(10)
    with pytest.raises(InputError, match="each of its 10 essays"):
        EssayFeatures(table.essay_ids, table.prompts[:9], table.names, table.values, table.contents, table.human)
    with pytest.raises(InputError, match="no feature 'wit'"):
        table.column("wit")
