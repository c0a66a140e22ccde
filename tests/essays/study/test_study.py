"""The tables of the paper on made-up corpora whose answers are known."""

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.features.features import FEATURES
from assay.essays.models.erater.prompt_vocabulary import PAPER_VOCABULARY
from assay.essays.models.resolution import HumanScores
from assay.essays.study.corpus import Missing, natural, prepare
from assay.essays.study.retest import pairs
from assay.essays.study.study import Study, steps, study_essays
from assay.essays.study.systems import ERATER, WEIGHTS
from assay.metrics.kappa import cohen_kappa
from assay.scale import ScoreScale
from tests.essays.study.corpora import made_corpus


@pytest.fixture(scope="module")
def study() -> Study:
    return study_essays(made_corpus())


def test_table_1_counts_prompts_and_essays_of_each_program_and_overall(study: Study) -> None:
    rows = {own.program: own for own in study.descriptives}

    assert list(rows) == ["grade 8", "grade 10", "Overall"]
    assert [own.essays for own in study.descriptives] == [120, 120, 240]
    assert rows["Overall"].prompts == 4
    assert rows["grade 8"].essays_per_prompt == 60
    human = made_corpus().table.human
    assert rows["Overall"].mean_ahs == pytest.approx(human.average().mean())
    assert rows["Overall"].human_r == pytest.approx(np.corrcoef(human.first, human.second)[0, 1])


def test_table_2_is_the_mean_over_prompts_of_plain_correlations(study: Study) -> None:
    corpus = made_corpus()
    prompt = np.array(corpus.table.prompts)
    length, human = corpus.table.column("length"), corpus.table.human.average()
    each = [np.corrcoef(length[prompt == p], human[prompt == p])[0, 1] for p in ("cars", "dogs")]

    assert study.correlations.by_program["grade 8"]["length"] == pytest.approx(np.mean(each))
    for name, feature in FEATURES.items():
        assert (study.correlations.overall[name] > 0) == (feature.better == "higher"), name


def test_table_3_is_one_at_the_lowest_score_and_turns_features_upside_down(study: Study) -> None:
    means = study.means

    assert sum(means.essays) == 240
    assert means.levels[0] == "1.0"
    assert means.levels[-1] == "6.0"
    assert all(relative[0] == pytest.approx(1) for relative in means.relative.values())
    assert means.relative["length"][-1] == pytest.approx(means.means["length"][0] / means.means["length"][-1])
    assert means.relative["grammar"][-1] == pytest.approx(means.means["grammar"][-1] / means.means["grammar"][0])


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


def test_table_4_shares_add_up_to_one_in_every_program(study: Study) -> None:
    assert not isinstance(study.weights, Missing)
    for shares in (*study.weights.by_program.values(), study.weights.average):
        assert not isinstance(shares, Missing)
        assert "length" not in shares
        assert sum(shares.values()) == pytest.approx(1)
    assert study.weights.signs["grammar"] == -1
    assert study.weights.signs["development"] == 1


def test_table_5_holds_every_kind_at_every_weight_of_length(study: Study) -> None:
    for program in study.programs:
        for kind in ERATER:
            for weight in WEIGHTS:
                found = study.systems.of(kind, program, weight)
                assert found is not None, (program, kind, weight)
                assert found.n == 2
                assert found.mean_kappa > 0.15
    assert not study.systems.missing


def test_human_agreement_is_kappa_of_the_first_two_ratings(study: Study) -> None:
    human = made_corpus().table.human
    rows = slice(0, 60)
    found = study.systems.of("human", "grade 8")

    assert found is not None
    assert human.second is not None
    assert found.prompts[0].kappa == pytest.approx(cohen_kappa(human.first[rows], human.second[rows]))


def test_no_system_finds_agreement_where_nothing_goes_with_the_scores() -> None:
    found = study_essays(made_corpus(related=0.0, per_prompt=150))

    for own in found.systems.figures:
        if own.system != "human":
            assert abs(own.mean_kappa) < 0.09, own
    for name in FEATURES:
        assert abs(found.correlations.overall[name]) < 0.15, name


def test_a_prompt_is_cut_in_the_same_halves_whatever_else_is_studied(study: Study) -> None:
    corpus = made_corpus()
    alone = study_essays(corpus.at(np.arange(60)))
    both = study.systems.of("specific", "grade 8", 0.2)
    single = alone.systems.of("specific", "grade 8", 0.2)

    assert both is not None
    assert single is not None
    assert single.prompts[0] == both.prompts[0]


def test_another_seed_cuts_other_halves() -> None:
    corpus = made_corpus()
    figures = {study_essays(corpus, seed=seed).systems.of("specific", "grade 8", 0.2) for seed in (1, 1, 2)}

    assert len(figures) == 2


def test_the_retest_reliability_of_a_feature_is_its_correlation_between_both_essays(study: Study) -> None:
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


def test_corrected_correlations_divide_by_both_reliabilities(study: Study) -> None:
    assert not isinstance(study.reliability, Missing)
    found = study.reliability.multimethod
    room = np.sqrt(found.reliability["erater"] * found.reliability["average_human"])

    assert found.corrected["average_human"] == pytest.approx(found.across["average_human"] / room)
    assert found.reliability["average_human"] > found.reliability["single_human"] - 0.1


def test_pairs_are_two_essays_of_one_candidate_on_different_prompts() -> None:
    corpus = made_corpus(per_prompt=4, prompts={"a": "p", "b": "p", "c": "p"})
    writers = ("x", "x", "y", "", "x", "y", "", "z", "x", "y", "", "")
    found = pairs(prepare(replace(corpus, candidates=writers), PAPER_VOCABULARY))

    assert list(zip(*(rows.tolist() for rows in found), strict=True)) == [(0, 4), (2, 5)]


def test_a_table_that_needs_what_the_corpus_lacks_says_so_and_the_rest_is_made() -> None:
    corpus = made_corpus(prompts={"cars": "grade 8"}, second=False, candidates=False)
    found = study_essays(replace(corpus, v1_values=None, arguments=()))

    assert isinstance(found.reliability, Missing)
    assert "--candidate" in found.reliability.reason
    missing = found.systems.missing["grade 8"]
    assert "--second-score" in missing["human"]
    assert "one prompt" in missing["generic12"]
    assert "were not measured" in missing["v1"]
    assert found.systems.of("specific", "grade 8", 0.2) is not None
    assert np.isnan(found.descriptives[0].human_r)


def test_small_prompts_are_named_and_not_halved() -> None:
    found = study_essays(made_corpus(per_prompt=30))

    assert "30 essays; two halves of at least 20" in found.systems.missing["grade 8"]["specific"]
    assert found.systems.of("generic10", "grade 8", 0.2) is None


def test_essays_without_score_or_words_are_counted_and_left_out() -> None:
    corpus = made_corpus()
    first = corpus.table.human.first.copy()
    first[0] = np.nan
    values = corpus.table.values.copy()
    values[5, list(FEATURES).index("length")] = 0
    further = corpus.table.human.second
    assert further is not None
    blank = further.copy()
    blank[0] = np.nan
    table = replace(corpus.table, human=HumanScores(first, blank, corpus.table.human.third), values=values)
    found = study_essays(replace(corpus, table=table))

    assert found.essays == 238
    assert dict(found.left_out) == {"no human score": 1, "no words": 1}


def test_one_score_level_and_unknown_recipes_are_errors() -> None:
    corpus = made_corpus(second=False)
    same = replace(corpus, table=replace(corpus.table, human=HumanScores(np.full(240, 3.0))))

    with pytest.raises(InputError, match="all equal"):
        study_essays(same)
    with pytest.raises(InputError, match="no recipe 'guess'"):
        study_essays(corpus, recipe="guess")


def test_scores_off_the_scale_named_are_an_error() -> None:
    with pytest.raises(InputError, match="human scores 6 are no points of the scale 1 to 5"):
        study_essays(made_corpus(second=False), scale=ScoreScale(1, 5))


def test_a_prompt_of_few_essays_is_not_judged() -> None:
    found = study_essays(made_corpus(per_prompt=8))

    assert "8 essays; at least 10 are needed" in found.systems.missing["grade 8"]["generic10"]
    assert not found.systems.figures


def test_a_constant_feature_is_left_out_of_models_and_weighs_nothing() -> None:
    corpus = made_corpus()
    values = corpus.table.values.copy()
    values[:, 0] = 0.0
    found = study_essays(replace(corpus, table=replace(corpus.table, values=values)))

    assert not isinstance(found.weights, Missing)
    assert found.weights.average["grammar"] == 0
    assert np.isnan(found.correlations.overall["grammar"])
    assert found.systems.of("generic12", "grade 8", 0.2) is not None


def test_the_progress_bar_sees_as_many_steps_as_announced() -> None:
    corpus = made_corpus()
    seen: list[object] = []

    def counting(found):  # type: ignore[no-untyped-def]
        for one in found:
            seen.append(one)
            yield one

    study_essays(corpus, track=counting)

    assert len(seen) == steps(corpus)


def test_programs_sort_as_people_sort_them() -> None:
    assert sorted(["grade 10", "grade 8", "a"], key=natural) == ["a", "grade 8", "grade 10"]
