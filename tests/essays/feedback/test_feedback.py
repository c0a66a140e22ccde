"""Feedback: first things first, every claim with its evidence, nothing said of what cannot be read."""

from functools import cache
from math import isnan

import pytest

from assay.essays.errors.catalogue import CATALOGUE
from assay.essays.features.features import analyse
from assay.essays.feedback.advisories import TITLES
from assay.essays.feedback.feedback import REMEDIES, EssayFeedback, essay_feedback
from assay.essays.feedback.levels import USUAL, Level
from assay.essays.text.reader import read_text
from assay.io.models.scoring_models import bundled_discourse_model
from tests.paths import EXAMPLES

pytest.importorskip("spacy", reason="reading essays needs the extra 'essays'")


@cache
def feedback_on(name: str) -> EssayFeedback:
    return feedback_of((EXAMPLES / "essays" / f"{name}.txt").read_text(encoding="utf-8"))


def feedback_of(text: str, *, prompt: str = "", level: Level = USUAL) -> EssayFeedback:
    model = bundled_discourse_model()
    analysis = analyse(read_text(text), model)
    return essay_feedback(analysis, labeller="model" if model else "rules", prompt=prompt, level=level)


STAGES = ("reading", "development", "polish")


@pytest.mark.parametrize("name", ["phones", "later-start", "volunteering"])
def test_at_most_three_aims_come_in_the_order_in_which_they_help_a_reader(name: str) -> None:
    aims = feedback_on(name).advice

    assert 1 <= len(aims) <= 3
    assert [STAGES.index(aim.stage) for aim in aims] == sorted(STAGES.index(aim.stage) for aim in aims)


@pytest.mark.parametrize("name", ["phones", "later-start", "volunteering"])
def test_every_aim_has_an_example_in_the_essay_and_its_words_in_that_sentence(name: str) -> None:
    feedback = feedback_on(name)

    for aim in feedback.advice:
        assert aim.example is not None
        (start, end), (first, last) = aim.example.place, aim.example.words
        assert 0 <= start <= first < last <= end <= len(feedback.text.raw)


def test_an_essay_full_of_errors_is_told_of_them_before_it_is_told_to_write_more() -> None:
    weak = "i thinck fones is good becuz thay helpt me wen i was lost and i dint no were to go and my mom wuz scard"

    first = feedback_of(f"{weak}. {weak.replace('fones', 'computrs')}.").advice[0]

    assert first.stage == "reading"
    assert first.example is not None


def test_a_younger_reader_is_told_less() -> None:
    text = (EXAMPLES / "essays" / "phones.txt").read_text(encoding="utf-8")

    young = feedback_of(text, level="grade6")

    assert len(young.advice) == 2
    assert young.level == "grade6"
    assert young.notes == feedback_on("phones").notes


@pytest.mark.parametrize("name", ["phones", "later-start", "volunteering"])
def test_every_note_is_about_words_that_stand_in_the_essay(name: str) -> None:
    feedback = feedback_on(name)

    assert [note.number for note in feedback.notes] == list(range(1, len(feedback.notes) + 1))
    for note in feedback.notes:
        assert feedback.text.raw[slice(*note.places[0])] == note.words


@pytest.mark.parametrize("name", ["phones", "later-start", "volunteering"])
def test_every_sentence_is_in_one_part_of_the_outline(name: str) -> None:
    feedback = feedback_on(name)

    sentences = [i for part in feedback.outline for i in range(part.first, part.stop)]
    assert sentences == list(range(feedback.text.sentence_count))
    assert all(a.place[1] <= b.place[0] for a, b in zip(feedback.outline, feedback.outline[1:], strict=False))


@pytest.mark.parametrize("name", ["later-start", "volunteering"])
def test_an_essay_with_merits_is_told_two_or_three_of_them(name: str) -> None:
    assert 2 <= len(feedback_on(name).strengths) <= 3


def test_the_strong_essay_is_praised_for_care_and_the_weak_one_is_not() -> None:
    strong, weak = (" ".join(s.name for s in feedback_on(name).strengths) for name in ("volunteering", "phones"))

    assert "style" in strong or "careful" in strong
    assert "style" not in weak
    assert "careful" not in weak


@pytest.mark.parametrize(
    ("text", "advisory"),
    [
        ("Я думаю что школа должна начинаться позже потому что мы хотим спать больше каждый день.", "not_english"),
        ("sdkfj wlekr sldkfj qwoeiru zmxncb sldkfj woeiru xcmvn weoiru sdlkfj xcvmn weoriu sdf", "gibberish"),
        ("...", "empty"),
    ],
)
def test_an_essay_that_cannot_be_read_gets_a_remedy_and_no_advice(text: str, advisory: str) -> None:
    feedback = feedback_of(text)

    assert advisory in [doubt.name for doubt in feedback.advisories]
    assert not feedback.can_be_read
    assert (feedback.advice, feedback.strengths) == ((), ())


def test_a_copied_prompt_is_seen_when_the_prompt_is_given_and_named_unchecked_when_not() -> None:
    prompt = (
        "Should the school day start an hour later? Write a letter that persuades your principal to agree with you."
    )
    essay = f"{prompt} {prompt.lower()} I agree."

    assert "prompt_copied" in [doubt.name for doubt in feedback_of(essay, prompt=prompt).advisories]
    assert "prompt_copied" in feedback_of(essay).unchecked


def test_every_advisory_has_a_remedy() -> None:
    assert REMEDIES.keys() == TITLES.keys()


def test_features_that_were_not_measured_say_why() -> None:
    standing = {s.feature: s for s in feedback_on("phones").levels}

    assert isnan(standing["max_cos"].value)
    assert "no scored essays" in standing["max_cos"].undefined
    assert isnan(standing["type_token"].beaten)


def test_the_catalogue_explains_every_note_to_the_writer() -> None:
    for note in feedback_on("phones").notes:
        assert note.title == CATALOGUE[note.type].title
        assert note.explanation
