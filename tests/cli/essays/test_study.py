"""`assay essays study`: a table for the screen, or JSON alone."""

import json
from pathlib import Path

import polars as pl
import pytest

from assay.cli.essays.study import study
from assay.essays.features.features import FEATURES
from tests.parity.essay_doors import corpus

Screen = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def essays(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Essays with invented features, so that none need be read."""
    path, frame = tmp_path_factory.mktemp("study") / "essays.csv", corpus()
    frame.write_csv(path)
    length = frame["text"].str.len_chars().cast(pl.Float64)
    values = {name: length * (place + 1) % (7 + place) for place, name in enumerate(FEATURES)}
    pl.DataFrame({"id": frame["id"], **values, "length": length}).write_csv(path.with_name("features.csv"))
    return path


def studied(essays: Path, out: Path, as_json: bool = False) -> None:
    study(
        essays,
        text="text",
        score="rating_1",
        prompt="prompt",
        id="id",
        features=essays.with_name("features.csv"),
        out=out,
        workers=1,
        as_json=as_json,
    )


def test_table_6_is_on_the_screen_and_all_tables_are_in_the_folder(
    essays: Path, tmp_path: Path, capsys: Screen
) -> None:
    studied(essays, tmp_path / "out")

    said = capsys.readouterr().out
    assert f"{corpus().height} essays, 1 prompts; agreement on essays not seen" in said
    assert "specific" in said.lower()
    assert f"Wrote {tmp_path / 'out'}" in said.replace("\n", "")
    assert (tmp_path / "out" / "study.json").is_file()


def test_json_has_the_screen_to_itself(essays: Path, tmp_path: Path, capsys: Screen) -> None:
    studied(essays, tmp_path / "out", as_json=True)

    printed = capsys.readouterr()
    assert json.loads(printed.out)["schema"].startswith("assay.")
    assert "Wrote" in printed.err
