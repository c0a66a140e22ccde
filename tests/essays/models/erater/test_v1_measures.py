"""The features of v.1.3 on texts of our own: clauses, cues, arguments, topics."""

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.features.features import analyse
from assay.essays.models.erater.prompt_vocabulary import dealt_folds
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
    v1_table,
    v1_training_values,
    with_topical,
)
from assay.essays.models.feature_table import EssayFeatures
from assay.essays.text.reader import read_texts
from assay.essays.text.text import Essay, Text
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


def test_topical_values_of_a_fold_come_from_the_essays_of_all_others() -> None:
    rng = np.random.default_rng(3)
    essays = [({f"w{i}": 1 for i in rng.integers(0, 6, 3).tolist()},) for _ in range(30)]
    scores = np.tile([1.0, 2.0, 3.0], 10)

    found = topical_out_of_fold(essays, scores)

    fold = dealt_folds(scores, 5)
    for number in range(5):
        rest = np.flatnonzero(fold != number)
        model = content_of([essays[row] for row in rest], scores[rest])
        expected = topical_of([essays[row] for row in np.flatnonzero(fold == number)], model)
        assert found[fold == number] == pytest.approx(expected, nan_ok=True)


def test_counts_and_rates_of_an_essay_are_reckoned_by_hand() -> None:
    raw = (
        "I think we should stay at home. If it rains, we could read because the wonderful library is closed."
        "\n\nFirst, it is warm."
    )
    found = measure_v1(analyse(read(raw)))

    assert (found["words"], found["sentences"], found["paragraphs"]) == (23, 3, 2)
    assert found["words_per_sentence"] == pytest.approx(23 / 3)
    assert (found["long_words"], found["long_words_per_word"]) == pytest.approx((3, 3 / 23))
    assert (found["modal_verbs"], found["hypothetical_modals"]) == (2, 2)
    assert found["hypothetical_modals_per_sentence"] == pytest.approx(2 / 3)
    assert (found["arguments"], found["supported_arguments"], found["longest_argument"]) == (2, 1, 19)
    assert found["words_per_argument"] == pytest.approx(23 / 2)
    assert found["clauses"] == sum(v for k, v in found.items() if k.endswith("_clauses")) + 3
    assert found["cues"] == sum(value for name, value in found.items() if name.endswith("_cues") and "_" in name) - (
        found["distinct_cues"] + found["opening_cues"]
    )


def test_a_table_for_scoring_has_length_features_flags_and_arguments() -> None:
    essay = Essay("1", "Cars are loud. First, they wake us.", "p")

    table = v1_table(essay, analyse(read(essay.text)))

    assert table.names == ("length", *NAMES)
    assert table.column("length").tolist() == table.column("words").tolist() == [7]
    assert [doubt.name for doubt in table.advisories[0]] == ["too_short"]
    assert table.arguments == (partition(essay.text).contents,)
    bare = with_topical(table, {})
    assert bare.names[-2:] == ("essay_content", "argument_content")
    assert np.isnan(bare.values[:, -2:]).all()


def test_training_essays_of_each_prompt_are_compared_among_themselves() -> None:
    prompts, scores = ("a", "b") * 15, np.tile([1.0, 2.0, 3.0], 10)
    rng = np.random.default_rng(3)
    arguments = tuple(({f"w{i}": 1 for i in rng.integers(0, 6, 3).tolist()},) for _ in range(30))
    rows = [dict.fromkeys(NAMES, 1.0)] * 30
    table = EssayFeatures.of([Essay(str(i), "", prompt) for i, prompt in enumerate(prompts)], rows)
    table = replace(table, arguments=arguments)

    values, content = v1_training_values(table, scores)

    assert values.shape == (30, len(V1_FEATURES))
    own = [arguments[row] for row in range(0, 30, 2)]
    assert values[::2, -2:] == pytest.approx(topical_out_of_fold(own, scores[::2]), nan_ok=True)
    assert content["a"].words == content_of(own, scores[::2]).words
    new = with_topical(table, {"a": content["a"]})
    assert new.values[::2, -2:] == pytest.approx(topical_of(own, content["a"]), nan_ok=True)
    assert np.isnan(new.values[1::2, -2:]).all()


def test_a_cue_opens_an_argument_as_first_or_second_word_only() -> None:
    found = partition("Cars are loud. And finally they cost. But then they finally break. And so then it ends.")

    # "finally" is the second word, "then" the second, "then" the third
    assert found.words == (3, 4, 10)
    assert (found.opening_cues, found.distinct_cues, found.supported) == (3, 4, 0)
    assert found.cues == {"parallel": 4, "contrast": 1, "inference": 1}


def test_an_argument_with_two_reasons_is_supported_once() -> None:
    found = partition("Cars are loud because they are fast. For example at night.\n\nIt rains. Research says so.")

    assert (len(found.words), found.supported) == (2, 2)
    assert partition("It rains. For example here. Because it does.").supported == 1


def test_two_sentences_are_counted_clause_by_clause() -> None:
    found = count_clauses(read("She said that he left because he wanted to sleep. The dog barks."))

    assert found["complement_clauses"] == found["subordinate_clauses"] == found["infinitive_clauses"] == 1
    assert (found["complex_sentences"], found["relative_clauses"], found["coordinate_clauses"]) == (1, 0, 0)
    twice = count_clauses(read("He left because it rained. She stayed because it snowed. They should, could, may go."))
    assert (twice["subordinate_clauses"], twice["complex_sentences"]) == (2, 2)


def test_a_text_of_few_words_is_measured_by_hand() -> None:
    found = measure_v1(analyse(read("The dog barks. The dog, however, sleeps because it isn't well.")))

    assert (found["words"], found["types"], found["sentences"]) == (11, 9, 2)
    assert found["types_per_word"] == pytest.approx(9 / 11, abs=1e-12)
    # the dog barks the dog however sleeps because it isn't well
    letters = 3 + 3 + 5 + 3 + 3 + 7 + 6 + 7 + 2 + 4 + 4
    assert found["letters_per_word"] == pytest.approx(letters / 11, abs=1e-12)
    assert (found["long_words"], found["long_words_per_word"]) == pytest.approx((2, 2 / 11), abs=1e-12)
    assert (found["contrast_cues"], found["evidence_cues"], found["cues"], found["distinct_cues"]) == (1, 1, 2, 2)
    assert (found["cues_per_sentence"], found["opening_cues"]) == (1.0, 0.0)
    assert (found["arguments"], found["supported_arguments"]) == (1, 1)
    assert found["words_per_argument"] == found["longest_argument"] == 11
    assert found["clauses_per_sentence"] == found["clauses"] / 2
