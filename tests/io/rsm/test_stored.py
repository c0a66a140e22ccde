"""Experiments on disk as RSMTool lays them out, and the tables that summarize several."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay.errors import InputError
from assay.io.rsm.stored import (
    SummaryTable,
    read_experiment,
    read_experiments,
    read_json_or_nothing,
    read_named_table,
    renamed,
    summary_frame,
    summary_tables,
    write_summary_table,
)

TABLES = {
    "betas.csv": "feature,standardized,relative\na,0.75,0.6\nb,-0.5,0.4\n",
    "model_fit.csv": "N responses,N features,R2,R2_adjusted\n80,2,0.5,0.45\n",
    "eval_short.csv": ",N,h_mean,corr.raw_trim,kappa.raw_trim_round\n0,40,3.5,0.7,0.4\n",
    "true_score_eval.csv": ",N,N raters,PRMSE true\nraw,40,2,0.7\nraw_trim,40,2,0.8\n",
    "margcor_score_all_data.csv": ",a,b\nAll data,0.6,-0.3\n",
    "postprocessing_params.csv": "trim_min,trim_max,h1_mean\n1,6,3.4\n",
    "pred_processed.csv": "spkitemid,sc1,raw,raw_trim\n01,4,3.6,3.6\n2,2,0.1,0.5\n",
    "test_human_scores.csv": "spkitemid,sc1,sc2\n2,2,3\n",
    "test_metadata.csv": "spkitemid,L1\n01,de\n2,\n",
}


def written(folder: Path, identity: str = "ours", tool: str = "_rsmtool", **settings: Any) -> Path:
    output = folder / "output"
    output.mkdir(parents=True, exist_ok=True)
    content = {"experiment_id": identity, "model": "LinearRegression", "subgroups": ["L1", "sex"], **settings}
    content = {name: value for name, value in content.items() if value is not None}
    (output / f"{identity}{tool}.json").write_text(json.dumps(content), encoding="utf-8")
    for name, text in TABLES.items():
        (output / f"{identity}_{name}").write_text(text, encoding="utf-8")
    return folder


def test_an_experiment_is_read_with_its_tables_and_scores(tmp_path: Path) -> None:
    (own,) = read_experiments(written(tmp_path))
    assert (own.name, own.experiment_id, own.tool, own.scaled, own.primary) == ("ours", "ours", "rsmtool", False, "raw")
    assert set(own.tables) == {
        *("betas", "model_fit", "eval_short", "true_score_eval", "margcor_score_all_data", "postprocessing_params")
    }
    assert own.tables["betas"].number("b", "standardized") == -0.5
    scores = own.scores
    assert scores is not None
    assert (scores.ids.tolist(), scores.human.tolist()) == (["01", "2"], [4, 2])
    assert scores.second is not None
    assert str(scores.second.tolist()) == "[nan, 3.0]"
    assert {name: values.tolist() for name, values in scores.variants.items()} == {
        "raw": [3.6, 0.1],
        "raw_trim": [3.6, 0.5],
    }
    assert {name: texts.tolist() for name, texts in scores.groups.items()} == {"L1": ["de", "No info"]}


def test_an_experiment_has_the_name_it_is_given_if_it_is_alone(tmp_path: Path) -> None:
    written(tmp_path)
    assert read_experiments(tmp_path, "first")[0].name == "first"
    written(tmp_path, "other")
    assert [one.name for one in read_experiments(tmp_path)] == ["other", "ours"]
    with pytest.raises(
        InputError, match="more than one experiment \\(other, ours\\), so 'first' could be any"
    ) as caught:
        read_experiments(tmp_path, "first")
    assert caught.value.field == "experiment_names"
    assert caught.value.remedy == "Give each its own folder, or leave out experiment_names."


def test_one_experiment_of_several_is_read_by_its_id(tmp_path: Path) -> None:
    written(tmp_path), written(tmp_path, "ours_b", use_scaled_predictions=True)
    own = read_experiment(tmp_path, "ours_b", "mine")
    assert (own.name, own.experiment_id, own.scaled, own.primary) == ("mine", "ours_b", True, "scale")
    assert read_experiment(tmp_path, "ours").name == "ours"
    assert not [name for name in read_experiment(tmp_path, "ours").tables if name.startswith("b_")]
    with pytest.raises(InputError, match="holds no experiment 'our'") as caught:
        read_experiment(tmp_path, "our")
    assert (caught.value.field, caught.value.remedy) == ("experiment_id", "Did you mean 'ours'?")


@pytest.mark.parametrize(
    ("tool", "settings", "known"),
    [
        ("_rsmeval", {"model": None}, ("rsmeval", False)),
        ("_rsmxval", {}, ("rsmxval", False)),
        ("", {}, ("rsmtool", False)),
        ("", {"model": None, "scale_with": "asis"}, ("rsmeval", True)),
    ],
)
def test_the_tool_is_told_by_the_name_of_the_configuration_or_by_what_is_in_it(
    tool: str, settings: dict[str, Any], known: tuple[str, bool], tmp_path: Path
) -> None:
    (own,) = read_experiments(written(tmp_path, tool=tool, **settings))
    assert (own.tool, own.scaled) == known


def test_folders_without_an_experiment_are_refused_each_in_its_words(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist") as caught:
        read_experiments(tmp_path / "none")
    assert caught.value.field == "experiment_dirs"
    with pytest.raises(InputError, match="there is no folder output/ in it"):
        read_experiments(tmp_path)
    (tmp_path / "output").mkdir()
    (tmp_path / "output/other.json").write_text('{"experiment_id": "ours"}', encoding="utf-8")
    (tmp_path / "output/broken_rsmtool.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="holds no configuration of an experiment") as caught:
        read_experiments(tmp_path)
    assert caught.value.remedy == "Name a folder that rsmtool or rsmeval wrote to."


def test_what_is_no_object_of_json_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text("[1]", encoding="utf-8")
    (tmp_path / "one.json").write_text('{"a": 1}', encoding="utf-8")
    assert [read_json_or_nothing(tmp_path / name) for name in ("none.json", "list.json", "one.json")] == [
        {},
        {},
        {"a": 1},
    ]


def test_rows_are_named_by_the_first_column_unless_that_holds_numbers(tmp_path: Path) -> None:
    def read(text: str) -> Any:
        (tmp_path / "t.csv").write_text(text, encoding="utf-8")
        return read_named_table(tmp_path / "t.csv")

    named = read("feature,weight,kind,on\na,1,x,True\nb,,y,False\n")
    assert (named.rows, named.columns) == (("a", "b"), ("weight", "kind", "on"))
    assert named.cells == ((1.0, "x", 1.0), (None, "y", 0.0))
    numbered = read("N,R2\n80,0.5\n70,0.4\n")
    assert (numbered.rows, numbered.columns, numbered.cells[1]) == (("0", "1"), ("N", "R2"), (70.0, 0.4))
    nameless = read(",R2\n7,0.5\n")
    assert (nameless.rows, nameless.columns) == (("7",), ("R2",))
    assert read("feature\na\n").cells == ((),)


def test_experiments_of_one_name_are_numbered(tmp_path: Path) -> None:
    (own,) = read_experiments(written(tmp_path))
    assert [one.name for one in renamed([own, own, own])] == ["ours", "ours (2)", "ours (3)"]


def test_without_scores_an_experiment_has_none(tmp_path: Path) -> None:
    written(tmp_path)
    (tmp_path / "output/ours_pred_processed.csv").write_text("spkitemid,raw\n1,2\n", encoding="utf-8")
    assert read_experiments(tmp_path)[0].scores is None


def test_several_experiments_are_told_side_by_side(tmp_path: Path) -> None:
    (one,) = read_experiments(written(tmp_path / "1", train_label_column="h"), "first")
    (two,) = read_experiments(
        written(tmp_path / "2", model=None, tool="_rsmeval", use_scaled_predictions=True, trim_tolerance=0.25), "second"
    )
    del two.tables["betas"]  # type: ignore[attr-defined]
    tables = summary_tables([one, two])
    assert list(tables) == [
        *("model_summary", "model_fit", "eval_short", "true_score_eval", "margcor_score_all_data", "betas")
    ]
    assert tables["model_summary"] == SummaryTable(
        ("first",), ("N features", "N negative", "learner", "train_label"), ((2, 1, "LinearRegression", "h"),)
    )
    fit = tables["model_fit"]
    assert fit.labels == ("first", "second")
    assert dict(zip(fit.columns, fit.rows[0], strict=True)) == {
        "N features": 2,
        "N responses": 80,
        "R2": 0.5,
        "R2_adjusted": 0.45,
    }
    short = dict(zip(tables["eval_short"].columns, tables["eval_short"].rows[1], strict=True))
    assert short == {
        "N": 40,
        "corr": 0.7,
        "h_mean": 3.5,
        "kappa (rounded)": 0.4,
        "system score type": "scale",
        "truncation range": "[0.75, 6.25]",
    }
    # the scaled score of the second is not among its true scores
    assert tables["true_score_eval"].labels == ("first",)
    assert tables["true_score_eval"].rows[0][tables["true_score_eval"].columns.index("PRMSE true")] == 0.8
    assert tables["betas"] == SummaryTable(("a", "b"), ("first",), ((0.75,), (-0.5,)))


def test_a_feature_that_an_experiment_does_not_use_is_a_dash(tmp_path: Path) -> None:
    (one,) = read_experiments(written(tmp_path / "1"), "first")
    written(tmp_path / "2")
    (tmp_path / "2/output/ours_betas.csv").write_text("feature,standardized\nc,1\n", encoding="utf-8")
    (two,) = read_experiments(tmp_path / "2", "second")
    assert summary_tables([one, two])["betas"].rows == ((0.75, "-"), (-0.5, "-"), ("-", 1.0))
    assert summary_tables([]) == {}


def test_columns_of_one_name_are_written_twice_and_numbered_in_a_frame(tmp_path: Path) -> None:
    table = SummaryTable(("a", "b"), ("x", "x", "y"), ((1.0, "-", None), (2.0, 0.5, 3)))
    frame = summary_frame(table)
    assert frame.columns == ["", "x", "x.1", "y"]
    assert frame.get_column("x.1").to_list() == ["-", "0.5"]
    write_summary_table(tmp_path / "t.csv", table)
    assert (tmp_path / "t.csv").read_text(encoding="utf-8").splitlines() == [",x,x,y", "a,1.0,-,", "b,2.0,0.5,3"]
    assert np.isnan(float(str(summary_frame(SummaryTable(("a",), ("x",), ((float("nan"),),))).item(0, 1))))


def test_tables_without_ids_add_neither_second_scores_nor_groups(tmp_path: Path) -> None:
    written(tmp_path)
    (tmp_path / "output" / "ours_test_human_scores.csv").write_text("id,sc2\n01,1\n", encoding="utf-8")
    (tmp_path / "output" / "ours_test_metadata.csv").write_text("id,L1\n01,de\n", encoding="utf-8")
    scores = read_experiments(tmp_path)[0].scores
    assert scores is not None
    assert (scores.ids.tolist(), scores.second, dict(scores.groups)) == (["01", "2"], None, {})


def test_a_configuration_nested_beyond_all_bounds_is_none(tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 5000 + "]" * 5000, encoding="utf-8")
    assert read_json_or_nothing(tmp_path / "deep.json") == {}


def test_numbers_of_responses_are_whole_and_other_figures_are_not(tmp_path: Path) -> None:
    (one,) = read_experiments(written(tmp_path))
    table = tmp_path / "output/ours_eval_short.csv"
    table.write_text(",N,N raters,M,NX,h_mean\n0,40,,3,4,5\n", encoding="utf-8")
    (again,) = read_experiments(tmp_path)
    rows = {name: dict(zip(t.columns, t.rows[0], strict=True)) for name, t in summary_tables([one]).items()}
    short = summary_tables([again])["eval_short"]
    cells = dict(zip(short.columns, short.rows[0], strict=True))
    assert [name for name, cell in rows["model_fit"].items() if isinstance(cell, int)] == ["N features", "N responses"]
    assert [name for name, cell in rows["true_score_eval"].items() if isinstance(cell, int)] == ["N", "N raters"]
    assert cells["N raters"] is None
    assert {name: type(cells[name]) for name in ("N", "M", "NX", "h_mean")} == {
        "N": int,
        "M": float,
        "NX": float,
        "h_mean": float,
    }
