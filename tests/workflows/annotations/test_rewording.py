"""Reworded feedback keeps every fact, or it is not used."""

import pytest

from assay.io.language_model import LanguageModel
from assay.workflows.annotations.instructions import lost_facts, reword
from tests.io.canned_server import Canned, canned_server, completion
from tests.io.local_model import HOW, installed, running_model

MISSED = "You missed 12 of 40 objects of class 'Car' (30 %) but 2 of 50 others (4 %)."
LOOSE = "On the left side your shapes reach beyond the object by 3.5 % of its width. Draw them closer."


def test_a_canned_rewording_with_all_facts_is_taken() -> None:
    said = "Look out for 'Car': you missed 12 of 40 (30 %), but only 2 of 50 others (4 %)."
    with canned_server([completion(f"{said}\n")]) as heard:
        (reworded,) = reword([MISSED], LanguageModel(heard.url))

    assert (reworded.text, reworded.kept_because) == (said, "")
    assert heard.bodies[0]["messages"][-1]["content"] == MISSED


@pytest.mark.parametrize(
    ("original", "rewording", "why"),
    [
        (MISSED, "You missed 12 of 40 objects of class 'Car'.", "numbers"),
        (MISSED, MISSED.replace("30 %", "31 %"), "numbers"),
        (MISSED, MISSED + " That is 1 too many.", "numbers"),
        (MISSED, MISSED.replace("'Car'", "'Bus'"), "name"),
        (LOOSE, LOOSE.replace("left", "right"), "directions"),
        (LOOSE, LOOSE.replace("Draw them", "Do not draw them"), "denies"),
        (LOOSE, "", "empty"),
        (LOOSE, LOOSE * 9, "too long"),
    ],
)
def test_a_rewording_that_changes_a_fact_is_told_apart(original: str, rewording: str, why: str) -> None:
    assert why in lost_facts(original, rewording)


def test_names_without_quotes_are_kept_when_they_are_given() -> None:
    assert lost_facts("Look at Traffic Light again.", "Look at the lamp again.", ["traffic light"])
    assert not lost_facts("Look at Traffic Light again.", "Again, look at TRAFFIC LIGHT.", ["traffic light", "Car"])


def test_a_canned_failure_keeps_all_sentences_and_asks_no_further() -> None:
    with canned_server([Canned(b"no", 500)]) as heard:
        reworded = reword([MISSED, LOOSE], LanguageModel(heard.url))

    assert [r.text for r in reworded] == [MISSED, LOOSE]
    assert all("HTTP 500" in r.kept_because for r in reworded)
    assert len(heard.bodies) == 1


@pytest.mark.skipif(not installed(), reason=HOW)
def test_a_real_model_rewords_or_the_sentence_stands() -> None:
    with running_model() as url:
        reworded = reword([MISSED, LOOSE], LanguageModel(url, timeout=600))

    for result, original in zip(reworded, (MISSED, LOOSE), strict=True):
        assert result.original == original
        assert lost_facts(original, result.text) == ""
        assert "cannot be reached" not in result.kept_because
