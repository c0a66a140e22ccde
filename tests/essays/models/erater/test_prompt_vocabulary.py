"""max. cos. and cos. w/highest for training essays, out of fold."""

import numpy as np
import pytest

from assay.essays.features.content import LEAST_ESSAYS, train_content
from assay.essays.models.erater.prompt_vocabulary import (
    PAPER_VOCABULARY,
    SMOOTHED,
    PackedWords,
    VocabularyRule,
    content_vectors,
    dealt_folds,
    essay_content,
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


def test_a_rule_counts_words_once_or_as_often_as_they_stand() -> None:
    content = {"dog": 3, "a_dog": 2}

    assert VocabularyRule().counted(content) == {"dog": 1, "a_dog": 1}
    assert VocabularyRule(presence=False).counted(content) == content
    assert VocabularyRule(pairs=False).counted(content) == {"dog": 1}


def test_names_taken_out_and_numbers_are_no_content() -> None:
    assert dict(essay_content("@PERSON1 saw 3 dogs and the dog.")) == {"saw": 1, "dogs": 1, "dog": 1}


def test_a_single_essay_has_nothing_to_be_compared_with() -> None:
    assert np.isnan(vocabulary_out_of_fold([{"dog": 1}], np.array([1.0]))).all()
    two = vocabulary_out_of_fold([{"dog": 1}, {"dog": 1}], np.array([1.0, 2.0]))
    assert two.shape == (2, 2)


def test_folds_are_dealt_in_order_of_score_and_ties_in_order_of_essays() -> None:
    assert dealt_folds(np.array([3.0, 1.0, 2.0, 1.0]), 3).tolist() == [0, 0, 2, 1]


def test_packed_words_give_the_cosines_of_content_vectors() -> None:
    contents = [{"a": 2, "b": 1}, {"a": 1, "c": 1}, {"b": 2, "c": 1}, {"c": 3}, {"a": 1, "d": 1}, {}]
    scores = np.array([1.0, 1.0, 2.0, 2.0])

    points, cosines = PackedWords.of(contents).cosines(np.arange(4), scores, np.array([4, 5, 0]), 1)

    vectors = content_vectors(contents[:4], scores, VocabularyRule(presence=False, least_essays=1))
    assert points.tolist() == [1, 2]
    assert cosines[0] == pytest.approx(vectors.similarity({"a": 1}).cosines)
    assert np.isnan(cosines[1]).all()
    assert cosines[2] == pytest.approx(vectors.similarity(contents[0]).cosines)


def test_the_advised_rule_and_that_of_the_paper() -> None:
    assert VocabularyRule(30.0, True, True, LEAST_ESSAYS) == SMOOTHED == VocabularyRule()
    assert VocabularyRule(float("inf"), False, False, 1) == PAPER_VOCABULARY


def test_cosines_of_light_words_are_reckoned_too() -> None:
    contents = [{"a": 1, "x": 1}, {"a": 1}, {"b": 1, "x": 1}, {"a": 1, "x": 1}, {"b": 1}]

    points, cosines = PackedWords.of(contents).cosines(np.arange(3), np.array([1.0, 1.0, 3.0]), np.array([3, 4]), 1)

    # `a` and `x` stand in two of three essays each; `b` in one only, so that it does not count
    assert points.tolist() == [1, 3]
    assert cosines[0] == pytest.approx([3 / np.sqrt(10), 1 / np.sqrt(2)], abs=1e-12)
    assert np.isnan(cosines[1]).all()


def test_four_essays_are_compared_each_with_the_other_three() -> None:
    contents = [{"a": 1, "b": 1}, {"a": 1}, {"b": 1, "c": 1}, {"a": 1, "c": 1}]
    scores = np.array([1.0, 2.0, 1.0, 2.0])

    found = vocabulary_out_of_fold(contents, scores, PAPER_VOCABULARY)

    for own in range(4):
        rest = [row for row in range(4) if row != own]
        vectors = content_vectors([contents[row] for row in rest], scores[rest], PAPER_VOCABULARY)
        expected = vocabulary_of([contents[own]], vectors, PAPER_VOCABULARY)[0]
        assert found[own] == pytest.approx(expected, rel=1e-5, nan_ok=True)
