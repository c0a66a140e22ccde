"""Training analyses against the tables RSMTool's own reference experiments hold, cell by cell.

The inputs are the prepared features of each golden experiment, so that nothing but the analyses is judged here.
"""

import csv
import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from assay.io.rsm.analyses import analysis_tables
from assay.rsm.analyses import analyse_training
from tests.paths import SHARED

GOLDEN = SHARED / "golden" / "rsmtool"
EXPERIMENTS = sorted(
    path.parents[1].name for path in GOLDEN.glob("*/expected/*_feature_descriptives.csv") if "summary" not in str(path)
)
NO_SIGN = ("pca",)
"""Tables in which the sign of a column is arbitrary."""


@pytest.mark.skipif(not EXPERIMENTS, reason=f"the shared golden set is not at {GOLDEN}: set ASSAY_SHARED")
@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_every_table_of_features_is_that_of_rsmtool(experiment: str) -> None:
    folder = GOLDEN / experiment / "expected"
    prefix = next(folder.glob("*_train_features.csv")).name.removesuffix("train_features.csv")
    original, prepared, metadata = (
        pl.read_csv(folder / f"{prefix}{name}.csv", infer_schema_length=None)
        for name in ("train_features", "train_preprocessed_features", "train_metadata")
    )
    features = [name for name in prepared.columns if name not in ("spkitemid", "sc1")]
    analyses = analyse_training(
        features,
        original.select(features).to_numpy(),
        prepared.select(features).to_numpy(),
        original.get_column("sc1").to_numpy().astype(float),
        groups={
            name: np.array(metadata.get_column(name).to_list(), dtype=object)
            for name in metadata.columns
            if name not in ("spkitemid", "candidate")
        },
    )

    tables = analysis_tables(analyses)

    expected = {path.stem.removeprefix(prefix): cells(path) for path in folder.glob("*.csv")}
    compared = [name for name in expected if name in tables]
    assert len(compared) >= 9 if experiment.startswith("lr") else compared
    assert set(tables) <= set(expected)
    for name in compared:
        found, theirs = as_cells(tables[name]), expected[name]
        assert found.keys() == theirs.keys(), name
        for key, cell in theirs.items():
            assert same(found[key], cell, signed=name not in NO_SIGN), (name, key, found[key], cell)


def cells(path: Path) -> dict[tuple[str, str], str]:
    with path.open(encoding="utf-8", newline="") as stream:
        header, *rows = csv.reader(stream)
    return {(row[0], column): cell for row in rows for column, cell in zip(header[1:], row[1:], strict=True)}


def as_cells(table: pl.DataFrame) -> dict[tuple[str, str], float]:
    first, *columns = table.columns
    return {(row[first], name): row[name] for row in table.to_dicts() for name in columns}


def same(ours: float | None, theirs: str, *, signed: bool) -> bool:
    a, b = math.nan if ours is None else float(ours), float(theirs or "nan")
    a, b = (a, b) if signed else (abs(a), abs(b))
    return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-6)
