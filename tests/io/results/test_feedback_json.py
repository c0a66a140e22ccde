"""Feedback on an essay as JSON: for others, and as it is stored and read back."""

import json
from dataclasses import fields
from math import isnan, nan

import numpy as np
import pytest

from assay.errors import InputError
from assay.essays.feedback.advice import Advice, AimExample
from assay.essays.feedback.advisories import TITLES, Advisory
from assay.essays.feedback.feedback import REMEDIES, EssayFeedback, FeatureLevel, Raising, ValuedAdvice
from assay.essays.feedback.notes import OutlinePart, WritingNote
from assay.essays.feedback.strengths import Strength
from assay.essays.models.scoring_model import EssayScore
from assay.essays.text.text import Text
from assay.io.results.feedback_json import feedback_content, feedback_from_json, feedback_to_json, raising_content
from assay.provenance import Provenance

TEXT = Text(
    raw="I like dogs. \ud83d They bark.",
    words=("I", "like", "dogs", ".", "They", "bark", "."),
    starts=np.array([0, 2, 7, 11, 15, 20, 24], np.int32),
    ends=np.array([1, 6, 11, 12, 19, 24, 25], np.int32),
    tags=("PRP", "VBP", "NNS", ".", "PRP", "VBP", "."),
    deps=("nsubj", "ROOT", "dobj", "punct", "nsubj", "ROOT", "punct"),
    heads=np.array([1, 1, 1, 1, 5, 5, 5], np.int32),
    sentence_starts=np.array([0, 4, 7], np.int32),
    sentence_paragraph=np.array([0, 1], np.int32),
)
FEEDBACK = EssayFeedback(
    text=TEXT,
    words=5,
    notes=(
        WritingNote(1, "article", "usage", "Article", ((2, 6), (7, 11)), "like", "Because.", "likes", 9, 12),
        WritingNote(2, "fragment", "grammar", "Fragment", ((0, 1),), "I", "So.", None, 3, 4),
    ),
    outline=(OutlinePart(1, 0, 0, 1, (0, 12), 0.87654321, False), OutlinePart(0, 1, 1, 2, (15, 25), nan, True)),
    labeller="rules",
    levels=(
        FeatureLevel("usage", "Usage", 0.1234567, 0.2, 31.0, 0.5),
        FeatureLevel("style", "Style", nan, 0.3, nan, 0.25, "too short"),
    ),
    advisories=(Advisory("too_short", "5 words"),),
    unchecked={"off_topic": "no prompt"},
    advice=(
        Advice(
            *("words", "polish", "Check it", "1 note.", "Look.", 0.123456),
            change={"usage": -0.2},
            notes=(1, 2),
            places=((2, 6),),
            example=AimExample((0, 12), (2, 6), "likes"),
        ),
    ),
    strengths=(Strength("Plain", "It is.", 0.98765, ((0, 12),)),),
    source="reference essays",
    level="adult",
)
SCORE = EssayScore(
    *("e1", "p1", 3.1234567, 3.0, 2.0, nan, 55.5),
    features={"usage": 0.1},
    shares={"usage": -0.25, "style": nan},
    average=3.5,
    advisories=(Advisory("repeated", "twice"),),
)
RAISING = Raising((ValuedAdvice("Check it", "1 note.", "Look.", (1, 2), 0.5),), 3.6, 4.0)


def test_what_is_stored_is_read_back_without_the_view_of_the_parser() -> None:
    back = feedback_from_json(feedback_to_json(FEEDBACK))
    for name in {field.name for field in fields(EssayFeedback)} - {"text", "levels", "outline"}:
        assert getattr(back, name) == getattr(FEEDBACK, name), name
    assert (back.levels[0], back.outline[0]) == (FEEDBACK.levels[0], FEEDBACK.outline[0])
    undefined = back.levels[1]
    assert (isnan(undefined.value), isnan(undefined.beaten), undefined.typical, undefined.undefined) == (
        *(True, True, 0.3, "too short"),
    )
    assert isnan(back.outline[1].certainty)
    assert (back.outline[1].place, back.outline[1].continues) == ((15, 25), True)
    assert back.text.raw == TEXT.raw  # half of a pair of surrogates too
    assert (back.text.sentence_starts.tolist(), back.text.sentence_paragraph.tolist()) == ([0, 4, 7], [0, 1])
    assert (back.text.words, back.text.tags, back.text.heads.size) == ((), (), 0)
    assert (back.text.sentence_count, back.text.paragraph_count) == (2, 2)


def test_what_is_stored_has_a_schema_and_no_nan() -> None:
    stored = json.loads(feedback_to_json(FEEDBACK).decode("utf-8", "surrogatepass"), parse_constant=pytest.fail)
    assert stored["schema"] == "assay.kept-feedback/2"
    assert stored["standings"][1]["value"] is None


def test_others_are_told_counts_places_and_titles() -> None:
    told = feedback_content(FEEDBACK, Provenance("0.1"), SCORE, RAISING)
    assert (told["schema"], told["words"], told["sentences"], told["paragraphs"]) == ("assay.feedback/2", 5, 2, 2)
    assert told["advisories"] == [
        {"name": "too_short", "title": TITLES["too_short"], "evidence": "5 words", "do": REMEDIES["too_short"]}
    ]
    assert told["not_checked"] == {"off_topic": "no prompt"}
    assert (told["advice"][0]["gain"], told["strengths"][0]["merit"]) == (0.1235, 0.9877)
    assert told["notes"][0]["places"] == [[2, 6], [7, 11]]
    assert [note["precision"] for note in told["notes"]] == [0.75, None]  # of four nothing can be said
    assert told["discourse"]["by"] == "rules"
    assert told["discourse"]["parts"][0] == {
        "label": FEEDBACK.outline[0].name,
        "paragraph": 1,
        "sentences": [1, 1],
        "place": [0, 12],
        "certainty": 0.876543,
    }
    assert (told["discourse"]["parts"][1]["sentences"], told["discourse"]["parts"][1]["certainty"]) == ([2, 2], None)
    assert told["features"]["usage"] == {
        "title": "Usage",
        "value": 0.123457,
        "typical": 0.2,
        "better_than_percent": 31.0,
        "weight": 0.5,
    }
    assert told["features"]["style"]["undefined"] == "too short"
    assert (told["source"], told["provenance"]["version"]) == ("reference essays", "0.1")


def test_a_score_is_told_with_its_reasons_and_null_where_there_is_none() -> None:
    told = feedback_content(FEEDBACK, Provenance("0.1"), SCORE, RAISING)["score"]
    assert told == {
        "score": 3.0,
        "raw": 3.123457,
        "interval": [2.0, None],
        "percentile": 55.5,
        "average": 3.5,
        "shares": {"usage": -0.25, "style": None},
        "advisories": [{"name": "repeated", "evidence": "twice", "consequence": "warn"}],
        **{"consequence": "", "withheld_raw": None, "withheld_score": None, "left_out": {}},
    }
    assert feedback_content(FEEDBACK, Provenance("0.1"), None, Raising())["score"] is None


def test_what_would_raise_the_score_is_told_in_sentences() -> None:
    assert raising_content(RAISING) == {
        "advice": [
            {
                "title": "Check it",
                "why": "1 note.",
                "do": "Look.",
                "notes": [1, 2],
                "gain": 0.5,
                "sentence": "Check it: 1 note.",
            }
        ],
        "raw": 3.6,
        "score": 4.0,
    }
    assert raising_content(Raising()) == {"advice": [], "raw": None, "score": None}


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]", b"\xff", b"[" * 5000, b'{"raw": "a", "sentence_starts": [1e999]}']
)
def test_feedback_that_is_damaged_is_refused(content: bytes) -> None:
    with pytest.raises(InputError, match=r"is damaged.*Score the essay again"):
        feedback_from_json(content)
