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
from assay.io.essays.scored_essays import (
    NAMELESS,
    FurtherColumns,
    StudyColumns,
    read_scored_essays,
    read_study_essays,
)
from assay.io.essays.table import EssayColumns
from assay.io.tables.tables import open_table

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


def test_essays_of_a_table_that_is_open_need_the_name_of_their_column_where_none_looks_like_it(essays: Path) -> None:
    source = open_table(essays)
    read = read_scored_essays(source, EssayColumns("text", "id", None, "score"), FurtherColumns("again"))
    assert (len(read), [essay.essay_id for essay in read.essays], read.programs) == (3, ["a", "b", "c"], ())
    assert read.human.second is not None
    assert (read.human.second.tolist(), read.human.third) == ([2, 2, 3], None)
    with pytest.raises(InputError, match="no column looks as if it held essays") as refused:
        read_scored_essays(source, None)
    assert refused.value.field == "text"
    assert "there are: id, text, score, again, prompt, grade, who." in str(refused.value)
    wide = pl.DataFrame({f"c{i}": [1] for i in range(9)})
    wide.write_csv(essays)
    with pytest.raises(InputError, match=r"there are: c0, c1, c2, c3, c4, c5, c6, c7\."):
        read_scored_essays(open_table(essays), None)


def test_a_folder_of_texts_has_no_scores_and_no_columns(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.txt").write_text(f"Essay {name}.")
    read = read_scored_essays(tmp_path, None)
    assert [essay.text for essay in read.essays] == ["Essay a.", "Essay b."]
    assert np.isnan(read.human.first).all()
    assert (len(read), read.programs) == (2, ())
    with pytest.raises(InputError, match="a folder of texts has no column 'grade'") as refused:
        read_scored_essays(tmp_path, None, FurtherColumns(program="grade"))
    assert (refused.value.source, refused.value.field, refused.value.remedy) == (
        str(tmp_path),
        "program",
        "Give a table.",
    )
