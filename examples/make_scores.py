"""Write the example scores of this folder anew: `python examples/make_scores.py`.

A seeded generator makes them up: nobody's essays, nobody's grades.

600 responses of 300 invented candidates to two prompts, on a scale of 1 to 6. One human score, a second for most and
a third for some; three engines: `engine_a` agrees well but scores one language group too low, `engine_b` leans on
length, `judge` gives whole points and is lenient. Some rows lack a score or hold a zero, as real tables do.
"""

from pathlib import Path

import numpy as np
import polars as pl

CANDIDATES = 300
LANGUAGES = {"English": 0.5, "Spanish": 0.24, "Vietnamese": 0.12, "Other": 0.14}
SEED = 20_260_115


def example_scores() -> pl.DataFrame:
    """The responses to evaluate engines on."""
    return _scores(np.random.default_rng(SEED), CANDIDATES, first=1)


def example_training() -> pl.DataFrame:
    """Responses of other candidates, on which the engines were trained: to scale their scores with."""
    return _scores(np.random.default_rng(SEED + 1), CANDIDATES, first=10_001)


def write_example_scores(folder: Path) -> tuple[Path, Path]:
    """scores.csv and training.csv in a folder; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = folder / "scores.csv", folder / "training.csv"
    for path, frame in zip(paths, (example_scores(), example_training()), strict=True):
        frame.write_csv(path)
    return paths


def _scores(rng: np.random.Generator, candidates: int, *, first: int) -> pl.DataFrame:
    n = 2 * candidates
    candidate = np.repeat(np.arange(candidates), 2)
    language = rng.choice(list(LANGUAGES), size=candidates, p=list(LANGUAGES.values()))[candidate]
    gender = rng.choice(["female", "male"], size=candidates)[candidate]
    skill = rng.normal(size=candidates)[candidate] * 0.85 + rng.normal(size=n) * 0.5
    words = np.clip(np.rint(320 + 85 * (0.6 * skill + 0.8 * rng.normal(size=n))), 40, None).astype(int)
    long = (words - 320) / 85

    def rater(severity: float, noise: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        seen = 3.5 + 1.15 * skill - severity + noise * rng.normal(size=n)
        return np.clip(np.rint(seen), 1, 6)

    human, second, third = rater(0.0, 0.5), rater(0.05, 0.55), rater(-0.1, 0.6)
    second[rng.random(n) < 0.35] = np.nan
    third[rng.random(n) < 0.75] = np.nan
    shift = np.where(language == "Vietnamese", -0.3, 0.0)
    engine_a = 3.45 + 0.95 * skill + 0.12 * long + shift + 0.42 * rng.normal(size=n)
    engine_b = 3.55 + 0.55 * skill + 0.45 * long + 0.5 * rng.normal(size=n)
    judge = np.clip(np.rint(4.0 + 0.9 * skill + 0.7 * rng.normal(size=n)), 1, 6)
    human[rng.choice(n, 6, replace=False)] = np.nan
    human[rng.choice(n, 5, replace=False)] = 0
    engine_a[rng.choice(n, 3, replace=False)] = np.nan
    return pl.DataFrame(
        {
            "id": [f"R{first + i:05d}" for i in range(n)],
            "candidate": [f"C{first + c:05d}" for c in candidate],
            "prompt": np.tile(["town", "school"], candidates),
            "first_language": language,
            "gender": gender,
            "words": words,
            "human": human,
            "human_2": second,
            "human_3": third,
            "engine_a": engine_a.round(3),
            "engine_b": engine_b.round(3),
            "judge": judge,
        }
    ).with_columns(pl.col("human", "human_2", "human_3", "engine_a").fill_nan(None))


if __name__ == "__main__":
    for written in write_example_scores(Path(__file__).parent):
        print(written)
