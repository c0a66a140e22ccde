"""Scored essays made ready for the tables of the paper."""

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.features.features import FEATURES
from assay.essays.models.erater.prompt_vocabulary import PAPER_VOCABULARY, vocabulary_out_of_fold
from assay.essays.models.resolution import HumanScores
from assay.essays.study.corpus import StudyCorpus, correlation, natural, prepare, varying
from assay.essays.study.study import study_essays
from tests.essays.study.corpora import made_corpus


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


def test_programs_sort_as_people_sort_them() -> None:
    assert sorted(["grade 10", "grade 8", "a"], key=natural) == ["a", "grade 8", "grade 10"]


def test_a_corpus_that_names_no_program_has_one() -> None:
    corpus = made_corpus(4, {"a": "p", "b": "p"})

    bare = replace(corpus, table=replace(corpus.table, programs=()))

    assert bare.programs == ("all essays",) * 8
    assert corpus.programs == ("p",) * 8


def test_some_essays_keep_all_that_belongs_to_them() -> None:
    corpus = made_corpus(4, {"a": "p", "b": "p"})

    some = corpus.at(np.array([5, 0]))

    assert some.table.essay_ids == ("e5", "e0")
    assert some.candidates == (corpus.candidates[5], corpus.candidates[0])
    assert some.arguments == (corpus.arguments[5], corpus.arguments[0])
    assert corpus.v1_values is not None
    assert some.v1_values is not None
    assert some.v1_values.tolist() == corpus.v1_values[[5, 0]].tolist()
    bare = replace(corpus, candidates=(), v1_values=None, arguments=()).at(np.array([1]))
    assert (bare.candidates, bare.v1_values, bare.arguments) == ((), None, ())


def test_essays_are_grouped_by_program_and_prompt_in_natural_order() -> None:
    prepared = prepare(made_corpus(12, {"tea": "grade 10", "dogs": "grade 8"}), PAPER_VOCABULARY)

    assert [(name, rows.tolist()) for name, rows in prepared.program_rows()] == [
        ("grade 8", list(range(12, 24))),
        ("grade 10", list(range(12))),
    ]
    assert [name for name, _ in prepared.prompt_rows()] == ["dogs", "tea"]
    assert [rows.tolist() for _, rows in prepared.prompt_rows(np.array([1, 3, 13]))] == [[13], [1, 3]]


def test_essays_read_twice_are_those_with_both_scores() -> None:
    corpus = made_corpus(12, {"tea": "p"}, second=False)
    second = np.where(np.arange(12) < 2, np.nan, corpus.table.human.first)
    both = replace(corpus, table=replace(corpus.table, human=HumanScores(corpus.table.human.first, second)))

    assert prepare(both, PAPER_VOCABULARY).read_twice.tolist() == [False, False, *[True] * 10]
    assert not prepare(corpus, PAPER_VOCABULARY).read_twice.any()


def test_vocabulary_is_measured_against_the_other_essays_of_the_prompt() -> None:
    prepared = prepare(made_corpus(20, {"tea": "p", "dogs": "p"}), PAPER_VOCABULARY)
    rows = np.arange(20)
    contents = [prepared.corpus.table.contents[row] for row in rows]

    expected = vocabulary_out_of_fold(contents, prepared.resolved[rows], PAPER_VOCABULARY)

    places = [prepared.names.index(name) for name in ("max_cos", "cos_highest")]
    assert prepared.measured[rows][:, places] == pytest.approx(expected, nan_ok=True)
    assert prepared.shaped({})[rows][:, places] == pytest.approx(expected, nan_ok=True)
    rooted = prepared.shaped({"length": "fourth_root"})[:, -1]
    assert rooted == pytest.approx(prepared.corpus.table.column("length") ** 0.25)


def test_scores_that_cannot_be_studied_are_refused() -> None:
    corpus = made_corpus(12, {"tea": "p"}, second=False)

    def scored(scores: np.ndarray) -> StudyCorpus:
        return replace(corpus, table=replace(corpus.table, human=HumanScores(scores)))

    with pytest.raises(InputError, match="no essay has both words and a human score"):
        prepare(scored(np.full(12, np.nan)), PAPER_VOCABULARY)
    with pytest.raises(InputError, match="the human scores of 'p' are all equal or lie on no regular score points"):
        prepare(scored(np.full(12, 3.0)), PAPER_VOCABULARY)


def test_essays_without_a_resolved_score_are_counted() -> None:
    corpus = made_corpus(12, {"tea": "p"}, second=False)
    first = corpus.table.human.first
    apart = np.where(np.arange(12) < 3, np.where(first > 3, 1.0, 6.0), first)
    table = replace(corpus.table, human=HumanScores(first, apart))

    assert prepare(replace(corpus, table=table), PAPER_VOCABULARY).left_out == {
        "scores more than a point apart and no third (left out of tables 5 and 6)": 3
    }


def test_correlation_needs_three_pairs_and_columns_vary_by_more_than_rounding() -> None:
    gappy = np.array([1.0, 2.0, np.nan, 4.0])

    assert correlation(gappy, np.array([1.0, 3.0, 9.0, 4.0])) == pytest.approx(np.corrcoef([1, 2, 4], [1, 3, 4])[0, 1])
    assert np.isnan(correlation(gappy, np.array([1.0, 3.0, 9.0, np.nan])))
    columns = np.array([[1.0, 5.0, np.nan, 1e9], [2.0, 5.0, np.nan, 1e9 + 0.1]])
    assert varying(columns).tolist() == [True, False, False, False]
