"""The front of the discourse analysis, with a small model drawn at random and with the one in the package."""

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.discourse.discourse import label_sentences, rule_labels
from assay.essays.discourse.model import (
    BACKGROUND,
    CONCLUSION,
    LABELS,
    MAIN_POINT,
    SUPPORT,
    THESIS,
    DiscourseModel,
    Marginals,
    chain_scores,
    marginals,
    merged,
    node_scores,
    summed_features,
    surroundings,
    two_readings,
)
from assay.essays.discourse.sentence_features import sentence_features
from assay.essays.text.reader import read_text
from assay.essays.text.text import Text
from assay.io.models.scoring_models import bundled_discourse_model
from tests.essays.essay_texts import UNIFORMS, written

COMMON = frozenset({"in", "conclusion", ",", ".", "first", "i", "think", "should"})


def random_model(units: int = 3) -> DiscourseModel:
    rng = np.random.default_rng(2)
    names = sorted({name for s in sentence_features(written(UNIFORMS), COMMON) for name in s})

    def drawn(*shape: int) -> np.ndarray:
        return rng.normal(0, 0.3, shape).astype(np.float32)

    return DiscourseModel(
        common=COMMON,
        names={name: row for row, name in enumerate(names)},
        embedding=drawn(len(names), units + 8),
        embedding_bias=drawn(units + 8),
        mixing=drawn(7 * units, units),
        mixing_bias=drawn(units),
        output=drawn(units, 8),
        links=drawn(2, 8, 8),
        start=drawn(8),
        end=drawn(8),
    )


def label_marginals(model: DiscourseModel, text: Text) -> Marginals:
    summed = summed_features(model, sentence_features(text, model.common))
    return merged(marginals(*chain_scores(model, summed, text.sentence_paragraph)))


def test_every_sentence_gets_one_label_and_six_probabilities() -> None:
    found = label_sentences(written(UNIFORMS), random_model())

    assert found.labels.shape == (11,)
    assert found.posteriors.shape == (11, 6)
    assert found.posteriors.sum(axis=1) == pytest.approx(np.ones(11))
    assert found.labels.tolist() == found.posteriors.argmax(axis=1).tolist()
    assert found.label_names[0] in LABELS
    assert found.elements[-1].stop == 11


def test_pairs_add_up_to_the_probabilities_of_labels() -> None:
    found = label_marginals(random_model(), written(UNIFORMS))

    assert found.pair[1:].sum(axis=1) == pytest.approx(found.single[1:])
    assert found.pair[1:].sum(axis=2) == pytest.approx(found.single[:-1])


def test_the_two_readings_are_each_as_if_made_alone() -> None:
    model, text = random_model(), written(UNIFORMS)
    flat = written([[sentence for paragraph in UNIFORMS for sentence in paragraph]])

    as_written, in_one = two_readings(model, text)

    for found, alone in ((as_written, label_marginals(model, text)), (in_one, label_marginals(model, flat))):
        assert found.single == pytest.approx(alone.single, abs=1e-6)
        assert found.pair == pytest.approx(alone.pair, abs=1e-6)


def test_expected_development_does_not_depend_on_line_breaks() -> None:
    model = random_model()
    flat = written([[sentence for paragraph in UNIFORMS for sentence in paragraph]])

    with_breaks, without = (label_sentences(text, model).expected_development for text in (written(UNIFORMS), flat))

    assert with_breaks == pytest.approx(without)


def test_a_text_without_sentences_is_undeveloped_and_has_no_element_length() -> None:
    for model in (None, random_model()):
        found = label_sentences(written([]), model)
        assert found.labels.size == 0
        assert found.development == found.expected_development == -8
        assert np.isnan(found.expected_average_element_length)


def test_words_are_counted_without_punctuation() -> None:
    assert label_sentences(written([["Yes , 12 times !", "No ."]]), None).words.tolist() == [3, 1]


def test_a_sentence_sees_its_window_the_essay_and_its_paragraph() -> None:
    hidden = np.array([[1], [2], [4], [8]], dtype=np.float32)

    seen = surroundings(hidden, np.array([0, 0, 1, 1]))

    assert seen[0].tolist() == [0, 0, 1, 2, 4, 3.75, 1.5]
    assert seen[3].tolist() == [2, 4, 8, 0, 0, 3.75, 6]


def test_a_lone_sentence_is_scored_by_the_formula() -> None:
    model = random_model()

    names = list(model.names)

    found = node_scores(model, summed_features(model, [[names[4], names[7], "unknown"]]), np.zeros(1, dtype=int))

    summed = model.embedding[4] + model.embedding[7] + model.embedding_bias
    hidden = np.maximum(summed[:3], 0)
    around = np.concatenate([np.zeros(6), hidden, np.zeros(6), hidden, hidden])
    mixed = np.maximum(around @ model.mixing + model.mixing_bias, 0)
    assert found[0] == pytest.approx(mixed @ model.output + summed[3:], abs=1e-5)


def test_a_model_without_the_feature_of_every_sentence_is_refused() -> None:
    model = random_model()
    names = {("unknown" if name == "bias" else name): row for name, row in model.names.items()}

    with pytest.raises(InputError, match="bias"):
        replace(model, names=names)


def test_the_packaged_model_labels_a_plain_essay_as_a_reader_would() -> None:
    model = bundled_discourse_model()
    if model is None:
        pytest.skip("the weights file is absent")
    text = read_text("\n".join(" ".join(paragraph) for paragraph in UNIFORMS).replace(" .", ".").replace(" ,", ","))

    found = label_sentences(text, model)

    assert text.sentence_count == 11
    assert found.labels[1] == THESIS
    assert found.labels[[2, 5]].tolist() == [MAIN_POINT, MAIN_POINT]
    assert found.labels[[3, 4, 6]].tolist() == [SUPPORT] * 3
    assert found.labels[[9, 10]].tolist() == [CONCLUSION] * 2


def test_the_packaged_model_finds_a_whole_essay_more_developed_than_one_paragraph_of_it() -> None:
    model = bundled_discourse_model()
    if model is None:
        pytest.skip("the weights file is absent")

    whole, part = (label_sentences(written(paragraphs), model) for paragraphs in (UNIFORMS, UNIFORMS[2:3]))

    assert part.expected_development + 1 < whole.expected_development <= 0


B, T, M, S, C = BACKGROUND, THESIS, MAIN_POINT, SUPPORT, CONCLUSION


def test_the_five_paragraph_essay_is_labelled_as_taught() -> None:
    assert rule_labels(written(UNIFORMS)).tolist() == [B, T, M, S, S, M, S, M, S, C, C]


def test_without_paragraphs_cue_words_find_points_and_conclusion() -> None:
    in_one = written([[sentence for paragraph in UNIFORMS for sentence in paragraph]])

    # the introduction is the first tenth of the words, here one sentence
    assert rule_labels(in_one).tolist() == [T, S, M, S, S, M, S, M, S, C, C]


def test_an_essay_by_the_rules_is_fully_developed() -> None:
    found = label_sentences(written(UNIFORMS), None)

    assert found.development == 0
    assert found.expected_development == 0


def test_one_sentence_is_a_thesis() -> None:
    assert rule_labels(written([["We should wear uniforms ."]])).tolist() == [T]
