"""The verb `feedback`: one answer for a text, a file and a model, and errors that name what to give."""

import json
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.essays.data_files import has_non_commercial
from assay.essays.text.text import Essay
from assay.io.models.scoring_models import read_scoring_model
from assay.workflows.essays.feedback import FeedbackResult, feedback, feedback_on
from tests.paths import EXAMPLES

pytest.importorskip("spacy", reason="reading essays needs the extra 'essays'")
pytestmark = pytest.mark.skipif(not has_non_commercial(), reason="needs assay-essays-nc")

PHONES = EXAMPLES / "essays" / "phones.txt"


@pytest.fixture(scope="module")
def result() -> FeedbackResult:
    return feedback(PHONES)


def test_a_file_and_its_text_get_the_same_feedback(result: FeedbackResult) -> None:
    other = feedback(PHONES.read_text(encoding="utf-8")).to_dict()
    same = result.to_dict()

    assert other.pop("provenance") != same.pop("provenance")
    assert other == same


def test_all_parts_are_there_and_a_short_look_shows_them(result: FeedbackResult) -> None:
    assert result.advice
    assert result.strengths
    assert result.outline
    assert result.score is not None
    assert result.raising.raw is not None
    assert result.raising.raw > result.score.raw
    assert repr(result).startswith("FeedbackResult: feedback on phones.txt, 148 words")
    assert len(repr(result).splitlines()) < 10
    assert f"errors marked  {len(result.errors)}" in repr(result)


def test_json_and_the_table_hold_the_errors(result: FeedbackResult) -> None:
    content = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    frame = result.to_polars()

    assert content["schema"] == "assay.feedback/2"
    assert frame["words"].to_list() == [note["words"] for note in content["notes"]]
    assert frame["start"].to_list() == [note["places"][0][0] for note in content["notes"]]


def test_the_page_says_what_the_work_would_do_to_the_score(tmp_path: Path) -> None:
    result = feedback(PHONES.with_name("later-start.txt"))
    page = result.report(tmp_path / "feedback.html").read_text(encoding="utf-8")

    assert f"would bring the score to about {result.raising.score:g}" in page
    assert "Worth about" not in page


def test_another_file_is_replaced_only_with_force(result: FeedbackResult, tmp_path: Path) -> None:
    mine = tmp_path / "mine.html"
    mine.write_text("mine", encoding="utf-8")

    with pytest.raises(InputError) as problem:
        result.write(mine)
    assert (problem.value.field, problem.value.source) == ("html", str(mine))
    assert "force" in problem.value.text()
    result.write(mine, force=True)
    assert "Feedback on phones.txt" in result.write(mine).read_text(encoding="utf-8")


def test_a_model_may_be_a_file_and_changes_score_and_raising(result: FeedbackResult) -> None:
    other = feedback(PHONES, model=EXAMPLES / "essay_model.json")

    assert other.score is not None
    assert result.score is not None
    assert other.score.raw != result.score.raw
    assert other.raising != result.raising
    assert other.advice == result.advice


def test_the_part_for_one_essay_gives_what_the_verb_gives() -> None:
    model = read_scoring_model(EXAMPLES / "essay_model.json")
    said = feedback_on(Essay("1", PHONES.read_text(encoding="utf-8")), model)

    other = feedback(PHONES, model=model)
    assert said.score is not None
    assert other.score is not None
    assert (said.score.raw, said.score.shares, said.raising) == (other.score.raw, other.score.shares, other.raising)


def test_the_wording_of_a_question_is_looked_for_and_a_name_is_not() -> None:
    asked = "Should phones be allowed in class? Give reasons and examples for your opinion."

    assert "prompt_copied" not in feedback("Yes.", prompt=asked).feedback.unchecked
    assert "prompt_copied" in feedback("Yes.", prompt="phones").feedback.unchecked


def test_an_essay_that_cannot_be_read_gets_no_advice_and_nothing_raises_it() -> None:
    result = feedback("xkcd qwrt zzpf " * 20)

    assert result.advice == ()
    assert result.raising.advice == ()
    assert "gibberish" in [doubt.name for doubt in result.feedback.advisories]


def test_a_second_draft_says_what_was_resolved_what_remains_and_what_is_new(
    result: FeedbackResult, tmp_path: Path
) -> None:
    text = PHONES.read_text(encoding="utf-8")
    (tmp_path / "draft2.txt").write_text(text.replace("usefull", "useful").replace("quick", "quik"), encoding="utf-8")

    second = feedback(tmp_path / "draft2.txt", before=PHONES)

    assert second.revision is not None
    changes = second.revision.changes
    assert "usefull" in [error.words for error in changes.resolved]
    assert "quik" in [error.words for error in changes.introduced]
    assert changes.marked_before == sum(len(error.places) for error in result.errors)
    content = second.to_dict()["revision"]
    assert content["before"] == "phones.txt"
    assert content["score_before"]["raw"] == pytest.approx(result.score.raw if result.score else 0, abs=1e-5)
    page = second.html()
    assert "You resolved " in page
    assert "Score then" in page


def test_what_was_dismissed_stays_dismissed_in_the_next_draft_and_changes_no_score(
    result: FeedbackResult, tmp_path: Path
) -> None:
    course = tmp_path / "course.toml"
    course.write_text('accept = ["usefull"]\noff = ["style"]\nlevel = "grade6"\n', encoding="utf-8")
    first = feedback(PHONES, preferences=course)
    note = first.errors[0]

    first.dismiss([note.number], course)
    moved = f"Well. {PHONES.read_text(encoding='utf-8')}"
    second = feedback(moved, preferences=course)

    assert first.feedback.level == "grade6"
    assert not {"usefull", note.words} & {error.words for error in second.errors if error.type == note.type}
    assert not any(error.category == "style" for error in first.errors)
    assert first.score is not None
    assert result.score is not None
    assert first.score.raw == result.score.raw
    with pytest.raises(InputError, match="there is no note 99"):
        first.dismiss([99], course)
    with pytest.raises(InputError, match="no file is named"):
        first.dismiss([1], None)


def test_a_text_over_the_limit_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_LIMIT_ESSAY_CHARACTERS", "10")
    with pytest.raises(InputError, match="the essay has 21 characters; at most 10 are read"):
        feedback("This is far too long.")
