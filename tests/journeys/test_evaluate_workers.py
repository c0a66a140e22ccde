"""A large table evaluated by one process, by two, and by a cluster: the same bytes."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from tests.execution.scheduler import cluster

RESPONSES = 2_200_000
"""Two stretches of the table, the last one short."""


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    random = np.random.default_rng(7)
    ability = random.normal(3.5, 1.0, RESPONSES)
    human, second, system = (ability + random.normal(0, spread, RESPONSES) for spread in (0.6, 0.6, 0.4))
    table = pl.DataFrame(
        {
            "human": np.clip(np.rint(human), 1, 6).astype(np.int8),
            "second": np.clip(np.rint(second), 1, 6).astype(np.int8),
            "engine": np.where(random.random(RESPONSES) < 1e-5, np.nan, system),
            "country": random.choice(["Chad", "Peru"], RESPONSES),
        }
    )
    path = tmp_path_factory.mktemp("large") / "scores.parquet"
    table.write_parquet(path)
    return path


def evaluated(scores: Path, out: Path, *options: str) -> dict[str, Any]:
    command = ["evaluate", str(scores), "--human", "human", "--second-human", "second", "--system", "engine"]
    command += ["--groups", "country", "--scale", "1-6", "--out", str(out), "--quiet", *options]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads((out / "evaluation.json").read_text())
    del found["provenance"]
    return found


def test_the_number_of_workers_changes_nothing(scores: Path, tmp_path: Path) -> None:
    alone = evaluated(scores, tmp_path / "one", "--workers", "1")
    assert alone == evaluated(scores, tmp_path / "two", "--workers", "2")
    folder = tmp_path / "cluster"
    folder.mkdir()
    with cluster(folder, "first", "second") as found:
        assert alone == evaluated(scores, tmp_path / "many", "--cluster", found.address)
    assert 0 < sum(alone["exclusions"]["left_out"].values()) < 100
