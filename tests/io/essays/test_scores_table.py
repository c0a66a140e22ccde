"""Scores of essays as a frame, whatever the model calls its measures."""

from dataclasses import dataclass
from typing import cast

import polars as pl
import pytest

from assay.essays.models.scoring_model import EssayScore, ScoringModel
from assay.io.essays.features_table import scores_frame


@dataclass(frozen=True)
class Measures:
    """All that the table asks a model."""

    columns: tuple[str, ...]
    has_common_scale: bool = False


SCORE = EssayScore("E1", "cars", 3.2, 3.0, 2.0, 4.0, 50.0, {"words": 0.7}, {"words": 0.1}, 3.0, (), words={"car": 0.25})


@pytest.mark.parametrize(
    ("columns", "name"), [(("words", "characters"), "telling_words"), (("length",), "words")], ids=["hybrid", "e-rater"]
)
def test_telling_words_have_a_column_of_their_own(columns: tuple[str, ...], name: str) -> None:
    frame = scores_frame([SCORE], cast("ScoringModel", Measures(columns)), words=True)

    assert frame.columns[-1] == name
    assert frame[name].to_list() == ["car: 0.25"]
    assert all(frame.schema[column] == pl.Float64 for column in columns)
