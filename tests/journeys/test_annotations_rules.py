"""`assay annotations rules`: a ground truth in, editable rules out."""

from pathlib import Path

import pytest

from assay.errors import InputError
from assay.io.annotations.rubric_toml import read_rubric
from assay.io.example_data import example_annotations
from tests.journeys.annotation_runs import run


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return example_annotations().truth


def test_the_rules_are_said_in_words_and_written_as_toml(truth: Path, tmp_path: Path) -> None:
    out = tmp_path / "rules.toml"

    result = run("rules", truth, "-o", out)

    assert result.exit_code == 0, result.output
    assert "score = 50 % overlap + 25 % label + 25 % attributes" in result.output
    assert "car: colour (equal or not); hidden (true or false, equal or not)" in result.output
    assert f"--rules {out}" in result.output.splitlines()[-1]
    rubric = read_rubric(out.read_text(encoding="utf-8"))
    assert rubric.profile == "annotator-ai-1.0"
    assert {rule.name for rule in rubric.labels} >= {"car", "van", "stop_sign"}


def test_a_profile_without_its_version_means_the_newest(truth: Path, tmp_path: Path) -> None:
    run("rules", truth, "-o", tmp_path / "strict.toml", "--profile", "strict")

    rubric = read_rubric((tmp_path / "strict.toml").read_text(encoding="utf-8"))
    assert (rubric.profile, rubric.known_wrong_label) == ("strict-1.0", "zero")


def test_a_dash_prints_the_toml_and_writes_nothing(
    truth: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    result = run("rules", truth, "-o", "-")

    assert read_rubric(result.output).labels
    assert list(tmp_path.iterdir()) == []


def test_rules_that_somebody_edited_are_not_lost(truth: Path, tmp_path: Path) -> None:
    out = tmp_path / "rules.toml"
    out.write_text("beta = 1\n", encoding="utf-8")

    refused = run("rules", truth, "-o", out)
    assert isinstance(refused.exception, InputError)
    assert "force" in str(refused.exception)
    assert out.read_text(encoding="utf-8") == "beta = 1\n"

    assert run("rules", truth, "-o", out, "--force").exit_code == 0
    assert run("rules", truth, "-o", out).exit_code == 0, "writing the same rules again is no loss"
    assert "beta = 0.5" in out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "words"),
    [("{}", "no annotation file"), ("", "empty"), ('{"images": [', "not complete"), ("<html></html>", "web page")],
)
def test_a_ground_truth_that_cannot_be_read_is_named_with_its_mistake(content: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "truth.json"
    file.write_text(content, encoding="utf-8")

    result = run("rules", file, "-o", tmp_path / "rules.toml")

    assert isinstance(result.exception, InputError)
    assert "truth.json" in str(result.exception)
    assert words in str(result.exception)
    assert not (tmp_path / "rules.toml").exists()


def test_a_profile_that_does_not_exist_names_those_that_do(truth: Path, tmp_path: Path) -> None:
    result = run("rules", truth, "-o", tmp_path / "rules.toml", "--profile", "lenient")

    assert "annotator-ai-1.0, strict-1.0" in str(result.exception)
