"""`assay essays train --model hybrid`, `score` and `calibrate`: essays in, models, scores and their reasons out."""

import csv
import json
import random
from collections.abc import Iterable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import InputError

pytest.importorskip("lightgbm")

WORDS = {
    "dogs": ["dogs", "walk", "bark", "leash", "puppies"],
    "trains": ["trains", "station", "ticket", "platform", "rails"],
    "gardens": ["gardens", "soil", "seeds", "flowers", "water"],
}
PLAIN = ["{0} is good and they likes it.", "i think {0} is fun becaus of {1}.", "my {1} is nice and {2} to."]
RICH = [
    "Some people object that {0} are expensive; however, the benefits of {1} outweigh the cost.",
    "For example, my neighbour learned patience because {2} and {1} need care every day.",
    "Moreover, {0} teach children responsibility, which no lesson about {3} could do.",
]
COLUMNS = ("--text", "text", "--id", "id", "--prompt", "prompt")


def essay(level: int, prompt: str, chance: random.Random) -> str:
    """A text that grows and improves with its level."""
    sentences = [chance.choice(RICH if chance.random() * 5 < level else PLAIN) for _ in range(1 + level)]
    return " ".join(sentence.format(*chance.sample(WORDS[prompt], 5)) for sentence in sentences)


def written(path: Path, prompts: Iterable[str], each: int, *, scored: int) -> Path:
    chance = random.Random(7)
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "prompt", "score", "text"])
        for prompt in prompts:
            for number in range(each):
                level = 1 + number % 4
                score = level if number < scored else ""
                writer.writerow([f"{prompt}{number}", prompt, score, essay(level, prompt, chance)])
    return path


def run(*words: object) -> str:
    result = CliRunner().invoke(app, ["essays", *map(str, words)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hybrid")


@pytest.fixture(scope="module")
def essays(folder: Path) -> Path:
    return written(folder / "known.csv", ("dogs", "trains"), 36, scored=36)


@pytest.fixture(scope="module")
def model(essays: Path, folder: Path) -> Path:
    out = folder / "model.json"
    said = run("train", essays, *COLUMNS, "--score", "score", "--model", "hybrid", "-o", out, "-j", 1, "--json")
    assert json.loads(said)["agreement"]["qwk"] > 0.6
    return out


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_scores_come_with_shares_that_add_up_and_telling_words(model: Path, folder: Path) -> None:
    new = written(folder / "new.csv", ("dogs", "gardens"), 4, scored=0)
    run("score", new, *COLUMNS, "--model", model, "--out", folder / "scores", "-j", 1, "-q")
    scored = rows(folder / "scores" / "scores.csv")
    for row in scored[:4]:
        shares = sum(float(value) for name, value in row.items() if name.startswith("share_") and value)
        assert float(row["average"]) + shares == pytest.approx(float(row["raw"]), abs=0.02)  # each is to four decimals
    assert all("unknown_prompt" in row["advisories"] and not row["score"] for row in scored[4:])
    assert {row["id"] for row in rows(folder / "scores" / "words.csv")} == {f"dogs{number}" for number in range(4)}
    assert "By family of features" in (folder / "scores" / "report.html").read_text(encoding="utf-8")


def test_a_new_prompt_is_scored_after_calibration(model: Path, folder: Path) -> None:
    new = written(folder / "gardens.csv", ("gardens",), 24, scored=12)
    out = folder / "gardens.json"
    said = json.loads(run("calibrate", model, new, *COLUMNS, "--score", "score", "-o", out, "-j", 1, "--json"))
    assert (said["essays"], said["scored"]) == (24, 12)
    run("score", new, *COLUMNS, "--model", out, "--out", folder / "gardens", "-j", 1, "-q")
    given = [float(row["score"]) for row in rows(folder / "gardens" / "scores.csv")]
    levels = [1 + number % 4 for number in range(24)]
    assert sum(abs(a - b) for a, b in zip(given, levels, strict=True)) / 24 < 1


def test_a_model_of_ten_features_is_calibrated_too(essays: Path, folder: Path) -> None:
    generic, out = folder / "generic.json", folder / "generic-gardens.json"
    new = written(folder / "gardens.csv", ("gardens",), 24, scored=12)
    run("train", essays, *COLUMNS, "--score", "score", "--model", "generic10", "-o", generic, "-j", 1, "-q")
    run("calibrate", generic, new, *COLUMNS, "--score", "score", "--scale", "1-4", "-o", out, "-j", 1, "-q")
    run("score", new, *COLUMNS, "--model", out, "--out", folder / "generic", "-j", 1, "-q")
    given = [float(row["raw"]) for row in rows(folder / "generic" / "scores.csv")]
    assert sum(given[3::4]) > sum(given[0::4])


def test_a_model_that_cannot_be_calibrated_says_what_can(model: Path, folder: Path) -> None:
    new = written(folder / "gardens.csv", ("gardens",), 24, scored=12)
    with pytest.raises(InputError, match="is the model itself"):
        run("calibrate", model, new, *COLUMNS, "-o", model)
    one = folder / "calibrated.json"
    run("calibrate", model, new, *COLUMNS, "-o", one, "-j", 1, "-q")
    with pytest.raises(InputError, match="calibrated to a prompt already"):
        run("calibrate", one, new, *COLUMNS, "-o", folder / "again.json")
