"""Scores of essays as a table: a row per essay, with the features, their shares and the reasons for doubt."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import IO

import polars as pl

from assay.essays.models.erater.score import EssayScore
from assay.io.tables.output import csv_lines, write_csv

DECIMALS = 4
ROWS_AT_ONCE = 10_000


def write_scores(
    folder: Path, told: Iterable[tuple[EssayScore, Mapping[str, float]]], features: Sequence[str], *, common: bool
) -> None:
    """scores.csv, a row per essay as they come, and words.csv where single words tell.

    Cells without a value are empty, and `advisories` says why where a score is. Columns do not depend on the essays.
    """
    words = folder / "words.csv"
    with words.open("w", encoding="utf-8", newline="") as stream:
        rows = (_row(score, features, common=common) for score in _with_words(told, stream))
        write_csv(folder / "scores.csv", score_columns(features, common=common), rows)
    if not words.stat().st_size:
        words.unlink()


def _with_words(told: Iterable[tuple[EssayScore, Mapping[str, float]]], stream: IO[str]) -> Iterator[EssayScore]:
    """The scores, while their words are written."""
    for score, words in told:
        if words:
            lines = csv_lines(["id", "word", "share"], ([score.essay_id, w, _short(s)] for w, s in words.items()))
            stream.writelines(lines if not stream.tell() else islice(lines, 1, None))
        yield score


def write_scores_part(
    path: Path, told: Iterable[tuple[EssayScore, Mapping[str, float]]], features: Sequence[str], *, common: bool
) -> None:
    """The same as a Parquet file, of columns that do not depend on the essays; the words that tell in the last one."""
    texts = ("id", "prompt", "advisories", "evidence", "words")
    names = [*score_columns(features, common=common), "words"]
    schema = {name: pl.String if name in texts else pl.Float64 for name in names}
    rows = ([*_row(score, features, common=common), _words(words) or None] for score, words in told)
    frames = [pl.DataFrame(schema=schema)]
    while some := list(islice(rows, ROWS_AT_ONCE)):
        frames.append(pl.DataFrame(some, schema=schema, orient="row").fill_nan(None))
    pl.concat(frames).write_parquet(path)


def _words(words: Mapping[str, float]) -> str:
    return " | ".join(f"{word}: {round(share, DECIMALS)}" for word, share in words.items())


def score_columns(features: Sequence[str], *, common: bool = False) -> list[str]:
    """The names of the columns."""
    head = ["id", "prompt", "raw", "score", "low", "high", "percentile", *(["common"] if common else [])]
    return [*head, *features, "average", *(f"share_{name}" for name in features), "advisories", "evidence"]


def _row(score: EssayScore, features: Sequence[str], *, common: bool) -> list[object]:
    numbers = [score.raw, score.score, score.low, score.high, score.percentile]
    values = [score.features.get(name, float("nan")) for name in features]
    shares = [score.shares.get(name, float("nan")) for name in features]
    return [
        score.essay_id,
        score.prompt,
        *map(_short, [*numbers, *([score.common] if common else [])]),
        *values,
        *map(_short, [score.average, *shares]),
        " ".join(doubt.name for doubt in score.advisories) or None,
        " | ".join(doubt.evidence for doubt in score.advisories) or None,
    ]


def _short(value: float) -> float:
    return round(value, DECIMALS)
