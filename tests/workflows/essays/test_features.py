"""The verb `features`: the same table in memory, in a file and in parts, and counts that add up."""

from pathlib import Path

import polars as pl
import pytest

from assay.errors import Cancelled, InputError
from assay.essays.features.features import FEATURES
from assay.execution.observer import Observer
from assay.workflows.essays.features import FeatureResult, features

pytest.importorskip("spacy", reason="reading essays needs the extra 'essays'")

TEXTS = [
    "Dogs are loyal, because they wait for us every day.",
    "The bus is late all the time and people get angry.",
    "",
]
FRAME = pl.DataFrame({"name": ["a", "b", "c"], "essay": TEXTS, "task": ["dogs", "buses", "dogs"]})


@pytest.fixture(scope="module")
def result() -> FeatureResult:
    return features(FRAME, text="essay", id="name", prompt="task")


def test_essays_in_memory_and_in_a_file_have_the_same_features(result: FeatureResult, tmp_path: Path) -> None:
    FRAME.write_csv(tmp_path / "essays.csv")
    out = tmp_path / "features.parquet"

    written = features(tmp_path / "essays.csv", text="essay", id="name", prompt="task", out=out)

    assert written.to_polars().equals(result.to_polars())
    assert written.rows == []
    assert (written.essays, written.advisories) == (result.essays, result.advisories)


def test_counts_and_the_short_look_say_what_stands_against_essays(result: FeatureResult) -> None:
    assert result.essays == 3
    assert dict(result.advisories) == {"too_short": 2, "empty": 1}
    assert repr(result).splitlines()[0] == "FeatureResult: 3 essays measured"
    assert result.to_dict()["rows"][0]["id"] == "a"


def test_texts_alone_are_measured_and_named_by_row() -> None:
    table = features(TEXTS[:1]).to_polars()

    assert table["length"].to_list() == [10]
    assert table["undefined"].item().startswith("max_cos: ")


def test_the_report_shows_every_feature_and_how_many_are_undefined(result: FeatureResult, tmp_path: Path) -> None:
    page = result.report(tmp_path / "features.html").read_text(encoding="utf-8")

    assert all(feature.title in page for feature in FEATURES.values())


def test_a_table_in_memory_is_written_by_its_ending(result: FeatureResult, tmp_path: Path) -> None:
    assert pl.read_csv(result.write(tmp_path / "f.csv"))["id"].to_list() == ["a", "b", "c"]
    with pytest.raises(InputError) as problem:
        result.write(tmp_path / "f.xlsx")
    assert problem.value.field == "out"


def test_work_that_is_stopped_leaves_no_file(tmp_path: Path) -> None:
    class Stopping(Observer):
        def check(self) -> None:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        features(TEXTS, out=tmp_path / "features.csv", observer=Stopping())
    assert list(tmp_path.iterdir()) == []


def test_a_table_without_its_column_named_says_which(tmp_path: Path) -> None:
    with pytest.raises(InputError) as problem:
        features(FRAME)
    assert problem.value.field == "text"
