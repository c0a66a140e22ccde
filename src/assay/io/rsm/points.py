"""RSMTool's tables over score points: confusion matrices and the distribution of scores."""

import numpy as np
import polars as pl

from assay.evaluation.plan import Plan
from assay.io.rsm.figures import INDEX, Tables
from assay.metrics.pairs import Scores


def point_tables(human: Scores, final: Scores, plan: Plan) -> Tables:
    """From the ratings (responses, raters) used, NaN for not read, and the final system score."""
    tables = {"confMatrix": crossed(human[:, 0], final)}
    if human.shape[1] > 1:
        both = np.isfinite(human[:, 1])
        if both.any():
            tables["confMatrix_h1h2"] = crossed(human[both, 0], human[both, 1])
    tables["score_dist"] = _distribution(human[:, 0], final, plan)
    return tables


def crossed(first: Scores, second: Scores) -> pl.DataFrame:
    """How often each rounded score of the first met each of the second: rows the first, observed scores only."""
    points, places = np.unique(np.rint(np.concatenate([first, second])) + 0.0, return_inverse=True)
    rows, columns = np.split(places, 2)
    counts = np.bincount(rows * points.size + columns, minlength=points.size**2).reshape(points.size, points.size)
    names = [str(int(point)) for point in points]
    return pl.DataFrame({INDEX: names, **dict(zip(names, counts.T, strict=True))})


def point_kappa(first: Scores, second: Scores) -> float:
    """Cohen's kappa of rounded scores, however many points they cover; see `metrics.kappa.cohen_kappa`."""
    points, places = np.unique(np.rint(np.concatenate([first, second])), return_inverse=True)
    rows, columns = np.split(places, 2)
    by_first, by_second = (np.bincount(p, minlength=points.size) / first.size for p in (rows, columns))
    by_chance = float(by_first @ by_second)
    return 1.0 if points.size == 1 else float(1 - (1 - np.mean(rows == columns)) / (1 - by_chance))


def _distribution(human: Scores, final: Scores, plan: Plan) -> pl.DataFrame:
    """The share of each score point in per cent."""
    points, places = np.unique(np.rint(np.concatenate([human, final])) + 0.0, return_inverse=True)
    by_human, by_system = (np.bincount(p, minlength=points.size) / human.size * 100 for p in np.split(places, 2))
    return pl.DataFrame(
        {
            INDEX: points,
            "score": points,
            "human": by_human,
            f"sys_{plan.primary}": by_system,
            "difference": by_system - by_human,
        }
    )
