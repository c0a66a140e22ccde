"""A score from words, characters and features, and how it explains itself."""

from dataclasses import dataclass, replace
from math import isnan, nan

import numpy as np
import pytest

from assay.essays.features.features import analyse
from assay.essays.features.measures import NAMES
from assay.essays.models.erater.prompt_vocabulary import essay_content, essay_vocabulary, vocabulary_of
from assay.essays.models.hybrid.model import (
    ALL_TITLES,
    FAMILY,
    LONGEST_RUN,
    TITLES,
    FeatureSpace,
    Reason,
    by_family,
    by_feature,
    explain,
    in_words,
    prompt_columns,
    score_read,
)
from assay.essays.models.hybrid.ngrams import character_runs, topic_measures
from assay.essays.models.hybrid.parts import Inputs
from assay.essays.models.hybrid.reading import HybridEssays, Standard
from assay.essays.models.scoring_model import TELLING_WORDS, EssayScore
from assay.essays.text.reader import read_text
from assay.essays.text.text import Essay
from assay.metrics.kappa import quadratic_weighted_kappa
from tests.essays.models.hybrid.made_essays import made_essays
from tests.essays.models.hybrid.trained import hybrid_of

pytest.importorskip("lightgbm")

THREE = ("dogs", "trains", "gardens")


def test_new_essays_get_scores_that_agree_with_people() -> None:
    essays, human = made_essays(60, seed=2)
    given = np.array([score.score for score in score_read(essays, hybrid_of("dogs"))])
    assert quadratic_weighted_kappa(human, given) > 0.7


@pytest.mark.parametrize("topics", [("dogs",), THREE])
def test_shares_add_up_to_the_raw_score(topics: tuple[str, ...]) -> None:
    essays, _ = made_essays(6, topics, seed=3)
    for score in score_read(essays, hybrid_of(*topics)):
        assert score.average + sum(score.shares.values()) == pytest.approx(score.raw, abs=1e-4)
        families = sum(reason.share for reason in by_family(score.shares))
        assert score.average + families == pytest.approx(score.raw, abs=1e-4)


def test_the_raw_score_is_the_blend_of_the_combined_part_and_the_trees() -> None:
    model = hybrid_of("dogs")
    essays, _ = made_essays(3, seed=3)
    values = model.space.values(essays)
    for row, essay in enumerate(essays.essays):
        whole, _ = explain(essay, values[[row]], model)
        only_parts, _ = explain(essay, values[[row]], replace(model, blend=(1.0, 0.0)))
        only_trees, _ = explain(essay, values[[row]], replace(model, blend=(0.0, 1.0)))
        assert whole.total == pytest.approx((only_parts.total + only_trees.total) / 2)
        assert whole.words == pytest.approx((only_parts.words + only_trees.words) / 2)
        twice, _ = explain(essay, values[[row]], replace(model, sd=2 * model.sd, mean=0.0))
        assert twice.total == pytest.approx(2 * (whole.total - model.mean))


def test_what_moves_a_score_most_is_named_in_words() -> None:
    essays, _ = made_essays(4, seed=3)
    longest = score_read(essays, hybrid_of("dogs"))[3]
    assert "Words in the essay" in [reason.title for reason in by_feature(longest.shares, 12)]


def test_telling_words_are_words_of_the_essay_with_what_each_adds_by_itself() -> None:
    essays, _ = made_essays(4, seed=3)
    model = hybrid_of("dogs")
    telling = score_read(essays, model)[3].words
    assert len(telling) == TELLING_WORDS
    words = set(essays.texts[3].rstrip(".").split()) | {"."}
    assert all(set(run.split()) <= words for run in telling)
    sizes = [abs(share) for share in telling.values()]
    assert sizes == sorted(sizes, reverse=True)
    # a weight per word, times how often and how rarely it is used, in score points
    places, weights = model.words.vector(essays.texts[3])
    part = model.parts["combined"].words[0, places] * weights * model.blend[0] * model.sd
    expected = dict(zip([model.words.runs[place] for place in places], part.tolist(), strict=True))
    assert telling == pytest.approx({run: expected[run] for run in telling})


def test_an_essay_of_unknown_words_is_scored_without_them() -> None:
    essays, _ = made_essays(1, seed=3)
    strange = replace(essays, essays=(Essay("1", "zyx wvu", "dogs"),))

    (score,) = score_read(strange, hybrid_of("dogs"))

    assert score.scored
    assert score.shares["words"] == 0
    assert score.words == {}
    assert score.average + sum(score.shares.values()) == pytest.approx(score.raw, abs=1e-4)


def test_features_are_those_of_the_essay_its_topic_and_its_prompt() -> None:
    model = hybrid_of(*THREE)
    essays, _ = made_essays(2, THREE, seed=6)

    values = model.space.values(essays)

    assert model.space.names == (*TITLES, "prompt: dogs", "prompt: gardens", "prompt: trains")
    assert hybrid_of("dogs").space.names == tuple(TITLES)
    assert values.shape == (2, len(TITLES) + 3)
    assert values[:, : len(NAMES)].tolist() == essays.measures.tolist()
    assert values[:, -3:].tolist() == [[1, 0, 0], [0, 0, 1]]
    for row, (text, prompt) in enumerate(zip(essays.texts, essays.prompts, strict=True)):
        on_topic = topic_measures(essay_content(text), model.space.topics[prompt], among=False)
        (similar,) = vocabulary_of([essay_vocabulary(text)], model.space.content[prompt])
        assert values[row, len(NAMES) : -3].tolist() == pytest.approx([*on_topic, *similar])


def test_a_single_prompt_needs_no_column() -> None:
    assert prompt_columns(["a", "b"], ("a",)).shape == (2, 0)
    assert prompt_columns(["b", "a", "b"], ("a", "b")).tolist() == [[0, 1], [1, 0], [0, 1]]


def test_an_essay_on_another_prompt_gets_no_score_and_a_reason() -> None:
    new, _ = made_essays(1, ("trains",))
    score = score_read(new, hybrid_of("dogs"))[0]
    assert not score.scored
    assert [(doubt.name, doubt.evidence) for doubt in score.advisories] == [
        ("unknown_prompt", "no essays on 'trains' were among the training essays")
    ]
    assert score.words == {}
    assert set(score.features) == set(ALL_TITLES)
    assert all(map(isnan, score.features.values()))


def test_an_essay_without_words_gets_no_score() -> None:
    new, _ = made_essays(1)
    essays, measures = (Essay("1", "", "dogs"),), new.measures.copy()

    def scored(log_words: float) -> EssayScore:
        measures[0, 0] = log_words
        return score_read(HybridEssays(essays, measures.copy(), ((),)), hybrid_of("dogs"))[0]

    assert not scored(0.0).scored
    assert not scored(nan).scored
    assert scored(0.0).advisories == ()
    assert scored(np.log1p(1)).scored  # a single word is enough


def test_an_essay_of_strange_words_on_a_known_prompt_is_off_topic() -> None:
    essays, _ = made_essays(2, seed=3)
    strange = replace(essays, essays=(essays.essays[0], Essay("2", "quartz lava basalt granite magma", "dogs")))

    usual, odd = score_read(strange, hybrid_of("dogs"))

    assert usual.advisories == ()
    assert [doubt.name for doubt in odd.advisories] == ["off_topic"]


def test_a_text_is_read_and_scored() -> None:
    essay = Essay("1", "The dog was very good and they like the park.", "dogs")

    score = hybrid_of("dogs").score(essay, analyse(read_text(essay.text)))

    assert score.scored
    assert score.features["log_words"] == pytest.approx(np.log1p(10), abs=1e-5)
    assert isnan(score.features["characters"])
    assert isnan(score.features["words"])


def test_a_model_says_how_well_it_agrees_and_what_it_knows() -> None:
    one, three = hybrid_of("dogs"), hybrid_of(*THREE)
    own = replace(one, agreement={"qwk": 0.711, "kappa": 0.456, "exact": 61.4, "r": 0.749})

    assert own.basis == (
        "Agreement with human scores of training essays, each scored by fits that had not seen it: "
        "quadratic weighted kappa 0.71, kappa 0.46, exact agreement 61 %, r 0.75."
    )
    assert (one.known_prompts, three.known_prompts) == (("dogs",), ("dogs", "gardens", "trains"))
    assert (one.can_calibrate, three.can_calibrate) == (False, True)
    assert one.columns == (*TITLES, "characters", "words")
    assert (one.explains_by, one.can_refit, one.kind) == ("family", False, "hybrid")


def test_families_gather_their_features_and_the_largest_comes_first() -> None:
    shares = {"log_words": 0.1, "topic_30": 0.3, "like_best": 0.2, "words": nan, "characters": -0.7, "prompt: x": 0.05}

    found = by_family(shares)

    titles = ["Spelling and phrasing patterns", "Topic", FAMILY["log_words"], "Prompt", "Words used"]
    assert [reason.title for reason in found] == titles
    assert [reason.share for reason in found] == pytest.approx([-0.7, 0.5, 0.1, 0.05, 0.0])


def test_the_largest_reasons_are_told_by_their_titles() -> None:
    shares = {"log_words": 0.1, "characters": -0.7, "words": nan, "prompt: x": 0.2}

    assert by_feature(shares) == [
        Reason("Spelling and phrasing patterns", -0.7),
        Reason("prompt: x", 0.2),
        Reason(ALL_TITLES["log_words"], 0.1),
    ]
    many = {f"f{number}": float(number) for number in range(12)}
    assert [reason.title for reason in by_feature(many)] == [f"f{number}" for number in range(11, 1, -1)]
    assert len(by_feature(many, 3)) == 3
    assert in_words(by_feature(many)) == "f11 +11.00, f10 +10.00, f9 +9.00, f8 +8.00"


@dataclass(frozen=True)
class _Fixed:
    """Trees that give each input a share by its place and keep what they were asked."""

    asked: list[np.ndarray]
    factor: float

    def shares(self, inputs: np.ndarray) -> np.ndarray:
        self.asked.append(inputs)
        return self.factor * np.arange(1.0, inputs.shape[1] + 2)[None]


def test_an_explanation_adds_up_the_combined_part_and_the_mean_of_the_trees_term_by_term() -> None:
    asked: list[np.ndarray] = []
    model = replace(
        hybrid_of("dogs"),
        trees=(_Fixed(asked, 0.1), _Fixed(asked, 0.3)),  # type: ignore[arg-type]
        blend=(0.75, 0.25),
        mean=10.0,
        sd=2.0,
    )
    essays, _ = made_essays(2, seed=3)
    values = model.space.values(essays)[[1]]
    essay = essays.essays[1]

    found, words = explain(essay, values, model)

    places, weights = model.words.vector(essay.text)
    z = model.space.standard.z(values)[0]
    inputs = Inputs(z, character_runs(essay.text, 6), places, weights, 0)
    parts = {name: part.shares(inputs, model.near) for name, part in model.parts.items()}
    size, combined = len(z), parts["combined"]
    assert LONGEST_RUN == 6
    assert len(asked) == 2
    assert asked[0][0].tolist() == [*z, round(parts["characters"].total, 6), round(parts["words"].total, 6)]
    # the trees give .2, .4 ... : features first, then characters, words and the start
    assert found.features == pytest.approx(1.5 * combined.features + 0.5 * 0.2 * np.arange(1, size + 1), abs=1e-12)
    assert found.characters == pytest.approx(1.5 * combined.characters + 0.5 * 0.2 * (size + 1), abs=1e-12)
    spread = 0.2 * (size + 2) * weights / weights.sum()
    assert found.words == pytest.approx(1.5 * combined.words + 0.5 * spread, abs=1e-12)
    assert found.start == pytest.approx(10 + 1.5 * combined.start + 0.5 * 0.2 * (size + 3), abs=1e-12)
    runs = [model.words.runs[place] for place in places]
    assert words == pytest.approx(dict(zip(runs, (1.5 * combined.words).tolist(), strict=True)), abs=1e-12)
    unknown, none = explain(replace(essay, text="zyx"), values, model)
    assert none == {}
    assert unknown.words.tolist() == []
    bare = model.parts["combined"].shares(Inputs(z, character_runs("zyx", 6), places[:0], weights[:0], 0), model.near)
    assert unknown.start == pytest.approx(10 + 1.5 * bare.start + 0.1 * (2 * size + 5), abs=1e-12)


def test_two_prompts_have_a_feature_each() -> None:
    space = FeatureSpace(("a", "b"), Standard(np.zeros(1), np.ones(1)), {}, {})

    assert space.names == (*TITLES, "prompt: a", "prompt: b")


def test_raw_scores_have_four_decimals_at_most() -> None:
    essays, _ = made_essays(6, seed=3)

    raw = [score.raw for score in score_read(essays, hybrid_of("dogs"))]

    assert raw == [round(own, 4) for own in raw]
    assert any(own != round(own, 3) for own in raw)
