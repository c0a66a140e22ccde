"""Experiments on small tables: what our departures from RSMTool, and its odd ways, come to."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from assay.errors import InputError
from assay.workflows.rsm.eval import RsmEvalResult, rsm_eval

Row = Sequence[object]

HEADER = ("id", "h1", "h2", "system", "group", "flag")
ROWS: list[Row] = [
    ("a", 1, 1, 1.2, "x", 0),
    ("b", 2, 3, 2.4, "y", 0),
    ("c", 3, 3, 2.9, "x", 1),
    ("d", 4, 4, 4.4, "y", 0),
    ("e", 5, "", 4.6, "x", 0),
    ("f", 6, "", 5.1, "y", 0),
]


def config(folder: Path, rows: Sequence[Row] = ROWS, *, header: Row = HEADER, **options: Any) -> Path:
    """A configuration beside a table with these rows."""
    lines = [",".join(map(str, row)) for row in (header, *rows)]
    (folder / "scores.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    usual = {
        "experiment_id": "e",
        "predictions_file": "scores.csv",
        "id_column": "id",
        "human_score_column": "h1",
        "system_score_column": "system",
        "trim_min": 1,
        "trim_max": 6,
    }
    path = folder / "config.json"
    path.write_text(json.dumps(usual | options), encoding="utf-8")
    return path


def experiment(folder: Path, rows: Sequence[Row] = ROWS, **options: Any) -> RsmEvalResult:
    return rsm_eval(config(folder, rows, **options))


def row(table: pl.DataFrame, name: str) -> dict[str, Any]:
    """The row of a table whose first cell is this."""
    return table.filter(pl.nth(0) == name).row(0, named=True)


def test_a_group_called_all_data_is_kept_apart_from_all_responses(tmp_path: Path) -> None:
    rows = [(*r[:4], "All data" if r[4] == "x" else "y", 0) for r in ROWS]

    apart = experiment(tmp_path, rows, subgroups=["group"]).tables["eval_by_group"]
    merged = experiment(tmp_path, rows, subgroups=["group"], compat=True).tables["eval_by_group"]

    assert apart.get_column("").to_list() == ["All data", "All data (group)", "y"]
    assert apart.get_column("N").to_list() == [6.0, 3.0, 3.0]
    assert merged.get_column("").to_list() == ["All data", "y"]
    assert merged.get_column("N").to_list() == [9.0, 3.0]  # what RSMTool 12 shows


def test_scale_with_raw_is_no_scaling_as_documented(tmp_path: Path) -> None:
    documented = experiment(tmp_path, scale_with="raw").tables
    as_it_is = experiment(tmp_path, scale_with="raw", compat=True).tables

    assert documented["eval"].get_column("").to_list() == ["raw", "raw_trim", "raw_trim_round"]
    assert as_it_is["eval"].height == 6
    assert "corr.scale_trim" in as_it_is["eval_short"].columns


def test_an_infinite_score_is_left_out_as_no_number(tmp_path: Path) -> None:
    rows = [*ROWS, ("g", "inf", 1, 2, "x", 0), ("h", 2, 1, "-inf", "x", 0)]

    found = experiment(tmp_path, rows)

    assert found.evaluation.n == 6
    assert found.tables["test_excluded_composition"].to_dict(as_series=False) == {
        "Human/System": ["numeric non-zero human score", "zero human score", "non-numeric human score"],
        "numeric system score": [None, 0.0, 1.0],
        "non-numeric system score": [1, 0, 0],
    }


def test_one_stray_raw_score_leaves_kappa_defined(tmp_path: Path) -> None:
    # 5000 points are too many for a tally of points; RSMTool counts them all
    found = experiment(tmp_path, [*ROWS, ("g", 6, "", 5000, "x", 0)]).tables["eval"]

    # five of seven rounded scores agree; the marginals share 6 of 49 pairs
    assert row(found, "raw")["kappa"] == pytest.approx(1 - (1 - 5 / 7) / (1 - 6 / 49), abs=1e-12)


def test_constant_scores_get_the_numbers_of_scikit_learn_and_skll(tmp_path: Path) -> None:
    rows = [(name, 3, 3, 3, "x", 0) for name in "abc"]

    found = experiment(tmp_path, rows, second_human_score_column="h2")

    figures = row(found.tables["eval"], "raw")
    assert (figures["R2"], figures["kappa"], figures["h_sd"]) == (1.0, 1.0, 0.0)
    assert row(found.tables["consistency"], "")["kappa"] == 1.0
    assert not found.evaluation.variants["raw"].metrics["kappa"].defined  # the report stays honest


def test_a_perfectly_determined_true_score_divides_by_zero_as_rsmtool_does(tmp_path: Path) -> None:
    rows = [(name, 3, "", system, "x", 0) for name, system in zip("abc", (2, 3, 4), strict=True)]

    found = experiment(tmp_path, rows, rater_error_variance=0).tables["true_score_eval"]

    assert row(found, "raw")["PRMSE true"] == float("-inf")


@pytest.mark.parametrize("allowed", [0, "0", [0.0], ["0", "none"]])
def test_flags_are_compared_as_numbers_however_they_are_written(allowed: object, tmp_path: Path) -> None:
    found = experiment(tmp_path, flag_column={"flag": allowed})

    assert found.evaluation.n == 5
    assert found.tables["test_responses_with_excluded_flags"].get_column("spkitemid").to_list() == ["c"]


def test_nan_allows_an_empty_flag(tmp_path: Path) -> None:
    rows = [*ROWS, ("g", 2, 1, 2, "x", "")]

    assert experiment(tmp_path, rows, flag_column={"flag": [0, "nan"]}).evaluation.n == 6
    assert experiment(tmp_path, rows, flag_column={"flag": [0]}).evaluation.n == 5


def test_words_are_flags_too(tmp_path: Path) -> None:
    rows = [(*r[:5], "ok" if r[0] != "b" else "1") for r in ROWS]

    assert experiment(tmp_path, rows, flag_column={"flag": ["ok"]}).evaluation.n == 5
    assert experiment(tmp_path, rows, flag_column={"flag": ["ok", 1.0]}).evaluation.n == 6


def test_human_scores_outside_the_trim_range_are_evaluated(tmp_path: Path) -> None:
    found = experiment(tmp_path, trim_min=2, trim_max=4, second_human_score_column="h2")

    assert found.tables["confMatrix"].columns[1:] == ["1", "2", "3", "4", "5", "6"]
    assert found.evaluation.plan.scale is not None
    assert found.evaluation.plan.scale.lowest == 2
    assert found.evaluation.reliability["ac1"].defined


def test_groups_are_renamed_in_the_fairness_tables_as_rsmtool_reads_them_back(tmp_path: Path) -> None:
    rows = [(*r[:4], "01" if r[4] == "x" else "2.50", 0) for r in ROWS]

    found = experiment(tmp_path, rows, subgroups="group").tables

    assert found["eval_by_group"].get_column("").to_list() == ["01", "2.50", "All data"]
    assert found["estimates_osd_by_group"].get_column("").to_list() == ["Intercept (1.0)", "2"]
    assert found["fairness_metrics_by_group"].get_column("base_category").to_list() == ["1.0", "1.0"]


def test_repeated_ids_and_missing_columns_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds 1 ids more than once: 'a'"):
        experiment(tmp_path, [*ROWS, ROWS[0]])
    with pytest.raises(InputError, match=r"'grup' not found \(subgroups, number 1\). Did you mean 'group'\?"):
        experiment(tmp_path, subgroups=["grup"])


def test_a_scaling_file_must_have_predictions_that_differ(tmp_path: Path) -> None:
    (tmp_path / "train.csv").write_text("sc1,prediction\n1,2\n3,2\n", encoding="utf-8")

    with pytest.raises(InputError, match=r"train\.csv: must hold at least two human scores"):
        experiment(tmp_path, scale_with="train.csv")


def test_a_slash_in_a_group_column_leads_to_no_other_folder(tmp_path: Path) -> None:
    header = ("id", "h1", "h2", "system", "../up", "flag")

    rsm_eval(config(tmp_path, header=header, subgroups=["../up"]), tmp_path / "out")

    assert (tmp_path / "out" / "output" / "e_eval_by_.._up.csv").is_file()


def test_an_earlier_result_is_replaced_only_by_force(tmp_path: Path) -> None:
    settings = config(tmp_path)
    rsm_eval(settings, tmp_path / "out")

    with pytest.raises(InputError, match="force"):
        rsm_eval(settings, tmp_path / "out")
    rsm_eval(settings, tmp_path / "out", force=True)

    assert (tmp_path / "out" / "output" / "e_eval.csv").is_file()


def test_nothing_is_written_when_no_response_is_left(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no response is left"):
        rsm_eval(config(tmp_path, [("a", "x", "", 1, "x", 0)]), tmp_path / "out")

    assert not (tmp_path / "out").exists()
