"""Scores of essays as a table: a row per essay, with the features, their shares and the reasons for doubt."""

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self

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
        self._scores = (folder / "scores.csv").open("w", encoding="utf-8", newline="")
        self._words = self._words_file.open("w", encoding="utf-8", newline="")
        self._scores.writelines(csv_lines(score_columns(model), ()))

    def __enter__(self) -> Self:
        return self

    def write(self, scores: Sequence[EssayScore]) -> None:
        """Some more rows."""
        words = [
            (score.essay_id, word, round(share, DECIMALS)) for score in scores for word, share in score.words.items()
        ]
        if words and not self._words.tell():
            self._words.writelines(csv_lines(["id", "word", "share"], ()))
        for file, rows in ((self._scores, [_row(score, self.model) for score in scores]), (self._words, words)):
            file.writelines(islice(csv_lines((), rows), 1, None))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._scores.close()
        self._words.close()
        if not self._words_file.stat().st_size:
            self._words_file.unlink()


def scores_frame(scores: Iterable[EssayScore], model: ScoringModel, *, words: bool = False) -> pl.DataFrame:
    """The same as a frame, of columns that do not depend on the essays; with `words`, those that tell come last."""
    schema = {name: pl.String if name in TEXTS else pl.Float64 for name in score_columns(model)}
    if words:  # a hybrid has a measure of that name already
        schema["telling_words" if "words" in schema else "words"] = pl.String
    rows = []
    for score in scores:
        telling = " | ".join(f"{word}: {round(share, DECIMALS)}" for word, share in score.words.items()) or None
        rows.append([*_row(score, model), *([telling] if words else [])])
    return pl.DataFrame(rows, schema=schema, orient="row").fill_nan(None)


def score_columns(model: ScoringModel) -> list[str]:
    """The names of the columns."""
    common = ["common"] if model.has_common_scale else []
    head = ["id", "prompt", "raw", "score", "low", "high", "percentile", *common]
    shares = (f"share_{name}" for name in model.columns)
    return [*head, *model.columns, "average", *shares, "advisories", "evidence"]


def _row(score: EssayScore, model: ScoringModel) -> list[object]:
    numbers = [score.raw, score.score, score.low, score.high, score.percentile]
    numbers += [score.common] if model.has_common_scale else []
    shares = [score.shares.get(name, float("nan")) for name in model.columns]
    return [
        score.essay_id,
        score.prompt,
        *(round(number, DECIMALS) for number in numbers),
        *(score.features.get(name, float("nan")) for name in model.columns),
        *(round(share, DECIMALS) for share in (score.average, *shares)),
        " ".join(doubt.name for doubt in score.advisories) or None,
        " | ".join(doubt.evidence for doubt in score.advisories) or None,
    ]
