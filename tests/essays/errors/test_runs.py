"""The model of words in a row knows what follows what."""

import numpy as np

from assay.essays.errors.runs import UNKNOWN_WORD, word_runs


def likelihood(sentence: str) -> float:
    row = word_runs().numbered(["<s>", "<s>", *sentence.split(), "</s>"])
    return float(word_runs().log_p(row[:-2], row[1:-1], row[2:]).sum())


def test_right_sentences_are_likelier_than_wrong_ones() -> None:
    assert likelihood("it depends on the weather") > likelihood("it depends of the weather") + 1
    assert likelihood("there are many reasons") > likelihood("there is many reasons") + 1
    assert likelihood("he has a car") > likelihood("he have a car") + 1


def test_a_word_that_the_model_lacks_has_the_last_number_and_the_least_probability() -> None:
    model = word_runs()
    unknown, the = model.numbered(["zorblatt", "the"])

    assert unknown == model.size
    assert float(model.log_p(np.array([the]), np.array([unknown]), np.array([unknown]))[0]) == UNKNOWN_WORD


def test_a_pair_is_stored_or_not() -> None:
    numbers = word_runs().numbered(["of", "the", "of"])

    places = word_runs().pair(numbers[:-1], numbers[1:])

    assert places[0] >= 0
    assert word_runs().pair(numbers[1:2], numbers[1:2])[0] == -1 or places[0] != places[1]
