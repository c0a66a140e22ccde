"""How alike two texts are."""

import sys
from importlib.util import find_spec, module_from_spec

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.annotations.matching import text_similarity as module
from assay.annotations.matching.text_similarity import (
    as_text,
    common_names,
    known_labels,
    label_counts,
    label_similarities,
    label_similarity,
    normalised,
    same_boolean,
    same_number,
    same_text,
    text_similarity,
    value_similarity,
)
from assay.annotations.rubric.rubric import LabelRule, Rubric
from assay.errors import MissingExtra

words = st.text(max_size=12)


def test_the_plans_typo_is_five_sixths() -> None:
    assert text_similarity("Person", "persn") == pytest.approx(5 / 6)


@pytest.mark.parametrize(
    ("first", "second"), [("Car", "car"), (" traffic  light", "Traffic Light "), ("ﬁre", "fire"), ("STRASSE", "straße")]
)
def test_case_spaces_and_forms_of_letters_do_not_matter(first: str, second: str) -> None:
    assert text_similarity(first, second) == 1


def test_separators_are_alike_only_by_choice() -> None:
    assert text_similarity("traffic_light", "traffic light") < 1
    assert text_similarity("traffic_light", "traffic-light", separators_alike=True) == 1


def test_likeness_below_the_floor_is_none() -> None:
    assert text_similarity("cat", "dog-house", floor=0.5) == 0
    assert text_similarity("Person", "persn", floor=0.5) == pytest.approx(5 / 6)


@given(words, words)
def test_likeness_is_symmetric_and_within_0_and_1(first: str, second: str) -> None:
    alike = text_similarity(first, second)
    assert 0 <= alike <= 1
    assert alike == text_similarity(second, first)
    assert (alike == 1) == (normalised(first) == normalised(second))


@given(words)
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalised(normalised(text)) == normalised(text)


def test_booleans_are_compared_by_what_they_mean() -> None:
    assert same_boolean("Yes", "1") == 1
    assert same_boolean("true", "false") == 0
    assert same_boolean("maybe", "Maybe ") == 1
    assert same_boolean("true", "maybe") == 0


def test_numbers_are_compared_as_numbers_within_a_tolerance() -> None:
    assert same_number("1.0", "1") == 1
    assert same_number("0.3", str(0.1 + 0.2)) == 1
    assert same_number("10", "12", tolerance=2) == 1
    assert same_number("10", "12.1", tolerance=2) == 0
    assert same_number("ten", "10") == 0


def test_values_of_any_type_become_text_as_people_write_it() -> None:
    assert [as_text(value) for value in (True, 3.0, 2.5, None, "x")] == ["true", "3", "2.5", "", "x"]


def test_the_comparator_decides() -> None:
    assert value_similarity("red", "rad", "text") == pytest.approx(2 / 3)
    assert value_similarity("red", "rad", "exact") == 0
    assert value_similarity(True, "yes", "boolean") == 1
    assert value_similarity(4.0, "4", "number") == 1


PLAIN = Rubric()


def test_labels_of_rules_and_truth_are_known_however_they_are_written() -> None:
    rubric = Rubric(labels=(LabelRule("Traffic Light"),))
    assert known_labels(rubric, ["CAR "]) == {"traffic light", "car"}


def test_all_labels_count_unless_the_rules_name_some() -> None:
    assert label_counts(["car", "bus"], PLAIN).tolist() == [True, True]
    assert label_counts(["car", "bus"], Rubric(only_labels=(" CAR",))).tolist() == [True, False]


def test_the_name_of_another_class_is_no_typo() -> None:
    strict = Rubric(known_wrong_label="zero")
    known = frozenset({"cat", "car"})
    assert label_similarity("cat", "cats", strict, known) == pytest.approx(0.75)
    assert label_similarity("cat", "car", strict, known) == 0
    assert label_similarity("cat", "Cat", strict, known) == 1
    lenient = Rubric(known_wrong_label="similarity")
    assert label_similarity("cat", "car", lenient, known) == pytest.approx(2 / 3)


@pytest.mark.parametrize("largest", [module.LARGEST_TABLE, 0])
def test_each_pair_of_labels_gets_its_credit(largest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_TABLE", largest)
    truth, student = ["car", "bus", "tram"], ["bus", "cars"]
    pairs = np.array([0, 1, 2, 1], np.int32), np.array([1, 0, 0, 0], np.int32)

    credit = label_similarities(truth, student, pairs, PLAIN, frozenset())

    expected = [label_similarity(truth[t], student[s], PLAIN, frozenset()) for t, s in zip(*pairs, strict=True)]
    assert credit.tolist() == pytest.approx(expected)


def test_labels_of_several_sets_are_numbered_alike_and_spelt_as_first_seen() -> None:
    names, places = common_names(["Car", "bus"], ["BUS", "tram", "car"])
    assert names == ("Car", "bus", "tram")
    assert [column.tolist() for column in places] == [[0, 1], [1, 2, 0]]
    assert common_names(["a_b"], ["a b"])[0] == ("a_b", "a b")
    assert common_names(["a_b"], ["a b"], separators_alike=True)[0] == ("a_b",)


def test_without_its_library_the_module_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz.distance", None)
    spec = find_spec(module.__name__)
    assert spec is not None
    assert spec.loader is not None
    with pytest.raises(MissingExtra, match="Comparing labels and attributes"):
        spec.loader.exec_module(module_from_spec(spec))


def test_unless_asked_separators_differ_and_numbers_have_no_tolerance() -> None:
    assert normalised("A_b-c") == "a_b-c"
    assert normalised("A_b-c", separators_alike=True) == "a b c"
    assert (same_text("a_b", "a b"), same_text("a_b", "a-b", separators_alike=True)) == (0, 1)
    for comparator, alike in (("exact", 0), ("text", 2 / 3)):
        assert value_similarity("a_b", "a b", comparator) == pytest.approx(alike)
        assert value_similarity("a_b", "a b", comparator, separators_alike=True) == 1
    assert (same_number("1", "2"), value_similarity(1, 2, "number")) == (0, 0)
    assert value_similarity(1, 2, "number", tolerance=1) == 1
    assert value_similarity("cat", "car", "text", floor=0.7) == 0


def test_texts_that_differ_are_not_the_same_whichever_comes_first() -> None:
    assert (same_text("a", "b"), same_text("b", "a"), same_text("b", "B")) == (0, 0, 1)


def test_likeness_at_the_floor_counts() -> None:
    assert text_similarity("cat", "car", floor=2 / 3) == 2 / 3
    assert text_similarity("cat", "car", floor=0.6667) == 0


def test_large_numbers_may_differ_in_the_twelfth_digit() -> None:
    for sign in ("", "-"):
        assert same_number(f"{sign}1e12", f"{sign}1000000000000.5") == 1
        assert same_number(f"{sign}1000000000000.5", f"{sign}1e12") == 1
        assert same_number(f"{sign}1e12", f"{sign}1000000000002") == 0
    assert (same_number("inf", "1e999"), same_number("inf", "INF")) == (0, 1)


def test_numbers_without_end_are_no_text() -> None:
    assert [as_text(value) for value in (False, float("inf"), float("nan"), 0.1 + 0.2)] == ["false", "", "", "0.3"]


@pytest.mark.parametrize(("truths", "students"), [(1, 3), (3, 4), (4, 1)])
def test_the_last_pair_of_labels_gets_its_credit_too(truths: int, students: int) -> None:
    ours, theirs = [f"{i}{i}" for i in range(truths)], [f"{i}x" for i in range(students)]
    pairs = (np.array([truths - 1, 0], np.int32), np.array([students - 1, 0], np.int32))
    expected = [text_similarity(ours[-1], theirs[-1]), 0.5]
    assert label_similarities(ours, theirs, pairs, PLAIN, frozenset()).tolist() == expected


def test_a_number_beyond_every_float_is_written_too() -> None:
    assert as_text(10**400) != as_text(10**400 + 1)
    assert as_text(-(10**400)).startswith("-0x")


def test_the_name_of_another_class_earns_nothing_whichever_comes_first() -> None:
    strict, known = Rubric(known_wrong_label="zero"), frozenset({"car", "cart"})
    assert label_similarity("car", "cart", strict, known) == label_similarity("cart", "car", strict, known) == 0
    assert label_similarity("car", "CAR", strict, known) == 1
