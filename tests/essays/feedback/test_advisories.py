"""Reasons for doubt: raised on what deserves them, silent on ordinary essays."""

import random

import pytest

from assay.essays.feedback.advisories import TITLES, WORD, advisories, off_topic

ESSAY = (
    "Many people think that school should start later in the morning. I agree with them, because students who sleep "
    "longer listen better and remember more of what they hear. When I was in sixth grade our first lesson began at "
    "seven, and half of the class put their heads on the desks. My parents had to wake me three times every day. "
    "Last year the school moved the first bell to nine, and now almost nobody is late. Some parents say that a late "
    "start makes it hard for them to get to work, but the bus could pick the children up. In my opinion a rested "
    "student is worth more than an early one."
)
ASLEEP = "Los jóvenes necesitan dormir más horas y por eso la escuela no debe empezar tan temprano en la mañana. "
RUSSIAN = "Школа должна начинаться позже, потому что ученики хотят спать и плохо слушают на первом уроке утром. "


def names(text: str, **known: object) -> list[str]:
    return [advisory.name for advisory in advisories(WORD.findall(text), **known)]  # type: ignore[arg-type]


def mashed(words: int) -> str:
    rng = random.Random(7)
    return " ".join("".join(rng.choices("asdfghjklqwertyuiop", k=rng.randint(4, 9))) for _ in range(words))


def test_an_ordinary_essay_raises_no_doubt() -> None:
    assert names(ESSAY) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("", "empty"),
        ("I agree with this.", "too_short"),
        (ASLEEP * 2, "not_english"),
        (RUSSIAN * 2, "not_english"),
        (mashed(60), "gibberish"),
        ("banana table river cloud seven engine yellow market window paper " * 3, "gibberish"),
        (ESSAY[:180] + ESSAY[:180] + ESSAY[:180], "repeated"),
        ("I think it is good " + "very " * 40, "repeated"),
    ],
)
def test_a_bad_essay_raises_the_doubt_that_fits(text: str, name: str) -> None:
    assert name in names(text)


def test_the_evidence_says_what_was_seen() -> None:
    (doubt,) = [a for a in advisories((ASLEEP * 2).split()) if a.name == "not_english"]
    assert "Spanish" in doubt.evidence
    (short,) = advisories(["Too", "short"])
    assert "2 words" in short.evidence


def test_a_prompt_copied_word_for_word_is_named_and_a_quotation_is_not() -> None:
    prompt = ESSAY[:400]
    assert "prompt_copied" in names(ESSAY[:380] + " I think so too.", prompt=prompt)
    assert names(ESSAY, prompt="Should school start later? " + ESSAY[:90]) == []


def test_a_short_prompt_name_cannot_be_copied() -> None:
    assert names(ESSAY, prompt="School hours") == []


def test_an_essay_less_familiar_than_nearly_all_others_is_off_topic() -> None:
    (doubt,) = off_topic(0.01, 0.05)
    assert doubt.name == "off_topic"
    assert "in 1.0% of the scored essays on this prompt" in doubt.evidence
    assert list(off_topic(0.05, 0.05)) == []


def test_without_scored_essays_nothing_is_said_of_the_topic() -> None:
    assert list(off_topic(float("nan"), 0.05)) == []
    assert list(off_topic(0.01, float("nan"))) == []


def test_placeholders_and_spelling_mistakes_are_not_gibberish() -> None:
    weak = (
        "i thik @PERSON1 shud lisen becuse @CAPS1 is rite and we ned to lern about the wether in @LOCATION1 at scool "
    )
    assert names(weak * 2)[:1] != ["gibberish"]
    assert "not_english" not in names(weak * 2)


def test_every_advisory_has_a_title() -> None:
    assert set(TITLES) == {
        "empty",
        "too_short",
        "not_english",
        "gibberish",
        *("word_order", "nonsense", "word_list", "disconnected", "partly_not_english"),
        "repeated",
        "prompt_copied",
        "off_topic",
        *("all_capitals", "no_punctuation", "sentence_order"),
    }


def test_a_script_without_blanks_is_not_english_though_it_is_one_word() -> None:
    assert "not_english" in [
        doubt.name for doubt in advisories(["我认为学校应该有更长的假期因为学生需要更多的休息时间和自由"])
    ]
    assert "not_english" not in [doubt.name for doubt in advisories(["Hello"])]
