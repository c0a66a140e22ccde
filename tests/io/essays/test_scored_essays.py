"""The essays and the kept features of a study on disk."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from assay.errors import InputError
from assay.essays.features.features import FEATURES
from assay.essays.models.erater.v1_measures import NAMES
from assay.io.essays.features_table import MEASURED, V1_COLUMNS, read_study_features, write_study_features
from assay.io.essays.scored_essays import NAMELESS, StudyColumns, read_study_essays

COLUMNS = StudyColumns("text", "score", "prompt")


def table(path: Path, **columns: Sequence[object]) -> Path:
    pl.DataFrame(columns, strict=False).write_csv(path)
    return path


@pytest.fixture
def essays(tmp_path: Path) -> Path:
    return table(
        tmp_path / "essays.csv",
        id=["a", "b", "c"],
        text=["One.", "Two.", None],
        score=[1, None, 3],
        again=[2, 2, 3],
        prompt=["cars", None, "dogs"],
        grade=[8, 8, 10],
        who=["x", None, "x"],
    )


def test_columns_are_read_as_they_are_named(essays: Path) -> None:
    read = read_study_essays(
        essays, StudyColumns("text", "score", "prompt", id="id", second_score="again", program="grade", candidate="who")
    )

    assert [essay.essay_id for essay in read.essays] == ["a", "b", "c"]
    assert [essay.prompt for essay in read.essays] == ["cars", NAMELESS, "dogs"]
    assert read.essays[2].text == ""
    assert read.programs == ("8", "8", "10")
    assert read.candidates == ("x", "", "x")
    assert read.human.average().tolist() == [1.5, 2.0, 3.0]


def test_without_an_id_column_row_numbers_are_the_ids(essays: Path) -> None:
    assert [essay.essay_id for essay in read_study_essays(essays, COLUMNS).essays] == ["2", "3", "4"]


def test_bad_tables_are_named_with_a_remedy(tmp_path: Path, essays: Path) -> None:
    with pytest.raises(InputError, match=r"column 'scor'.*\(score\).*Did you mean 'score'"):
        read_study_essays(essays, StudyColumns("text", "scor", "prompt"))
    empty = table(tmp_path / "empty.csv", text=[None, " "], score=[1, 2], prompt=["a", "b"])
    with pytest.raises(InputError, match="column 'text': all 2 texts are empty"):
        read_study_essays(empty, COLUMNS)
    unscored = table(tmp_path / "unscored.csv", text=["x", "y"], score=[None, None], prompt=["a", "b"])
    with pytest.raises(InputError, match="holds no score at all"):
        read_study_essays(unscored, COLUMNS)
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("words")
    with pytest.raises(InputError, match="has no scores"):
        read_study_essays(tmp_path / "texts", COLUMNS)
    with pytest.raises(InputError, match="second"):
        read_study_essays(essays, StudyColumns("text", "score", "prompt", third_score="again"))


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_features_come_back_in_the_order_asked_for(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"features.{ending}"
    values = np.arange(24.0).reshape(2, 12)
    values[1, 0] = np.nan
    v1_values = np.arange(2.0 * len(NAMES)).reshape(2, -1)
    write_study_features(path, ["a", "b"], values, v1_values)

    found, found_v1 = read_study_features(path, ["b", "a"])

    places = [place for place, name in enumerate(FEATURES) if name in MEASURED]
    np.testing.assert_array_equal(found[:, places], values[::-1][:, places])
    assert found_v1 is not None
    np.testing.assert_array_equal(found_v1, v1_values[::-1])


def test_a_table_of_features_alone_will_do_without_v1(tmp_path: Path) -> None:
    path = table(tmp_path / "f.csv", id=["a"], **{name: [0.5] for name in FEATURES})

    values, v1_values = read_study_features(path, ["a"])

    assert v1_values is None
    assert values[0, 0] == 0.5
    assert len(V1_COLUMNS) == len(NAMES)


def test_features_of_other_essays_are_refused(tmp_path: Path) -> None:
    path = table(tmp_path / "f.csv", id=["a", "a"], **{name: [0.5, 1.0] for name in FEATURES})

    with pytest.raises(InputError, match="no features of essay 'b'"):
        read_study_features(path, ["b"])
    with pytest.raises(InputError, match="an essay is named twice"):
        read_study_features(path, ["a"])
    with pytest.raises(InputError, match="no table of features: it has no column grammar, usage"):
        read_study_features(table(tmp_path / "g.csv", id=["a"]), ["a"])
