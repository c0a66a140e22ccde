"""RSMTool's tables of figures from tallies. That they match RSMTool's is tested in tests/reference."""

import numpy as np
import polars as pl
import pytest

from assay.evaluation.chunks import tally_parts
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import GroupColumn, Ratings
from assay.io.rsm.figures import (
    RATER_FIGURES,
    SYSTEM_FIGURES,
    crossed,
    disattenuated,
    figure_tables,
    figures,
    named_rows,
    point_kappa,
    point_tables,
)
from assay.metrics.tally import PairTally
from assay.scale import ScoreScale

HUMAN = np.array([[1.0, 2], [2, 2], [3, 3], [4, 3], [5, 5], [6, np.nan]])
SYSTEM = np.array([1.4, 2.4, 2.6, 4.4, 5.6, 7.5])
SCALE = ScoreScale(1, 6)
PLAN = Plan(SCALE)


def tables(
    *, raters: int = 2, groups: list[str] | None = None, merge: bool = False, **plan: float
) -> dict[str, pl.DataFrame]:
    columns = () if groups is None else (GroupColumn.of("L1", groups),)
    own = Plan(SCALE, **plan)  # type: ignore[arg-type]
    tally, _ = tally_parts([Ratings(HUMAN[:, :raters], SYSTEM, groups=columns)], own)
    return figure_tables(tally, own, kappas={"raw": 0.125}, merge_all_data=merge)


def row(table: pl.DataFrame, name: str) -> dict[str, object]:
    return next(one for one in table.iter_rows(named=True) if one[""] == name)


def test_each_variant_has_a_row_of_figures_and_a_kappa_from_elsewhere_is_taken() -> None:
    own = tables()["eval"]
    assert own.get_column("").to_list() == ["raw", "raw_trim", "raw_trim_round"]
    rounded = row(own, "raw_trim_round")
    # 1 2 3 4 6 6 against 1 2 3 4 5 6
    assert (rounded["N"], rounded["h_mean"], rounded["sys_mean"]) == (6, 3.5, pytest.approx(22 / 6))
    assert (rounded["sys_min"], rounded["sys_max"], rounded["h_max"]) == (1, 6, 6)
    assert (rounded["exact_agr"], rounded["adj_agr"]) == (pytest.approx(500 / 6), 100)
    assert rounded["RMSE"] == pytest.approx(np.sqrt(1 / 6))
    assert row(own, "raw")["kappa"] == 0.125
    assert (row(own, "raw_trim")["sys_max"], row(own, "raw")["sys_max"]) == (pytest.approx(6.4998), 7.5)


def test_a_short_row_has_figures_of_the_trimmed_and_the_rounded_score() -> None:
    (short,) = tables()["eval_short"].iter_rows(named=True)
    whole = tables()["eval"]
    assert (short[""], short["N"], short["h_mean"]) == ("0", 6, 3.5)
    assert short["corr.raw_trim"] == row(whole, "raw_trim")["corr"]
    assert short["kappa.raw_trim_round"] == row(whole, "raw_trim_round")["kappa"]
    assert short["SMD.raw_trim"] == row(whole, "raw_trim")["SMD"]


def test_two_raters_are_compared_on_what_both_read() -> None:
    own = tables()
    (pair,) = own["consistency"].iter_rows(named=True)
    assert (pair["N"], pair["h1_mean"], pair["h2_mean"]) == (5, 3, 3)
    assert pair["exact_agr"] == 60
    trimmed = row(own["degradation"], "raw_trim")
    assert trimmed["corr"] == pytest.approx(float(str(row(own["eval"], "raw_trim")["corr"])) - pair["corr"])
    corrected = row(own["disattenuated_correlations"], "raw_trim")
    assert corrected["corr_HH"] == pair["corr"]
    truth = row(own["true_score_eval"], "raw_trim")
    assert (truth["N"], truth["N raters"], truth["N single"], truth["N multiple"]) == (6, 2, 1, 5)
    assert truth["PRMSE true"] == pytest.approx(1 - float(str(truth["MSE true"])) / float(str(truth["True score var"])))


def test_one_rater_has_no_consistency_and_true_scores_only_with_a_known_error() -> None:
    assert list(tables(raters=1)) == ["eval", "eval_short"]
    known = row(tables(raters=1, error_variance=0.25)["true_score_eval"], "raw")
    assert (known["N raters"], known["N single"], known["N multiple"], known["Variance of errors"]) == (1, 6, 0, 0.25)


def test_groups_that_occur_have_a_row_beside_all_responses() -> None:
    own = tables(groups=["de", "de", "de", "fr", "fr", "fr"])
    by_group = own["eval_by_L1"]
    assert by_group.get_column("").to_list() == ["All data", "de", "fr"]
    assert by_group.get_column("N").to_list() == [6, 3, 3]
    assert "DSM.raw_trim" in by_group.columns
    assert "SMD.raw_trim" not in by_group.columns
    assert row(by_group, "All data")["DSM.raw_trim"] == pytest.approx(0)
    assert own["consistency_by_L1"].get_column("N").to_list() == [5, 3, 2]
    assert "SMD" not in own["consistency_by_L1"].columns
    assert own["disattenuated_correlations_by_L1"].get_column("").to_list() == ["All data", "de", "fr"]
    assert "consistency_by_L1" not in tables(raters=1, groups=["a"] * 6)


def test_a_group_called_all_data_is_told_apart_or_counted_once_more() -> None:
    names = ["All data", "All data", "de", "de", "de", "de"]
    apart, merged = tables(groups=names)["eval_by_L1"], tables(groups=names, merge=True)["eval_by_L1"]
    assert dict(zip(apart.get_column(""), apart.get_column("N"), strict=True)) == {
        "All data": 6,
        "All data (group)": 2,
        "de": 4,
    }
    assert dict(zip(merged.get_column(""), merged.get_column("N"), strict=True)) == {"All data": 8, "de": 4}


def test_without_responses_all_is_missing_but_their_number() -> None:
    nobody = GroupColumn("L1", ("de", "fr"), np.zeros(6, np.int64))
    tally, _ = tally_parts([Ratings(HUMAN, SYSTEM, groups=(nobody,))], PLAN)
    none = figures(tally.groups["L1"].system["raw_trim"].merged()[1], RATER_FIGURES)
    assert none["N"] == 0
    assert all(np.isnan(value) for name, value in none.items() if name != "N")


def test_where_figures_are_undefined_rsmtool_gives_numbers() -> None:
    same = figures(PairTally.of(np.array([3.0, 3, 3]), np.array([3.0, 3, 3])), SYSTEM_FIGURES)
    assert (same["kappa"], same["R2"], same["h_sd"], same["sys_sd"]) == (1, 1, 0, 0)
    off = figures(PairTally.of(np.array([3.0, 3, 3]), np.array([3.0, 3, 4])), SYSTEM_FIGURES)
    assert (off["R2"], off["h_sd"]) == (0, 0)
    assert off["kappa"] != 1
    alone = figures(PairTally.of(np.array([3.0]), np.array([3.0])), SYSTEM_FIGURES)
    assert np.isnan(alone["R2"])


def test_a_correlation_is_corrected_for_that_of_the_raters() -> None:
    assert disattenuated(0.6, 0.64)["corr_disattenuated"] == pytest.approx(0.75)
    assert disattenuated(0.6, 0.64)["sqrt_HH"] == pytest.approx(0.8)
    assert disattenuated(0.6, 0.0)["corr_disattenuated"] == np.inf
    assert np.isnan(disattenuated(0.6, -0.1)["corr_disattenuated"])


def test_rows_have_their_names_in_front() -> None:
    frame = named_rows({"a": {"x": 1}, "b": {"x": 2.5}})
    assert frame.columns == ["", "x"]
    assert frame.rows() == [("a", 1.0), ("b", 2.5)]


def test_scores_are_crossed_by_the_points_that_occur() -> None:
    table = crossed(np.array([1.0, 2, 2, -0.2]), np.array([1.4, 2.6, 2, 0]))
    assert table.columns == ["", "0", "1", "2", "3"]
    assert table.rows() == [("0", 1, 0, 0, 0), ("1", 0, 1, 0, 0), ("2", 0, 0, 1, 1), ("3", 0, 0, 0, 0)]


def test_point_tables_tell_shares_in_per_cent_and_a_second_rater_where_there_is_one() -> None:
    final = np.array([1.0, 2, 3, 4, 6, 6])
    own = point_tables(HUMAN, final, PLAN)
    assert list(own) == ["confMatrix", "confMatrix_h1h2", "score_dist"]
    assert own["confMatrix_h1h2"].get_column("").to_list() == ["1", "2", "3", "4", "5"]
    shares = own["score_dist"]
    assert shares.columns == ["", "score", "human", "sys_raw", "difference"]
    assert shares.row(4) == pytest.approx((5, 5, 100 / 6, 0, -100 / 6))
    assert shares.row(5) == pytest.approx((6, 6, 100 / 6, 200 / 6, 100 / 6))
    nobody = np.column_stack([HUMAN[:, 0], np.full(6, np.nan)])
    assert "confMatrix_h1h2" not in point_tables(nobody, final, PLAN)
    assert "confMatrix_h1h2" not in point_tables(HUMAN[:, :1], final, PLAN)


def test_kappa_of_points_is_cohens() -> None:
    # 3 of 4 agree; by chance (2 x 3 + 2 x 1) / 16
    assert point_kappa(np.array([1.0, 1, 2, 2]), np.array([1.0, 1.2, 1.4, 2])) == pytest.approx((0.75 - 0.5) / 0.5)
    assert point_kappa(np.array([2.0, 2]), np.array([2.0, 2])) == 1


def test_one_response_has_no_spread_and_its_point_agrees_with_itself() -> None:
    alone = figures(PairTally.of(np.array([3.0]), np.array([3.0])), SYSTEM_FIGURES)
    assert (alone["N"], alone["kappa"], alone["h_mean"]) == (1, 1, 3)
    assert np.isnan([alone["h_sd"], alone["sys_sd"]]).all()
    assert figures(PairTally.of(np.array([3.0]), np.array([4.0])), SYSTEM_FIGURES)["kappa"] != 1


def test_a_group_called_all_data_is_told_apart_unless_asked_otherwise() -> None:
    columns = (GroupColumn.of("L1", ["All data", "All data", "de", "de", "de", "de"]),)
    tally, _ = tally_parts([Ratings(HUMAN, SYSTEM, groups=columns)], PLAN)
    own = figure_tables(tally, PLAN, kappas={})["eval_by_L1"]
    assert own.get_column("").to_list() == ["All data", "All data (group)", "de"]


def test_groups_are_shifted_by_the_difference_of_their_standardized_means() -> None:
    own = row(tables(raters=1, groups=["de", "de", "de", "fr", "fr", "fr"])["eval_by_L1"], "de")
    human, final = HUMAN[:, 0], np.array([1.0, 2, 3, 4, 6, 6])
    shift = (final[:3].mean() - final.mean()) / final.std(ddof=1) - (human[:3].mean() - human.mean()) / human.std(
        ddof=1
    )
    assert own["DSM.raw_trim_round"] == pytest.approx(shift)
    assert (own["N"], own["h_mean"], own["h_sd"]) == (3, 2, 1)


def test_points_are_counted_by_the_first_score_down_and_the_second_across() -> None:
    table = crossed(np.array([1.0, 1, 2]), np.array([2.0, 2, 1]))
    assert table.rows() == [("1", 0, 2), ("2", 1, 0)]
    assert point_kappa(np.array([1.0, 1, 2, 3]), np.array([1.0, 2, 2, 3])) == pytest.approx(1 - 0.25 / (1 - 5 / 16))
