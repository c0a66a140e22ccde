"""The verb `study`: a corpus in memory or on disk, all files or none."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from assay.errors import InputError
from assay.essays.features.features import FEATURES
from assay.workflows.essays.study import StudyResult, study
from tests.paths import EXAMPLES

COLUMNS: dict[str, Any] = {
    "text": "text",
    "id": "id",
    "prompt": "prompt",
    "score": "rating_1",
    "second_score": "rating_2",
}


@pytest.fixture(scope="module")
def corpus() -> pl.DataFrame:
    essays = pl.read_csv(EXAMPLES / "essays.csv")
    return essays.filter(pl.col("prompt") == "cars")


@pytest.fixture(scope="module")
def features(corpus: pl.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Invented features, so that no essay need be read."""
    path = tmp_path_factory.mktemp("study") / "features.csv"
    length = corpus["text"].str.len_chars().cast(pl.Float64)
    names = {name: length * (place + 1) % (7 + place) for place, name in enumerate(FEATURES)}
    pl.DataFrame({"id": corpus["id"], **names, "length": length}).write_csv(path)
    return path


@pytest.fixture(scope="module")
def result(corpus: pl.DataFrame, features: Path) -> StudyResult:
    return study(corpus, **COLUMNS, features=features)


def test_a_frame_and_a_file_give_the_same_study(
    corpus: pl.DataFrame, features: Path, result: StudyResult, tmp_path: Path
) -> None:
    corpus.write_csv(tmp_path / "essays.csv")
    other = study(str(tmp_path / "essays.csv"), **COLUMNS, features=str(features), out=tmp_path / "out")

    assert other.to_polars().equals(result.to_polars())
    assert json.loads((tmp_path / "out" / "study.json").read_text(encoding="utf-8")) == other.to_dict()
    assert (tmp_path / "out" / "report.html").is_file()
    assert any((tmp_path / "out" / "tables").iterdir())


def test_the_short_look_names_systems(result: StudyResult) -> None:
    assert repr(result).splitlines()[0] == f"StudyResult: {result.study.essays} essays, 1 prompt"
    assert len(repr(result).splitlines()) < 10


def test_what_was_written_before_is_replaced_and_other_files_are_not(result: StudyResult, tmp_path: Path) -> None:
    result.write(tmp_path / "study")
    result.write(tmp_path / "study")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine", encoding="utf-8")

    with pytest.raises(InputError):
        result.write(tmp_path / "mine")


def test_an_unknown_recipe_is_refused(corpus: pl.DataFrame, features: Path) -> None:
    with pytest.raises(InputError, match="paper, assay"):
        study(corpus, **COLUMNS, features=features, recipe="secret")
