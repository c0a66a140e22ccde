"""Features of many essays as one matrix, and the shapes in which a model takes them."""

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.feedback.advisories import Advisory
from assay.essays.models.feature_table import SHAPE_OF, SHAPES, EssayFeatures, model_values
from assay.essays.models.resolution import HumanScores
from assay.essays.text.text import Essay
from tests.essays.models.erater.made_essays import made_table

ESSAYS = (Essay("a", "A dog barks.", "dogs"), Essay("b", "Rain fell.", "rain"))
MEASURED = ({"grammar": 0.02, "length": 100.0}, {"grammar": 0.0, "length": 16.0})


def table() -> EssayFeatures:
    return EssayFeatures.of(ESSAYS, MEASURED)


def test_a_table_of_essays_has_their_names_prompts_values_and_words() -> None:
    own = table()

    assert len(own) == 2
    assert (own.essay_ids, own.prompts, own.names) == (("a", "b"), ("dogs", "rain"), ("grammar", "length"))
    assert own.values.tolist() == [[0.02, 100], [0, 16]]
    assert dict(own.contents[0]) == {"dog": 1, "barks": 1, "a_dog": 1, "dog_barks": 1}
    assert np.isnan(own.human.first).all()
    assert (own.programs, own.advisories, own.arguments) == ((), (), ())


def test_words_are_not_counted_where_no_prompt_is_compared() -> None:
    assert EssayFeatures.of(ESSAYS, MEASURED, with_contents=False).contents == ({}, {})


def test_only_the_features_named_become_columns() -> None:
    own = EssayFeatures.of(ESSAYS, MEASURED, HumanScores(np.array([1.0, 2.0])), names=["length"], programs=["x", "y"])

    assert (own.names, own.programs) == (("length",), ("x", "y"))
    assert own.values.tolist() == [[100], [16]]
    assert own.human.first.tolist() == [1, 2]


def test_a_table_may_be_empty() -> None:
    own = EssayFeatures.of([], [])

    assert len(own) == 0
    assert own.values.shape == (0, 0)


def test_values_are_rounded_and_cannot_be_written_to() -> None:
    own = replace(table(), values=np.array([[0.123456789, 1], [2, 3]]))

    assert own.values[0, 0] == 0.123457
    with pytest.raises(ValueError, match="read-only"):
        own.values[0, 0] = 1


@pytest.mark.parametrize(
    "change",
    [
        {"prompts": ("dogs",)},
        {"contents": ({},)},
        {"human": HumanScores(np.array([1.0]))},
        {"programs": ("x",)},
        {"advisories": ((),) * 3},
        {"arguments": ((),)},
        {"names": ("grammar",)},
        {"values": np.zeros((3, 2))},
    ],
)
def test_a_table_needs_an_entry_for_each_essay(change: dict[str, object]) -> None:
    with pytest.raises(InputError, match="every column of a feature table needs an entry for each of its 2 essays"):
        replace(table(), **change)  # type: ignore[arg-type]


def test_a_feature_that_was_not_measured_is_named_with_those_that_were() -> None:
    with pytest.raises(InputError, match=r"no feature 'wit' was measured. There are: grammar, length."):
        table().column("wit")
    assert table().column("length").tolist() == [100, 16]


def test_vocabulary_of_the_prompt_replaces_what_could_not_be_measured() -> None:
    own = made_table(3)
    vocabulary = np.array([[1.0, 0.1], [2.0, 0.2], [3.0, 0.3]])

    found = own.columns(["cos_highest", "length", "max_cos"], vocabulary)

    assert found[:, 0].tolist() == [0.1, 0.2, 0.3]
    assert found[:, 1].tolist() == own.column("length").tolist()
    assert found[:, 2].tolist() == [1, 2, 3]
    assert np.isnan(own.columns(["max_cos"])).all()


def test_some_essays_of_a_table_come_in_the_order_asked_for() -> None:
    doubt = (Advisory("too_short", "2 words"),)
    own = replace(table(), advisories=((), doubt), programs=("x", "y"), human=HumanScores(np.array([1.0, 2.0])))

    other = own.at(np.array([1, 0]))

    assert (other.essay_ids, other.prompts, other.programs) == (("b", "a"), ("rain", "dogs"), ("y", "x"))
    assert other.advisories == (doubt, ())
    assert other.arguments == ()
    assert other.values.tolist() == [[0, 16], [0.02, 100]]
    assert other.human.first.tolist() == [2, 1]
    assert other.contents == own.contents[::-1]


def test_shapes_bend_features_by_their_formulas() -> None:
    values, words = np.array([0.0, 16.0]), np.array([0.0, 100.0])

    assert SHAPES["as_measured"](values, words).tolist() == [0, 16]
    assert SHAPES["fourth_root"](values, words).tolist() == [0, 2]
    assert SHAPES["log"](values, words) == pytest.approx([0, np.log(16)])
    assert SHAPES["log_rate"](values, words) == pytest.approx([np.log(0.5), np.log(16 + 0.5 / 100)])


def test_length_discourse_elements_and_error_rates_are_bent_and_nothing_else() -> None:
    rates = dict.fromkeys(("grammar", "usage", "mechanics", "style"), "log_rate")

    assert {"length": "fourth_root", "element_length": "log", **rates} == SHAPE_OF


def test_a_model_takes_each_feature_in_its_own_shape() -> None:
    found = model_values(table(), ["length", "grammar"], ["fourth_root", "log_rate"])

    assert found == pytest.approx(np.array([[100**0.25, np.log(0.02 + 0.005)], [2, np.log(0.5 / 16)]]))


def test_error_rates_stay_undefined_where_no_length_was_measured() -> None:
    own = EssayFeatures.of(ESSAYS, MEASURED, names=["grammar"])

    assert np.isnan(model_values(own, ["grammar"], ["log_rate"])).all()
    assert model_values(own, ["grammar"], ["as_measured"]).tolist() == [[0.02], [0]]


def test_the_features_of_the_first_essay_are_the_columns_and_the_first_that_is_unknown_is_named() -> None:
    first, second = {"length": 100.0, "grammar": 0.02}, {"style": 1.0, "grammar": 0.0, "length": 16.0}

    own = EssayFeatures.of(ESSAYS, [first, second])

    assert own.names == ("length", "grammar")
    assert own.values.tolist() == [[100, 0.02], [16, 0]]
    with pytest.raises(InputError, match="no feature 'wit' was measured"):
        own.columns(["length", "wit", "charm"])


def test_logs_and_rates_are_exact_for_one_word_and_for_two() -> None:
    values, words = np.array([1.0, 1.5, 2.0]), np.array([1.0, 1.5, 2.0])

    assert SHAPES["log"](values, words) == pytest.approx(np.log([1, 1.5, 2]), rel=1e-12, abs=1e-12)
    assert SHAPES["log_rate"](values, words) == pytest.approx(np.log(values + 0.5 / values), rel=1e-12)
