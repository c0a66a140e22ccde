"""`assay essays train`, `score` and `refit`: essays and human scores in, a model, scores and a report out."""

import csv
import json
import random
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import InputError

PLAIN = [
    "dogs is good and they likes to run",
    "i think dogs is fun becaus they play",
    "my dog bark alot at the the mailman",
    "cats is not so good as dogs",
]
RICH = [
    "Dogs deserve a place in every family because they offer steady companionship.",
    "For example, my neighbour walks farther every day since she adopted an old terrier.",
    "Moreover, caring for an animal teaches children patience and responsibility.",
    "Some people object that dogs are expensive; however, the benefits outweigh the cost.",
    "In conclusion, communities should make it easier to keep dogs.",
]


def essay(level: int, chance: random.Random) -> str:
    """A text that grows and improves with its level."""
    sentences = [chance.choice(RICH if chance.random() * 6 < level else PLAIN) for _ in range(2 + 2 * level)]
    return " ".join(f"{sentence} {chance.choice(['Truly', 'Well', 'So'])}." for sentence in sentences)


@pytest.fixture(scope="module")
def essays(tmp_path_factory: pytest.TempPathFactory) -> Path:
    chance = random.Random(4)
    path = tmp_path_factory.mktemp("essays") / "essays.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "prompt", "first", "second", "text"])
        for number in range(80):
            level = 1 + number % 4
            second = max(1, min(4, level + chance.choice([0, 0, 0, 1, -1])))
            writer.writerow([f"e{number}", "dogs", level, second, essay(level, chance)])
        writer.writerow(["none", "dogs", "", "", "An essay nobody scored."])
    return path


@pytest.fixture(scope="module")
def features(essays: Path) -> Path:
    """Measured once, kept for the other commands of this journey."""
    kept = essays.with_name("features.parquet")
    run(
        "train", essays, *COLUMNS, "--score", "first", "--features", kept, "-o", essays.with_name("first.json"), "-j", 1
    )
    return kept


COLUMNS = ("--text", "text", "--id", "id", "--prompt", "prompt")


def run(*words: object) -> str:
    result = CliRunner().invoke(app, ["essays", *map(str, words)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.parametrize("kind", ["specific", "generic12", "generic10"])
def test_train_and_score(kind: str, essays: Path, features: Path, tmp_path: Path) -> None:
    model, out = tmp_path / "model.json", tmp_path / "scores"
    said = run(
        "train", essays, *COLUMNS, "--score", "first", "--second-score", "second", "--scale", "1-4",
        "--model", kind, "--features", features, "-o", model,
    )  # fmt: skip

    run("score", essays, *COLUMNS, "--model", model, "--out", out, "-j", 1)

    assert "left out, no human score: 1" in said
    rows = rows_of(out / "scores.csv")
    assert len(rows) == 81
    for row in rows:
        shares = sum(float(value) for name, value in row.items() if name.startswith("share_"))
        assert float(row["average"]) + shares == pytest.approx(float(row["raw"]), abs=0.002)
        assert row["score"] in {"1.0", "2.0", "3.0", "4.0"}
    close = [abs(float(row["score"]) - 1 - number % 4) <= 1 for number, row in enumerate(rows[:80])]
    assert sum(close) > 64  # the essays repeat themselves, and what is repeated counts once
    assert "What the scores rest on" in (out / "report.html").read_text()


def test_the_number_of_processes_changes_no_digit(essays: Path, features: Path, tmp_path: Path) -> None:
    model = essays.with_name("first.json")
    assert features.exists()
    few = tmp_path / "few.csv"
    few.write_text("".join(essays.read_text().splitlines(keepends=True)[:21]))

    for workers in (1, 2):
        run("score", few, *COLUMNS, "--model", model, "--out", tmp_path / str(workers), "-j", workers, "--quiet")

    one, two = ((tmp_path / str(workers) / "scores.csv").read_bytes() for workers in (1, 2))
    assert one == two


def test_without_a_model_the_bundled_one_scores(essays: Path, tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "good.txt").write_text("\n\n".join(RICH * 3))
    (folder / "empty.txt").write_text(" ")

    said = json.loads(run("score", folder, "--out", tmp_path / "out", "--json", "-j", 1))

    assert (said["essays"], said["scored"]) == (2, 1)
    by_id = {row["id"]: row for row in rows_of(tmp_path / "out" / "scores.csv")}
    assert by_id["empty"]["score"] == ""
    assert "empty" in by_id["empty"]["advisories"]


def test_refit_writes_a_new_model_beside_the_old_and_compares_both(
    essays: Path, features: Path, tmp_path: Path
) -> None:
    old, new = essays.with_name("first.json"), tmp_path / "second.json"
    before = old.read_bytes()

    said = run(
        "refit", old, essays, *COLUMNS, "--overrides", "second", "--features", features, "-o", new
    )  # fmt: skip

    assert "revision 2" in said
    assert old.read_bytes() == before
    assert json.loads(new.read_text())["training"]["revision"] == 2
    rows = rows_of(tmp_path / "second-comparison" / "scores.csv")
    assert list(rows[0]) == ["id", "human", "before", "after"]
    assert (tmp_path / "second-comparison" / "report.html").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--cutoffs", "best"), "no cutoffs called 'best'"),
        (("--fix", "style"), "names no share"),
        (("--fix", "wit=0.2"), "no feature is called 'wit'"),
        (("--length-weight", "much"), "not a number"),
        (("--scale", "1-3"), "no points of the scale"),
        (("--model", "magic"), "no model is called 'magic'. Choose one of: .*hybrid"),
        (("--model", "v1", "--curves"), "curves is for specific, generic12 and generic10"),
        (("--curves",), "80 scored essays are too few to estimate 47 weights"),
    ],
)
def test_bad_options_are_named_and_nothing_is_written(
    options: tuple[str, ...], said: str, essays: Path, features: Path, tmp_path: Path
) -> None:
    out = tmp_path / "model.json"

    with pytest.raises(InputError, match=said):
        run("train", essays, *COLUMNS, "--score", "first", "--features", features, "-o", out, *options)
    assert not out.exists()


def test_feedback_shows_the_score(tmp_path: Path) -> None:
    essay_file = tmp_path / "essay.txt"
    essay_file.write_text("\n\n".join(RICH * 3))

    shown = run("feedback", essay_file)
    told = json.loads(run("feedback", essay_file, "--json"))

    assert "Score " in shown
    assert told["score"]["average"] + sum(told["score"]["shares"].values()) == pytest.approx(
        told["score"]["raw"], abs=1e-3
    )


@pytest.fixture(scope="module")
def two_prompts(essays: Path, features: Path) -> Path:
    """A model that tells two prompts apart: every essay once as it is, once under another name."""
    table, model = essays.with_name("two.csv"), essays.with_name("two.json")
    rows = [row | {"prompt": ("dogs", "pets")[number // 4 % 2]} for number, row in enumerate(rows_of(essays))]
    with table.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    run("train", table, *COLUMNS, "--score", "first", "--features", features, "-o", model)
    return model


def test_feedback_scores_by_the_prompt_that_is_named(two_prompts: Path, tmp_path: Path) -> None:
    essay_file, question = tmp_path / "essay.txt", tmp_path / "pets.txt"
    essay_file.write_text(" ".join(RICH * 2))
    question.write_text("Should everybody keep a pet?")

    def score(prompt: object) -> dict[str, object]:
        told = json.loads(run("feedback", essay_file, "--model", two_prompts, "--prompt", prompt, "--json"))
        return dict(told["score"])

    assert score("dogs")["raw"] != score("pets")["raw"]
    assert score(question) == score("pets")


@pytest.mark.parametrize("options", [(), ("--prompt", "cats")])
def test_feedback_asks_for_the_prompt_where_a_model_tells_several_apart(
    options: tuple[str, ...], two_prompts: Path, tmp_path: Path
) -> None:
    essay_file = tmp_path / "essay.txt"
    essay_file.write_text(" ".join(RICH * 2))

    with pytest.raises(InputError, match=r"tells 2 prompts apart.*prompt: 'dogs', 'pets'"):
        run("feedback", essay_file, "--model", two_prompts, *options)


@pytest.mark.parametrize("kind", ["generic10", "v1", "hybrid"])
def test_scores_no_model_can_be_trained_on_are_refused_before_essays_are_read(
    kind: str, essays: Path, tmp_path: Path
) -> None:
    """No `--features` are given, so that reading would take its time."""
    same = tmp_path / "same.csv"
    same.write_text(re.sub(r"(?m)^(e\d+,dogs),\d", r"\1,3", essays.read_text()))

    with pytest.raises(InputError, match="every essay has the human score 3"):
        run("train", same, *COLUMNS, "--score", "first", "--model", kind, "-o", tmp_path / "model.json")
    assert not (tmp_path / "model.json").exists()
