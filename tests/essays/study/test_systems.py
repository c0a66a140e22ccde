"""Kinds of models compared on essays they have not seen."""

import numpy as np
import pytest

from assay.essays.features.features import FEATURES
from assay.essays.models.erater.model import TrainingPlan
from assay.essays.models.erater.prompt_vocabulary import PAPER_VOCABULARY
from assay.essays.study.corpus import Missing, prepare
from assay.essays.study.study import study_essays
from assay.essays.study.systems import (
    SYSTEMS,
    PromptFigures,
    SystemFigures,
    SystemResult,
    compare_systems,
    gathered,
)
from tests.essays.study.corpora import made_corpus


def test_no_system_finds_agreement_where_nothing_goes_with_the_scores() -> None:
    found = study_essays(made_corpus(related=0.0, per_prompt=150))

    for own in found.systems.figures:
        if own.system != "human":
            assert abs(own.mean_kappa) < 0.09, own
    for name in FEATURES:
        assert abs(found.correlations.overall[name]) < 0.15, name


def test_another_seed_cuts_other_halves() -> None:
    corpus = made_corpus()
    figures = {study_essays(corpus, seed=seed).systems.of("specific", "grade 8", 0.2) for seed in (1, 1, 2)}

    assert len(figures) == 2


def test_small_prompts_are_named_and_not_halved() -> None:
    found = study_essays(made_corpus(per_prompt=30))

    assert "30 essays; two halves of at least 20" in found.systems.missing["grade 8"]["specific"]
    assert found.systems.of("generic10", "grade 8", 0.2) is None


def test_a_prompt_of_few_essays_is_not_judged() -> None:
    found = study_essays(made_corpus(per_prompt=8))

    assert "8 essays; at least 10 are needed" in found.systems.missing["grade 8"]["generic10"]
    assert not found.systems.figures


def test_figures_of_prompts_are_averaged_without_those_undefined() -> None:
    prompts = (
        PromptFigures("a", 20, 0.4, 0.5, 0.6),
        PromptFigures("b", 30, 0.6, 0.7, float("nan")),
        PromptFigures("c", 30, float("nan"), 0.9, float("nan")),
    )

    own = SystemFigures("specific", "p", 0.2, prompts)

    assert (own.n, own.mean_kappa, own.mean_exact, own.mean_qwk) == pytest.approx((3, 0.5, 0.7, 0.6))
    assert own.sd_kappa == pytest.approx(0.02**0.5)
    assert np.isnan(SystemFigures("v1", "p", None, prompts[:1]).sd_kappa)
    assert np.isnan(SystemFigures("v1", "p", None, ()).mean_kappa)


def test_results_are_gathered_by_system_and_a_prompt_left_out_is_named() -> None:
    own = PromptFigures("a", 20, 0.4, 0.5, 0.6)
    results: list[SystemResult] = [
        ("v1", "p", "a", {None: own}),
        ("v1", "p", "b", Missing("5 essays")),
        ("human", "p", "a", Missing("no second rater")),
        ("human", "p", "b", Missing("another")),
    ]

    found = gathered(results)

    assert found.missing == {"p": {"v1": "b: 5 essays", "human": "no second rater"}}
    assert found.figures == (SystemFigures("v1", "p", None, (own,)),)
    assert found.of("v1", "p") == found.figures[0]
    assert found.of("v1", "q") is None
    assert found.of("v1", "p", 0.2) is None


def test_every_system_is_judged_on_every_prompt() -> None:
    prepared = prepare(made_corpus(12, {"a": "p", "b": "p"}), PAPER_VOCABULARY)

    results = list(compare_systems(prepared, TrainingPlan.paper(), 1))

    assert [result[:3] for result in results] == [(s, "p", prompt) for s in SYSTEMS for prompt in ("a", "b")]
    human = next(result for system, _, prompt, result in results if (system, prompt) == ("human", "a"))
    assert not isinstance(human, Missing)
    first, second = prepared.corpus.table.human.first[:12], prepared.corpus.table.human.second
    assert second is not None
    assert human[None].exact == pytest.approx(np.mean(first == second[:12]))
    assert human[None].n == 12
    reasons = {s: r.reason for s, _, prompt, r in results if prompt == "a" and isinstance(r, Missing)}
    assert reasons["specific"] == "12 essays; two halves of at least 20 are needed"
    assert reasons["generic10"] == "12 essays on other prompts; at least 40 are needed"
