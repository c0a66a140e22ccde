"""The tables of an experiment under RSMTool's names: roles, types, flags, scaling."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from assay.errors import InputError
from assay.evaluation.ratings import NO_INFO
from assay.io.rsm.configuration.configs import rsm_eval_config, rsm_tool_config
from assay.io.rsm.read import (
    Roles,
    coded,
    read_predictions,
    read_responses,
    read_scaling,
    response_file,
    training_roles,
)

EVAL = {"experiment_id": "e", "predictions_file": "p.csv", "system_score_column": "sys", "trim_min": 1, "trim_max": 6}
TABLE = "key,h1,h2,sys,who,L1,flag,note\n01,4,3,3.6,c1,de,0,x\n2,x,,2.5,,,1,\n3,2,2,bad,c1,fr,NA,y\n"


def written(folder: Path, text: str, name: str = "p.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def predictions(folder: Path, text: str = TABLE, **options: Any) -> Any:
    written(folder, text)
    own = {"id_column": "key", "human_score_column": "h1"}
    return read_predictions(rsm_eval_config({**EVAL, **own, **options}, folder=folder))


def test_predictions_are_read_under_rsmtools_names(tmp_path: Path) -> None:
    frame, ratings = predictions(
        tmp_path, second_human_score_column="h2", candidate_column="who", subgroups=["L1"], flag_column={"flag": [0]}
    )
    assert frame.columns == ["spkitemid", "sc1", "sc2", "raw", "candidate", "L1", "flag", "note"]
    assert frame.get_column("spkitemid").to_list() == ["01", "2", "3"]
    np.testing.assert_array_equal(ratings.human, [[4, 3], [np.nan, np.nan], [2, 2]])
    np.testing.assert_array_equal(ratings.system, [3.6, 2.5, np.nan])
    (groups,) = ratings.groups
    assert (groups.name, groups.levels, groups.codes.tolist()) == ("L1", (NO_INFO, "de", "fr"), [1, 0, 2])
    assert ratings.candidate.tolist() == [1, 0, 1]
    assert ratings.flagged.tolist() == [False, True, True]


def test_what_is_not_asked_for_is_not_read(tmp_path: Path) -> None:
    frame, ratings = predictions(tmp_path)
    assert frame.columns == ["spkitemid", "sc1", "h2", "raw", "who", "L1", "flag", "note"]
    assert (ratings.human.shape, ratings.groups, ratings.candidate, ratings.flagged) == ((3, 1), (), None, None)


def test_missing_columns_are_named_with_the_option_that_asks_for_them(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        predictions(tmp_path, subgroups=["L1", "sex"], candidate_column="whom", flag_column={"flags": [0]})
    for option in ("candidate_column", "subgroups, number 2", "flag_column, number 1"):
        assert option in str(caught.value)


def test_repeated_ids_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds 1 ids more than once: 'a'") as caught:
        predictions(tmp_path, "key,h1,sys\na,1,1\nb,1,1\na,2,2\n")
    assert (caught.value.source, caught.value.column, caught.value.field) == ("p.csv", "key", "id_column")


@pytest.mark.parametrize(
    ("allowed", "flagged"),
    [
        ([0], [False, True, True, True]),
        (["0", 1.0], [False, False, True, True]),
        (["bad"], [True, True, False, True]),
        (["nan"], [True, True, True, False]),
        ([0, "nan", "bad"], [False, True, False, False]),
    ],
)
def test_flags_that_are_not_allowed_rule_a_response_out(
    allowed: list[Any], flagged: list[bool], tmp_path: Path
) -> None:
    text = "key,h1,sys,flag\na,1,1,0\nb,1,1,1\nc,1,1,bad\nd,1,1,\n"
    assert predictions(tmp_path, text, flag_column={"flag": allowed})[1].flagged.tolist() == flagged


def test_a_flag_of_true_or_false_is_a_word(tmp_path: Path) -> None:
    text = "key,h1,sys,flag,g\na,1,1,True,1\nb,1,1,false,1\nc,1,1,TRUE,2\n"
    assert predictions(tmp_path, text, flag_column={"flag": [False]})[1].flagged.tolist() == [True, False, True]
    both = {"flag": [True], "g": [1]}
    assert predictions(tmp_path, text, flag_column=both)[1].flagged.tolist() == [False, True, True]


def test_scaling_is_by_mean_and_spread_of_the_training_predictions(tmp_path: Path) -> None:
    scaling = read_scaling(written(tmp_path, "prediction,sc1\n1,2\n2,\n3,4\n,6\n"))
    assert (scaling.system_mean, scaling.system_sd) == pytest.approx((2, 1))
    assert (scaling.human_mean, scaling.human_sd) == pytest.approx((4, 2))


@pytest.mark.parametrize("text", ["prediction,sc1\n1,2\n1,3\n", "prediction,sc1\n1,2\n", "prediction,sc1\n1,2\n2,\n"])
def test_predictions_that_cannot_scale_are_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="at least two human scores, and predictions that differ") as caught:
        read_scaling(written(tmp_path, text))
    assert (caught.value.source, caught.value.field) == ("p.csv", "scale_with")
    assert caught.value.remedy == "Give the training predictions of the same engine."


def test_a_prediction_that_is_no_number_names_its_row(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_scaling(written(tmp_path, "prediction,sc1\n1,2\nx,3\n"))
    assert (caught.value.row, caught.value.column) == (3, "prediction")


def test_roles_of_training_and_of_evaluation_responses_differ(tmp_path: Path) -> None:
    options = {
        **{"experiment_id": "e", "model": "LinearRegression", "train_file": "a.csv", "test_file": "b.csv"},
        **{"train_label_column": "t", "test_label_column": "h", "second_human_score_column": "h2"},
        **{"length_column": "n", "flag_column": {"f": [0]}, "flag_column_test": {"g": [1]}, "subgroups": ["L1"]},
    }
    config = rsm_tool_config(options, folder=tmp_path)
    train, test = training_roles(config), training_roles(config, evaluation=True)
    assert (train.human, train.second, train.length, dict(train.flags or {})) == ("t", None, "n", {"f": (0,)})
    assert (test.human, test.second, test.length, dict(test.flags or {})) == ("h", "h2", None, {"g": (1,)})
    assert train.subgroups == test.subgroups == ("L1",)
    assert Roles("id", None).required() == {"id_column": "id"}


def test_columns_that_bear_a_name_of_rsmtool_without_its_role_are_renamed(tmp_path: Path) -> None:
    path = written(tmp_path, "id,h,sc1,raw,sc2,length,candidate,a\nx,1,2,3,4,5,6,7\n")
    roles = Roles("id", "h")
    assert read_responses(path, roles, ()).columns == [
        *("spkitemid", "sc1", "##sc1##", "##raw##", "##sc2##", "##length##", "##candidate##", "a")
    ]
    assert "length" in read_responses(path, roles, ("length",)).columns
    assert "raw" in read_responses(path, Roles("id", "h", subgroups=("raw",)), ()).columns
    both = read_responses(path, Roles("id", "h", candidate="id"), ())
    assert both.get_column("candidate").to_list() == ["x"]


def test_ids_are_text_in_every_format(tmp_path: Path) -> None:
    frame = pl.DataFrame({"id": [1, 2], "h": [3, 4], "L1": ["de", " "], "on": [True, False]})
    frame.write_ndjson(tmp_path / "t.jsonl")
    frame.write_excel(tmp_path / "t.xlsx")
    for name in ("t.jsonl", "t.xlsx"):
        read = read_responses(tmp_path / name, Roles("id", "h", subgroups=("L1",)), ())
        assert read.get_column("spkitemid").to_list() == ["1", "2"]
        assert read.get_column("L1").to_list() == ["de", NO_INFO]
        assert read.get_column("sc1").to_list() == [3, 4]


def test_words_for_nothing_are_empty_in_a_workbook_and_words_in_a_text_file(tmp_path: Path) -> None:
    frame = pl.DataFrame({"id": ["a", "b"], "h": [3, 4], "L1": ["NA", "true"]})
    frame.write_excel(tmp_path / "t.xlsx")
    frame.write_csv(tmp_path / "t.csv")
    roles = Roles("id", "h", subgroups=("L1",))
    assert read_responses(tmp_path / "t.csv", roles, ()).get_column("L1").to_list() == ["NA", "true"]
    assert read_responses(tmp_path / "t.xlsx", roles, ()).get_column("L1").to_list() == [None, "True"]


def test_responses_have_their_features_as_numbers_and_their_roles(tmp_path: Path) -> None:
    text = "id,h,h2,n,who,L1,flag,a,b\nx,1,2,90,c,de,0,0.5,1\ny,2,,80,c,fr,1,bad,2\n"
    roles = Roles("id", "h", second="h2", length="n", candidate="who", subgroups=("L1",), flags={"flag": [0]})
    own = response_file(read_responses(written(tmp_path, text), roles, ("b", "a")), roles, ("b", "a"), source="p.csv")
    table = own.table
    assert (table.ids.tolist(), table.names) == (["x", "y"], ("b", "a"))
    np.testing.assert_array_equal(table.matrix, [[1, 0.5], [2, np.nan]])
    assert (table.human.tolist(), table.length.tolist()) == ([1, 2], [90, 80])  # type: ignore[union-attr]
    assert str(table.second.tolist()) == "[2.0, nan]"  # type: ignore[union-attr]
    assert table.candidate.tolist() == ["c", "c"]  # type: ignore[union-attr]
    assert table.groups["L1"].tolist() == ["de", "fr"]
    assert table.flagged.tolist() == [False, True]  # type: ignore[union-attr]


def test_responses_may_lack_features_and_human_scores(tmp_path: Path) -> None:
    roles = Roles("id", None)
    frame = read_responses(written(tmp_path, "id,a\nx,1\ny,2\n"), roles, ())
    table = response_file(frame, roles, (), source="p.csv").table
    assert (table.matrix.shape, np.isnan(table.human).tolist()) == ((2, 0), [True, True])
    assert (table.second, table.length, table.candidate, table.flagged, table.groups) == (None, None, None, None, {})
    with pytest.raises(InputError, match="no column for these features: b, c") as caught:
        response_file(frame, roles, ("b", "a", "c"), source="p.csv")
    assert (caught.value.source, caught.value.field) == ("p.csv", "features")
    assert str(caught.value.remedy).startswith("Check their spelling")


def test_texts_are_coded_in_order_and_missing_ones_are_no_code() -> None:
    levels, codes = coded(pl.Series(["b", None, "a", "b", "Z"]))
    assert (levels, codes.tolist()) == (("Z", "a", "b"), [2, -1, 1, 2, 0])
