"""Attacks raise the advisory that fits; an essay raises none."""

import pytest

from assay.essays.feedback.advisories import TITLES
from assay.essays.feedback.feedback import REMEDIES
from assay.essays.integrity.detectors import text_advisories
from assay.essays.text.reader import read_text
from assay.essays.text.text import written_words
from tests.essays.integrity.texts import ESSAY, babble, shuffled

PROMPT = (
    "Some schools collect phones in the morning and return them after the last lesson. Write an essay in which you "
    "argue for or against a rule that lets students use phones at lunch."
)
SPANISH = (
    "La vida en la ciudad es muy difícil para los niños que no tienen una casa. Por eso creo que el gobierno debe dar"
    " más dinero a las familias y a las escuelas, y en mi opinión todos los estudiantes deben aprender a leer con sus"
    " padres."
)
APART = (
    "I have never been to a country where people drive on the left side of the road. Last night my grandmother made a"
    " big pot of soup with carrots. It takes a long time to learn how to play the violin. The mayor said that taxes "
    "would go up next year. When it rains, the roof of our garage starts to leak. A good goalkeeper has to be brave "
    "and very quick. Scientists are trying to find a cure for cancer. He forgot his umbrella on the train this "
    "morning. Most of the birds fly south before winter comes. You can buy fresh bread at the store around the "
    "corner. She wants to become a doctor when she grows up. There was a lot of smoke coming out of the factory. Our "
    "dog is afraid of thunder and hides under the bed. The movie was so boring that half of the audience fell asleep."
    " Some of the oldest trees in the world are found in California. My uncle used to work as a pilot for a big "
    "airline. The police are still looking for the man who robbed the bank. A balanced diet includes plenty of fruit "
    "and vegetables. The ship sank in the middle of the ocean a hundred years ago. Please turn off the lights before "
    "you leave the office. Chess is a game that requires patience and concentration. The king gave half of his gold "
    "to the poor."
)


def names(raw: str, prompt: str = "") -> list[str]:
    text = read_text(raw)
    return [doubt.name for doubt in text_advisories(text, written_words(text), prompt=prompt)]


def test_an_essay_raises_nothing() -> None:
    assert names(ESSAY) == []
    assert names(ESSAY, PROMPT) == []


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        (shuffled(), "word_order"),
        (babble(), "nonsense"),
        (f"{ESSAY} {', '.join(('lesson bell rule teacher picture practice spring ride ' * 8).split())}.", "word_list"),
        (APART, "disconnected"),
        (f"{ESSAY} {SPANISH}", "partly_not_english"),
        (f"{ESSAY} {ESSAY}", "repeated"),
        (ESSAY.upper(), "all_capitals"),
        ("".join(c for c in ESSAY.lower() if c not in ".,:"), "no_punctuation"),
    ],
)
def test_an_attack_raises_the_advisory_that_fits(raw: str, name: str) -> None:
    assert name in names(raw)


def test_sentences_that_begin_with_the_conclusion_are_out_of_order() -> None:
    sentences = [f"{sentence}." for sentence in ESSAY.rstrip(".").split(". ")]
    mixed = " ".join(["They also disagree.", "In conclusion, phones belong in school.", *sentences])

    assert "sentence_order" in names(mixed)


def test_an_answer_to_another_question_is_off_topic_by_the_question_alone() -> None:
    other = "Describe how volcanoes erupt, which gases escape from the crater, and why lava cools into different rocks."

    assert "off_topic" in names(ESSAY, other)
    assert "off_topic" not in names(ESSAY, "volcanoes")  # a name is no question


def test_an_essay_that_copies_its_prompt_says_so() -> None:
    assert "prompt_copied" in names(f"{PROMPT} {PROMPT} I agree.", PROMPT)


def test_every_advisory_tells_a_writer_what_to_do() -> None:
    assert set(REMEDIES) == set(TITLES)
