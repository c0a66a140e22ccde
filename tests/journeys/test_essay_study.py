"""`assay essays study`: a table of scored essays in, the paper's tables out."""

import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import InputError
from tests.paths import EXAMPLES

NAMED = ["--text", "text", "--id", "id", "--score", "rating_1", "--prompt", "prompt"]
RATERS = ["--second-score", "rating_2", "--third-score", "rating_3"]
ALL = [*NAMED, *RATERS, "--program", "program", "--candidate", "candidate"]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    pl.read_csv(EXAMPLES / "essays.csv").filter(pl.col("program") == "grade 8").write_csv(folder / "essays.csv")
    return folder


def run(place: Path, *words: object, essays: str = "essays.csv") -> str:
    arguments = ["essays", "study", str(place / essays), *map(str, words)]
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture(scope="module")
def studied(place: Path) -> Path:
    run(place, *ALL, "--features", place / "features.parquet", "--out", place / "out", "-j", 1)
    return place / "out"


def test_the_folder_holds_report_tables_and_figures(studied: Path) -> None:
    study = json.loads((studied / "study.json").read_text())

    assert study["schema"] == "assay.study/1"
    assert study["essays"] == 96
    assert "Table 9" in (studied / "report.html").read_text()
    names = {path.stem.split("_")[0] for path in (studied / "tables").iterdir()}
    assert names >= {f"table{number}" for number in range(1, 10)}
    systems = pl.read_csv(studied / "tables" / "table6_systems.csv")
    assert set(systems["system"]) == {"Specific", "Generic10", "Generic12", "v.1.3", "Two raters"}
    assert systems["qwk"].min() > 0.5  # type: ignore[operator]


def test_features_of_the_examples_go_with_their_scores_as_in_the_paper(studied: Path) -> None:
    overall = json.loads((studied / "study.json").read_text())["correlations"]["overall"]

    assert overall["length"] > 0.6
    assert overall["development"] > 0.4
    assert overall["mechanics"] < -0.3
    assert overall["vocabulary"] < -0.3


def test_kept_features_give_the_same_study_without_reading_texts_again(place: Path, studied: Path) -> None:
    said = run(place, *ALL, "--features", place / "features.parquet", "--out", place / "again", "--json")
    first, again = (
        json.loads((studied / "study.json").read_text()),
        json.loads(said[said.index("{") :].split("\nWrote")[0]),
    )
    for study in (first, again):
        study.pop("provenance")

    assert first == again


def test_without_second_rater_and_candidates_the_rest_is_made(place: Path, studied: Path) -> None:
    run(place, *NAMED, "--features", place / "features.parquet", "--out", place / "less", "--recipe", "assay", "-q")
    study = json.loads((place / "less" / "study.json").read_text())

    assert "--candidate" in study["reliability"]["reason"]
    assert "--second-score" in study["systems"]["missing"]["all essays"]["human"]
    assert study["recipe"] == "assay"
    assert "n/a" in (place / "less" / "report.html").read_text()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--score", "grade"], "column 'grade' not found"),
        (["--recipe", "guess"], "no recipe 'guess'"),
        (["--scale", "one to six"], "cannot read the scale"),
        (["--features", "features.txt"], "End the name with .csv or .parquet"),
    ],
)
def test_bad_input_is_told_and_nothing_is_written(
    place: Path, studied: Path, words: list[str], complaint: str, tmp_path: Path
) -> None:
    kept = [] if "--features" in words else ["--features", str(place / "features.parquet")]
    with pytest.raises(InputError, match=complaint):
        run(place, *NAMED, *kept, *words, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_one_score_level_is_an_error(place: Path, studied: Path, tmp_path: Path) -> None:
    pl.read_csv(place / "essays.csv").with_columns(rating_1=pl.lit(3)).write_csv(place / "flat.csv")

    with pytest.raises(InputError, match="all equal"):
        run(place, *NAMED, "--features", place / "features.parquet", "--out", tmp_path / "o", essays="flat.csv")


def test_the_help_shows_an_example() -> None:
    shown = CliRunner().invoke(app, ["essays", "study", "--help"]).output

    assert "Example: assay essays study" in shown
    for option in ("--second-score", "--candidate", "--features", "--recipe"):
        assert option in shown
