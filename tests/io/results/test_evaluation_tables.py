"""An evaluation as tables: RSMTool's names, one row a thing, no empty table."""

import numpy as np
import pytest

from assay.evaluation.compare import Contender, compare_engines
from assay.evaluation.evaluate import evaluate_engine
from assay.evaluation.plan import Plan
from assay.evaluation.ratings import GroupColumn, Ratings
from assay.evaluation.result import Evaluation
from assay.io.results.evaluation_tables import RSM_NAMES, PlainTable, comparison_tables, evaluation_tables
from assay.scale import ScoreScale

N = 60
SCALE = ScoreScale(1, 6)
RNG = np.random.default_rng(3)
QUALITY = RNG.normal(3.5, 1.0, N)
HUMAN = np.clip(np.rint(QUALITY[:, None] + RNG.normal(0, 0.5, (N, 2))), 1, 6)
SYSTEM = QUALITY + RNG.normal(0, 0.4, N)
GROUPS = GroupColumn.of("sex", ["f"] * 35 + ["m"] * 20 + ["x"] * 5)
SUMMARY = ["mean", "sd", "min", "max"]


def evaluation(
    *, raters: int = 2, groups: tuple[GroupColumn, ...] = (GROUPS,), scale: ScoreScale | None = SCALE
) -> Evaluation:
    ratings = Ratings(HUMAN[:, :raters], SYSTEM, groups=groups)
    return evaluate_engine(ratings, Plan(scale, cuts=(4.0,) if scale else (), least_group=6))


def rows(table: PlainTable) -> list[dict[str, object]]:
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


EVALUATION = evaluation()
TABLES = evaluation_tables(EVALUATION, [("r7", "no human score")])


def test_every_table_of_an_evaluation_with_two_raters_and_groups_is_there() -> None:
    assert list(TABLES) == [
        *("eval", "eval_short", "figures", "exclusions", "consistency", "rater_pairs", "degradation"),
        *("disattenuated_correlations", "true_score_eval", "confMatrix", "confMatrix_h1h2", "score_dist", "levels"),
        *("cuts", "thresholds", "eval_by_sex", "group_intervals_by_sex", "groups_by_sex", "consistency_by_sex"),
        *("disattenuated_correlations_by_sex", "fairness_metrics_by_sex"),
        *("estimates_osa_by_sex", "estimates_osd_by_sex", "estimates_csd_by_sex", "excluded"),
    ]
    for table in TABLES.values():
        assert all(len(row) == len(table.columns) for row in table.rows)


def test_with_one_rater_and_no_groups_what_needs_them_is_left_out() -> None:
    alone = evaluation_tables(evaluation(raters=1, groups=()))
    assert not {name for name in alone if "by_" in name or "h1h2" in name}
    assert not {"consistency", "rater_pairs", "degradation", "excluded"} & set(alone)
    assert "disattenuated_correlations_by_sex" not in evaluation_tables(evaluation(raters=1))


def test_the_table_of_figures_has_a_row_for_each_form_of_the_score() -> None:
    first = rows(TABLES["eval"])[0]
    form, figures = next(iter(EVALUATION.variants.items()))
    assert list(first) == [
        *("", "N", *(f"h_{what}" for what in SUMMARY), *(f"sys_{what}" for what in SUMMARY)),
        *("corr", "wtkappa", "R2", "kappa", "exact_agr", "adj_agr", "SMD", "RMSE"),
    ]
    assert (first[""], first["N"]) == (form, N)
    assert (first["h_mean"], first["sys_max"]) == (figures.first.mean, figures.second.max)
    assert (first["corr"], first["SMD"]) == (figures.metrics["r"].value, figures.metrics["smd"].value)
    assert [row[""] for row in rows(TABLES["eval"])] == list(EVALUATION.variants)


def test_the_short_form_takes_some_figures_of_the_trimmed_and_some_of_the_rounded_score() -> None:
    (row,) = rows(TABLES["eval_short"])
    trimmed, rounded = "raw_trim", "raw_trim_round"
    assert list(row) == [
        *("N", "h_mean", "h_sd"),
        *(f"{name}.{trimmed}" for name in ("sys_mean", "sys_sd", "wtkappa", "corr", "SMD", "RMSE", "R2")),
        *(f"{name}.{rounded}" for name in ("sys_mean", "sys_sd", "kappa", "exact_agr", "adj_agr", "SMD")),
    ]
    assert row["N"] == N
    assert row["kappa.raw_trim_round"] == EVALUATION.variants[rounded].metrics["kappa"].value
    (without,) = rows(evaluation_tables(evaluation(scale=None, groups=()))["eval_short"])
    assert not [name for name in without if name.endswith("round")]


def test_responses_are_counted_from_those_read_to_those_used() -> None:
    steps = [tuple(row) for row in TABLES["exclusions"].rows]
    assert (steps[0], steps[-1]) == (("read", N), ("used", N))
    assert sum(int(str(count)) for _, count in steps[:-1]) == N
    assert rows(TABLES["excluded"]) == [{"response": "r7", "reason": "no human score"}]


def test_raters_are_compared_with_each_other_and_the_system_with_them() -> None:
    (pair,) = rows(TABLES["rater_pairs"])
    (both,) = rows(TABLES["consistency"])
    assert EVALUATION.consistency is not None
    assert (both["N"], both["h1_mean"]) == (N, EVALUATION.consistency.first.mean)
    assert (both["h2_sd"], both["SMD"]) == (
        EVALUATION.consistency.second.sd,
        EVALUATION.consistency.metrics["smd"].value,
    )
    assert {name: pair[name] for name in both if name} == {name: both[name] for name in both if name}
    assert list(rows(TABLES["degradation"])[0]) == ["", "corr", "kappa", "wtkappa", "exact_agr", "adj_agr", "SMD"]
    corrected = rows(TABLES["disattenuated_correlations"])[0]
    assert corrected["sqrt_HH"] == pytest.approx(float(str(corrected["corr_HH"])) ** 0.5)
    assert corrected["corr_disattenuated"] == pytest.approx(
        float(str(corrected["corr_HM"])) / float(str(corrected["sqrt_HH"]))
    )


def test_true_scores_are_told_with_how_often_responses_were_rated() -> None:
    row = rows(TABLES["true_score_eval"])[0]
    assert (row["N"], row["N raters"], row["N single"], row["N multiple"]) == (N, 2, 0, N)
    form = EVALUATION.true_score[str(row[""])]
    assert (row["Variance of errors"], row["True score var"]) == (form.error_variance, form.true_variance)
    assert (row["PRMSE true"], row["PRMSE true low"], row["MSE true high"]) == (
        form.prmse.value,
        form.prmse.low,
        form.mse.high,
    )


def test_points_levels_and_cuts_have_a_row_each() -> None:
    crossed = rows(TABLES["confMatrix"])
    assert EVALUATION.crossed is not None
    assert [row[""] for row in crossed] == [f"{point:g}" for point in EVALUATION.crossed.points]
    assert sum(count for row in TABLES["confMatrix"].rows for count in row[1:]) == N  # type: ignore[misc]
    assert list(rows(TABLES["score_dist"])[0]) == [
        "score",
        "human",
        "sys_raw",
        "difference",
        "difference low",
        "difference high",
    ]
    assert sum(float(str(row["human"])) for row in rows(TABLES["score_dist"])) == pytest.approx(100)
    level = rows(TABLES["levels"])[0]
    assert (level["human score"], level["N"], level["bias"]) == (
        EVALUATION.levels[0].point,
        EVALUATION.levels[0].n,
        EVALUATION.levels[0].bias.value,
    )
    (cut,) = rows(TABLES["cuts"])
    assert (cut["cut"], cut["accuracy"], cut["kappa high"]) == (
        4,
        EVALUATION.cuts[0].accuracy.value,
        EVALUATION.cuts[0].kappa.high,
    )


def test_thresholds_are_told_with_their_verdict_and_source() -> None:
    first, judged = rows(TABLES["thresholds"])[0], EVALUATION.judgements[0]
    assert (first["figure"], first["value"], first["verdict"]) == (
        judged.name,
        judged.estimate.value,
        judged.verdict or "n/a",
    )
    assert (first["at least"], first["at most"], first["source"]) == (
        judged.threshold.least,
        judged.threshold.most,
        judged.threshold.source,
    )


def test_figures_come_with_their_interval_and_reason() -> None:
    told = {row["figure"]: row for row in rows(TABLES["figures"])}
    for name, estimate in EVALUATION.figures().items():
        assert told[name]["reason"] == estimate.reason
        assert str(told[name]["low"]) == str(estimate.low)


def test_groups_that_are_too_small_are_counted_and_not_shown() -> None:
    assert [tuple(row) for row in TABLES["groups_by_sex"].rows] == [("f", 35, True), ("m", 20, True), ("x", 5, False)]
    assert [row[""] for row in rows(TABLES["eval_by_sex"])] == ["f", "m"]
    assert {row["group"] for row in rows(TABLES["group_intervals_by_sex"])} == {"f", "m"}
    assert [row[""] for row in rows(TABLES["consistency_by_sex"])] == ["f", "m"]
    first = rows(TABLES["eval_by_sex"])[0]
    assert (first["N"], "DSM.raw_trim" in first, "SMD.raw_trim" in first) == (35, True, False)


def test_fairness_is_told_against_the_largest_group() -> None:
    r2, p = rows(TABLES["fairness_metrics_by_sex"])
    fairness = EVALUATION.groupings[0].fairness
    assert (r2[""], p[""], r2["base_category"], p["base_category"]) == ("R2", "sig", "f", "f")
    assert r2["Overall score accuracy"] == fairness.overall_accuracy.r2
    assert p["Conditional score difference"] == fairness.conditional_difference.p
    rowed = rows(TABLES["estimates_osd_by_sex"])
    assert [row[""] for row in rowed] == [c.name for c in fairness.overall_difference.coefficients]
    assert [row["[0.025"] for row in rowed] == [c.low for c in fairness.overall_difference.coefficients]


def test_two_engines_are_told_with_their_figures_and_differences() -> None:
    blocks = list(EVALUATION.blocks.values())
    contenders = [Contender(name, blocks[0], blocks[-1]) for name in ("a", "b")]
    comparison = compare_engines(contenders)
    tables = comparison_tables(comparison)
    assert list(tables) == ["engines", "differences"]
    engines = rows(tables["engines"])
    assert [row["engine"] for row in engines].count("a") == len(comparison.metrics["a"])
    assert engines[0]["value"] == comparison.metrics["a"][str(engines[0]["metric"])].value
    first = rows(tables["differences"])[0]
    assert (first["first"], first["second"], first["difference"]) == ("a", "b", 0)
    assert list(first) == ["metric", "first", "second", "difference", "low", "high", "p", "p_adjusted", "reason"]


def test_names_of_rsmtool_are_each_used_once() -> None:
    assert len(set(RSM_NAMES.values())) == len(RSM_NAMES)


def test_responses_left_out_are_taken_off_by_reason() -> None:
    human = HUMAN[:, :1].copy()
    human[:3], human[3] = np.nan, 0
    own = evaluation_tables(evaluate_engine(Ratings(human, SYSTEM), Plan(SCALE)))
    assert [tuple(row) for row in own["exclusions"].rows] == [
        *(("read", N), ("no human score", -3), ("human score 0", -1), ("used", N - 4)),
    ]
