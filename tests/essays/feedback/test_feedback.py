"""Feedback: the weightiest advice first, every claim with its evidence, nothing said of what cannot be read."""

from functools import cache
from math import isnan, nan

import pytest

from assay.essays.discourse.model import MAIN_POINT, SUPPORT
from assay.essays.errors.catalogue import CATALOGUE, CATEGORIES, Finding
from assay.essays.features.features import FEATURES, analyse
from assay.essays.feedback.advisories import TITLES
from assay.essays.feedback.feedback import REMEDIES, EssayFeedback, essay_feedback
from assay.essays.feedback.norms import PAPER_WEIGHTS, FeatureNorms, Norm, reference_norms
from assay.essays.feedback.notes import OutlinePart, WritingNote, numbered, skeleton
from assay.essays.text.reader import read_text
from assay.io.models.scoring_models import bundled_discourse_model
from tests.paths import EXAMPLES

pytest.importorskip("spacy", reason="reading essays needs the extra 'essays'")


@cache
def feedback_on(name: str) -> EssayFeedback:
    return feedback_of((EXAMPLES / "essays" / f"{name}.txt").read_text(encoding="utf-8"))


def feedback_of(text: str, *, prompt: str = "", reference: FeatureNorms | None = None) -> EssayFeedback:
    model = bundled_discourse_model()
    analysis = analyse(read_text(text), model)
    return essay_feedback(analysis, labeller="model" if model else "rules", prompt=prompt, reference=reference)


@pytest.mark.parametrize("name", ["phones", "later-start", "volunteering"])
def test_advice_comes_in_the_order_of_what_it_would_count_for(name: str) -> None:
    gains = [advice.gain for advice in feedback_on(name).advice]

    assert gains == sorted(gains, reverse=True)
    assert all(gain > 0 for gain in gains)


def test_the_gain_of_mending_slips_is_weight_times_rate_over_spread() -> None:
    feedback = feedback_on("phones")

    grammar = next(a for a in feedback.advice if a.feature == "grammar")
    rate = next(s.value for s in feedback.levels if s.feature == "grammar")
    # Attali & Burstein (2005), Table 9: grammar 0.05
    assert grammar.gain == pytest.approx(0.05 * rate / reference_norms().norms["grammar"].sd)


def test_another_reference_such_as_that_of_a_model_changes_the_order() -> None:
    plain = reference_norms()
    commas_first = FeatureNorms(plain.norms, {**dict.fromkeys(PAPER_WEIGHTS, 0.01), "mechanics": 0.9}, "a test")

    feedback = feedback_of((EXAMPLES / "essays" / "phones.txt").read_text(encoding="utf-8"), reference=commas_first)

    assert feedback.advice[0].feature == "mechanics"
    assert feedback_on("phones").advice[0].feature != "mechanics"
    assert feedback.source == "a test"


def test_advice_on_slips_names_every_note_of_its_category() -> None:
    feedback = feedback_on("phones")

    for category in CATEGORIES:
        expected = tuple(note.number for note in feedback.notes if note.category == category)
        assert [a.notes for a in feedback.advice if a.feature == category] == ([expected] if expected else [])


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


def test_a_repeated_word_is_one_note_with_all_its_places() -> None:
    found = [Finding("repetition", "style", at, at + 4, word, "Vary it.") for at, word in ((0, "Dogs"), (9, "dogs"))]
    slip = Finding("spelling", "mechanics", 5, 8, "teh", "No word.", "the")

    notes = numbered([found[0], slip, found[1]])

    assert [(note.type, note.places) for note in notes] == [
        ("repetition", ((0, 4), (9, 13))),
        ("spelling", ((5, 8),)),
    ]
    assert "2 times" in notes[0].explanation


def test_precision_is_told_only_where_enough_findings_were_read() -> None:
    few, many = (
        WritingNote(1, "comma", "mechanics", "", ((0, 1),), "", "", right=r, judged=j) for r, j in ((7, 7), (15, 20))
    )

    assert isnan(few.precision)
    assert many.precision == 0.75


def test_a_main_point_without_support_after_it_is_bare() -> None:
    text = read_text("One is here. Two is there. Three is so.")
    discourse = analyse(text).discourse
    outline = [
        OutlinePart(label, 0, i, i + 1, (i, i + 1), nan, False)
        for i, label in enumerate((MAIN_POINT, SUPPORT, MAIN_POINT))
    ]

    found = skeleton(outline, text, discourse)

    assert found.bare_points == (outline[2],)
    assert found.missing_points == 1


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


def test_the_reference_has_a_norm_for_every_feature_that_needs_no_scored_essays() -> None:
    norms = reference_norms()

    assert norms.norms.keys() == FEATURES.keys() - {"max_cos", "cos_highest"}
    assert all(norm.sd > 0 and list(norm.deciles) == sorted(norm.deciles) for norm in norms.norms.values())
    assert "ASAP 2.0" in norms.source


def test_the_weights_are_those_of_table_9_and_add_up_to_one() -> None:
    assert sum(PAPER_WEIGHTS.values()) == pytest.approx(1.0)
    assert PAPER_WEIGHTS.keys() == FEATURES.keys()


def test_a_value_many_essays_share_ranks_in_their_middle() -> None:
    rate = Norm(0.01, 0.02, (0, 0, 0, 0, 0.01, 0.02, 0.03, 0.04, 0.05))

    assert rate.beaten(0.0, higher_is_better=False) == 75
    assert rate.beaten(0.1, higher_is_better=False) == 5


def test_features_that_were_not_measured_say_why() -> None:
    standing = {s.feature: s for s in feedback_on("phones").levels}

    assert isnan(standing["max_cos"].value)
    assert "no scored essays" in standing["max_cos"].undefined
    assert isnan(standing["type_token"].beaten)


def test_the_catalogue_explains_every_note_to_the_writer() -> None:
    for note in feedback_on("phones").notes:
        assert note.title == CATALOGUE[note.type].title
        assert note.explanation
