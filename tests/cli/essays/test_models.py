"""`assay essays train`, `score`, `calibrate` and `refit`: what is refused at once, what is said at the end."""

import json
import sys
from pathlib import Path

import pytest

from assay.cli.essays.models import calibrate, check_model_path, command_line, say, score, train
from assay.errors import InputError
from tests.io.canned_server import canned_server, completion
from tests.paths import EXAMPLES

MODEL = EXAMPLES / "essay_model.json"
Screen = pytest.CaptureFixture[str]


def test_a_model_is_never_written_over_itself_or_to_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder"):
        check_model_path(tmp_path)
    with pytest.raises(InputError, match="is the model itself"):
        calibrate(MODEL, tmp_path / "essays.csv", out=MODEL)
    check_model_path(tmp_path / "new.json", MODEL)


@pytest.mark.parametrize(
    ("options", "field"),
    [({"fix": ["style"]}, "fix"), ({"fix": ["style=much"]}, "fix"), ({"length_weight": "some"}, "length_weight")],
)
def test_a_share_that_is_no_number_is_named_before_essays_are_read(options: dict[str, object], field: str) -> None:
    with pytest.raises(InputError) as refused:
        train(Path("not-there.csv"), "score", Path("model.json"), **options)  # type: ignore[arg-type]

    assert refused.value.field == field


def test_scores_are_summed_up_for_people_and_for_programs(tmp_path: Path, capsys: Screen) -> None:
    table = tmp_path / "essays.csv"
    table.write_text("text\nDogs wait for us.\n", encoding="utf-8")
    score(table, text="text", model=MODEL, out=tmp_path / "a", workers=1, as_json=True)
    said = json.loads(capsys.readouterr().out)
    score(table, text="text", model=MODEL, out=tmp_path / "b", workers=1)

    assert said["out"] == str(tmp_path / "a")
    assert " of 1 essays." in capsys.readouterr().out
    assert (tmp_path / "b" / "report.html").is_file()


def test_what_was_done_and_where_it_is_stand_on_lines_of_their_own(
    capsys: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    say("Scored 3.", ["  odd: 1"], {"Scores": Path("a b.csv")})
    monkeypatch.setattr(sys, "argv", ["assay", "essays", "a b.csv"])

    assert capsys.readouterr().out.splitlines() == ["Scored 3.", "  odd: 1", "Scores: a b.csv"]
    assert command_line() == "assay essays 'a b.csv'"


def test_a_judge_scores_essays_and_keeps_its_answers(tmp_path: Path, capsys: Screen) -> None:
    table = tmp_path / "essays.csv"
    table.write_text("text\nDogs wait for us.\n\n", encoding="utf-8")
    answer = completion('{"quality": {"reason": "Short.", "score": 2}, "stays on topic": {"label": "yes"}}')
    judge = Path(f"judge:{EXAMPLES / 'rubric.toml'}")
    with canned_server([answer]) as heard:
        options = {"text": "text", "model": judge, "judge_model": "m", "base_url": heard.url, "workers": 1}
        with pytest.raises(InputError, match="Nothing was sent"):
            score(table, out=tmp_path / "a", **options)  # type: ignore[arg-type]
        score(table, out=tmp_path / "a", yes=True, **options)  # type: ignore[arg-type]
        score(table, out=tmp_path / "a", force=True, **options)  # type: ignore[arg-type]
    assert len(heard.bodies) == 1
    assert "Scored 1 of 1 essays" in capsys.readouterr().out
    assert (tmp_path / "a.answers.jsonl").is_file()
    assert (tmp_path / "a" / "scores.csv").read_text("utf-8").startswith("id,prompt,raw,score")
