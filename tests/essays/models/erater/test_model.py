"""A model of weighted features, reckoned by hand and trained: scores, reasons, what it refuses."""

from dataclasses import replace
from math import isnan, nan

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.features.content import ContentModel, train_content
from assay.essays.features.features import FEATURES, analyse
from assay.essays.feedback.advisories import Advisory
from assay.essays.models.cutoffs import rounding
from assay.essays.models.erater.common_scale import CommonScale
from assay.essays.models.erater.equation import Equation
from assay.essays.models.erater.model import (
    FAR_OUT,
    KIND_FEATURES,
    EssayModel,
    TrainingPlan,
    model_features,
    score_table,
)
from assay.essays.models.erater.prompt_vocabulary import PAPER_VOCABULARY, SMOOTHED, vocabulary_of
from assay.essays.models.erater.train import train_model
from assay.essays.models.erater.weights import Curves, FeatureWeights
from assay.essays.models.feature_table import SHAPE_OF, EssayFeatures
from assay.essays.models.scoring_model import ErrorBand, TrainingSummary, check_known
from assay.essays.text.reader import read_text
from assay.essays.text.text import Essay
from assay.scale import ScoreScale
from tests.essays.models.erater.made_essays import made_table

SCALE = ScoreScale(1, 4)
NAMES = ("grammar", "length")


def equation(intercept: float = 2.0, **given: object) -> Equation:
    """raw = intercept - 10 grammar + 0.005 length."""
    raw, mean, sd = np.array([-10.0, 0.005]), np.array([0.05, 200.0]), np.array([0.02, 50.0])
    weights = FeatureWeights(NAMES, mean, sd, raw * sd, raw, intercept, {})
    cutoffs = rounding(np.empty(0), np.empty(0), SCALE)
    errors = ErrorBand.even(cutoffs.points, 0.2 / 1.645)
    figures = {"qwk": 0.7, "kappa": 0.4, "exact": 60.0, "r": 0.75}
    return Equation(weights, cutoffs, np.linspace(0, 5, 101), errors, 90, figures, **given)  # type: ignore[arg-type]


def model_of(equations: dict[str, Equation] | None = None, **given: object) -> EssayModel:
    settings = {
        "kind": "generic10",
        "scale": SCALE,
        "features": NAMES,
        "shapes": ("as_measured", "as_measured"),
        "grouping": "all",
        "equations": {"": equation()} if equations is None else equations,
        "vocabulary": SMOOTHED,
        "content": {},
        "training": TrainingSummary(90, (), {}, "", "rounding"),
    }
    return EssayModel(**{**settings, **given})  # type: ignore[arg-type]


def table_of(*rows: tuple[float, float], **given: object) -> EssayFeatures:
    essays = [Essay(str(number), "", "p") for number in range(len(rows))]
    measured = [dict(zip(NAMES, row, strict=True)) for row in rows]
    return replace(EssayFeatures.of(essays, measured), **given)  # type: ignore[arg-type]


def doubts_of(score: object) -> dict[str, str]:
    return {doubt.name: doubt.evidence for doubt in score.advisories}  # type: ignore[attr-defined]


def test_a_score_is_the_weighted_sum_of_features_with_all_its_figures() -> None:
    (score,) = score_table(table_of((0.02, 300.0)), model_of())

    assert (score.essay_id, score.prompt) == ("0", "p")
    assert score.raw == pytest.approx(2 - 0.2 + 1.5)
    assert (score.score, score.percentile) == pytest.approx((3.0, 66.0))
    assert (score.low, score.high) == pytest.approx((3.1, 3.5))
    assert score.features == {"grammar": 0.02, "length": 300.0}
    assert score.average == pytest.approx(2 - 0.5 + 1.0)
    assert score.shares == {"grammar": pytest.approx(0.3), "length": pytest.approx(0.5)}
    assert score.advisories == ()
    assert isnan(score.common)


def test_an_undefined_feature_is_an_average_one_and_the_reason_is_given() -> None:
    (score,) = score_table(table_of((np.nan, 300.0)), model_of())

    assert score.raw == pytest.approx(3.0)
    reason = FEATURES["grammar"].undefined
    expected = f"grammar: {reason}. The average of the training essays stands in."
    assert doubts_of(score) == {"feature_undefined": expected}


def test_a_feature_without_weight_may_be_undefined() -> None:
    own = equation()
    idle = replace(own, weights=replace(own.weights, raw=np.array([0.0, 0.005])))

    (score,) = score_table(table_of((np.nan, 300.0)), model_of({"": idle}))

    assert score.advisories == ()


def test_a_value_is_like_none_of_training_beyond_six_standard_deviations() -> None:
    at_the_edge, beyond, both = score_table(
        table_of((0.05, 200 + 50 * FAR_OUT), (0.05, 501.0), (0.1800001, 501.0)), model_of()
    )

    assert at_the_edge.advisories == ()
    assert doubts_of(beyond) == {
        "beyond_training": "length is 501: more than 6 standard deviations from the training essays"
    }
    assert doubts_of(both)["beyond_training"].startswith("grammar is 0.18, length is 501: more than 6")


def test_an_essay_without_words_gets_no_score_and_is_called_empty_once() -> None:
    named = Advisory("empty", "no words at all")

    fresh, known = (
        score_table(table_of((np.nan, 0.0), advisories=advisories), model_of())[0] for advisories in ((), ((named,),))
    )

    assert not fresh.scored
    assert doubts_of(fresh) == {"empty": "the essay holds no words"}
    assert known.advisories == (named,)
    assert isnan(known.shares["length"])


def test_flags_of_an_essay_stay_with_its_score() -> None:
    flag = Advisory("too_short", "9 words")

    (score,) = score_table(table_of((0.05, 200.0), advisories=((flag,),)), model_of())

    assert score.scored
    assert score.advisories == (flag,)


def test_a_prompt_or_program_has_the_equation_of_its_name() -> None:
    both = {"p": equation(), "q": equation(intercept=1.0)}
    rows = table_of((0.05, 200.0), (0.05, 200.0), (0.05, 200.0))

    by_prompt = score_table(replace(rows, prompts=("p", "q", "r")), model_of(both, grouping="prompt"))
    by_program = score_table(rows, model_of(both, grouping="program"), programs=["q", "p", "x"])

    assert [score.raw for score in by_prompt[:2]] == pytest.approx([2.5, 1.5])
    assert [score.raw for score in by_program[:2]] == pytest.approx([1.5, 2.5])
    assert doubts_of(by_prompt[2]) == {"unknown_prompt": "no essays on 'r' were among the training essays"}
    assert doubts_of(by_program[2]) == {"unknown_program": "no essays of 'x' were among the training essays"}


def test_programs_are_those_of_the_table_unless_named_and_none_is_said_so() -> None:
    own = model_of({"p": equation(), "q": equation(intercept=1.0)}, grouping="program")
    rows = table_of((0.05, 200.0), programs=("q",))

    assert score_table(rows, own)[0].raw == pytest.approx(1.5)
    assert score_table(rows, own, programs=["p"])[0].raw == pytest.approx(2.5)
    (unnamed,) = score_table(table_of((0.05, 200.0)), own)
    assert doubts_of(unnamed) == {"unknown_program": "the essay names no program, and the model scores by p, q"}


def test_a_common_scale_places_every_essay() -> None:
    common = CommonScale(np.array([0.05, 200.0]), np.array([0.02, 50.0]), np.array([-0.5, 0.5]), 0.5, {})

    average, longer = score_table(table_of((0.05, 200.0), (0.05, 250.0)), model_of(common_scale=common))

    assert (average.common, longer.common) == pytest.approx((500, 600))


def test_curves_bend_features_before_they_are_weighed() -> None:
    curves = Curves(np.array([0.05, 200.0]), np.array([0.02, 50.0]), np.array([[-1.0, 0, 0, 0], [1.0, 0, -1.0, 0]]))
    weights = FeatureWeights(NAMES, np.zeros(2), np.ones(2), np.ones(2), np.array([1.0, 1.0]), 2.5, {})
    own = model_of({"": replace(equation(), weights=weights, curves=curves)})

    short, long = score_table(table_of((0.05, 150.0), (0.03, 250.0)), own)

    assert (short.raw, long.raw) == pytest.approx((1.5, 3.5))
    assert long.shares == {"grammar": pytest.approx(1.0), "length": pytest.approx(0.0)}
    assert not own.can_calibrate


def test_a_model_says_what_it_needs_and_what_can_be_done_with_it() -> None:
    both, content = {"p": equation(), "q": equation()}, {"p": _content()}
    plain, prompts = model_of(), model_of(both, grouping="prompt", kind="specific")
    programs, compared = model_of(both, grouping="program"), model_of(content=content, kind="generic12")
    v1 = model_of(both, grouping="prompt", kind="v1")

    assert (plain.known_prompts, plain.known_programs) == ((), ())
    assert (prompts.known_prompts, prompts.known_programs) == (("p", "q"), ())
    assert (programs.known_prompts, programs.known_programs) == ((), ("p", "q"))
    assert (compared.known_prompts, compared.known_programs) == (("p",), ())
    assert [one.can_refit for one in (plain, prompts, v1)] == [True, True, False]
    assert [one.can_calibrate for one in (plain, prompts, programs, compared)] == [True, False, False, False]
    assert (plain.columns, plain.explains_by, plain.has_common_scale) == (NAMES, "feature", False)
    assert plain.agreement["r"] == 0.75
    other = {**both, "r": replace(equation(), agreement={"r": 0.1}), "s": replace(equation(), agreement={"r": 0.2})}
    assert model_of(other, grouping="prompt").agreement["r"] == 0.75  # of the first
    common = CommonScale(np.zeros(2), np.ones(2), np.ones(2), 1.0, {})
    assert model_of(common_scale=common).has_common_scale


@pytest.mark.parametrize("change", [{"shapes": ("as_measured",)}, {"shapes": ("as_measured",) * 3}, {"equations": {}}])
def test_a_model_needs_a_shape_for_each_feature_and_an_equation(change: dict[str, object]) -> None:
    with pytest.raises(InputError, match="a model needs a shape for each feature and at least one equation"):
        model_of(**change)  # type: ignore[arg-type]


def _content() -> ContentModel:
    weak, strong = {"dog": 1, "nice": 1}, {"canine": 1, "loyal": 1}
    return train_content([weak] * 60 + [strong] * 60, [1.0] * 60 + [4.0] * 60)


def test_words_of_the_prompt_are_compared_and_strange_ones_are_off_topic() -> None:
    weights = FeatureWeights(("max_cos", "length"), np.zeros(2), np.ones(2), np.ones(2), np.array([1.0, 0]), 0.0, {})
    own = model_of(
        {"": replace(equation(), weights=weights)},
        features=("max_cos", "length"),
        content={"p": _content()},
        vocabulary=PAPER_VOCABULARY,
    )
    rows = EssayFeatures.of([Essay(str(i), "", "p") for i in range(4)], [{"max_cos": nan, "length": 100.0}] * 4)
    rows = replace(rows, contents=({"canine": 2}, {"dog": 1, "canine_dog": 9}, {"zebra": 1}, {}))

    strong, weak, strange, silent = score_table(rows, own)

    assert (strong.features["max_cos"], weak.features["max_cos"]) == (4.0, 1.0)
    assert (strong.advisories, weak.advisories) == ((), ())
    assert set(doubts_of(strange)) == {"off_topic", "feature_undefined"}
    assert set(doubts_of(silent)) == {"feature_undefined"}
    expected = vocabulary_of(rows.contents, own.content["p"], PAPER_VOCABULARY)[:, 0]
    assert model_features(rows, own)[:, 0] == pytest.approx(expected, nan_ok=True)
    (elsewhere,) = score_table(replace(rows.at(np.array([0])), prompts=("q",)), own)
    assert isnan(elsewhere.features["max_cos"])


def test_an_essay_is_scored_from_its_text_and_for_other_values() -> None:
    essay = Essay("1", "The dog is nice. It barks at the loyal cat, and everybody likes it a lot.", "p")
    own = model_of()
    analysis = analyse(read_text(essay.text))

    score = own.score(essay, analysis)
    other = own.score_if(essay, {"grammar": 0.02, "length": 300.0})

    assert score.features == {"grammar": 0.0, "length": 16.0}
    assert score.raw == pytest.approx(2 + 0.08)
    assert "too_short" in doubts_of(score)
    assert other is not None
    assert other.raw == pytest.approx(3.3)
    by_program = model_of({"x": equation()}, grouping="program")
    assert by_program.score(essay, analysis, "x").scored
    assert not by_program.score(essay, analysis, "y").scored
    known = by_program.score_if(essay, {"grammar": 0.02, "length": 300.0}, "x")
    assert known is not None
    assert known.scored


def test_the_words_of_an_essay_count_only_where_the_model_compares_them() -> None:
    weights = FeatureWeights(("max_cos", "length"), np.zeros(2), np.ones(2), np.ones(2), np.array([1.0, 0]), 0.0, {})
    own = model_of(
        {"": replace(equation(), weights=weights)}, features=("max_cos", "length"), content={"p": _content()}
    )
    essay = Essay("1", "A loyal canine.", "p")

    score, other = own.score(essay, analyse(read_text(essay.text))), own.score_if(essay, {"max_cos": 1, "length": 50})

    assert score.features["max_cos"] == pytest.approx(4, abs=0.01)
    assert other is not None
    assert other.features["max_cos"] == score.features["max_cos"]


def test_what_a_v1_model_would_give_for_other_values_cannot_be_told() -> None:
    own = model_of({"p": equation()}, grouping="prompt", kind="v1")

    assert own.score_if(Essay("1", "A dog.", "p"), {"grammar": 0.1, "length": 2.0}) is None


def test_the_advised_plan_and_that_of_the_paper() -> None:
    plan, paper = TrainingPlan(), TrainingPlan.paper()

    assert (plan.kind, dict(plan.fixed), plan.cutoffs, plan.ridge) == ("generic12", {"length": 0.2}, "balanced", 10.0)
    assert (plan.shapes, plan.vocabulary, plan.keep_wrong_signs, plan.curved) == (SHAPE_OF, SMOOTHED, False, False)
    assert (paper.kind, dict(paper.fixed), paper.cutoffs, paper.ridge) == (
        *("generic12", {"length": 0.2}, "signal-detection", 0.0),
    )
    assert (dict(paper.shapes), paper.vocabulary, paper.curved) == ({}, PAPER_VOCABULARY, False)
    assert TrainingPlan.paper("specific").kind == "specific"


def test_kinds_differ_by_the_vocabulary_of_the_prompt() -> None:
    assert KIND_FEATURES["specific"] == KIND_FEATURES["generic12"] == tuple(FEATURES)
    assert set(KIND_FEATURES["generic12"]) - set(KIND_FEATURES["generic10"]) == {"max_cos", "cos_highest"}


def test_generic10_has_no_prompt_specific_features_and_scores_any_prompt() -> None:
    table = made_table()
    model = train_model(table, TrainingPlan(kind="generic10"))
    strange = replace(table, prompts=("never seen",) * len(table))

    scores = score_table(strange, model)

    assert len(model.features) == 10
    assert "max_cos" not in model.features
    assert all(score.scored for score in scores)


def test_shares_average_and_raw_score_add_up() -> None:
    table = made_table()

    for score in score_table(table, train_model(table)):
        assert score.average + sum(score.shares.values()) == pytest.approx(score.raw, abs=6e-5)


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


def test_percentiles_are_even_over_training_essays() -> None:
    table = made_table(600)

    found = [score.percentile for score in score_table(table, train_model(table))]

    assert np.percentile(found, [25, 50, 75]) == pytest.approx([25, 50, 75], abs=6)


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


def test_an_essay_of_an_unknown_program_gets_no_score() -> None:
    table = made_table(300, programs=2)
    model = train_model(table, TrainingPlan(kind="generic10"))

    (score,) = score_table(table.at(np.array([0])), model, programs=["grade 12"])

    assert not score.scored
    assert score.advisories[0].name == "unknown_program"


def test_an_essay_of_one_word_is_scored_and_one_of_unknown_length_is_not() -> None:
    one, unknown = score_table(table_of((0.05, 1.0), (0.05, nan)), model_of())

    assert one.scored
    assert one.raw == 1.505
    assert doubts_of(unknown) == {"empty": "the essay holds no words"}


def test_five_programs_are_named_where_an_essay_names_none() -> None:
    own = model_of({name: equation() for name in "abcdefg"}, grouping="program")

    (unnamed,) = score_table(table_of((0.05, 200.0)), own)

    said = "the essay names no program, and the model scores by a, b, c, d, e"
    assert doubts_of(unnamed) == {"unknown_program": said}


def test_raw_scores_have_four_decimals() -> None:
    (score,) = score_table(table_of((0.0512345, 200.0)), model_of())

    assert score.raw == 2.4877  # of 2.487655


def test_a_feature_of_another_kind_of_model_is_named_where_it_is_undefined() -> None:
    weights = FeatureWeights(("wit", "length"), np.zeros(2), np.ones(2), np.ones(2), np.array([1.0, -1.0]), 3.0, {})
    own = model_of({"": replace(equation(), weights=weights)}, features=("wit", "length"))
    rows = EssayFeatures.of([Essay("0", "", "p")], [{"wit": nan, "length": 1.0}])

    (score,) = score_table(rows, own)

    assert doubts_of(score) == {"feature_undefined": "wit. The average of the training essays stands in."}
