"""max. cos. and cos. w/highest for training essays, out of fold."""

import numpy as np
import pytest

from assay.essays.features.content import train_content
from assay.essays.models.erater.prompt_vocabulary import (
    PAPER_VOCABULARY,
    VocabularyRule,
    content_vectors,
    dealt_folds,
    essay_vocabulary,
    vocabulary_of,
    vocabulary_out_of_fold,
)
from tests.essays.models.erater.made_essays import made_table


def test_out_of_fold_values_are_those_of_a_model_trained_on_the_other_folds() -> None:
    table = made_table(120)
    scores = table.human.first
    fold = dealt_folds(scores, 5)

    found = vocabulary_out_of_fold(table.contents, scores)

    for number in range(5):
        inside, outside = np.flatnonzero(fold == number), np.flatnonzero(fold != number)
        vectors = content_vectors([table.contents[i] for i in outside], scores[outside])
        expected = vocabulary_of([table.contents[i] for i in inside], vectors)
        assert found[inside] == pytest.approx(expected, rel=2e-5)


def test_an_essay_never_meets_its_own_score() -> None:
    table = made_table(120)
    scores = table.human.first.copy()
    before = vocabulary_out_of_fold(table.contents, scores)
    fold = dealt_folds(scores, 5)
    same_fold = np.flatnonzero((fold == fold[0]) & (scores == scores[0]))

    # another essay of the fold in its place: values of the rest of the fold stay
    contents = list(table.contents)
    contents[same_fold[0]] = {"nonsense": 1, "rich1": 3}
    after = vocabulary_out_of_fold(contents, scores)

    rest = np.flatnonzero(fold == fold[0])[1:]
    assert after[rest].tolist() == before[rest].tolist()


def test_folds_hold_every_score_point_alike() -> None:
    scores = np.repeat([1.0, 2.0, 3.0], 10)

    fold = dealt_folds(scores, 5)

    assert all((fold[scores == point] == k).sum() == 2 for point in (1, 2, 3) for k in range(5))


def test_the_papers_rule_names_the_score_point_itself() -> None:
    contents = [{"weak": 2, "both": 1}, {"weak": 1, "both": 1}, {"strong": 1, "both": 1}, {"strong": 2, "both": 1}]
    vectors = content_vectors(contents, np.array([1.0, 1, 2, 2]), PAPER_VOCABULARY)

    ((nearest, highest),) = vocabulary_of([{"strong": 1}], vectors, PAPER_VOCABULARY)

    assert nearest == 2
    assert highest == pytest.approx(
        train_content(contents, [1, 1, 2, 2], least_essays=1).similarity({"strong": 1}).cos_highest(), rel=1e-5
    )


def test_smoothing_goes_over_to_the_nearest_point_as_it_sharpens() -> None:
    table = made_table(200)
    vectors = content_vectors(table.contents, table.human.first)
    sharp, literal = VocabularyRule(sharpness=5000), VocabularyRule(sharpness=float("inf"))

    smooth, nearest = (vocabulary_of(table.contents[:40], vectors, rule)[:, 0] for rule in (sharp, literal))

    assert np.mean(np.abs(smooth - nearest) < 0.05) > 0.9


def test_words_of_a_single_essay_are_not_kept() -> None:
    vectors = content_vectors(
        [{"amy": 1, "dog": 1}, {"dog": 1}, {"cat": 1, "dog": 1}, {"cat": 2}], np.array([1.0, 1, 2, 2])
    )

    assert set(vectors.words) == {"dog", "cat"}


def test_pairs_count_unless_the_paper_is_followed() -> None:
    words = essay_vocabulary("A dog barks.")

    assert dict(words) == {"dog": 1, "barks": 1, "a_dog": 1, "dog_barks": 1}
    assert dict(PAPER_VOCABULARY.counted(words)) == {"dog": 1, "barks": 1}
