"""The features of an essay, on texts whose values can be counted by hand."""

import math
from collections import Counter

import numpy as np
import pytest

from assay.essays.errors.catalogue import Finding
from assay.essays.features.content import ContentSimilarity
from assay.essays.features.features import (
    FEATURES,
    Analysis,
    analyse,
    average_word_length,
    error_rate,
    features_of,
    vocabulary_level,
    why_undefined,
)
from assay.essays.text.reader import read_text
from assay.essays.text.text import frequency_index, word_form

EMPTY = analyse(read_text(""))


def of_words(*words: str) -> Analysis:
    return Analysis(EMPTY.text, words, Counter(map(word_form, words)), (), EMPTY.discourse)


def test_type_token_ratio_of_the_papers_example() -> None:
    # Attali & Burstein (2005), Lexical Complexity: five types, eight tokens
    essay = analyse(read_text("This essay is a long, long, long essay."))
    assert features_of(essay)["type_token"] == 0.625


def test_vocabulary_is_the_fifth_lowest_frequency_index_of_distinct_words() -> None:
    words = ["the", "of", "is", "people", "water", "governance", "governance", "Governance"]
    index = frequency_index()
    ranked = sorted(index[word] for word in set(map(word_form, words)))
    assert vocabulary_level(of_words(*words)) == ranked[4]


def test_vocabulary_does_not_count_misspellings_and_names() -> None:
    plain = ["the", "of", "is", "people", "water"]
    assert vocabulary_level(of_words(*plain, "thier", "benifit", "Obama", "@CAPS1")) == vocabulary_level(
        of_words(*plain)
    )


def test_a_possessive_counts_as_the_word_it_comes_from() -> None:
    plain = ["the", "of", "is", "people"]
    assert vocabulary_level(of_words(*plain, "government's")) == vocabulary_level(of_words(*plain, "government"))


def test_vocabulary_of_fewer_than_five_words_is_undefined() -> None:
    assert math.isnan(vocabulary_level(of_words("the", "of", "is", "people")))


def test_the_frequency_index_of_one_word_in_a_million_is_40() -> None:
    index = frequency_index()
    assert 87 < index["the"] < 89  # wordfreq: about 1 word in 19
    assert all(0 < value < 90 for value in index.values())


def test_average_word_length_counts_letters_and_leaves_placeholders_aside() -> None:
    assert average_word_length(of_words("don't", "be", "@ORGANIZATION1")) == 3.0


def test_an_error_rate_is_findings_of_the_category_per_word() -> None:
    found = [Finding("x", category, 0, 1, "w", "why") for category in ("grammar", "grammar", "mechanics")]
    essay = Analysis(EMPTY.text, ("a",) * 10, Counter(), tuple(found), EMPTY.discourse)
    assert (error_rate(essay, "grammar"), error_rate(essay, "mechanics")) == (0.2, 0.1)


def test_prompt_specific_features_come_from_the_similarity() -> None:
    similarity = ContentSimilarity(np.array([1.0, 2, 3]), np.array([0.1, 0.3, 0.2]))
    essay = Analysis(EMPTY.text, ("a",), Counter(a=1), (), EMPTY.discourse, similarity)
    values = features_of(essay)
    assert (values["max_cos"], values["cos_highest"]) == (2.0, 0.2)


def test_an_empty_essay_has_length_0_and_nothing_else_with_reasons() -> None:
    values = features_of(EMPTY)
    assert values["length"] == 0.0
    reasons = why_undefined(values)
    assert set(reasons) == set(FEATURES) - {"length"}
    assert reasons["max_cos"] == "no scored essays of this prompt to compare with"


def test_the_twelve_features_stand_in_the_order_of_the_paper() -> None:
    # Attali & Burstein (2005), Table 2
    assert list(FEATURES) == [
        "grammar",
        "usage",
        "mechanics",
        "style",
        "development",
        "element_length",
        "type_token",
        "vocabulary",
        "word_length",
        "max_cos",
        "cos_highest",
        "length",
    ]
    lower = [name for name, feature in FEATURES.items() if feature.better == "lower"]
    assert lower == ["grammar", "usage", "mechanics", "style", "type_token", "vocabulary"]


@pytest.mark.parametrize("name", FEATURES)
def test_every_feature_of_a_plain_essay_is_a_number_but_for_those_that_need_others(name: str) -> None:
    essay = analyse(
        read_text(
            "Parks make a town better. People meet there after work, and children can run without danger. "
            "In my street everybody knew each other because of the little park.\n\n"
            "For these reasons every town should keep its parks."
        )
    )
    assert math.isnan(features_of(essay)[name]) == name.startswith(("max_cos", "cos_highest"))
