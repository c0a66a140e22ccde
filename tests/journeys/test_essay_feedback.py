"""`assay essays feedback`: an essay in, advice on the terminal, as JSON and as a page."""

import json
import shutil
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from assay.cli.essays.commands import feedback
from assay.errors import InputError
from assay.io.essays.documents import decoded
from tests.paths import EXAMPLES

pytest.importorskip("spacy", reason="reading essays needs the extra 'essays'")

app = typer.Typer()
app.command("feedback")(feedback)


def run(*arguments: object, stdin: str | bytes | None = None) -> str:
    result = CliRunner(env={"COLUMNS": "100"}).invoke(app, [str(a) for a in arguments], input=stdin)
    if result.exception is not None:
        raise result.exception
    return result.stdout


@pytest.fixture
def essay(tmp_path: Path) -> Path:
    return Path(shutil.copy(EXAMPLES / "essays" / "phones.txt", tmp_path))


def test_the_terminal_shows_advice_outline_notes_and_features(essay: Path) -> None:
    shown = run(essay)

    headings = ("What works", "What to work on", "Score", "Outline", "Mechanics: ")
    for part in (*headings, "Beside typical essays"):
        assert part in shown
    assert "[usefull]" in shown
    assert "Instead: useful" in shown
    assert "line 1" in shown
    assert shown.rstrip().endswith("--html feedback.html")
    assert max(map(len, shown.splitlines()[:-1])) <= 100


def test_json_on_stdout_holds_everything_and_no_nan(essay: Path) -> None:
    result = json.loads(run(essay, "--json"), parse_constant=pytest.fail)

    text = essay.read_text(encoding="utf-8")
    assert result["words"] == 148
    note = next(note for note in result["notes"] if note["words"] == "usefull")
    start, end = note["places"][0]
    assert (text[start:end], note["suggestion"], note["type"]) == ("usefull", "useful", "spelling")
    assert result["features"]["max_cos"]["value"] is None
    assert result["features"]["max_cos"]["undefined"]
    assert text[start:end] == text.split("\n")[0][note["ranges"][0]["start"]["character"] :][: end - start]
    assert [advice["title"] for advice in result["raising"]["advice"]] == [aim["title"] for aim in result["advice"]]
    assert result["raising"]["raw"] > result["score"]["raw"]
    assert result["discourse"]["parts"][0]["sentences"][0] == 1
    assert len(result["provenance"]["inputs"][str(essay)]) == 64


def test_the_page_is_written_and_replaced_but_no_other_file_is(essay: Path, tmp_path: Path) -> None:
    page, other = tmp_path / "out" / "feedback.html", tmp_path / "notes.html"
    other.write_text("mine", encoding="utf-8")

    said = [run(essay, "--html", page), run(essay, "--html", page)]

    assert said[0] == said[1]
    assert said[0].rstrip().endswith(f"Page: {page}")
    assert "Feedback on phones.txt" in page.read_text(encoding="utf-8")
    with pytest.raises(InputError, match="force"):
        run(essay, "--html", other)
    assert other.read_text(encoding="utf-8") == "mine"


def test_quiet_with_a_page_says_nothing(essay: Path, tmp_path: Path) -> None:
    assert run(essay, "--html", tmp_path / "f.html", "--quiet") == ""
    assert (tmp_path / "f.html").exists()


def test_a_level_changes_what_is_said(essay: Path) -> None:
    shown = run(essay, "--level", "grade6")

    assert " 2 " in shown
    assert "\n 3 " not in shown
    with pytest.raises(InputError, match="grade6, grade9, adult, learner"):
        run(essay, "--level", "grade5")


def test_a_dash_reads_standard_input(essay: Path) -> None:
    assert run("-", stdin=essay.read_bytes()).startswith("your essay: 148 words")


def test_a_prompt_that_was_copied_is_told(tmp_path: Path) -> None:
    question = "Should the school day start an hour later? Write a letter that persuades your principal to agree."
    (tmp_path / "prompt.txt").write_text(question, encoding="utf-8")
    (tmp_path / "essay.txt").write_text(f"{question} {question} Yes, it should.", encoding="utf-8")

    shown = run(tmp_path / "essay.txt", "--prompt", tmp_path / "prompt.txt")

    assert "Mostly copied from the prompt" in shown


def test_hostile_words_are_words_on_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "essay.txt").write_text(
        "[bold]I[/bold] beleive \x1b[31mred\x1b[0m phones is [link=http://x]good[/link] for us all.", encoding="utf-8"
    )

    shown = run(tmp_path / "essay.txt")

    assert "\x1b" not in shown
    assert "[bold]I[/bold]" in shown


def test_twenty_thousand_words_are_read(tmp_path: Path) -> None:
    sentence = "My friends thinks that phones is usefull because you can look things up quickly in class. "
    (tmp_path / "long.txt").write_text((sentence * 20 + "\n\n") * 63, encoding="utf-8")

    result = json.loads(run(tmp_path / "long.txt", "--json", "--html", tmp_path / "long.html"))

    assert result["words"] > 20_000
    assert "repeated" in [doubt["name"] for doubt in result["advisories"]]
    assert len(result["notes"]) > 1_000


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "is empty"),
        (b" \n\t\n", "is empty"),
        (b"a\x00b", "binary"),
        (b"First line.\ncaf\xe9", "byte 0xe9 in line 2 is not UTF-8"),
    ],
)
def test_a_file_that_is_no_text_says_what_it_is_and_what_to_do(content: bytes, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint) as problem:
        decoded(content, name="essay.txt")

    assert str(problem.value).startswith("essay.txt")
    assert any(remedy in str(problem.value) for remedy in ("Save", "Write"))


def test_a_file_that_is_not_there_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.txt: no such file"):
        run(tmp_path / "gone.txt")
    with pytest.raises(InputError, match="is a folder"):
        run(tmp_path)
