"""Made-up scores from a fixed seed: the same for every tool and every run."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray
from polars.io.plugins import register_io_source

LOWEST, HIGHEST = 1, 6
GROUPS = tuple(f"g{k}" for k in range(10))
READ_TWICE = 0.2
"""The share of responses with a second human score."""

SEED = 20
ROWS_AT_ONCE = 250_000
SCHEMA = pl.Schema({"response": pl.String, "h1": pl.Int64, "h2": pl.Int64, "system": pl.Float64, "language": pl.String})


def score_table(rows: int, first: int = 0) -> pl.DataFrame:
    """Responses number `first` and on: two human scores, the second mostly missing, a system score, ten groups."""
    rng = np.random.default_rng([SEED, first])
    truth = rng.normal(3.5, 1.1, rows)
    second = pl.Series(_human(truth, rng)).set(pl.Series(rng.random(rows) >= READ_TWICE), None)
    names = pl.int_range(first, first + rows, eager=True).cast(pl.String).str.zfill(9)
    return pl.DataFrame(
        {
            "response": "R" + names,
            "h1": _human(truth, rng),
            "h2": second,
            "system": truth + rng.normal(0, 0.5, rows),
            "language": pl.Series(GROUPS).gather(rng.integers(0, len(GROUPS), rows)),
        },
        schema=SCHEMA,
    )


def training_table(rows: int) -> pl.DataFrame:
    """Human scores and predictions on other responses, to learn the scaling from."""
    rng = np.random.default_rng([SEED, 1, rows])
    truth = rng.normal(3.4, 1.2, rows)
    return pl.DataFrame({"h1": _human(truth, rng), "system": truth + rng.normal(0, 0.5, rows)})


def write_parquet(path: Path, rows: int) -> None:
    """The table of so many responses, in row groups and without ever holding it in memory."""

    def batches(*_: object) -> Iterator[pl.DataFrame]:
        for first in range(0, rows, ROWS_AT_ONCE):
            yield score_table(min(ROWS_AT_ONCE, rows - first), first)

    register_io_source(batches, schema=SCHEMA).sink_parquet(path, row_group_size=ROWS_AT_ONCE)


def write_experiment(folder: Path, rows: int) -> Path:
    """scores.csv, train.csv and an rsmeval configuration that names them; the configuration's path."""
    score_table(rows).write_csv(folder / "scores.csv")
    # RSMTool wants these two names; ours are those of the scores
    training_table(rows).with_columns(sc1="h1", prediction="system").write_csv(folder / "train.csv")
    config = {
        "experiment_id": "bench",
        "predictions_file": "scores.csv",
        "scale_with": "train.csv",
        "id_column": "response",
        "human_score_column": "h1",
        "second_human_score_column": "h2",
        "system_score_column": "system",
        "trim_min": LOWEST,
        "trim_max": HIGHEST,
        "subgroups": ["language"],
    }
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    return folder / "config.json"


def _human(truth: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
    return np.clip(np.rint(truth + rng.normal(0, 0.6, truth.size)), LOWEST, HIGHEST).astype(np.int64)
