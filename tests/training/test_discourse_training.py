"""Fitting of the discourse model: labels from spans, gradients, and agreement with the package's own scoring."""

import numpy as np
import pytest
from numpy.typing import NDArray

from assay.essays.discourse.model import (
    STATES,
    DiscourseModel,
    Floats,
    chain_scores,
    marginals,
    node_scores,
    summed_features,
)
from assay.essays.discourse.sentence_features import sentence_features
from assay.essays.text.reader import read_text
from assay.essays.text.text import Text
from tests.essays.essay_texts import UNIFORMS, written
from training.discourse_corpus import LabelledEssay, RawEssay, sentence_states, without_line_breaks
from training.discourse_fitting import as_model, common_words, examples, fit_model
from training.discourse_network import (
    Batch,
    Settings,
    Weights,
    batch_of,
    chain_marginals,
    first_weights,
    forward,
    gradient,
    link_kinds,
)

SURE = Settings(units=3, passes=30, rate=0.02, drop_features=0, drop_units=0, decay=0)
STATES_OF_UNIFORMS = np.array([0, 1, 2, 5, 5, 2, 5, 2, 5, 6, 6], dtype=np.int8)


def summed(model: DiscourseModel, text: Text) -> NDArray[np.float32]:
    return summed_features(model, sentence_features(text, model.common))


def two_essays() -> list[LabelledEssay]:
    return [
        LabelledEssay("a", written(UNIFORMS), STATES_OF_UNIFORMS),
        LabelledEssay("b", written(UNIFORMS[1:3]), STATES_OF_UNIFORMS[2:7]),
    ]


def state_chances(model: DiscourseModel, text: Text) -> Floats:
    return marginals(*chain_scores(model, summed(model, text), text.sentence_paragraph)).single


def small_batch() -> tuple[Batch, dict[str, int], frozenset[str]]:
    essays, common = two_essays(), frozenset({"first", "my", ",", "."})
    found = [sentence_features(essay.text, common) for essay in essays]
    names = {name: row for row, name in enumerate(sorted({n for text in found for s in text for n in s}))}
    return batch_of(examples(essays, found, names), [0, 1]), names, common


def random_weights(names: int) -> Weights:
    rng = np.random.default_rng(4)
    shapes = first_weights(names, SURE.units, rng)
    return {name: rng.normal(0, 0.3, value.shape).astype(np.float32) for name, value in shapes.items()}


def loss(weights: Weights, batch: Batch) -> float:
    """Mean negative log likelihood, written out."""
    passed = forward(weights, batch, SURE, np.random.default_rng(0))
    chain = chain_marginals(weights, passed.node, batch)
    total = float(chain.log_z.sum())
    kinds = link_kinds(batch)
    for essay, size in enumerate(batch.sizes.tolist()):
        rows = batch.grid[:size, essay]
        states = batch.states[rows]
        total -= float(passed.node[rows, states].sum() + weights["start"][states[0]] + weights["end"][states[-1]])
        total -= sum(float(weights["links"][kinds[i, essay], states[i - 1], states[i]]) for i in range(1, size))
    return total / len(batch.states)


@pytest.mark.parametrize("name", sorted(first_weights(1, 1, np.random.default_rng(0))))
def test_gradients_are_the_slopes_of_the_loss(name: str) -> None:
    batch, names, _ = small_batch()
    weights = random_weights(len(names))
    direction = np.random.default_rng(9).normal(0, 1, weights[name].shape).astype(np.float32)
    step = np.float32(1e-3)

    slope = gradient(weights, batch, SURE, np.random.default_rng(0))[name]

    above, below = ({**weights, name: weights[name] + sign * step * direction} for sign in (1, -1))
    measured = (loss(above, batch) - loss(below, batch)) / (2 * float(step))
    assert float((slope * direction).sum()) == pytest.approx(measured, rel=0.02, abs=2e-4)


def test_training_and_package_score_an_essay_alike() -> None:
    batch, names, common = small_batch()
    weights = random_weights(len(names))
    model = as_model(weights, common, names)
    passed = forward(weights, batch, SURE, np.random.default_rng(0))
    chain = chain_marginals(weights, passed.node, batch)

    for essay, (text, size) in enumerate(zip([e.text for e in two_essays()], batch.sizes.tolist(), strict=True)):
        scores = node_scores(model, summed(model, text), text.sentence_paragraph)
        assert scores == pytest.approx(passed.node[batch.grid[:size, essay]], abs=1e-4)
        assert state_chances(model, text) == pytest.approx(chain.single[:size, essay], abs=1e-4)


def test_the_same_seed_gives_the_same_model_and_it_learns_what_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.discourse_fitting.LEAST_SENTENCES", 1)
    essays, topic = two_essays(), {"a": "uniforms", "b": "uniforms"}

    one, two = (fit_model(essays, topic, SURE, seed=3) for _ in range(2))

    assert one.embedding.tolist() == two.embedding.tolist()
    for essay in essays:
        assert state_chances(one, essay.text).argmax(axis=1).tolist() == essay.states.tolist()


def test_common_words_are_those_of_all_topics() -> None:
    texts = [written([["The cat sat ."]]), written([["The vote counts ."]])]
    essays = [LabelledEssay(i, text, np.zeros(1, dtype=np.int8)) for i, text in zip("ab", texts, strict=True)]

    assert common_words(essays, {"a": "cats", "b": "votes"}) == {"the", "."}


def test_a_sentence_takes_the_element_that_covers_most_of_it_main_points_doubled() -> None:
    text = written([["aaaa bbbbbb", "cccc dddddddd eeee", "ffffffffff gg"]])
    start = {word: int(place) for word, place in zip(text.words, text.starts, strict=True)}
    spans = [
        ("Claim", start["aaaa"], start["bbbbbb"] - 1),
        ("Evidence", start["bbbbbb"], start["cccc"] - 1),
        ("Claim", start["cccc"], start["cccc"] + 3),
        ("Evidence", start["dddddddd"], start["ffffffffff"] - 1),
        ("Lead", start["gg"], start["gg"] + 2),
    ]

    states = [STATES[state] for state in sentence_states(text, spans)]

    assert states == ["Claim", "Evidence", "Other"]  # 8 against 6; 6 against 12; 2 of 12 letters covered


def test_without_line_breaks_spans_still_mark_the_same_words() -> None:
    essay = RawEssay("a", "One  two.\n\nThree four.\n", (("Lead", 0, 9), ("Claim", 11, 22)))

    flat = without_line_breaks(essay)

    assert flat.raw.rstrip() == "One two. Three four."
    assert [flat.raw[a:b] for _, a, b in flat.spans] == ["One two.", "Three four."]
    assert read_text(flat.raw).paragraph_count == 1
