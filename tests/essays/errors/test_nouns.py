"""Articles, determiners, nouns and pronouns: each rule on sentences of our own."""

import pytest

from assay.essays.errors import lexicon, nouns
from tests.essays.errors.marks import marked

WRONG = [
    ("missing_article", "My father bought car from his neighbor.", [("article", "bought car", None)]),
    ("missing_article", "There is big house behind the church.", [("article", "is big house", None)]),
    ("missing_article", "She has idea for us.", [("article", "has idea", None)]),
    ("missing_article", "We need good idea.", [("article", "need good idea", None)]),
    ("plural_determiner", "There were many student in the hall.", [("noun_number", "many student", "many students")]),
    ("plural_determiner", "These idea are new.", [("noun_number", "These idea", "These ideas")]),
    ("plural_determiner", "Two dog ran home.", [("noun_number", "Two dog", "Two dogs")]),
    ("plural_determiner", "How many time do you have?", [("noun_number", "many time", "many times")]),
    ("plural_determiner", "Both child left.", [("noun_number", "Both child", "Both children")]),
    ("singular_determiner", "She gave me a books.", [("noun_number", "a books", "a book")]),
    ("singular_determiner", "This people is kind.", [("noun_number", "This people", "This person")]),
    ("singular_determiner", "Each students has a pen.", [("noun_number", "Each students", "Each student")]),
    ("singular_determiner", "One apples fell.", [("noun_number", "One apples", "One apple")]),
    ("singular_determiner", "Another boxes came.", [("noun_number", "Another boxes", "Another box")]),
    ("quantity", "He is one of my best friend.", [("noun_number", "one of my best friend", "one of my best friends")]),
    ("quantity", "A lot of student came.", [("noun_number", "A lot of student", "A lot of students")]),
    ("quantity", "Other person left.", [("noun_number", "Other person", "Other people")]),
    ("quantity", "She gave me a good advices.", [("noun_number", "advices", "advice")]),
    ("quantity", "Different idea came up.", [("noun_number", "Different idea", "Different ideas")]),
    ("quantity", "We got many informations.", [("noun_number", "informations", "information")]),
    ("quantity", "A number of dog ran away.", [("noun_number", "A number of dog", "A number of dogs")]),
    ("quantity", "One of these day we will go.", [("noun_number", "One of these day", "One of these days")]),
    ("wrong_article", "She ate a apple.", [("wrong_article", "a apple", "an apple")]),
    ("wrong_article", "He bought an car.", [("wrong_article", "an car", "a car")]),
    ("wrong_article", "We waited for a hour.", [("wrong_article", "a hour", "an hour")]),
    ("wrong_article", "It was a unique idea at an university.", [("wrong_article", "an university", "a university")]),
    (
        "wrong_article",
        "It is an unimportant thing and a unimportant one.",
        [("wrong_article", "a unimportant", "an unimportant")],
    ),
    ("wrong_article", "a European and an one-sided man", [("wrong_article", "an one", "a one")]),
    ("coordinated_pronoun", "Me and my cousin went fishing.", [("pronoun", "Me", "I")]),
    ("coordinated_pronoun", "My cousin and me went fishing.", [("pronoun", "me", "I")]),
    ("coordinated_pronoun", "Him and his dog were late.", [("pronoun", "Him", "he")]),
    ("coordinated_pronoun", "We left because me and my dog were tired.", [("pronoun", "me", "I")]),
    ("pronouns_and_possessives", "He did it for they.", [("pronoun", "for they", "for them")]),
    ("pronouns_and_possessives", "He built it hisself.", [("pronoun", "hisself", "himself")]),
    (
        "pronouns_and_possessives",
        "We slept at my grandparents house.",
        [("possessive", "grandparents", "grandparents'")],
    ),
    ("pronouns_and_possessives", "It changed many peoples lives.", [("possessive", "peoples", "people's")]),
    ("pronouns_and_possessives", "They held each others hands.", [("possessive", "each others", "each other's")]),
    ("pronouns_and_possessives", "It stays between you and I until noon.", [("pronoun", "I", "me")]),
]
RIGHT = [
    ("missing_article", "He goes to school by bus."),
    ("missing_article", "I like this kind of car."),
    ("missing_article", "He drove car and bus."),
    ("plural_determiner", "Many sheep ran."),
    ("plural_determiner", "He has five hundred books."),
    ("singular_determiner", "A few books fell."),
    ("quantity", "One of the group left."),
    ("wrong_article", "That is a MRI scan."),
    ("coordinated_pronoun", "She saw me and my cousin."),
    ("pronouns_and_possessives", "The students left early."),
    ("pronouns_and_possessives", "It is for me."),
    ("pronouns_and_possessives", "It stays between you and me."),
]


@pytest.mark.parametrize(("rule", "text", "marks"), WRONG)
def test_a_rule_marks_the_words_and_says_what_is_better(
    rule: str, text: str, marks: list[tuple[str, str, str | None]]
) -> None:
    assert marked(getattr(nouns, rule), text) == marks


@pytest.mark.parametrize(("rule", "text"), RIGHT)
def test_a_rule_is_silent_where_nothing_is_wrong(rule: str, text: str) -> None:
    assert marked(getattr(nouns, rule), text) == []


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("child", "children"),
        ("city", "cities"),
        ("day", "days"),
        ("box", "boxes"),
        ("church", "churches"),
        ("dish", "dishes"),
        ("class", "classes"),
        ("idea", "ideas"),
    ],
)
def test_a_noun_is_turned_into_its_plural_and_back(one: str, many: str) -> None:
    assert lexicon.plural(one) == many
    assert lexicon.singular(many) == one


@pytest.mark.parametrize("noun", ["glass", "bus", "analysis", "idea"])
def test_what_may_be_no_plural_has_no_singular(noun: str) -> None:
    assert lexicon.singular(noun) is None


def test_short_words_in_ies_lose_only_their_s() -> None:
    assert (lexicon.singular("pies"), lexicon.singular("ties")) == ("pie", "tie")
