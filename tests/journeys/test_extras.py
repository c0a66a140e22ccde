"""Each optional part installed alone from the built wheel: what it is for works, and without it the remedy is named."""

from pathlib import Path

import pytest

from tests.execution.scheduler import Cluster
from tools.extras import ESSAYS, RUNS, built_wheel, installed, run

pytestmark = pytest.mark.heavy


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def plain(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed(wheel, "", tmp_path_factory.mktemp("plain")).assay


@pytest.mark.parametrize("extra", RUNS)
def test_an_extra_alone_does_what_it_is_for(extra: str, wheel: Path, tmp_path: Path) -> None:
    assay = installed(wheel, extra, tmp_path).assay
    for words in RUNS[extra]:
        done = run(assay, words, tmp_path / "work")
        assert done.returncode == 0, (words, done.stderr)


@pytest.mark.parametrize("extra", [extra for extra in RUNS if extra])
def test_without_an_extra_the_command_says_how_to_get_it(extra: str, plain: Path, tmp_path: Path) -> None:
    done = run(plain, RUNS[extra][0], tmp_path / "work")
    assert done.returncode == 2
    assert f"pip install 'assay-scoring[{extra}]'" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "work" / "out").exists()


def test_a_worker_of_a_cluster_that_lacks_a_part_is_named(wheel: Path, tmp_path: Path) -> None:
    worker = installed(wheel, "cluster", tmp_path / "worker").assay.with_name("python")
    client = installed(wheel, "cluster,essays", tmp_path / "client").assay
    with Cluster(tmp_path, python=str(worker)) as bare:
        bare.add_worker("only")
        words = f"essays features {ESSAYS} --out out.csv --cluster {bare.address}"
        done = run(client, words, tmp_path / "work")
    assert done.returncode == 2, done.stderr
    assert "not installed on the worker tcp://" in done.stderr
    assert "pip install 'assay-scoring[essays]'" in done.stderr
