"""`assay judge`: it says what it would send, asks at a terminal, and stops where nobody can answer."""

from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from assay.cli.judge import judge
from tests.io.canned_server import Canned, completion
from tests.paths import EXAMPLES
from tests.workflows.evaluation.judging import judge_server

RUBRIC = EXAMPLES / "rubric.toml"
ANSWER = completion(
    '{"quality": {"reason": "Fine.", "score": 4}, "stays on topic": {"reason": "It does.", "label": "yes"}}',
    usage={"prompt_tokens": 300, "completion_tokens": 30},
)


def fine(_: object) -> Canned:
    return ANSWER


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str, str]]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "items.csv").write_text("id,text\n1,One\n2,Two\n", encoding="utf-8")

    app = typer.Typer()
    app.command()(judge)

    def command(url: str, *words: str) -> tuple[int, str, str]:
        named = ["--text", "text", "--id", "id", "--rubric", str(RUBRIC), "--model", "m", "--base-url", url]
        result = CliRunner().invoke(app, ["items.csv", *named, *words])
        return result.exit_code, result.stdout, str(result.exception or "")

    return command


def test_without_a_terminal_and_without_yes_nothing_is_sent(run: Callable[..., tuple[int, str, str]]) -> None:
    with judge_server(fine) as heard:
        code, _, said = run(heard.url)
    assert code != 0
    assert "2 requests" in said
    assert heard.bodies == []
    assert not Path("items-judge").exists()


def test_with_yes_it_rates_and_a_second_run_sends_nothing(run: Callable[..., tuple[int, str, str]]) -> None:
    with judge_server(fine) as heard:
        code, said, _ = run(heard.url, "--yes")
        again, said_again, _ = run(heard.url)
    assert (code, again) == (0, 0)
    assert "Ratings: 4 of 4" in said
    assert "Sent in this run: 2 requests, 600 tokens in, 60 out, 0.00013 USD." in said
    assert "Sent in this run: nothing, all was in the cache." in said_again
    assert Path("items-judge.answers.jsonl").is_file()
    assert Path("items-judge/ratings.csv").read_text("utf-8").count("\n") == 5
    assert len(heard.bodies) == 2


def test_json_is_all_that_is_printed_when_asked_for(run: Callable[..., tuple[int, str, str]]) -> None:
    with judge_server(fine) as heard:
        code, said, _ = run(heard.url, "--yes", "--json", "--quiet", "--out", "o")
    assert code == 0
    assert said.startswith("{")
    assert said == Path("o/judge.json").read_text("utf-8")
