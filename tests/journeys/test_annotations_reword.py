"""`assay annotations score --reword`: feedback also in a language model's words, the computed sentence beside it."""

from pathlib import Path
from typing import Any

import pytest

from assay.io.example_data import ExampleAnnotations, example_annotations
from assay.workflows.annotations.instructions import lost_facts
from tests.io.canned_server import Canned, canned_server, completion
from tests.io.local_model import HOW, installed, running_model
from tests.journeys.annotation_runs import results, run


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> ExampleAnnotations:
    return example_annotations()


def score(example: ExampleAnnotations, out: Path, *options: object) -> Any:
    """One student whose shapes are too loose, and who misses what is small."""
    ben = next(path for path in example.submissions if path.stem == "ben")
    return run("score", "--truth", example.truth, ben, "--out", out, "--quiet", *options)


def advice(out: Path) -> list[dict[str, Any]]:
    return [said for student in results(out)["students"] for said in student.get("feedback", {}).get("advice", [])]


@pytest.fixture(scope="module")
def computed(example: ExampleAnnotations, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The advice without any model."""
    out = tmp_path_factory.mktemp("plain") / "grades"
    assert score(example, out).exit_code == 0
    return advice(out)


def test_without_the_option_nothing_is_reworded(computed: list[dict[str, Any]]) -> None:
    assert computed
    assert {said["reworded"] for said in computed} == {""}


def test_a_canned_rewording_stands_beside_the_computed_sentence(
    example: ExampleAnnotations, computed: list[dict[str, Any]], tmp_path: Path
) -> None:
    sentences = [said["sentence"] for said in computed]
    with canned_server([completion(f"Dear student: {sentence}") for sentence in sentences]) as heard:
        result = score(example, tmp_path / "out", "--reword", "--llm", heard.url)

    assert result.exit_code == 0, result.output
    assert [body["messages"][-1]["content"] for body in heard.bodies] == sentences
    found = advice(tmp_path / "out")
    assert [said["sentence"] for said in found] == [said["sentence"] for said in computed]
    assert all(said["reworded"] == f"Dear student: {said['sentence']}" for said in found)
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert page.count("In a language model") == len(found)


def test_a_canned_rewording_that_changes_a_number_is_not_shown(example: ExampleAnnotations, tmp_path: Path) -> None:
    with canned_server([completion("You missed 99999 things.")] * 40) as heard:
        assert score(example, tmp_path / "out", "--reword", "--llm", heard.url).exit_code == 0
    assert {said["reworded"] for said in advice(tmp_path / "out")} == {""}


def test_a_canned_failure_of_the_model_leaves_the_grades_as_they_are(
    example: ExampleAnnotations, computed: list[dict[str, Any]], tmp_path: Path
) -> None:
    with canned_server([Canned(b"no", 500)]) as heard:
        assert score(example, tmp_path / "out", "--reword", "--llm", heard.url).exit_code == 0
    assert advice(tmp_path / "out") == computed


def test_without_an_address_it_says_what_is_needed(
    example: ExampleAnnotations, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ASSAY_LLM_URL", raising=False)
    result = score(example, tmp_path / "out", "--reword")

    assert "reword needs a language model" in str(result.exception)
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(not installed(), reason=HOW)
def test_a_real_model_is_asked_and_no_fact_changes(example: ExampleAnnotations, tmp_path: Path) -> None:
    with running_model() as url:
        result = score(example, tmp_path / "out", "--reword", "--llm", url)

    assert result.exit_code == 0, result.output
    for said in advice(tmp_path / "out"):
        assert said["sentence"]
        assert not said["reworded"] or lost_facts(said["sentence"], said["reworded"]) == ""
