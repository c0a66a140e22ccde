"""The tables of the paper on made-up corpora whose answers are known."""

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.features.features import FEATURES
from assay.essays.models.resolution import HumanScores
from assay.essays.study.corpus import Missing
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


def test_a_prompt_is_cut_in_the_same_halves_whatever_else_is_studied(study: Study) -> None:
    corpus = made_corpus()
    alone = study_essays(corpus.at(np.arange(60)))
    both = study.systems.of("specific", "grade 8", 0.2)
    single = alone.systems.of("specific", "grade 8", 0.2)

    assert both is not None
    assert single is not None
    assert single.prompts[0] == both.prompts[0]


def test_corrected_correlations_divide_by_both_reliabilities(study: Study) -> None:
    assert not isinstance(study.reliability, Missing)
    found = study.reliability.multimethod
    room = np.sqrt(found.reliability["erater"] * found.reliability["average_human"])

    assert found.corrected["average_human"] == pytest.approx(found.across["average_human"] / room)
    assert found.reliability["average_human"] > found.reliability["single_human"] - 0.1


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
