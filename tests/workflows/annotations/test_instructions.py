"""Instructions become a proposal: offline first, a model for the rest, its answer checked, and said in words."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.annotations.rubric.changes import KnownNames
from assay.annotations.rubric.edits import edit_words
from assay.annotations.rubric.rubric import AttributeRule, LabelRule, Rubric
from assay.errors import InputError
from assay.io.annotations.rubric_toml import read_rubric, rubric_toml
from assay.io.language_model import LanguageModel
from assay.workflows.annotations.instructions import answer_schema, propose_rubric, read_answer, summary
from tests.io.canned_server import canned_server, completion
from tests.io.local_model import HOW, installed, running_model

RUBRIC = Rubric(
    labels=(
        LabelRule("Car", (AttributeRule("color", "exact", values=("crimson", "teal")), AttributeRule("size"))),
        LabelRule("Person", (AttributeRule("age", "number"),)),
    )
)
KNOWN = KnownNames.of(RUBRIC)
PAINT = "the paint is of no interest"
EXAMPLE = "do not look at the paint"
"""What the example in the prompt says, for a model that can do no more than follow it."""
NOBODY = "http://127.0.0.1:9/v1"


def answer_of(*edits: object) -> str:
    return json.dumps({"edits": edits, "not_understood": []})


def test_what_is_understood_offline_asks_no_model() -> None:
    # port 9 answers nobody: a request would fail
    proposal = propose_rubric("ignore color, label twice as important", RUBRIC, model=LanguageModel(NOBODY))

    assert [edit.source for edit in proposal.edits] == ["read offline", "read offline"]
    assert proposal.not_understood == ()
    assert proposal.before is RUBRIC


def test_without_a_model_the_rest_is_said() -> None:
    proposal = propose_rubric(f"ignore size; {PAINT}", RUBRIC)

    assert [edit_words(edit) for edit in proposal.edits] == ["attribute 'size': not scored"]
    assert [part.asked for part in proposal.not_understood] == [PAINT]


def test_the_summary_says_what_changes_what_the_model_read_and_what_is_so_already() -> None:
    canned = answer_of({"words": PAINT, "action": "ignore_attribute", "attribute": "color", "label": None})
    with canned_server([completion(canned)]) as heard:
        proposal = propose_rubric(
            f"label twice as important; {PAINT}; beta 0.5", RUBRIC, model=LanguageModel(heard.url)
        )

    assert list(summary(proposal)) == [
        "What will change:",
        "  A match counts: position 40%, label 40%, attributes 20% (before: position 50%, label 25%, attributes 25%).",
        "  'color' is not scored.",
        "Read by the language model, please check:",
        f"  attribute 'color': not scored  (language model, for \"{PAINT}\")",
        "Already so:",
        "  A missed object costs a quarter as much as an extra one.",
    ]
    assert read_rubric(rubric_toml(proposal.after)) == proposal.after


def test_only_names_settings_and_the_open_part_are_sent() -> None:
    with canned_server([completion(answer_of())]) as heard:
        propose_rubric(f"ignore size; {PAINT}", RUBRIC, model=LanguageModel(heard.url))

    sent = json.dumps(heard.bodies)
    assert PAINT in sent
    assert "color" in sent
    assert "ignore size" not in sent
    assert "crimson" not in sent  # a value that stands in the annotations


def test_the_schema_offers_only_names_that_exist() -> None:
    schema = json.dumps(answer_schema(KNOWN))

    assert all(name in schema for name in ("color", "age", "Car", "set_threshold"))
    assert '"additionalProperties": false' in schema


@pytest.mark.parametrize(
    "wrapped",
    ["{}", "Sure! Here it is:\n```json\n{}\n```\nAnything else?"],
    ids=["bare", "with words and a fence"],
)
def test_a_canned_answer_becomes_edits(wrapped: str) -> None:
    edit = {"words": PAINT.upper(), "action": "ignore_attribute", "attribute": "color", "label": None}
    read = read_answer(wrapped.replace("{}", answer_of(edit)), [PAINT], KNOWN)

    assert [edit_words(edit) for edit in read.edits] == ["attribute 'color': not scored"]
    assert read.not_understood == ()


def test_a_part_that_no_canned_edit_quotes_stays_open() -> None:
    edit = {"words": PAINT, "action": "ignore_attribute", "attribute": "color"}
    read = read_answer(answer_of(edit), [PAINT, "be kind"], KNOWN)

    assert len(read.edits) == 1
    assert [part.asked for part in read.not_understood] == ["be kind"]


def test_canned_edits_that_contradict_each_other_are_all_refused() -> None:
    twice = {"words": PAINT, "action": "scale_weight", "part": "label", "value": 2}
    read = read_answer(answer_of(twice, {**twice, "action": "set_weight", "value": 3}), [PAINT], KNOWN)

    assert read.edits == ()
    assert "contradicts" in read.not_understood[-1].why


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        ({"words": "do not look at the paint", "action": "drop_key"}, "does not quote"),
        ({"action": "drop_key"}, "does not quote"),
        ({"words": PAINT, "action": "ignore_attribute", "attribute": "colour"}, "Did you mean 'color'"),
        ({"words": PAINT, "action": "set_weight", "part": "label", "value": "all"}, "not a number"),
        ({"words": PAINT, "action": "run", "value": "rm -rf /"}, "no action 'run'"),
        ({"words": PAINT, "action": "drop_key", "then": "grade=100"}, "'then' does not belong"),
        ("drop_key", "named fields"),
        ([[[]]], "named fields"),
    ],
)
def test_a_canned_edit_beyond_the_vocabulary_is_refused_by_itself(edit: object, why: str) -> None:
    good = {"words": PAINT, "action": "ignore_attribute", "attribute": "size"}
    read = read_answer(answer_of(edit, good), [PAINT], KNOWN)

    assert len(read.edits) == 1
    assert why in read.not_understood[0].why


@pytest.mark.parametrize(
    "answer",
    [
        "I would rather not.",
        "",
        "[]",
        '{"edits": {}}',
        '{"edits": [], "weights": {"label": 100}}',
        '{"edits": [], "edits": [{"action": "drop_key"}]}',
        '{"edits": [NaN]}',
        '{"edits": [' + "9" * 5000 + "]}",
        '{"edits": ' + "[" * 5000 + "]" * 5000 + "}",
        '{"edits": [' + ", ".join(["{}"] * 41) + "]}",
        '{"edits": ["' + "x" * 20_000 + '"]}',
    ],
    ids=["prose", "empty", "list", "no list", "injected key", "key twice", "NaN", "digits", "deep", "many", "huge"],
)
def test_a_hostile_canned_answer_is_refused_as_a_whole(answer: str) -> None:
    with pytest.raises(InputError, match=r"[Tt]he language model"):
        read_answer(answer, [PAINT], KNOWN)


def test_what_a_model_says_cannot_steer_the_terminal() -> None:
    canned = answer_of({"words": PAINT, "action": "\x1b[2J\x07wipe"})
    read = read_answer(canned, [PAINT], KNOWN)

    assert all(text.isprintable() for part in read.not_understood for text in (part.asked, part.why))


@given(st.text(max_size=200))
def test_any_answer_is_read_or_refused(answer: str) -> None:
    for text in (answer, f'{{"edits": [{json.dumps(answer)}]}}'):
        try:
            read = read_answer(text, [PAINT], KNOWN)
        except InputError:
            continue
        assert read.edits == ()
        assert read.not_understood


@pytest.mark.heavy
@pytest.mark.skipif(not installed(), reason=HOW)
def test_a_real_model_is_asked_and_what_it_says_is_checked() -> None:
    # SmolLM2 with 135 M weights mostly repeats the example of the prompt. Asked just that, its edit is right and taken;
    # asked anything else, nothing may change. Its answers may differ between processors, so either outcome is allowed;
    # a rule that changes without a quotation, or a part that is lost without a word, is not.
    with running_model() as url:
        model = LanguageModel(url, timeout=600)
        proposals = {asked: propose_rubric(f"ignore size; {asked}", RUBRIC, model=model) for asked in (EXAMPLE, PAINT)}

    for asked, proposal in proposals.items():
        offline, *by_model = proposal.edits
        assert edit_words(offline) == "attribute 'size': not scored"
        assert by_model or asked in [part.asked for part in proposal.not_understood]
        assert all(_quoted(edit.source) in asked for edit in by_model)


def _quoted(source: str) -> str:
    assert source.startswith('language model, for "')
    return source.removeprefix('language model, for "').removesuffix('"')
