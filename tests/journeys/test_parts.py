"""Parquet parts in, Parquet parts out: the same rows as in one file, and gone on with after a crash."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import InputError
from tests.io.rsm.rsm_training import rows, write_table, write_training
from tests.journeys.test_crews import written_essays

COLUMNS = ("--text", "text", "--id", "id")
PATIENCE = 120.0


def run(*words: object) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def written_parts(folder: Path, sizes: Sequence[int]) -> Path:
    """So many essays in each part."""
    folder.mkdir()
    table = pl.read_parquet(written_essays(folder.parent / "whole.parquet", sum(sizes)))
    for number, size in enumerate(sizes):
        table.slice(sum(sizes[:number]), size).write_parquet(folder / f"essays-{number}.parquet")
    return folder


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.parquet"))}


def test_a_run_that_was_killed_is_gone_on_with(tmp_path: Path) -> None:
    essays = written_parts(tmp_path / "essays", [3, 40, 40, 40])
    command = ["essays", "features", str(essays), *COLUMNS, "--partitions", "--quiet"]
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    client = subprocess.Popen([sys.executable, "-m", "assay", *command, "-o", str(killed), "--workers", "1"])
    until = time.monotonic() + PATIENCE
    while not (killed / "part-00000.parquet").exists() and client.poll() is None and time.monotonic() < until:
        time.sleep(0.005)
    client.send_signal(signal.SIGKILL)
    client.wait()
    finished = {path.name: path.stat().st_mtime_ns for path in killed.glob("*.parquet")}
    assert 1 <= len(finished) < 4
    run(*command, "-o", killed, "--workers", "1")
    run(*command, "-o", whole, "--workers", "2")
    assert len(bytes_of(whole)) == 4
    assert bytes_of(killed) == bytes_of(whole)
    assert {name: (killed / name).stat().st_mtime_ns for name in finished} == finished
    one = tmp_path / "features.parquet"
    run("essays", "features", tmp_path / "whole.parquet", *COLUMNS, "-o", one, "--workers", "1")
    assert pl.read_parquet(whole / "*.parquet").equals(pl.read_parquet(one))


def test_a_folder_begun_with_other_options_is_refused(tmp_path: Path) -> None:
    essays, out = written_parts(tmp_path / "essays", [2, 2]), tmp_path / "out"
    command = ["essays", "features", str(essays), "--partitions", "-o", str(out), "-j", "1", "-q"]
    run(*command, "--text", "text")
    before = bytes_of(out)
    with pytest.raises(InputError, match=r"options differ \(id\).*begin anew with force"):
        run(*command, "--text", "text", "--id", "id")
    assert bytes_of(out) == before
    run(*command, "--text", "text", "--id", "id", "--force")
    assert pl.read_parquet(out / "*.parquet")["id"].to_list() == ["e0", "e1", "e2", "e3"]


def test_features_that_compare_essays_are_the_same_in_parts(tmp_path: Path) -> None:
    essays, out, one = written_parts(tmp_path / "essays", [5, 0, 9, 4]), tmp_path / "out", tmp_path / "one.parquet"
    command = ("essays", "features", essays, *COLUMNS, "--score", "score", "--partitions", "-o", out, "-j", 1)
    run("essays", "features", tmp_path / "whole.parquet", *COLUMNS, "--score", "score", "-o", one, "-j", 1)
    run(*command)
    whole = bytes_of(out)
    assert pl.read_parquet(out / "*.parquet").equals(pl.read_parquet(one))
    for name in ("part-00001.parquet", "part-00003.parquet"):
        (out / name).unlink()
    said = run(*command)
    assert "Measured 4 essays" in said
    assert bytes_of(out) == whole


def test_scores_in_parts_are_those_of_one_table(tmp_path: Path) -> None:
    essays = written_parts(tmp_path / "essays", [30, 0, 18])
    model = tmp_path / "model.json"
    run("essays", "train", tmp_path / "whole.parquet", *COLUMNS, "--score", "score", "--model", "generic10",
        "-o", model, "-j", 1)  # fmt: skip
    run("essays", "score", essays, *COLUMNS, "--model", model, "-o", tmp_path / "one", "-j", 1)
    said = run("essays", "score", essays, *COLUMNS, "--model", model, "-o", tmp_path / "parts", "--partitions", "-j", 2)
    assert "Scored 48 of 48 essays" in said
    one = pl.read_csv(tmp_path / "one" / "scores.csv")
    parts = pl.read_parquet(tmp_path / "parts" / "*.parquet")
    assert [pl.read_parquet(part).height for part in sorted((tmp_path / "parts").glob("*.parquet"))] == [30, 0, 18]
    assert parts.columns == [*one.columns, "words"]
    for name in set(one.columns) - {"prompt"}:  # empty, which CSV does not tell from missing
        assert parts[name].to_list() == one[name].cast(parts[name].dtype).to_list(), name


def test_predictions_in_parts_are_those_of_one_table(tmp_path: Path) -> None:
    run("rsm", "tool", write_training(tmp_path), tmp_path / "out", "--no-report", "-q")
    new = rows(90, seed=3)
    write_table(tmp_path / "new.csv", new)
    table = pl.read_csv(tmp_path / "new.csv")
    names = table.columns
    table = table.with_columns(pl.when(pl.int_range(90) == 44).then(None).otherwise(pl.col(names[1])).alias(names[1]))
    (tmp_path / "new").mkdir()
    for number, (first, size) in enumerate([(0, 33), (33, 20), (53, 37)]):
        table.slice(first, size).write_parquet(tmp_path / "new" / f"{number}.parquet")
    options = {"experiment_id": "ours", "experiment_dir": "out", "input_features_file": "new", "id_column": "id"}
    config = tmp_path / "predict.json"
    config.write_text(json.dumps(options), encoding="utf-8")
    run("rsm", "predict", config, tmp_path / "one.csv", "-j", 1)
    said = run("rsm", "predict", config, tmp_path / "parts", "--partitions", "-j", 2)
    assert "89 responses scored, 1 could not be scored" in said
    one = pl.read_csv(tmp_path / "one.csv", schema_overrides={"spkitemid": pl.String})
    parts = pl.read_parquet(tmp_path / "parts" / "*.parquet")
    assert parts.columns == one.columns
    assert parts["raw"].to_list() == one["raw"].to_list()
    assert pl.read_parquet(tmp_path / "parts" / "_excluded" / "*.parquet").height == 1
    assert "0 responses scored" in run("rsm", "predict", config, tmp_path / "parts", "--partitions", "-j", 1)


def test_a_part_in_which_nothing_can_be_scored_is_empty(tmp_path: Path) -> None:
    run("rsm", "tool", write_training(tmp_path), tmp_path / "out", "--no-report", "-q")
    write_table(tmp_path / "new.csv", rows(60, seed=3))
    table = pl.read_csv(tmp_path / "new.csv")
    feature = table.columns[1]
    none = pl.lit(None, table.schema[feature]).alias(feature)
    (tmp_path / "new").mkdir()
    table[:20].write_parquet(tmp_path / "new" / "0.parquet")
    table[20:50].with_columns(none).write_parquet(tmp_path / "new" / "1.parquet")
    table[50:50].write_parquet(tmp_path / "new" / "2.parquet")
    table[50:].write_parquet(tmp_path / "new" / "3.parquet")
    options = {"experiment_id": "ours", "experiment_dir": "out", "input_features_file": "new", "id_column": "id"}
    config = tmp_path / "predict.json"
    config.write_text(json.dumps(options), encoding="utf-8")
    features = tmp_path / "features"
    said = run("rsm", "predict", config, tmp_path / "parts", "--partitions", "--features", features, "-j", 2)
    assert "30 responses scored, 30 could not be scored (in 1 part none could)" in said
    parts = [pl.read_parquet(part) for part in sorted((tmp_path / "parts").glob("*.parquet"))]
    assert [part.height for part in parts] == [20, 0, 0, 10]
    assert len({tuple(part.schema.items()) for part in parts}) == 1, "the same columns everywhere"
    prepared = [pl.read_parquet(part) for part in sorted(features.glob("*.parquet"))]
    assert [part["spkitemid"].to_list() for part in prepared] == [part["spkitemid"].to_list() for part in parts]
    assert feature in prepared[1].columns
    assert pl.read_parquet(tmp_path / "parts" / "_excluded" / "*.parquet").height == 30


def test_predictions_stop_when_no_part_has_anything_to_score(tmp_path: Path) -> None:
    run("rsm", "tool", write_training(tmp_path), tmp_path / "out", "--no-report", "-q")
    write_table(tmp_path / "new.csv", rows(40, seed=3))
    table = pl.read_csv(tmp_path / "new.csv")
    feature = table.columns[1]
    none = table.with_columns(pl.lit(None, table.schema[feature]).alias(feature))
    (tmp_path / "new").mkdir()
    none[:20].write_parquet(tmp_path / "new" / "0.parquet")
    none[20:].write_parquet(tmp_path / "new" / "1.parquet")
    options = {"experiment_id": "ours", "experiment_dir": "out", "input_features_file": "new", "id_column": "id"}
    config = tmp_path / "predict.json"
    config.write_text(json.dumps(options), encoding="utf-8")
    words = ["rsm", "predict", str(config), str(tmp_path / "parts"), "--partitions", "-j", "1"]
    result = CliRunner().invoke(app, words)
    assert isinstance(result.exception, InputError)
    assert "so none can be scored" in str(result.exception)
    assert not list((tmp_path / "parts").rglob("*.parquet"))


def test_an_evaluation_reads_hive_folders_and_addresses(tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    random = np.random.default_rng(1)
    human = random.integers(1, 7, 400)
    table = pl.DataFrame(
        {"human": human, "engine": human + random.normal(0, 0.7, 400), "country": ["Chad", "Peru"] * 200}
    )
    table.write_parquet(tmp_path / "scores.parquet")
    for country in ("Chad", "Peru"):
        (tmp_path / "parts" / f"country={country}").mkdir(parents=True)
        part = table.filter(country=country).drop("country")
        part.write_parquet(tmp_path / "parts" / f"country={country}" / "0.parquet")
    found: list[object] = []
    for scores in (tmp_path / "parts", f"file://{tmp_path}/parts"):
        out = tmp_path / f"out{len(found)}"
        run("evaluate", scores, "--human", "human", "--system", "engine", "--groups", "country", "--scale", "1-6",
            "--out", out, "-q")  # fmt: skip
        document = json.loads((out / "evaluation.json").read_text(encoding="utf-8"))
        del document["provenance"]
        found.append(document)
    assert found[0] == found[1]
    assert "Peru" in json.dumps(found[0])
