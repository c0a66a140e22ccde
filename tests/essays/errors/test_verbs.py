"""Agreement and verb forms: each rule on sentences of our own."""

import pytest

from assay.essays.errors import verbs
from assay.essays.errors.merge import findings
from assay.essays.text.reader import read_text
from tests.essays.errors.marks import marked

WRONG = [
    ("parsed_subjects", "The dogs runs fast.", [("agreement", "dogs runs", "run")]),
    ("parsed_subjects", "She walk home.", [("agreement", "She walk", "walks")]),
    ("parsed_subjects", "Everyone have a dream.", [("agreement", "Everyone have", "has")]),
    ("parsed_subjects", "I is late.", [("agreement", "I is", "am")]),
    ("parsed_subjects", "They was late.", [("agreement", "They was", "were")]),
    ("existential", "There is many reasons.", [("agreement", "There is", "There are")]),
    ("existential", "There are a reason for it.", [("agreement", "There are", "There is")]),
    ("existential", "There was three dogs.", [("agreement", "There was", "There were")]),
    ("existential", "There were a man here.", [("agreement", "There were", "There was")]),
    ("pronoun_subjects", "He go home.", [("agreement", "He go", "goes")]),
    ("pronoun_subjects", "She always make bread.", [("agreement", "She always make", "makes")]),
    ("pronoun_subjects", "They needs help.", [("agreement", "They needs", "They need")]),
    ("pronoun_subjects", "We says so.", [("agreement", "We says", "We say")]),
    ("relative_clauses", "The boy who live next door has a dog.", [("agreement", "boy who live", "lives")]),
    ("relative_clauses", "People who has dogs are happy.", [("agreement", "People who has", "have")]),
    ("after_auxiliary", "He can goes home.", [("verb_form", "can goes", "can go")]),
    ("after_auxiliary", "She did not knew the answer.", [("verb_form", "did not knew", "did not know")]),
    ("after_auxiliary", "They have went to the lake.", [("verb_form", "have went", "have gone")]),
    ("after_auxiliary", "He is go home.", [("verb_form", "is go", None)]),
    ("after_auxiliary", "Does he likes it?", [("verb_form", "Does he likes", "Does he like")]),
    ("after_auxiliary", "They don't has it.", [("verb_form", "don't has", "don't have")]),
    ("after_auxiliary", "She has not ate the bread.", [("verb_form", "has not ate", "has not eaten")]),
    ("after_preposition", "I like to went home.", [("verb_form", "to went", "to go")]),
    ("after_preposition", "They want to playing now.", [("verb_form", "to playing", "to play")]),
    ("after_preposition", "He left without make a noise.", [("verb_form", "without make", "without making")]),
    ("after_verb", "We enjoy to play chess.", [("verb_form", "enjoy to play", "enjoy playing")]),
    ("after_verb", "It makes me to feel good.", [("verb_form", "makes me to feel", "makes me feel")]),
    ("after_verb", "Let him goes now.", [("verb_form", "Let him goes", "Let him go")]),
    ("after_verb", "She choosed the coat.", [("verb_form", "choosed", "chose")]),
    ("after_verb", "He catched it.", [("verb_form", "catched", "caught")]),
]
RIGHT = [
    ("parsed_subjects", "If I were you, I would go."),
    ("parsed_subjects", "We suggest that he go."),
    ("existential", "There is a lot of dogs."),
    ("existential", "There is a dog and a cat."),
    ("pronoun_subjects", "She made him go."),
    ("pronoun_subjects", "I saw that he can and he go."),
    ("pronoun_subjects", "It put him off."),
    ("pronoun_subjects", "I demand that he leave."),
    ("relative_clauses", "One of the boys who runs is here."),
    ("after_auxiliary", "All he did was laugh."),
    ("after_preposition", "We look forward to seeing you."),
    ("after_preposition", "He went to bed."),
    ("after_verb", "She lets him go."),
]


@pytest.mark.parametrize(("rule", "text", "marks"), WRONG)
def test_a_rule_marks_the_words_and_says_what_is_better(
    rule: str, text: str, marks: list[tuple[str, str, str | None]]
) -> None:
    assert marked(getattr(verbs, rule), text) == marks


@pytest.mark.parametrize(("rule", "text"), RIGHT)
def test_a_rule_is_silent_where_nothing_is_wrong(rule: str, text: str) -> None:
    assert marked(getattr(verbs, rule), text) == []


@pytest.mark.parametrize(
    ("verb", "number", "subject", "better"),
    [
        ("run", verbs.SINGULAR, "dog", "runs"),
        ("runs", verbs.PLURAL, "dogs", "run"),
        ("has", verbs.PLURAL, "dogs", "have"),
        ("were", verbs.SINGULAR, "dog", "was"),
        ("was", verbs.PLURAL, "dogs", "were"),
        ("were", verbs.PLURAL, "i", "was"),
        ("is", verbs.PLURAL, "i", "am"),
        ("are", verbs.SINGULAR, "dog", "is"),
        ("is", verbs.PLURAL, "dogs", "are"),
    ],
)
def test_a_verb_takes_the_number_of_its_subject(verb: str, number: int, subject: str, better: str) -> None:
    assert verbs.with_number(verb, number, subject) == better


def test_a_verb_nobody_knows_gets_no_better_form() -> None:
    assert verbs.with_number("zorb", verbs.SINGULAR, "dog") is None


def test_agreement_is_asked_about_where_another_error_explains_it() -> None:
    (asked,) = findings(read_text("I saw drivers who's cars were red."), types=frozenset(["agreement"]))
    (stated,) = findings(read_text("The students likes the book."), types=frozenset(["agreement"]))

    assert asked.is_question
    assert not stated.is_question
    assert stated.suggestion == "students like"
