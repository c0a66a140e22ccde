"""Words that no list of English holds, and the word most likely meant."""

import pytest

from assay.essays.errors.spelling import WORD, Names, Verdict, is_misspelled, is_word, judged, misspellings
from assay.essays.errors.suggestions import GREAT, cost, likeliest


def found(raw: str) -> list[tuple[str, str, str | None]]:
    return [(mark.type, raw[mark.start : mark.end], mark.suggestion) for mark in misspellings(raw)]


@pytest.mark.parametrize(
    ("raw", "marks"),
    [
        ("I recieved your message.", [("spelling", "recieved", "received")]),
        ("The Goverment built it.", [("spelling", "Goverment", "Government")]),
        ("They help eachother alot.", [("fused", "eachother", "each other"), ("fused", "alot", "a lot")]),
        ("He dont know.", [("apostrophe", "dont", "don't")]),
        ("Good advices help.", [("noun_number", "advices", "advice")]),
        ("He moved to spain.", [("proper_capital", "spain", "Spain")]),
        ("She says i'll go.", [("proper_capital", "i'll", "I'll")]),
        ("We met Saengdao, and saengdao smiled.", [("proper_capital", "saengdao", "Saengdao")]),
        ("The students's books.", [("possessive", "students's", "students'")]),
    ],
)
def test_an_unknown_word_is_marked_with_its_kind_and_what_is_meant(
    raw: str, marks: list[tuple[str, str, str | None]]
) -> None:
    assert found(raw) == marks


@pytest.mark.parametrize(
    "raw",
    [
        "I received your message about the colour of the theatre.",
        "We met Saengdao at noon.",
        "Zorblatt smiled. Zorblatt slept.",  # twice with a capital, never without
        "My mom's car is nonalcoholic and ok.",
        "Write to zorb@example.org or @zorb, #zorb, www.zorb.org, a/zorb and zorb_x.",
        "It was 5zorb and the 20 th of May.",
        "Сегодня хорошая погода.",
        "We bought McZorb.",
    ],
)
def test_names_addresses_and_words_of_any_list_are_right(raw: str) -> None:
    assert found(raw) == []


def test_places_are_those_of_the_raw_text_whatever_is_cleaned() -> None:
    raw = "We  \u201crecieved\u201d it.\r\n\r\nThey recieved it."

    assert [words for _, words, _ in found(raw)] == ["recieved", "recieved"]


@pytest.mark.parametrize(
    ("word", "verdict"),
    [
        ("zorblattification", Verdict("spelling", None, slip=False, open=True)),
        ("x" * 41, Verdict("spelling", None, slip=False)),
        ("Dont", Verdict("apostrophe", "Don't", slip=True)),
        ("Goverment", Verdict("spelling", "Government", slip=True, open=True)),
        ("students's", Verdict("possessive", "students'", slip=True)),
        ("theatre", None),
    ],
)
def test_a_word_is_judged_wherever_it_stands(word: str, verdict: Verdict | None) -> None:
    assert judged(word) == verdict


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see zorb now", True),
        ("@zorb", False),
        ("#zorb", False),
        ("a/zorb", False),
        ("zorb_x", False),
        ("7zorb", False),
        ("zorb7", False),
        ("x.zorb", False),
        ("end.Zorb", True),  # a blank is missing, not a part of an address
        ("zorb.org", False),
        ("zorb. Then", True),
    ],
)
def test_a_part_of_an_address_or_a_number_is_no_word(text: str, expected: bool) -> None:
    match = next(m for m in WORD.finditer(text) if m.group().lower() == "zorb")

    assert is_word(match, text) is expected


def test_one_letter_is_no_word() -> None:
    match = WORD.search("x")
    assert match is not None
    assert not is_word(match, "x")


def test_names_are_known_by_their_capitals() -> None:
    text = "Zorba met Kwame in Dr. Oyelaran's lab. Kwame Nkrumah spoke. Pingu ran. Pingu hid. Tiktok and tiktok."
    names = Names(text)

    assert [name in names for name in ("Kwame", "Oyelaran", "Oyelaran's", "Pingu", "McZorb")] == [True] * 5
    assert [name in names for name in ("Zorba", "zorba", "Tiktok")] == [False] * 3


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("writting", "writing"),
        ("wich", "which"),
        ("Bisness", "Business"),
        ("definetly", "definitely"),
        ("proffeser", "professor"),
        ("soooo", "so"),
        ("becuase", "because"),
        ("zorblattification", None),
    ],
)
def test_the_likeliest_word_is_near_in_letters_or_in_sound(written: str, meant: str | None) -> None:
    assert likeliest(written) == meant


@pytest.mark.parametrize(
    ("word", "meant", "expected"),
    [
        ("same", "same", 0.0),
        ("thier", "their", 1.0),  # two letters swapped
        ("realy", "really", 0.8),  # a doubled letter
        ("becuse", "because", 0.8),  # a vowel missing
        ("wich", "with", GREAT),  # a letter for another
        ("seperate", "separate", 1.0),  # a vowel for a vowel
        ("frend", "friend", 0.8),
        ("hose", "horse", 1.0),  # a consonant missing
        ("horse", "hose", 1.0),
        ("kat", "cat", GREAT + 0.6),  # the first letter counts for more
        ("", "ab", 0.8 + 1.0 + 0.6),
    ],
)
def test_changes_have_their_costs(word: str, meant: str, expected: float) -> None:
    assert cost(word, meant) == pytest.approx(expected)


@pytest.mark.parametrize("word", ["landform", "archeologist", "volcanos", "addictiveness", "indentions", "overhire"])
def test_a_rare_or_newly_made_word_is_right(word: str) -> None:
    assert not is_misspelled(word)


@pytest.mark.parametrize("word", ["belive", "wether", "electorial", "unappropriate", "saids"])
def test_a_rare_word_near_to_a_common_one_is_a_slip(word: str) -> None:
    assert is_misspelled(word)


def test_what_resembles_no_word_is_uncertain_and_a_term_when_used_again() -> None:
    once = list(misspellings("The zorblattification was over."))

    assert [(mark.suggestion, mark.confidence) for mark in once] == [(None, 0.6)]
    assert not list(misspellings("The zorblattification began, and the zorblattification ended."))


def test_two_names_in_a_row_are_both_names() -> None:
    assert not list(misspellings("We heard Diana Krallo sing."))


@pytest.mark.parametrize(
    "raw",
    [
        'He wrote that "[s]econd thoughts" were work[ing] and (mis)rule.',
        "The squid-cgi package needs ftpd to run.",
        "It was said in 1990. [Castoriadis, p. 93] He agreed.",
        "We read what J. Joll wrote.",
        "Few Leninists would agree, and some ISPs would.",
        "The neo-liberal age, laissez-faire and bona fide contracts.",
        "The server sends it as cleartext with a netmask.",
        "The precompiled files were misconfigured.",
    ],
)
def test_codes_terms_names_and_changed_words_are_no_slips(raw: str) -> None:
    assert found(raw) == []


def test_a_word_like_no_other_is_asked_about_only_where_there_are_slips() -> None:
    careful = "The old house stood near the river, and the children played there every day. " * 9
    careless = careful.replace("children", "childern").replace("there", "thier")

    assert found(f"{careful}They drank glavki.") == []
    assert ("spelling", "glavki", None) in found(f"{careless}They drank glavki.")


def test_a_name_lacks_its_apostrophe_only_before_what_it_owns() -> None:
    assert found("We saw Lukes program.") == [("possessive", "Lukes", "Luke's")]
