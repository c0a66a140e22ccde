"""A small rsmtool experiment of our own: tables and a configuration."""

import json
from pathlib import Path
from typing import Any

import numpy as np


def rows(n: int, *, seed: int) -> list[list[object]]:
    rng = np.random.default_rng(seed)
    skill = rng.normal(0, 1, n)
    human = np.clip(np.rint(3 + skill), 1, 5).astype(int)
    features = [np.round(skill + rng.normal(0, 0.6, n), 3) for _ in range(2)]
    return [
        [f"{seed}-{i}", features[0][i], features[1][i], human[i], max(1, human[i] - i % 2), "xy"[i % 2]]
        for i in range(n)
    ]


def write_table(path: Path, table: list[list[object]]) -> None:
    lines = ["id,alpha,beta,h1,h2,group", *(",".join(map(str, row)) for row in table)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_training(folder: Path, **changed: Any) -> Path:
    """train.csv, test.csv and config.json; options that are None are left out."""
    write_table(folder / "train.csv", rows(60, seed=1))
    write_table(folder / "test.csv", rows(40, seed=2))
    options: dict[str, Any] = {
        "experiment_id": "ours",
        "model": "LinearRegression",
        "train_file": "train.csv",
        "test_file": "test.csv",
        "id_column": "id",
        "train_label_column": "h1",
        "test_label_column": "h1",
        "features": ["alpha", "beta"],
    }
    options = {name: value for name, value in (options | changed).items() if value is not None}
    path = folder / "config.json"
    path.write_text(json.dumps(options), encoding="utf-8")
    return path
