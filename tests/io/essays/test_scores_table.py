"""Scores of essays as a frame, whatever the model calls its measures."""

from dataclasses import dataclass, replace
from math import nan
from pathlib import Path
from typing import cast

import polars as pl
import pytest

from assay.essays.feedback.advisories import Advisory
from assay.essays.models.scoring_model import EssayScore, ScoringModel
from assay.io.essays.features_table import ScoresWriter, score_columns, scores_frame


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


DOUBTED = replace(
    SCORE,
    essay_id="E2",
    raw=1 / 3,
    percentile=nan,
    shares={},
    words={},
    advisories=(Advisory("too_short", "8 words"), Advisory("off_topic", "no car")),
)


def model(*columns: str, common: bool = False) -> ScoringModel:
    return cast("ScoringModel", Measures(columns, common))


def test_a_frame_has_a_row_an_essay_of_texts_and_numbers() -> None:
    frame = scores_frame([SCORE, DOUBTED], model("words"))
    assert (
        frame.columns
        == score_columns(model("words"))
        == [
            *("id", "prompt", "raw", "score", "low", "high", "percentile", "words", "average", "share_words"),
            *("advisories", "evidence", "consequence", "withheld_raw", "left_out"),
        ]
    )
    assert frame.row(0) == ("E1", "cars", 3.2, 3.0, 2.0, 4.0, 50.0, 0.7, 3.0, 0.1, None, None, None, None, None)
    assert frame.row(1) == (
        *("E2", "cars", 0.3333, 3.0, 2.0, 4.0, None, 0.7, 3.0, None, "too_short off_topic", "8 words | no car"),
        *(None, None, None),
    )
    texts = [name for name, kind in frame.schema.items() if kind == pl.String]
    assert texts == ["id", "prompt", "advisories", "evidence", "consequence", "left_out"]
    assert scores_frame([], model("words")).schema == frame.schema
    assert score_columns(model("words", common=True))[6:8] == ["percentile", "common"]


def test_scores_and_telling_words_are_written_as_they_come(tmp_path: Path) -> None:
    telling = replace(SCORE, words={"car": 1 / 3, "bus": 0.5})
    with ScoresWriter(tmp_path, model("words")) as writer:
        writer.write([DOUBTED])
        writer.write([telling, SCORE])
        writer.write([SCORE])
    lines = (tmp_path / "scores.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("id,prompt,raw,score,")
    assert [line.split(",")[0] for line in lines[1:]] == ["E2", "E1", "E1", "E1"]
    assert lines[2].startswith("E1,cars,3.2,3.0,2.0,4.0,50.0,0.7,3.0,0.1")
    words = (tmp_path / "words.csv").read_text(encoding="utf-8").splitlines()
    assert words == ["id,word,share", "E1,car,0.3333", "E1,bus,0.5", "E1,car,0.25", "E1,car,0.25"]


def test_without_telling_words_there_is_no_file_of_them(tmp_path: Path) -> None:
    with ScoresWriter(tmp_path, model("length")) as writer:
        writer.write([DOUBTED])
    assert [path.name for path in tmp_path.iterdir()] == ["scores.csv"]
