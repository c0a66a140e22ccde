"""The features of v.1.3 on texts of our own: clauses, cues, arguments, topics."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.features.features import analyse
from assay.essays.models.erater.v1_equation import V1_FEATURES, fit_v1
from assay.essays.models.erater.v1_measures import (
    CUES,
    NAMES,
    content_of,
    count_clauses,
    cues_in,
    measure_v1,
    partition,
    topical_of,
    topical_out_of_fold,
)
from assay.essays.text.reader import read_texts
from assay.essays.text.text import Text
from assay.scale import ScoreScale


def read(raw: str) -> Text:
    return next(iter(read_texts([raw])))


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("I believe that the town needs a library.", "complement_clauses"),
        ("We stayed at home because it rained.", "subordinate_clauses"),
        ("She wants to read the book.", "infinitive_clauses"),
        ("The man who sold the car left.", "relative_clauses"),
        ("The cars are loud and the streets are dirty.", "coordinate_clauses"),
        ("They should walk.", "hypothetical_modals"),
        ("The window was broken by a ball.", "passive_verbs"),
    ],
)
def test_a_sentence_of_each_kind_is_counted(sentence: str, kind: str) -> None:
    assert count_clauses(read(sentence))[kind] == 1


def test_a_plain_sentence_has_no_clauses_and_can_is_no_hypothetical_modal() -> None:
    counted = count_clauses(read("The dog can bark."))

    assert counted["modal_verbs"] == 1
    assert sum(counted.values()) == 1


def test_the_longest_cue_at_a_place_counts_and_no_phrase_is_in_two_classes() -> None:
    assert cues_in(["in", "the", "end", ",", "first", "of", "all"]) == [
        (0, "summary", "in the end"),
        (4, "parallel", "first of all"),
    ]
    phrases = [phrase for own in CUES.values() for phrase in own]
    assert len(phrases) == len(set(phrases))


def test_paragraphs_and_opening_cues_begin_arguments() -> None:
    found = partition(
        "Cars are loud. They wake us.\n\nFirst, they are dirty because of smoke. And finally, they cost money. "
        "For example, petrol."
    )

    assert found.words == (6, 7, 8)
    assert found.supported == 2
    assert found.cues["parallel"] == 2
    assert found.contents[0] == {"cars": 1, "loud": 1, "wake": 1}


def test_an_empty_essay_has_no_arguments_and_only_zeros() -> None:
    measured = measure_v1(analyse(read("")))

    assert partition("").contents == ()
    assert set(measured.values()) == {0.0}


def test_about_fifty_features_are_measured_by_name() -> None:
    measured = measure_v1(analyse(read("I think we should stay. If it rains, we could read.")))

    assert tuple(measured) == NAMES
    assert len(V1_FEATURES) == 53
    assert measured["hypothetical_modals_per_sentence"] == 1.0
    assert measured["belief_cues"] == 1.0
    assert measured["condition_cues"] == 1.0


WEAK, STRONG = {"thing": 2, "good": 1}, {"evidence": 1, "argument": 2}


def test_topical_features_follow_the_words_of_a_level_and_adjust_for_the_number_of_arguments() -> None:
    training = [(WEAK,)] * 4 + [(STRONG,)] * 4 + [({"other": 1},)] * 4
    model = content_of(training, np.array([1.0] * 4 + [6.0] * 4 + [3.0] * 4))

    found = topical_of([(STRONG,), (STRONG, WEAK)], model)

    assert found[0].tolist() == [6.0, (6 + 1) / 2]
    assert found[1, 1] == (6 + 1 + 2) / 3


def test_training_essays_never_meet_themselves() -> None:
    unique = [({f"word{i}": 3, "shared": 1},) for i in range(20)]
    scores = np.tile([1.0, 2.0], 10)

    # every essay's own word is in no other, so only the shared one can tell, and it tells nothing
    assert np.isnan(topical_out_of_fold(unique, scores)).all()


def test_the_equation_uses_few_features_and_gives_points_of_the_scale() -> None:
    rng = np.random.default_rng(0)
    human = rng.integers(1, 7, size=300).astype(float)
    values = rng.normal(size=(300, len(V1_FEATURES)))
    values[:, 0] = 50 * human + 10 * rng.normal(size=300)
    values[3, 1] = np.nan

    equation = fit_v1(values, human, ScoreScale(1, 6))

    assert 0 in equation.chosen
    assert len(equation.chosen) < 10
    assert set(equation.score(values).tolist()) <= {1.0, 2, 3, 4, 5, 6}
    assert equation.cutoffs.cuts.tolist() == [1.5, 2.5, 3.5, 4.5, 5.5]
    assert np.mean(equation.score(values) == human) > 0.9


def test_an_equation_without_any_useful_feature_is_an_error() -> None:
    values = np.zeros((40, len(V1_FEATURES)))

    with pytest.raises(InputError, match=r"no feature of v\.1\.3 goes with the human scores"):
        fit_v1(values, np.tile([1.0, 2.0], 20), ScoreScale(1, 2))
