"""Right and wrong sentences of our own for every type of usage error."""

import pytest

from assay.essays.errors.merge import findings
from assay.essays.reader import read_text

WRONG = [
    ("wrong_article", "She ate a apple on the train.", "a apple"),
    ("wrong_article", "He bought an car last week.", "an car"),
    ("wrong_article", "We waited for a hour.", "a hour"),
    ("article", "My father bought car from his neighbor.", "bought car"),
    ("article", "There is big house behind the church.", "is big house"),
    ("article", "That is good idea.", "is good idea"),
    ("noun_number", "There were many student in the hall.", "many student"),
    ("noun_number", "He is one of my best friend.", "one of my best friend"),
    ("noun_number", "She gave me a good advices.", "advices"),
    ("noun_number", "This books are heavy.", "This books"),
    ("confused", "It is on you're phone.", "you're"),
    ("confused", "I hope you're house is warm.", "you're"),
    ("confused", "They left there bags at the station.", "there"),
    ("confused", "Its not a good idea to swim here.", "Its"),
    ("confused", "I would rather walk then drive, because I do not want to loose my way.", "loose"),
    ("confused", "This had a positive affect on the town.", "positive affect"),
    ("word_form", "She speaks English very good and drives careful.", "careful"),
    ("word_form", "Hard work helped him to be success in life.", "success"),
    ("word_form", "It was a choose between two evils, or rather a choose for the town.", "a choose"),
    ("comparison", "This road is more better than the old one.", "more better"),
    ("comparison", "He runs faster then his brother.", "then"),
    ("comparison", "That was the most easiest test.", "most easiest"),
    ("preposition", "We discussed about the plan for hours.", "discussed about"),
    ("preposition", "It depends of the weather.", "depends of"),
    ("preposition", "She is married with a baker.", "married with"),
    ("nonstandard", "We are gonna win this game.", "gonna"),
    ("nonstandard", "I stayed home cuz it rained.", "cuz"),
    ("nonstandard", "He ain't here today.", "ain't"),
    ("negation", "She did not say nothing to the police.", "not say nothing"),
    ("negation", "I don't have no money.", "don't have no"),
    ("negation", "They never saw nobody in that house.", "never saw nobody"),
]
"""Type, a text that has the error, and the words found."""

RIGHT = [
    ("wrong_article", "She ate an apple and saw a unicorn."),
    ("wrong_article", "He waited an hour at a university."),
    ("wrong_article", "It was an unimportant, one-sided story."),
    ("article", "My father bought a car from his neighbor."),
    ("article", "We go to school by bus and listen to music."),
    ("article", "Water and patience are all you need."),
    ("noun_number", "There were many students and a few teachers in the hall."),
    ("noun_number", "Each student has two sheep and many fish."),
    ("noun_number", "She gave me good advice about this book."),
    ("confused", "They left their bags over there."),
    ("confused", "It's a good idea, and its price is fair."),
    ("confused", "You're right about your mistake, and then we left."),
    ("word_form", "She speaks English well and drives carefully."),
    ("word_form", "Hard work brought him success."),
    ("word_form", "It felt good, and the soup tasted bad."),
    ("comparison", "This road is better than the old one."),
    ("comparison", "He ran faster, and then he stopped."),
    ("comparison", "That was the easiest test, with more questions than usual."),
    ("preposition", "We discussed the plan for hours."),
    ("preposition", "It depends on the weather."),
    ("preposition", "We talked about the plan and thought of a name."),
    ("nonstandard", "We are going to win this game."),
    ("nonstandard", "The U.S. team won because it trained."),
    ("nonstandard", "He is not here today."),
    ("negation", "She did not say anything to the police."),
    ("negation", "Not only the rain but also the wind was strong."),
    ("negation", "I do not know why there is no milk."),
]
"""Type, and a text that has not the error."""


@pytest.mark.parametrize(("kind", "text", "words"), WRONG)
def test_the_error_is_found_at_its_words(kind: str, text: str, words: str) -> None:
    found = findings(read_text(text), types=frozenset([kind]))

    assert words in [finding.words for finding in found]


@pytest.mark.parametrize(("kind", "text"), RIGHT)
def test_a_right_text_has_no_such_finding(kind: str, text: str) -> None:
    found = findings(read_text(text), types=frozenset([kind]))

    assert found == ()
