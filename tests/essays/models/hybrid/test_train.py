"""A hybrid trained on essays of our own: what it learns, and what it refuses."""

from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.features.measures import NAMES
from assay.essays.models.erater.prompt_vocabulary import (
    content_vectors,
    essay_content,
    essay_vocabulary,
    vocabulary_out_of_fold,
)
from assay.essays.models.hybrid.model import TITLES, score_read
from assay.essays.models.hybrid.ngrams import learn_topic, topic_measures
from assay.essays.models.hybrid.train import (
    BLEND,
    FOLDS,
    MIXES,
    RIDGES,
    SEEDS,
    learn_space,
    relevance,
    train_hybrid,
)
from assay.essays.models.resolution import HumanScores
from assay.metrics.kappa import quadratic_weighted_kappa
from assay.scale import ScoreScale
from tests.essays.models.hybrid.made_essays import made_essays
from tests.essays.models.hybrid.trained import hybrid_of

pytest.importorskip("lightgbm")

THREE = ("dogs", "trains", "gardens")


def test_the_agreement_it_reports_of_itself_is_that_of_unseen_essays() -> None:
    essays, human = made_essays(200, seed=5)
    model = hybrid_of("dogs")
    raw = np.array([score.raw for score in score_read(essays, model)])
    assert model.agreement["r"] == pytest.approx(np.corrcoef(human, raw)[0, 1], abs=0.08)


def test_training_twice_gives_the_same_scores() -> None:
    essays, scores = made_essays(120)
    again = train_hybrid(essays, HumanScores(scores))
    new, _ = made_essays(10, seed=9)
    assert [s.raw for s in score_read(new, again)] == [s.raw for s in score_read(new, hybrid_of("dogs"))]


def test_prompts_share_a_model_and_keep_their_own_words() -> None:
    model = hybrid_of(*THREE)
    assert model.space.prompts == ("dogs", "gardens", "trains")
    new, human = made_essays(60, THREE, seed=4)
    given = np.array([score.score for score in score_read(new, model)])
    assert quadratic_weighted_kappa(human, given) > 0.6


def test_only_a_model_of_several_prompts_can_be_taken_to_another() -> None:
    one, three = hybrid_of("dogs"), hybrid_of(*THREE)

    assert one.transfer is None
    assert three.transfer is not None
    assert three.transfer.same_scale == three.scale
    assert len(three.transfer.levels) == 3
    # the combined part has a layer for all prompts and one for each
    assert [len(one.parts["combined"].intercept), len(three.parts["combined"].intercept)] == [1, 4]
    assert [len(three.parts[name].intercept) for name in ("characters", "words")] == [1, 1]


def test_a_model_says_what_it_was_trained_on() -> None:
    essays, scores = made_essays(120)
    model = hybrid_of("dogs")
    rows = [(essay.essay_id, score, essay.text) for essay, score in zip(essays.essays, scores.tolist(), strict=True)]

    assert (model.training.essays, model.training.prompts, model.training.cutoffs) == (120, ("dogs",), "balanced")
    assert model.training.digest == sha256("\n".join(map(repr, rows)).encode()).hexdigest()
    assert model.training.notes == ("trained on 120 essays only; a hybrid does best with 500 and more",)
    assert (model.training.version, model.training.left_out) == ("", {})
    assert model.scale == ScoreScale(1, 4)
    assert (model.mean, model.sd) == pytest.approx((scores.mean(), scores.std()))
    assert (model.blend, len(model.trees)) == (BLEND, len(SEEDS))
    assert BLEND == (0.5, 0.5)


def test_scale_cutoffs_and_version_are_those_asked_for() -> None:
    essays, scores = made_essays(60)
    second = np.where(np.arange(60) % 2 == 0, scores, np.clip(scores + 0.5, 1, 4))

    model = train_hybrid(
        essays, HumanScores(scores, second), scale=ScoreScale(0, 5, 0.5), cutoffs="rounding", version="9.9"
    )

    assert (model.scale, model.training.cutoffs, model.training.version) == (ScoreScale(0, 5, 0.5), "rounding", "9.9")
    assert model.cutoffs.cuts.tolist() == [0.25 + 0.5 * step for step in range(10)]
    assert model.mean == pytest.approx(((scores + second) / 2).mean())


@pytest.mark.parametrize(
    ("count", "scores", "says"),
    [
        (20, None, "20 scored essays are too few for a hybrid model: it needs 60, and does best with 500 and more"),
        (59, None, "too few for a hybrid.*Train kind generic10, or calibrate a model"),
        (80, 3.0, "every essay has the human score 3"),
        (80, float("nan"), "too few|no regular"),
    ],
)
def test_bad_training_essays_are_refused(count: int, scores: float | None, says: str) -> None:
    essays, human = made_essays(count)
    given = human if scores is None else np.full(count, scores)
    with pytest.raises(InputError, match=says):
        train_hybrid(essays, HumanScores(given))


def test_scores_off_the_scale_and_of_other_essays_are_refused() -> None:
    essays, human = made_essays(60)
    with pytest.raises(InputError, match="no points of the scale 1 to 3"):
        train_hybrid(essays, HumanScores(human), scale=ScoreScale(1, 3))
    with pytest.raises(InputError, match="expected a human score for each of 60 essays, got 59"):
        train_hybrid(essays, HumanScores(human[1:]))
    with pytest.raises(InputError, match="expected a human score for each of 60 essays, got 61"):
        train_hybrid(essays, HumanScores(np.append(human, 1.0)))


def test_a_prompt_with_few_essays_is_refused_by_name() -> None:
    essays, human = made_essays(70)
    prompts = ["rare"] * 9 + ["eleven"] * 11 + ["a ten"] * 10 + ["dogs"] * 40  # asked in order of name
    some = tuple(replace(essay, prompt=own) for essay, own in zip(essays.essays, prompts, strict=True))

    with pytest.raises(InputError, match="prompt 'rare' has 9 scored essays; a hybrid needs 10 of each"):
        train_hybrid(replace(essays, essays=some), HumanScores(human))


def test_essays_nobody_scored_and_essays_without_words_are_left_out_and_counted() -> None:
    essays, human = made_essays(80, ("dogs", "trains"))
    human[:3] = np.nan
    measures = essays.measures.copy()
    measures[2:5, 0] = [0, 0, np.nan]  # the first of them has no score either
    measures[5, 0] = np.log1p(1)  # a single word is enough

    model = train_hybrid(replace(essays, measures=measures), HumanScores(human))

    assert model.training.left_out == {"no human score": 3, "no words": 2}
    assert model.training.essays == 75
    assert model.space.prompts == ("dogs", "trains")
    assert model.transfer is not None  # two prompts are several


def test_essays_that_are_all_the_same_are_refused() -> None:
    essays, human = made_essays(80)
    same = replace(essays, measures=np.tile(essays.measures[0], (80, 1)))
    with pytest.raises(InputError, match="every essay measures the same, so none can be told from another") as caught:
        train_hybrid(same, HumanScores(human))
    assert caught.value.field == "text"


def test_training_essays_are_compared_with_the_others_of_their_prompt() -> None:
    essays, scores = made_essays(40, ("dogs", "trains"))

    space, values = learn_space(essays, scores)

    assert space.prompts == ("dogs", "trains")
    assert values.shape == (40, len(TITLES) + 2)
    assert values[:, : len(NAMES)].tolist() == essays.measures.tolist()
    assert values[:, -2:].tolist() == [[1, 0], [0, 1]] * 20
    rows = np.arange(0, 40, 2)
    counts = [essay_content(essays.texts[row]) for row in rows]
    runs = [essay_vocabulary(essays.texts[row]) for row in rows]
    on_topic = [topic_measures(own, learn_topic(counts), among=True) for own in counts]
    expected = np.hstack([np.array(on_topic), vocabulary_out_of_fold(runs, scores[rows])])
    assert values[rows, len(NAMES) : -2] == pytest.approx(expected)
    assert space.content["dogs"].words == content_vectors(runs, scores[rows]).words


def test_a_feature_counts_by_its_correlation_with_the_score_and_none_is_lost() -> None:
    target = np.array([1.0, -1.0, 1.0, -1.0])
    z = np.column_stack([target, -target / 2, [1.0, 1.0, -1.0, -1.0]])

    assert relevance(z, target).tolist() == pytest.approx([1.0, 0.5, 0.02])


def test_the_parts_are_mixed_blended_and_held_back_as_was_measured() -> None:
    assert {name: dict(mix) for name, mix in MIXES.items()} == {
        "characters": {"characters": 1.0},
        "words": {"words": 1.0},
        "combined": {"characters": 1.0, "words": 0.5, "features": 1.0, "nearness": 1.0},
    }
    assert dict(RIDGES) == {"characters": (0.3, 1.0), "words": (0.3, 1.0), "combined": (1.0, 3.0)}
    assert (FOLDS, SEEDS) == (5, (0, 1, 2))
