"""Feedback and models as a terminal shows them."""

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from assay.cli.essays.screens import AROUND, LONGEST_MARK, context, show_feedback, show_model
from assay.io.models.scoring_models import read_scoring_model
from assay.workflows.essays.feedback import FeedbackResult, feedback
from tests.paths import EXAMPLES

MODEL = EXAMPLES / "essay_model.json"


@pytest.fixture(scope="module")
def result() -> FeedbackResult:
    return feedback(EXAMPLES / "essays" / "phones.txt", model=MODEL)


def shown(result: FeedbackResult, width: int = 100) -> str:
    screen = Console(file=StringIO(), width=width, highlight=False)
    show_feedback(screen, result)
    return screen.file.getvalue()  # type: ignore[attr-defined,no-any-return]


def test_feedback_has_its_parts_in_the_order_a_writer_needs_them(result: FeedbackResult) -> None:
    said = shown(result)
    heads = ["phones.txt: ", "What works", "What to work on", "Score", "Outline", "Beside typical essays"]

    places = [said.index(head) for head in heads]
    assert places == sorted(places)
    assert all(strength.name[1:] in said for strength in result.strengths)


def test_nothing_is_wider_than_the_terminal(result: FeedbackResult) -> None:
    assert max(len(line) for line in shown(result, width=60).splitlines()) <= 60


def test_marked_words_stand_in_brackets_with_a_little_around_them(result: FeedbackResult) -> None:
    raw = result.feedback.text.raw
    for note in result.errors:
        line = context(note, raw).plain
        assert "[" in line
        assert "\n" not in line
        assert len(line) <= 2 * AROUND + LONGEST_MARK + 4


def test_a_model_is_told_by_its_agreement_and_its_weights(capsys: pytest.CaptureFixture[str]) -> None:
    model = read_scoring_model(MODEL)
    show_model(model, Path("model.json"))

    said = capsys.readouterr().out
    assert said.startswith(f"Trained {model.kind} on {model.training.essays:,} essays, scale {model.scale}.")
    (equation,) = list(model.equations.values())[:1]
    assert f"QWK {equation.agreement['qwk']:.2f}" in said
    assert said.rstrip().endswith("Model: model.json")
