"""How far two essays of one candidate get the same score."""

from dataclasses import replace

import numpy as np
import pytest

from assay.essays.models.erater.prompt_vocabulary import PAPER_VOCABULARY
from assay.essays.study.corpus import Missing, prepare
from assay.essays.study.feature_tables import RelativeWeights
from assay.essays.study.retest import pairs, reliability
from assay.essays.study.study import study_essays
from tests.essays.study.corpora import made_corpus


def test_the_retest_reliability_of_a_feature_is_its_correlation_between_both_essays() -> None:
    corpus = made_corpus().at(np.arange(120))
    found = study_essays(corpus).reliability
    length = corpus.table.column("length")

    assert not isinstance(found, Missing)
    assert found.programs[0].candidates == 60
    own = {row.feature: row for row in found.features}
    assert own["length"].reliability == pytest.approx(np.corrcoef(length[:60], length[60:])[0, 1])
    assert own["length"].weight == 0.2
    assert sum(row.weight for row in found.features) == pytest.approx(1)
    human = corpus.table.human
    assert found.programs[0].single_human == pytest.approx(np.corrcoef(human.first[:60], human.first[60:])[0, 1])


def test_pairs_are_two_essays_of_one_candidate_on_different_prompts() -> None:
    corpus = made_corpus(per_prompt=4, prompts={"a": "p", "b": "p", "c": "p"})
    writers = ("x", "x", "y", "", "x", "y", "", "z", "x", "y", "", "")
    found = pairs(prepare(replace(corpus, candidates=writers), PAPER_VOCABULARY))

    assert list(zip(*(rows.tolist() for rows in found), strict=True)) == [(0, 4), (2, 5)]


def test_without_candidates_pairs_or_weights_there_is_a_reason() -> None:
    prepared = prepare(made_corpus(12, {"a": "p", "b": "p"}), PAPER_VOCABULARY)
    shaped = prepared.shaped({})
    weights = RelativeWeights({}, dict.fromkeys(prepared.names[:-1], 1 / 11), dict.fromkeys(prepared.names[:-1], 1.0))
    nobody = replace(prepared, corpus=replace(prepared.corpus, candidates=()))
    few = replace(prepared, corpus=replace(prepared.corpus, candidates=("x",) * 24))

    for own, weighed, reason in (
        (nobody, weights, "nobody says who wrote which essay"),
        (prepared, Missing("no weights"), "no weights"),
        (few, weights, "1 candidates wrote two essays on different prompts; at least 10 are needed"),
    ):
        found = reliability(own, shaped, weighed)
        assert isinstance(found, Missing)
        assert reason in found.reason


def test_length_has_a_fifth_of_the_weight_and_the_rest_share_four_fifths() -> None:
    prepared = prepare(made_corpus(12, {"a": "p", "b": "p"}), PAPER_VOCABULARY)
    names = prepared.names[:-1]
    weights = RelativeWeights({}, dict.fromkeys(names, 1 / 11), dict.fromkeys(names, -1.0))

    found = reliability(prepared, prepared.shaped({}), weights)

    assert not isinstance(found, Missing)
    assert [row.weight for row in found.features] == pytest.approx([0.8 / 11] * 11 + [0.2])
    assert [row.program for row in found.programs] == ["p"]
    assert found.programs[0].candidates == 12
    # turned by its sign, more is better
    column = prepared.shaped({})[:, 0]
    assert found.features[0].correlation == pytest.approx(-np.corrcoef(column, prepared.average)[0, 1])


def test_several_programs_are_told_apart_and_together() -> None:
    prepared = prepare(made_corpus(12), PAPER_VOCABULARY)
    names = prepared.names[:-1]

    found = reliability(
        prepared, prepared.shaped({}), RelativeWeights({}, dict.fromkeys(names, 1 / 11), dict.fromkeys(names, 1.0))
    )

    assert not isinstance(found, Missing)
    assert [(row.program, row.candidates) for row in found.programs] == [
        ("grade 8", 12), ("grade 10", 12), ("Overall", 24)
    ]  # fmt: skip
    first, second = pairs(prepared)
    single = prepared.corpus.table.human.first
    standard = np.concatenate([(part - part.mean()) / part.std() for part in (single[:24], single[24:])])
    assert found.programs[-1].single_human == pytest.approx(np.corrcoef(standard[first], standard[second])[0, 1])
