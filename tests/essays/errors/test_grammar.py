"""Right and wrong sentences of our own for every type of grammar error."""

import pytest

from assay.essays.errors.merge import findings
from assay.essays.reader import read_text

WRONG = [
    (
        "fragment",
        "We stayed at home all day. Because the road to the village was closed.",
        "Because the road to the village was closed",
    ),
    (
        "fragment",
        ("She wanted to be a doctor. Helping people in the small towns of the north."),
        "Helping people in the small towns of the north",
    ),
    (
        "fragment",
        "The teacher was late again. Which made the whole class nervous.",
        "Which made the whole class nervous",
    ),
    ("run_on", "I like the old library very much, it has many quiet rooms.", "much, it"),
    ("run_on", "My brother plays the piano every day, he wants to become a musician.", "day, he"),
    ("run_on", "The bus was late this morning, we had to walk to school.", "morning, we"),
    (
        "garbled",
        ("Is because the life no are easy for have a good works and them not can to know much."),
        ("Is because the life no are easy for have a good works and them not can to know much."),
    ),
    (
        "garbled",
        ("The people is want go at the school for they have many problem with the teacher ask."),
        ("The people is want go at the school for they have many problem with the teacher ask."),
    ),
    (
        "garbled",
        ("She not was know how the peoples is do when them needs a help of the them family."),
        ("She not was know how the peoples is do when them needs a help of the them family."),
    ),
    ("agreement", "The students in our class was happy. They was singing.", "They was"),
    ("agreement", "My sister walk to the market. She buy bread there.", "She buy"),
    ("agreement", "There is many reasons for this choice.", "There is"),
    ("agreement", "The boy who live next door has a dog.", "boy who live"),
    ("agreement", "Everyone have a dream.", "Everyone have"),
    ("verb_form", "He can goes home after lunch.", "can goes"),
    ("verb_form", "They have went to the lake.", "have went"),
    ("verb_form", "She did not knew the answer.", "did not knew"),
    ("verb_form", "We enjoy to play chess in the evening.", "enjoy to play"),
    ("verb_form", "He opened the door without make a noise.", "without make"),
    ("verb_form", "She choosed the red coat.", "choosed"),
    ("pronoun", "Me and my cousin went fishing on the river.", "Me"),
    ("pronoun", "He built the boat hisself.", "hisself"),
    ("pronoun", "They did all the work by theirselves.", "theirselves"),
    ("possessive", "We slept at my grandparents house.", "grandparents"),
    ("possessive", "It changed many peoples lives.", "peoples"),
    ("possessive", "She took someones coat by mistake.", "someones"),
    ("wrong_word", "They going to the beach tomorrow.", "They going"),
    ("wrong_word", "You should of called me first.", "should of"),
    ("wrong_word", "For the these reasons I disagree.", "the these"),
    ("wrong_word", "I want go to the new museum.", "want go"),
    (
        "proofread",
        "The chldren went to teh big libary, and nobody beleived the old laddy.",
        "The chldren went to teh big libary, and nobody beleived the old laddy.",
    ),
    (
        "proofread",
        "He thinks that teh wether is definately too cold, and i agree.",
        "He thinks that teh wether is definately too cold, and i agree.",
    ),
    (
        "proofread",
        "I recieved a leter from my freind and it dont said when he will arive.",
        "I recieved a leter from my freind and it dont said when he will arive.",
    ),
]
"""Type, a text that has the error, and the words found."""

RIGHT = [
    ("fragment", "Because the road was closed, we stayed at home all day."),
    ("fragment", "Stop talking and open your books."),
    ("fragment", "When the rain stopped, the children ran outside."),
    ("run_on", "I like the old library very much, and it has many quiet rooms."),
    ("run_on", "When the bus is late, we walk to school."),
    ("run_on", '"I am tired," she said, and she closed the book.'),
    ("garbled", "The children planted a tree behind the school, and it grew quickly."),
    ("garbled", "Most of the visitors had never seen such a large garden before."),
    ("garbled", "If we leave now, we will arrive before the concert begins."),
    ("agreement", "The students in our class were happy, and the teacher was too."),
    ("agreement", "A box of old letters was found in the attic."),
    ("agreement", "If I were you, I would ask her to wait."),
    ("agreement", "She made him walk home."),
    ("verb_form", "He can go home after lunch."),
    ("verb_form", "They have gone to the lake, and she did not know why."),
    ("verb_form", "We look forward to seeing you."),
    ("verb_form", "All he did was laugh."),
    ("pronoun", "My cousin and I went fishing on the river."),
    ("pronoun", "She gave the book to him and me."),
    ("pronoun", "He built the boat himself."),
    ("possessive", "We slept at my grandparents' house."),
    ("possessive", "The students left early."),
    ("possessive", "Many people's lives changed."),
    ("wrong_word", "They are going to the beach tomorrow."),
    ("wrong_word", "You should have called me first."),
    ("wrong_word", "I saw them playing in the park."),
    ("proofread", "The children went to the big library and did not say a word."),
    ("proofread", "He said that the weather was bad, and we did not believe him."),
    ("proofread", "I received a letter from my friend."),
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
