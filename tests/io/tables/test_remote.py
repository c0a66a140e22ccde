"""Tables at an address: read through fsspec, with a remedy where that cannot be."""

import sys
from pathlib import Path

import polars as pl
import pytest

from assay.errors import InputError
from assay.io.essays.features_table import check_features_path
from assay.io.tables.output import OutputFolder, address_of
from assay.io.tables.tables import open_table


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    for prompt in ("a", "b"):
        folder = tmp_path / "essays" / f"prompt={prompt}"
        folder.mkdir(parents=True)
        pl.DataFrame({"id": [f"{prompt}1", f"{prompt}2"]}).write_parquet(folder / "part.parquet")
    return tmp_path / "essays"


def test_an_address_is_told_from_a_path() -> None:
    assert address_of(Path("gs://bucket/a/*.parquet")) == "gs://bucket/a/*.parquet"
    assert address_of(Path("file:///tmp/a")) == "file:///tmp/a"
    assert address_of(Path("c:/essays.csv")) is None
    assert address_of(Path("essays/part.parquet")) is None


def test_a_folder_of_parts_at_an_address_is_one_table(parts: Path) -> None:
    pytest.importorskip("fsspec")
    source = open_table(Path(f"file://{parts}"))
    assert source.name == "essays"
    assert source.frame().to_dict(as_series=False) == {"id": ["a1", "a2", "b1", "b2"], "prompt": ["a", "a", "b", "b"]}
    assert source.part_rows == (2, 2)
    assert source.digests() == open_table(parts).digests()


def test_one_file_at_an_address_is_read_by_its_ending(tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    (tmp_path / "scores.csv").write_text("id,human\na,1\n", encoding="utf-8")
    assert open_table(Path(f"file://{tmp_path}/scores.csv")).frame().rows() == [("a", "1")]


def test_one_file_cannot_be_written_to_an_address() -> None:
    with pytest.raises(InputError, match="partitions"):
        check_features_path(Path("s3://bucket/features.csv"))
    with pytest.raises(InputError, match="partitions"), OutputFolder(Path("s3://bucket/scores")):
        pass


def test_an_address_without_parts_is_named(tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    with pytest.raises(InputError, match=r"file://.*nothing: it holds no \.parquet files"):
        open_table(Path(f"file://{tmp_path}/nothing"))


def test_a_kind_of_store_that_nobody_reads_here_has_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fsspec")
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(InputError, match=r"s3://bucket/one: .*pip install fsspec s3fs"):
        open_table(Path("s3://bucket/one"))


def test_without_fsspec_the_remedy_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(InputError, match=r"gs://bucket/two: .*pip install fsspec gcsfs"):
        open_table(Path("gs://bucket/two"))
