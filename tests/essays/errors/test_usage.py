"""Confused, missing and nonstandard words: each rule on sentences of our own."""

import pytest

from assay.essays.errors import usage
from assay.essays.errors.reading import read
from assay.essays.text.reader import read_text
from tests.essays.errors.marks import marked

WRONG = [
    ("its_and_your", "Its not a good idea.", [("confused", "Its", "it's")]),
    ("its_and_your", "The dog bit it's own tail.", [("confused", "it's", "its")]),
    ("its_and_your", "Your welcome.", [("confused", "Your", "you're")]),
    ("its_and_your", "I hope you're house is warm.", [("confused", "you're", "your")]),
    ("its_and_your", "It is on you're phone.", [("confused", "you're", "your")]),
    ("its_and_your", "They're own dog ran.", [("confused", "They're", "their")]),
    ("its_and_your", "if your doing the work", [("confused", "your", "you're")]),
    ("to_and_loose", "It is to much.", [("confused", "to", "too")]),
    ("to_and_loose", "We have to many cars.", [("confused", "to", "too")]),
    ("to_and_loose", "It is to expensive.", [("confused", "to", "too")]),
    ("to_and_loose", "I do not want to loose it.", [("confused", "loose", "lose")]),
    ("to_and_loose", "He looses his way.", [("confused", "looses", "loses")]),
    ("to_and_loose", "It had a positive affect on us.", [("confused", "positive affect", "positive effect")]),
    ("comparison", "This is more better.", [("comparison", "more better", "better")]),
    ("comparison", "The most easiest test.", [("comparison", "most easiest", "easiest")]),
    ("comparison", "It is more easy.", [("comparison", "more easy", "easier")]),
    ("comparison", "He runs faster then me.", [("comparison", "then", "than")]),
    ("comparison", "the bestest day", [("comparison", "bestest", "best")]),
    ("comparison", "It was the most cheap.", [("comparison", "most cheap", "cheapest")]),
    ("comparison", "I have more money then you.", [("comparison", "then", "than")]),
    ("negation", "She did not say nothing.", [("negation", "not say nothing", None)]),
    ("negation", "I don't have no money.", [("negation", "don't have no", None)]),
    ("negation", "without no effort", [("negation", "without no", None)]),
    ("negation", "They never saw nobody.", [("negation", "never saw nobody", None)]),
    ("preposition", "We discussed about the plan.", [("preposition", "discussed about", "discussed")]),
    ("preposition", "It depends of the weather.", [("preposition", "depends of", "depends on")]),
    ("preposition", "She is married with a baker.", [("preposition", "married with", "married to")]),
    ("nonstandard", "He ain't here.", [("nonstandard", "ain't", None)]),
    ("nonstandard", "I wanna go.", [("nonstandard", "wanna", "want to")]),
    ("nonstandard", "We gotta go.", [("nonstandard", "gotta", "have to")]),
    ("word_form", "She did good on the test.", [("word_form", "good", "well")]),
    ("word_form", "He drives careful.", [("word_form", "careful", "carefully")]),
    ("word_form", "It was a choose for us.", [("word_form", "a choose", "a choice")]),
    ("word_form", "He did very good.", [("word_form", "good", "well")]),
    ("missing_be", "They going home.", [("wrong_word", "They going", "They are going")]),
    ("missing_be", "He always running.", [("wrong_word", "He always running", "He is always running")]),
    ("missing_be", "We playing now.", [("wrong_word", "We playing", "We are playing")]),
    ("missing_word", "You should of called.", [("wrong_word", "should of", "should have")]),
    ("missing_word", "I could not of known.", [("wrong_word", "could not of", "could not have")]),
    ("missing_word", "I want go home.", [("wrong_word", "want go", "want to go")]),
    ("missing_word", "It allows to play.", [("wrong_word", "allows to", "allows us to")]),
    ("missing_word", "He decided leave.", [("wrong_word", "decided leave", "decided to leave")]),
    ("unheard_pairs", "For the these reasons I disagree.", [("wrong_word", "the these", None)]),
]
RIGHT = [
    ("its_and_your", "You're home."),
    ("its_and_your", "Its very good smell is known."),
    ("its_and_your", "your right hand hurts"),
    ("to_and_loose", "It leads to much pain."),
    ("to_and_loose", "a loose tooth"),
    ("comparison", "He ran faster then he stopped."),
    ("comparison", "It came later then."),
    ("negation", "I do not know why there is no milk."),
    ("negation", "No, I do not."),
    ("preposition", "We talked about it."),
    ("nonstandard", "The U.S. won."),
    ("word_form", "He did good things."),
    ("word_form", "It tastes bad."),
    ("missing_be", "I saw him and they going home."),
    ("missing_be", "She is going."),
    ("missing_word", "It allows us to play."),
    ("unheard_pairs", "the one I work with will come"),
]


@pytest.mark.parametrize(("rule", "text", "marks"), WRONG)
def test_a_rule_marks_the_words_and_says_what_is_better(
    rule: str, text: str, marks: list[tuple[str, str, str | None]]
) -> None:
    assert marked(getattr(usage, rule), text) == marks


@pytest.mark.parametrize(("rule", "text"), RIGHT)
def test_a_rule_is_silent_where_nothing_is_wrong(rule: str, text: str) -> None:
    assert marked(getattr(usage, rule), text) == []


def test_a_noun_is_owned_where_a_verb_follows_or_a_preposition_precedes() -> None:
    house, phone, home = (
        read(read_text(text))
        for text in ("I hope you're house is warm.", "Look on you're phone.", "I know you're home.")
    )

    assert usage.is_owned(house, house.lower.index("you"))
    assert usage.is_owned(phone, phone.lower.index("you"))
    assert not usage.is_owned(home, home.lower.index("you"))
