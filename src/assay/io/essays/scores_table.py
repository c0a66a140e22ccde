"""Scores of essays as a table: a row per essay, with the features, their shares and the reasons for doubt."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import polars as pl

from assay.essays.models.scoring_model import EssayScore, ScoringModel
from assay.io.tables.output import csv_lines

DECIMALS = 4
TEXTS = ("id", "prompt", "advisories", "evidence")


class ScoresWriter:
    """scores.csv, a row per essay as they come, and words.csv where single words tell.

    Cells without a value are empty, and `advisories` says why where a score is. Columns do not depend on the essays.
    """

    def __init__(self, folder: Path, model: ScoringModel) -> None:
        self.model = model
        self._words_file = folder / "words.csv"
        self._scores = _opened(folder / "scores.csv")
        self._words = _opened(self._words_file)
        self._scores.writelines(csv_lines(score_columns(model), ()))

    def __enter__(self) -> Self:
        return self

    def write(self, scores: Sequence[EssayScore]) -> None:
        """Some more rows."""
        self._scores.writelines(_lines(_row(score, self.model) for score in scores))
        words = [(score.essay_id, word, _short(share)) for score in scores for word, share in score.words.items()]
        if words and not self._words.tell():
            self._words.writelines(csv_lines(["id", "word", "share"], ()))
        self._words.writelines(_lines(words))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._scores.close()
        self._words.close()
        if not self._words_file.stat().st_size:
            self._words_file.unlink()


def _opened(path: Path) -> IO[str]:
    return path.open("w", encoding="utf-8", newline="")


def _lines(rows: Iterable[Sequence[object]]) -> Iterator[str]:
    return islice(csv_lines((), rows), 1, None)


def scores_frame(scores: Iterable[EssayScore], model: ScoringModel, *, words: bool = False) -> pl.DataFrame:
    """The same as a frame, of columns that do not depend on the essays; with `words`, those that tell come last."""
    schema = {name: pl.String if name in TEXTS else pl.Float64 for name in score_columns(model)}
    if words:  # a hybrid has a measure of that name already
        schema["telling_words" if "words" in schema else "words"] = pl.String
    rows = [[*_row(score, model), *([_words(score)] if words else [])] for score in scores]
    return pl.DataFrame(rows, schema=schema, orient="row").fill_nan(None)


def _words(score: EssayScore) -> str | None:
    return " | ".join(f"{word}: {round(share, DECIMALS)}" for word, share in score.words.items()) or None


def score_columns(model: ScoringModel) -> list[str]:
    """The names of the columns."""
    head = [
        "id",
        "prompt",
        "raw",
        "score",
        "low",
        "high",
        "percentile",
        *(["common"] if model.has_common_scale else []),
    ]
    shares = (f"share_{name}" for name in model.columns)
    return [*head, *model.columns, "average", *shares, "advisories", "evidence"]


def _row(score: EssayScore, model: ScoringModel) -> list[object]:
    numbers = [score.raw, score.score, score.low, score.high, score.percentile]
    values = [score.features.get(name, float("nan")) for name in model.columns]
    shares = [score.shares.get(name, float("nan")) for name in model.columns]
    return [
        score.essay_id,
        score.prompt,
        *map(_short, [*numbers, *([score.common] if model.has_common_scale else [])]),
        *values,
        *map(_short, [score.average, *shares]),
        " ".join(doubt.name for doubt in score.advisories) or None,
        " | ".join(doubt.evidence for doubt in score.advisories) or None,
    ]


def _short(value: float) -> float:
    return round(value, DECIMALS)
