"""Scores of essays as a table: a row per essay, with the features, their shares and the reasons for doubt."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from assay.essays.scoring.score import EssayScore
from assay.files.output import write_csv

DECIMALS = 4


def write_scores(path: Path, scores: Sequence[EssayScore]) -> None:
    """A CSV file; cells without a value are empty, and `advisories` says why where a score is."""
    features = list(dict.fromkeys(name for score in scores for name in score.features))
    common = any(score.common == score.common for score in scores)
    write_csv(path, score_columns(features, common=common), _rows(scores, features, common=common))


def score_columns(features: Sequence[str], *, common: bool = False) -> list[str]:
    """The names of the columns."""
    head = ["id", "prompt", "raw", "score", "low", "high", "percentile", *(["common"] if common else [])]
    return [*head, *features, "average", *(f"share_{name}" for name in features), "advisories", "evidence"]


def _rows(scores: Iterable[EssayScore], features: Sequence[str], *, common: bool) -> Iterable[list[object]]:
    for score in scores:
        numbers = [score.raw, score.score, score.low, score.high, score.percentile]
        values = [score.features.get(name, float("nan")) for name in features]
        shares = [score.shares.get(name, float("nan")) for name in features]
        yield [
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
