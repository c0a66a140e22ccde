"""Word lists, forms of verbs, and the trigram model, against a model reckoned by hand."""

from math import log10

import pytest

from assay.essays.errors.lexicon import (
    BASE,
    GERUND,
    LEAST_USES,
    PARTICIPLE,
    PAST,
    THIRD,
    TrigramModel,
    VerbForms,
    bare_shares,
    is_countable,
    pairs,
    rows,
    symbol,
    trigram_model,
    verb_forms,
    word_class,
    word_set,
    words,
)


def test_a_list_is_read_line_by_line_without_its_remarks() -> None:
    table = rows("contractions.tsv")

    assert all(row[0] and not row[0].startswith("#") for row in table)
    assert ("dont", "don't") in table
    assert pairs("contractions.tsv")["dont"] == "don't"
    assert "dont" in words("contractions.tsv")
    assert "don't" not in words("contractions.tsv")


def test_a_word_without_a_second_column_has_no_suggestion() -> None:
    assert set(pairs("accepted_words.txt").values()) == {""}


def test_the_words_of_a_class_are_those_of_its_line() -> None:
    assert word_set("one two  one") == {"one", "two"}
    assert word_class("commas thinking") == word_set(pairs("word_classes.tsv")["commas thinking"])
    assert "believe" in word_class("commas thinking")


def test_verbs_are_turned_into_their_other_forms() -> None:
    table = verb_forms()

    assert [table.to("go", form) for form in (BASE, THIRD, PAST, PARTICIPLE, GERUND)] == [
        *("go", "goes", "went", "gone", "going")
    ]
    assert table.to("went", BASE) == "go"
    assert table.to("found", BASE) == "found"  # `found` is itself a base, and no other form wins over that
    assert table.to("zorb", BASE) is None
    assert table.is_form("went", PAST)
    assert not table.is_form("went", PARTICIPLE)
    assert not table.is_form("zorb", BASE)


def test_of_two_verbs_the_one_of_the_lower_form_then_the_shorter_is_meant() -> None:
    table = VerbForms(
        {"lay": frozenset([("lie", PAST), ("lay", BASE)]), "x": frozenset([("abc", PAST), ("ab", PAST)])},
        {"lay": (("lay",), ("lays",)), "lie": (("lie",), ("lies",)), "ab": (("ab",),), "abc": (("abc",),)},
    )

    assert table.to("lay", THIRD) == "lays"
    assert table.to("x", BASE) == "ab"


def test_a_noun_is_countable_if_it_is_hardly_ever_bare() -> None:
    assert is_countable("car")
    assert not is_countable("water")
    assert not is_countable("zorb")
    for frames in bare_shares().values():
        assert len(frames) == 3
        assert all(uses >= 0 and 0 <= share <= 1 for uses, share in frames)
    rare = next(noun for noun, frames in bare_shares().items() if sum(n for n, _ in frames) < LEAST_USES)
    assert not is_countable(rare)


def test_function_words_are_themselves_and_others_their_tag() -> None:
    assert (symbol("their", "PRP$"), symbol("house", "NN")) == ("their", "NN")


def small() -> TrigramModel:
    """Counts of: <s> <s> the NN, four times; symbols <s>, the, NN."""
    return TrigramModel({"<s>": 0, "the": 1, "NN": 2}, [8, 4, 4], {0: 4, 1: 4, 5: 4}, {1: 4, 5: 4}, 16, {})


def test_the_surprise_of_a_sentence_is_that_of_the_formula() -> None:
    model = small()

    found = model.surprise(["the", "dog"], ["DT", "NN"])

    # p(the | <s> <s>) = .7 4/4 + .25 4/8 + .05 5/19, p(NN | <s> the) = .7 4/4 + .25 4/4 + .05 5/19
    first, second = 0.7 + 0.125 + 0.05 * 5 / 19, 0.7 + 0.25 + 0.05 * 5 / 19
    assert found == pytest.approx(-(log10(first) + log10(second)) / 2)
    assert model.surprise(["the", "dog"], ["DT", "NN"]) == found  # remembered


def test_what_was_never_seen_is_a_surprise_and_an_unknown_tag_counts_as_the_first_symbol() -> None:
    model = small()

    assert model.surprise(["dog"], ["NN"]) == pytest.approx(-log10(0.05 * 5 / 19))
    assert model.surprise(["dog"], ["ZZ"]) == pytest.approx(-log10(0.25 * 4 / 8 + 0.05 * 9 / 19))


def test_the_model_that_is_shipped_finds_grammar_likely() -> None:
    model = trigram_model()

    right = model.surprise(["the", "dog", "is", "here"], ["DT", "NN", "VBZ", "RB"])
    wrong = model.surprise(["dog", "the", "here", "is"], ["NN", "DT", "RB", "VBZ"])

    assert right < wrong
    assert model.total == sum(model.one)
