"""Capitals, end marks, apostrophes, hyphens, commas: each rule on sentences of our own."""

import pytest

from assay.essays.errors import mechanics
from tests.essays.errors.marks import marked

WRONG = [
    (
        "capitals",
        "the rain stopped. we went home on monday.",
        [("initial_capital", "the", "The"), ("initial_capital", "we", "We"), ("proper_capital", "monday", "Monday")],
    ),
    (
        "capitals",
        "My friend and i speak spanish.",
        [("proper_capital", "i", "I"), ("proper_capital", "spanish", "Spanish")],
    ),
    ("capitals", "The rain stopped.\n\nwe all went outside again.", [("initial_capital", "we", "We")]),
    ("capitals", "I met Mr. smith. he smiled.", [("initial_capital", "he", "He")]),
    ("question_mark", "Why do you like this song.", [("question_mark", "song.", "song?")]),
    ("question_mark", "Do you want to live in a city.", [("question_mark", "city.", "city?")]),
    ("question_mark", "So what is the reason for this rule.", [("question_mark", "rule.", "rule?")]),
    ("question_mark", "Where are you going now.", [("question_mark", "now.", "now?")]),
    ("question_mark", "Who is it that you saw.", [("question_mark", "saw.", "saw?")]),
    ("question_mark", "Do you know.", [("question_mark", "know.", "know?")]),
    (
        "final_punctuation",
        "I think that every school should have a garden",
        [("final_punctuation", "garden", "garden.")],
    ),
    (
        "final_punctuation",
        "I think that every school should have a garden\n\nThe second paragraph has a stop.",
        [("final_punctuation", "garden", "garden.")],
    ),
    ("final_punctuation", 'She said that they would come home "soon"', [("final_punctuation", "soon", "soon.")]),
    (
        "final_punctuation",
        "She told us that they would come home, and then she left (for good)",
        [("final_punctuation", "good", "good.")],
    ),
    (
        "apostrophe",
        "I dont like rain, and Thats all.",
        [("apostrophe", "dont", "don't"), ("apostrophe", "Thats", "That's")],
    ),
    ("apostrophe", "We cant go, and he wont stay.", [("apostrophe", "cant", "can't"), ("apostrophe", "wont", "won't")]),
    (
        "apostrophe",
        "Theyre here and shes there.",
        [("apostrophe", "Theyre", "They're"), ("apostrophe", "shes", "she's")],
    ),
    ("apostrophe", "Whats this, and im late.", [("apostrophe", "Whats", "What's"), ("apostrophe", "im", "I'm")]),
    ("hyphen", "She has a part time job.", [("hyphen", "part time", "part-time")]),
    ("hyphen", "My aunt is a well known singer.", [("hyphen", "well known", "well-known")]),
    ("hyphen", "He has twenty five cousins.", [("hyphen", "twenty five", "twenty-five")]),
    ("hyphen", "A ten year old boy came.", [("hyphen", "ten year old", "ten-year-old")]),
    ("hyphen", "It is an up to date list.", [("hyphen", "up to date", "up-to-date")]),
    (
        "word_boundaries",
        "We have alot of time, and they help eachother.",
        [("fused", "alot", "a lot"), ("fused", "eachother", "each other")],
    ),
    (
        "word_boundaries",
        "Atleast I did it by my self.",
        [("fused", "Atleast", "At least"), ("compound", "my self", "myself")],
    ),
    ("word_boundaries", "Some times we walk home.", [("compound", "Some times", "Sometimes")]),
    ("word_boundaries", "May be we should go.", [("compound", "May be", "Maybe")]),
    ("word_boundaries", "She left with out a word.", [("compound", "with out", "without")]),
    ("duplicate", "We saw the the moon.", [("duplicate", "the the", "the")]),
    ("duplicate", "They were were late.", [("duplicate", "were were", "were")]),
    ("comma_after_opening_words", "However it was too late.", [("comma", "However it", "However, it")]),
    ("comma_after_opening_words", "For example my uncle grows tomatoes.", [("comma", "example my", "example, my")]),
    ("comma_after_opening_words", "But in fact they were late.", [("comma", "fact they", "fact, they")]),
    (
        "comma_after_opening_clause",
        "When the train finally arrived the passengers cheered.",
        [("comma", "arrived the", "arrived, the")],
    ),
    (
        "comma_after_opening_clause",
        "If the weather is nice tomorrow the children will play outside.",
        [("comma", "tomorrow the", "tomorrow, the")],
    ),
    (
        "comma_after_opening_phrase",
        "In the modern world of today people have many more things to do.",
        [("comma", "today people", "today, people")],
    ),
    (
        "comma_between_clauses",
        "I wanted to buy the blue coat but the shop was closed.",
        [("comma", "coat but", "coat, but")],
    ),
    (
        "comma_between_clauses",
        "The children played in the garden all afternoon and they came home very late.",
        [("comma", "afternoon and", "afternoon, and")],
    ),
    ("comma_by_word", "I believe, that he is right.", [("comma", "believe, that", "believe that")]),
    (
        "comma_by_word",
        "The shop closed at noon which means that we have no bread.",
        [("comma", "noon which", "noon, which")],
    ),
    ("comma_by_word", "We waited for an hour which made her angry.", [("comma", "hour which", "hour, which")]),
    ("comma_by_word", "My parents however stayed at home all day.", [("comma", "parents however", "parents, however")]),
]
RIGHT = [
    ("capitals", "Bring pens, paper, etc. and a ruler."),
    ("capitals", "The rain stopped.\n\nwe left."),
    ("capitals", "At 5 p.m. we left."),
    ("capitals", "Choose answer (i) or i. first."),
    ("capitals", "iPhone users agree."),
    ("question_mark", "Should you need help, call me."),
    ("question_mark", "What I like is the sea."),
    ("question_mark", "Are you sure, my friend, of that."),
    ("question_mark", "What he said was true."),
    ("final_punctuation", "My Summer in the Mountains of Peru"),
    ("final_punctuation", "I think that every school should have a garden with\n\nThe second paragraph has a stop."),
    ("final_punctuation", "We went home"),
    ("final_punctuation", "I think that schools need these things:"),
    ("apostrophe", "He is ill call him."),
    ("apostrophe", "She lets us go."),
    ("apostrophe", "as is his wont."),
    ("apostrophe", "Yesterday I heard that ill people wait."),
    ("hyphen", "She works part time."),
    ("hyphen", "Her song is well known."),
    ("hyphen", "He is ten years old."),
    ("word_boundaries", "Every one of us came."),
    ("word_boundaries", "It may be true."),
    ("word_boundaries", "No one came."),
    ("word_boundaries", "We were all ready to go."),
    ("duplicate", "She had had enough."),
    ("duplicate", "It was very very cold."),
    ("duplicate", "I gave her her book."),
    ("duplicate", "He said that that was it."),
    ("duplicate", "Duran Duran played."),
    ("comma_after_opening_words", "However, it was too late."),
    ("comma_after_opening_clause", "When the train arrived, the passengers cheered."),
    ("comma_after_opening_clause", "If the weather is nice then the children will play."),
    ("comma_after_opening_phrase", "In the modern world of today, people have many more things to do."),
    ("comma_after_opening_phrase", "After school we play."),
    ("comma_between_clauses", "I wanted to buy the coat, but the shop was closed."),
    ("comma_between_clauses", "He ran home and she slept."),
    ("comma_by_word", "Go however far you like."),
    ("comma_by_word", "I believe that he is right."),
]


@pytest.mark.parametrize(("rule", "text", "marks"), WRONG)
def test_a_rule_marks_the_words_and_says_what_is_better(
    rule: str, text: str, marks: list[tuple[str, str, str | None]]
) -> None:
    assert marked(getattr(mechanics, rule), text) == marks


@pytest.mark.parametrize(("rule", "text"), RIGHT)
def test_a_rule_is_silent_where_nothing_is_wrong(rule: str, text: str) -> None:
    assert marked(getattr(mechanics, rule), text) == []


def test_a_capital_is_kept() -> None:
    assert mechanics.with_capital("Dont", "don't") == "Don't"
    assert mechanics.with_capital("dont", "don't") == "don't"


def test_names_taken_out_are_passed_over() -> None:
    assert marked(mechanics.capitals, "We met. @caps1 and @person1 laughed.") == []
