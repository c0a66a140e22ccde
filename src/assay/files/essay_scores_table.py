"""Scores of essays as a table: a row per essay, with the features, their shares and the reasons for doubt."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path

import polars as pl

from assay.essays.scoring.score import EssayScore
from assay.files.output import write_csv

DECIMALS = 4
ROWS_AT_ONCE = 10_000


def write_scores(path: Path, scores: Sequence[EssayScore]) -> None:
    """A CSV file; cells without a value are empty, and `advisories` says why where a score is."""
    features = list(dict.fromkeys(name for score in scores for name in score.features))
    common = any(score.common == score.common for score in scores)
    write_csv(path, score_columns(features, common=common), _rows(scores, features, common=common))


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


def _rows(scores: Iterable[EssayScore], features: Sequence[str], *, common: bool) -> Iterable[list[object]]:
    return (_row(score, features, common=common) for score in scores)


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
