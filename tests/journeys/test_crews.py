"""The same bytes from one process, from two, and from a cluster, for every command that spreads its work."""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType

import polars as pl
import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from docs.examples import ROOT
from tests.execution.scheduler import Cluster, cluster
from tests.io.rsm.rsm_training import rows, write_table, write_training

SENTENCES = (
    "Dogs deserve a place in every family because they offer steady companionship.",
    "my dog bark alot at the the mailman and i think dogs is fun.",
    "For example, our neighbour walks farther every day since she adopted an old terrier.",
    "However, some people say that dogs are expensive.",
    "In conclusion, communities should make it easier to keep dogs.",
)


def written_essays(path: Path, count: int) -> Path:
    chance = random.Random(11)
    texts = [" ".join(chance.choice(SENTENCES) for _ in range(3 + i % 6)) for i in range(count)]
    table = {"id": [f"e{i}" for i in range(count)], "score": [1 + i % 4 for i in range(count)], "text": texts}
    frame = pl.DataFrame(table)
    frame.write_parquet(path) if path.suffix == ".parquet" else frame.write_csv(path)
    return path


@pytest.fixture(scope="module")
def crews(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MappingProxyType[str, tuple[str, ...]]]:
    """The options of each way to work; one scheduler for all tests."""
    with cluster(tmp_path_factory.mktemp("cluster"), "first", "second") as found:
        yield MappingProxyType(
            {"one": ("--workers", "1"), "two": ("--workers", "2"), "cluster": ("--cluster", found.address)}
        )


def run(*words: object) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_features_of_essays(crews: MappingProxyType[str, tuple[str, ...]], tmp_path: Path) -> None:
    essays = written_essays(tmp_path / "essays.csv", 40)
    found = {}
    for name, options in crews.items():
        out = tmp_path / f"{name}.csv"
        run("essays", "features", essays, "--text", "text", "--id", "id", "--score", "score", "-o", out, *options)
        found[name] = out.read_bytes()
    assert found["one"].count(b"\n") == 41
    assert found["one"] == found["two"] == found["cluster"]


def test_scores_of_essays(crews: MappingProxyType[str, tuple[str, ...]], tmp_path: Path) -> None:
    essays = written_essays(tmp_path / "essays.csv", 48)
    model = tmp_path / "model.json"
    columns = ("--text", "text", "--id", "id")
    run("essays", "train", essays, *columns, "--score", "score", "--model", "generic10", "-o", model, *crews["cluster"])
    again = tmp_path / "again.json"
    run("essays", "train", essays, *columns, "--score", "score", "--model", "generic10", "-o", again, *crews["one"])
    assert model.read_bytes() == again.read_bytes()
    found = {}
    for name, options in crews.items():
        run("essays", "score", essays, *columns, "--model", model, "-o", tmp_path / name, *options)
        found[name] = (tmp_path / name / "scores.csv").read_bytes()
    assert found["one"].count(b"\n") == 49
    assert found["one"] == found["two"] == found["cluster"]


def test_grades_of_annotations(crews: MappingProxyType[str, tuple[str, ...]], tmp_path: Path) -> None:
    example = ROOT / "examples" / "annotations"
    broken = tmp_path / "zoe.json"
    broken.write_text("{", encoding="utf-8")
    found = {}
    for name, options in crews.items():
        out = tmp_path / name
        run("annotations", "score", "--truth", example / "truth.xml", example / "submissions", broken,
            "--out", out, *options)  # fmt: skip
        results = json.loads((out / "results.json").read_text(encoding="utf-8"))
        del results["provenance"]
        details = {path.name: path.read_bytes() for path in (out / "details").iterdir()}
        pages = {path.name: _without_provenance(path) for path in (out / "students").iterdir()}
        assert set(pages) == {f"{Path(name).stem}.html" for name in details}
        found[name] = (results, (out / "summary.csv").read_bytes(), details, pages)
    assert [one["student"] for one in found["one"][0]["students"] if one["error"]] == ["grace", "zoe"]
    assert found["one"] == found["two"] == found["cluster"]


def _without_provenance(page: Path) -> str:
    """A page without the command and the time it was made."""
    text = page.read_text(encoding="utf-8")
    assert ">Provenance</h2>" in text
    return re.sub(r" \d+ \w+ \d{4}, \d\d:\d\d|--out .*?</code>|--out .*?<", "", text)


def test_predictions_from_features(
    crews: MappingProxyType[str, tuple[str, ...]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sklearn")
    monkeypatch.setattr("assay.workflows.rsm.scoring.ROWS_AT_ONCE", 40)
    run("rsm", "tool", write_training(tmp_path, model="DecisionTreeRegressor"), tmp_path / "out", "--no-report", "-q")
    write_table(tmp_path / "new.csv", rows(150, seed=3))
    options = {"experiment_id": "ours", "experiment_dir": "out", "input_features_file": "new.csv", "id_column": "id"}
    config = tmp_path / "predict.json"
    config.write_text(json.dumps(options), encoding="utf-8")
    found = {}
    for name, words in crews.items():
        out = tmp_path / f"{name}.csv"
        run("rsm", "predict", config, out, *words)
        found[name] = out.read_bytes()
    assert found["one"].count(b"\n") == 151
    assert found["one"] == found["two"] == found["cluster"]


def test_a_worker_that_is_killed_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    essays = written_essays(tmp_path / "essays.csv", 36)
    monkeypatch.setattr("assay.workflows.essays.features.BLOCK_ESSAYS", 4)
    columns = ("--text", "text", "--id", "id")
    run("essays", "features", essays, *columns, "-o", tmp_path / "alone.csv", "--workers", "1")
    folder = tmp_path / "cluster"
    folder.mkdir()
    with cluster(folder, "first", "second") as found:
        kill_after(found, 3, monkeypatch)
        run("essays", "features", essays, *columns, "-o", tmp_path / "many.csv", "--cluster", found.address)
        assert set(found.processes) == {"scheduler", "second", "third"}
    assert (tmp_path / "alone.csv").read_bytes() == (tmp_path / "many.csv").read_bytes()


def kill_after(found: Cluster, blocks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """After so many results one worker is killed and another is added."""
    from assay.cli.observer import TerminalObserver

    advance, done = TerminalObserver.advance, iter(range(1, 1000))

    def killing(self: TerminalObserver, count: int) -> None:
        if next(done) == blocks:
            found.kill("first")
            found.add_worker("third")
        advance(self, count)

    monkeypatch.setattr(TerminalObserver, "advance", killing)
