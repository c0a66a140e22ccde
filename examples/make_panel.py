"""Make the two panels of the tutorials: five judges on support answers, and four raters with an engine on essays.

    python examples/make_panel.py

Everything is drawn at random with a fixed seed; nothing stands for a real person, model or text.
"""

from pathlib import Path

import numpy as np
import polars as pl

HERE = Path(__file__).parent
PEOPLE = {"ann": 0.45, "ben": 0.5, "cleo": 0.55}
JUDGES = {"gpt": (0.0, 0.4), "claude": (0.05, 0.45), "gemini": (-0.3, 0.5), "llama": (0.1, 0.8), "qwen": (0.6, 1.1)}
"""Judge -> how lenient, how noisy."""
SEVERITY = {"rater_1": -0.4, "rater_2": 0.0, "rater_3": 0.5, "rater_4": 0.1, "engine": 0.2}
CRITERIA = {"content": -0.2, "organization": 0.0, "language": 0.3}


def judges_table(items: int = 160) -> pl.DataFrame:
    """Support answers rated 1 to 5: three people, one who scores at random, five judges; people skip a fifth."""
    rng = np.random.default_rng(7)
    quality = rng.normal(3.2, 1.1, items)
    words = np.rint(np.exp(rng.normal(4.4, 0.4, items))).astype(int)

    def scores(lenient: float, noise: float, long: float = 0.0) -> np.ndarray:
        liking = long * (np.log(words) - 4.4)
        return np.asarray(np.clip(np.rint(quality + lenient + liking + rng.normal(0, noise, items)), 1, 5))

    columns: dict[str, object] = {
        "item": [f"answer-{i:03}" for i in range(1, items + 1)],
        "topic": [("billing", "delivery", "returns")[i % 3] for i in range(items)],
        "words": words,
    }
    for name, noise in PEOPLE.items():
        columns[name] = np.where(rng.random(items) < 0.2, np.nan, scores(0.0, noise))
    columns["dan"] = np.where(rng.random(items) < 0.4, np.nan, rng.integers(1, 6, items))
    for name, (lenient, noise) in JUDGES.items():
        columns[name] = scores(lenient, noise, 0.8 if name == "llama" else 0.0)
    return pl.DataFrame(columns).with_columns(pl.selectors.float().fill_nan(None).cast(pl.Int64))


def essays_table(essays: int = 120) -> pl.DataFrame:
    """Essays rated 1 to 6 on three criteria: each by two of four raters and by an engine. Long."""
    rng = np.random.default_rng(11)
    ability = rng.normal(0, 1.6, essays)
    steps = np.array([-2.6, -1.2, 0.0, 1.3, 2.7])
    rows = []
    for essay in range(essays):
        chosen = rng.choice(4, size=2, replace=False)
        for rater in [*(f"rater_{c + 1}" for c in sorted(chosen)), "engine"]:
            for criterion, difficulty in CRITERIA.items():
                place = ability[essay] - SEVERITY[rater] - difficulty + rng.normal(0, 0.3)
                odds = np.concatenate([[0.0], np.cumsum(place - steps)])
                chances = np.exp(odds - odds.max())
                score = 1 + int(rng.choice(6, p=chances / chances.sum()))
                rows.append((f"essay-{essay + 1:03}", rater, criterion, score))
    return pl.DataFrame(rows, schema=["essay", "rater", "criterion", "score"], orient="row")


if __name__ == "__main__":
    judges_table().write_csv(HERE / "judges.csv")
    essays_table().write_csv(HERE / "essay_ratings.csv")
