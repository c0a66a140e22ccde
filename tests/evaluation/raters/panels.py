"""Small panels for tests: random ratings with gaps, made from a seed."""

import numpy as np

from assay.evaluation.raters.panel_ratings import Labels, PanelRatings


def panel_from(
    table: np.ndarray, judges: int, labels: Labels | None = None, names: tuple[str, ...] = ()
) -> PanelRatings:
    """Ratings of a table with a row per item and a column per rater, the last ones judges; NaN for a gap."""
    item, rater = np.nonzero(np.isfinite(table))
    raters = table.shape[1]
    named = names or tuple(f"h{r}" if r < raters - judges else f"gpt-{r}" for r in range(raters))
    return PanelRatings(
        items=tuple(f"i{i}" for i in range(len(table))),
        raters=named,
        judges=np.arange(raters) >= raters - judges,
        labels=labels or Labels("number"),
        item=item.astype(np.int64),
        rater=rater.astype(np.int64),
        value=table[item, rater].astype(float),
    )


def random_table(
    seed: int,
    items: int = 60,
    people: int = 4,
    judges: int = 2,
    *,
    gaps: float = 0.3,
    noise: float = 0.8,
    levels: int = 5,
) -> np.ndarray:
    """Scores about a true one, with noise and gaps among people."""
    rng = np.random.default_rng(seed)
    true = rng.integers(1, levels + 1, size=(items, 1))
    scores = np.clip(np.rint(true + rng.normal(0, noise, size=(items, people + judges))), 1, levels)
    missing = rng.random((items, people + judges)) < gaps
    missing[:, people:] = rng.random((items, judges)) < gaps / 3
    return np.where(missing, np.nan, scores)
