"""A model moved towards new scores, and both compared on essays it was not refitted on."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

pytest.importorskip("spacy", reason="reading essays needs the extra 'essays'")

import assay
from assay.errors import InputError
from assay.essays.features.features import FEATURES
from assay.workflows.essays.refit import RefittedModel, refit
from assay.workflows.essays.train import train
from tests.parity.essay_doors import corpus


@pytest.fixture(scope="module")
def features(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Invented features, so that no essay need be read."""
    path, frame = tmp_path_factory.mktemp("refit") / "features.csv", corpus()
    length = frame["text"].str.len_chars().cast(pl.Float64)
    values = {name: length * (place + 1) % (7 + place) for place, name in enumerate(FEATURES)}
    pl.DataFrame({"id": frame["id"], **values, "length": length}).write_csv(path)
    return path


@pytest.fixture(scope="module")
def result(features: Path) -> RefittedModel:
    columns: dict[str, Any] = {"text": "text", "id": "id", "prompt": "prompt"}
    old = train(corpus(), **columns, score="rating_1", kind="generic10", features=features).model
    return refit(old, corpus(), **columns, overrides="score", features=features)


def test_the_new_revision_is_compared_with_the_old_on_the_same_essays(result: RefittedModel) -> None:
    assert result.model.training.revision == 2
    assert result.comparison.engines == ("after", "before")
    assert result.comparison.paired
    assert len(result.before) == len(result.after) == len(result.human) == corpus().height
    assert 0 <= result.changed <= corpus().height


def test_each_essay_is_a_row_with_both_scores(result: RefittedModel) -> None:
    frame = result.to_polars()

    assert frame.height == corpus().height
    assert frame.columns[0] == "id"
    assert frame["human"].to_list() == result.human.tolist()


def test_the_comparison_is_written_and_the_model_saved(result: RefittedModel, tmp_path: Path) -> None:
    folder = result.write(tmp_path / "comparison")
    saved = result.save(tmp_path / "model.json")

    assert (folder / "comparison.json").is_file()
    assert result.compared().comparison is result.comparison
    assert result.document().title == "Comparison of 2 engines"
    assert assay.score_essays(["Dogs wait for us."], saved) is not None


def test_too_few_new_scores_are_refused(result: RefittedModel) -> None:
    with pytest.raises(InputError, match="too few to refit"):
        refit(result.model, corpus().head(3), text="text", id="id", prompt="prompt", overrides="score")
