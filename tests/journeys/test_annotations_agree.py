"""`assay annotations agree`: files of annotators in, their agreement and a consensus out."""

import json
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.io.annotations.files import read_annotations
from assay.io.example_data import ExampleAnnotations, example_annotations
from tests.journeys.annotation_runs import run


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> ExampleAnnotations:
    return example_annotations()


def test_annotators_are_compared_two_by_two_and_all_together(example: ExampleAnnotations, tmp_path: Path) -> None:
    result = run("agree", *example.submissions[:3], "--images", example.images, "--out", tmp_path / "out")

    assert result.exit_code == 0, result.output
    assert "alpha 0.7" in result.output
    content = json.loads((tmp_path / "out" / "agreement.json").read_text(encoding="utf-8"))
    assert content["schema"] == "assay.agreement/1"
    assert [one["name"] for one in content["annotators"]] == ["ada", "ben", "chloe"]
    found = content["found"]
    assert found[0][1] == found[1][0]
    assert found[0][0] == 100
    assert 0.7 < content["alpha"]["low"] < content["alpha"]["value"] < content["alpha"]["high"] < 0.9
    disputed = [one for one in content["objects"] if len(set(one["answers"])) > 1]
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert f"On {len(content['objects']) - len(disputed)} of {len(content['objects'])} objects all" in page
    assert "data:image/png" in page


@pytest.mark.parametrize(("name", "form"), [("consensus.json", "COCO"), ("consensus.xml", "CVAT for images 1.1")])
def test_the_consensus_can_be_read_again_as_a_ground_truth(
    name: str, form: str, example: ExampleAnnotations, tmp_path: Path
) -> None:
    run("agree", *example.submissions[:3], "--consensus", tmp_path / name, "--out", tmp_path / "out")

    consensus = read_annotations(tmp_path / name)
    assert consensus.format == form
    assert 110 < len(consensus) < 130
    graded = run("score", "--truth", tmp_path / name, example.submissions[0], "--out", tmp_path / "grades")
    assert graded.exit_code == 0


def test_a_broken_file_is_named_and_the_others_are_compared(example: ExampleAnnotations, tmp_path: Path) -> None:
    ada, ben, *_, grace = example.submissions

    result = run("agree", ada, grace, ben, "--out", tmp_path / "out")

    assert result.exit_code == 0
    assert "grace could not be read" in result.output
    content = json.loads((tmp_path / "out" / "agreement.json").read_text(encoding="utf-8"))
    assert [bool(one["error"]) for one in content["annotators"]] == [False, False, True]


def test_one_file_is_not_enough(example: ExampleAnnotations, tmp_path: Path) -> None:
    result = run("agree", example.submissions[0], example.submissions[-1], "--out", tmp_path / "out")

    assert isinstance(result.exception, InputError)
    assert "at least two annotators; 1 could be read" in str(result.exception)
    assert "grace.json, row 1: it breaks off" in str(result.exception)
    assert not (tmp_path / "out").exists()


def test_a_consensus_of_an_unknown_format_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    result = run("agree", tmp_path / "a.json", tmp_path / "b.json", "--consensus", tmp_path / "c.txt")

    assert ".json for COCO or in .xml for CVAT" in str(result.exception)
