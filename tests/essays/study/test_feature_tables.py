"""Tables 1 to 4 of the paper on made-up corpora."""

from dataclasses import replace

import numpy as np
import pytest

from assay.essays.models.erater.prompt_vocabulary import PAPER_VOCABULARY
from assay.essays.models.erater.weights import fit_weights
from assay.essays.models.resolution import HumanScores
from assay.essays.study.corpus import Missing, prepare
from assay.essays.study.feature_tables import correlations, describe, means_by_score, relative_weights
from assay.essays.study.study import study_essays
from assay.metrics.kappa import quadratic_weighted_kappa
from tests.essays.study.corpora import made_corpus


def test_many_score_levels_are_gathered_in_ten_bins() -> None:
    corpus = made_corpus(second=False)
    wide = np.rint(10 * corpus.table.human.first + np.arange(len(corpus.table)) % 7)
    found = study_essays(replace(corpus, table=replace(corpus.table, human=HumanScores(wide))))

    assert len(found.means.levels) == 10
    assert sum(found.means.essays) == 240


def test_programs_with_different_scales_are_not_averaged_and_meet_in_tenths_of_their_scales() -> None:
    corpus = made_corpus(second=False)
    first = corpus.table.human.first.copy()
    first[:120] = np.rint((first[:120] - 1) / 2)
    found = study_essays(replace(corpus, table=replace(corpus.table, human=HumanScores(first))))

    assert found.scales == {"grade 8": "0 to 2", "grade 10": "1 to 6"}
    assert np.isnan(found.descriptives[-1].mean_ahs)
    assert found.descriptives[0].mean_ahs == pytest.approx(first[:120].mean())
    assert found.means.levels[0] == "0\u201310\u00a0%"
    assert sum(found.means.essays) == 240


def test_a_row_of_table_1_is_reckoned_from_the_essays() -> None:
    prepared = prepare(made_corpus(15, {"a": "p", "b": "p"}), PAPER_VOCABULARY)

    (row,) = describe(prepared)

    human = prepared.corpus.table.human
    assert human.second is not None
    assert (row.program, row.essays, row.prompts, row.essays_per_prompt) == ("p", 30, 2, 15)
    assert (row.mean_ahs, row.sd_ahs) == pytest.approx((prepared.average.mean(), prepared.average.std(ddof=1)))
    assert row.words == pytest.approx(prepared.corpus.table.column("length").mean())
    assert row.human_r == pytest.approx(np.corrcoef(human.first, human.second)[0, 1])
    assert row.human_qwk == pytest.approx(quadratic_weighted_kappa(human.first, human.second))


def test_means_by_score_are_those_of_the_essays_at_each_level() -> None:
    prepared = prepare(made_corpus(30, {"a": "p"}, second=False), PAPER_VOCABULARY)

    found = means_by_score(prepared)

    levels = sorted(set(prepared.average.tolist()))
    assert found.levels == tuple(f"{level:.1f}" for level in levels)
    assert found.essays == tuple(int((prepared.average == level).sum()) for level in levels)
    length = prepared.corpus.table.column("length")
    assert found.means["length"] == pytest.approx([length[prepared.average == level].mean() for level in levels])
    assert (found.mean["length"], found.sd["length"]) == pytest.approx((length.mean(), length.std(ddof=1)))
    lowest, highest = found.means["development"][0], found.means["development"][-1]
    assert found.relative["development"][-1] == pytest.approx(highest / lowest)


def test_weights_of_table_4_are_those_of_least_squares_without_length() -> None:
    prepared = prepare(made_corpus(60, {"a": "p"}), PAPER_VOCABULARY)
    shaped = prepared.shaped({})

    found = relative_weights(prepared, shaped)

    assert not isinstance(found, Missing)
    expected = fit_weights(prepared.names[:-1], shaped[:, :-1], prepared.average)
    assert found.average == pytest.approx(dict(zip(prepared.names, expected.relative.tolist(), strict=False)))
    used = [name for name, share in found.average.items() if share]
    signs = dict(zip(prepared.names, np.sign(expected.standardised).tolist(), strict=False))
    assert {name: found.signs[name] for name in used} == {name: signs[name] for name in used}
    assert found.by_program == {"p": pytest.approx(found.average)}


def test_too_few_essays_for_weights_are_a_reason() -> None:
    prepared = prepare(made_corpus(54, {"a": "p"}), PAPER_VOCABULARY)

    found = relative_weights(prepared, prepared.shaped({}))

    assert found == Missing("54 essays are too few to estimate 11 weights")


def test_correlations_are_averaged_over_prompts_that_have_one() -> None:
    corpus = made_corpus(15, {"a": "p", "b": "p"})
    values = corpus.table.values.copy()
    values[:15, 0] = 1.0
    prepared = prepare(replace(corpus, table=replace(corpus.table, values=values)), PAPER_VOCABULARY)

    found = correlations(prepared)

    alone = np.corrcoef(values[15:, 0], prepared.average[15:])[0, 1]
    assert found.by_program["p"]["grammar"] == found.overall["grammar"] == pytest.approx(alone, abs=1e-5)
