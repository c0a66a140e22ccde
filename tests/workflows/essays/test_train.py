"""Models trained, calibrated and refitted through Python."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from assay.errors import InputError
from assay.io.models.scoring_models import read_scoring_model
from assay.workflows.essays.refit import refit
from assay.workflows.essays.score_essays import score_essays
from assay.workflows.essays.train import TrainedModel, calibrate, train
from tests.paths import EXAMPLES

TABLE = pl.read_csv(EXAMPLES / "essays.csv").filter(pl.col("text").str.len_chars() < 900).head(60)
COLUMNS: dict[str, Any] = {"text": "text", "id": "id"}


@pytest.fixture(scope="module")
def features(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("features") / "features.csv"


@pytest.fixture(scope="module")
def trained(features: Path) -> TrainedModel:
    return train(TABLE, **COLUMNS, score="score", kind="generic10", scale="1-6", features=features)


def test_a_trained_model_states_what_it_reads_with_and_scores_from_memory_as_from_its_file(
    trained: TrainedModel, tmp_path: Path
) -> None:
    trained.save(tmp_path / "model.json")
    back = read_scoring_model(tmp_path / "model.json")

    assert set(back.reads_with) == {"reader", "lexicons", "frequencies", "discourse"}
    texts = TABLE["text"].to_list()[:2]
    assert repr(score_essays(texts, trained)[0]) == repr(score_essays(texts, tmp_path / "model.json")[0])


def test_a_trained_model_shows_weights_agreement_and_a_report(trained: TrainedModel, tmp_path: Path) -> None:
    weights = trained.to_polars()
    assert weights["percent"].sum() == pytest.approx(100)
    assert trained.to_dict()["essays"] == 60
    assert len(repr(trained).splitlines()) < 10
    assert "Agreement of the model" in trained.report(tmp_path / "model.html").read_text()


def test_refitting_moves_the_model_and_compares_both(trained: TrainedModel, features: Path) -> None:
    result = refit(trained.model, TABLE, **COLUMNS, overrides="rating_2", features=features)
    assert result.model.training.revision == 2
    assert result.comparison.engines == ("after", "before")
    assert result.to_polars().columns == ["id", "human", "before", "after"]


def test_calibrating_keeps_the_features_and_notes_how_many_scores_it_had(trained: TrainedModel) -> None:
    new = TABLE.head(12).with_columns(pl.when(pl.col("id") != TABLE["id"][0]).then(pl.col("score")).alias("score"))
    result = calibrate(trained.model, new, **COLUMNS, score="score", scale="1-6")
    assert (result.essays, result.scored) == (12, 11)
    assert "11 scored essays among 12" in result.notes[0]


@pytest.mark.parametrize(
    ("options", "field"),
    [({"kind": "huge"}, "kind"), ({"kind": "v1", "curves": True}, "curves"), ({"cutoffs": "best"}, "cutoffs")],
)
def test_a_mistake_names_the_argument_and_the_remedy(options: dict[str, object], field: str) -> None:
    with pytest.raises(InputError) as refused:
        train(TABLE, **COLUMNS, score="score", **options)  # type: ignore[arg-type]
    assert refused.value.field == field
    assert refused.value.remedy
