"""Made-up feature tables from a fixed seed, and RSMTool configurations that name them."""

import json
from pathlib import Path

import numpy as np
import polars as pl

FEATURES = ("grammar", "usage", "mechanics", "style", "organization", "development", "vocabulary", "word_length")
SEED = 70
LOWEST, HIGHEST = 1, 6


def feature_table(rows: int, *, seed: int) -> pl.DataFrame:
    """Responses with eight features, two human scores, their length and two groupings."""
    rng = np.random.default_rng([SEED, seed])
    skill = rng.normal(0, 1, rows)
    columns = {name: skill * rng.uniform(0.3, 0.9) + rng.normal(0, 1, rows) for name in FEATURES}
    first, second = (
        np.clip(np.rint(3.5 + skill + rng.normal(0, 0.5, rows)), LOWEST, HIGHEST).astype(int) for _ in range(2)
    )
    return pl.DataFrame(
        {
            "ID": [f"R{seed}-{number:06d}" for number in range(rows)],
            **columns,
            "score": first,
            "score2": second,
            "LENGTH": np.rint(np.maximum(250 + 60 * skill + rng.normal(0, 40, rows), 20)).astype(int),
            "L1": rng.choice(["Thai", "Urdu", "Farsi"], rows),
            "gender": rng.choice(["f", "m"], rows),
        }
    )


def write_training(folder: Path, rows: int) -> tuple[Path, Path]:
    """train.csv, test.csv and the configurations of an rsmtool and a 3-fold rsmxval experiment."""
    feature_table(rows, seed=1).write_csv(folder / "train.csv")
    feature_table(max(rows // 2, 20), seed=2).write_csv(folder / "test.csv")
    common = {
        "model": "LinearRegression",
        "train_file": "train.csv",
        "id_column": "ID",
        "train_label_column": "score",
        "features": list(FEATURES),
        "second_human_score_column": "score2",
        "length_column": "LENGTH",
        "subgroups": ["L1", "gender"],
        "trim_min": LOWEST,
        "trim_max": HIGHEST,
        "use_scaled_predictions": True,
    }
    tool = {"experiment_id": "bench", "test_file": "test.csv", "test_label_column": "score"} | common
    xval = {"experiment_id": "bench_xval", "folds": 3} | common
    paths = folder / "rsmtool.json", folder / "rsmxval.json"
    for path, settings in zip(paths, (tool, xval), strict=True):
        path.write_text(json.dumps(settings, indent=1), encoding="utf-8")
    return paths
