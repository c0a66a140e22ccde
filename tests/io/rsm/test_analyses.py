"""RSMTool's tables of analyses, models and fairness. That they match RSMTool's is tested in tests/reference."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import f as f_distribution

from assay.io.rsm.analyses import (
    analysis_tables,
    experiment_composition,
    fairness_tables,
    fit_summary,
    model_tables,
    selected_features,
)
from assay.io.rsm.configuration.configs import rsm_tool_config
from assay.rsm.analyses import analyse_training
from assay.rsm.experiment import train_experiment
from assay.rsm.filtering import data_composition
from assay.rsm.types import ExperimentPlan, FeatureSpec, FeatureTable
from tests.io.rsm.rsm_training import write_training
from tests.rsm.tables import feature_table

HUMAN = np.array([1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 2.0])
SYSTEM = HUMAN + np.array([0.5, 0.4, 0.6, -0.1, 0.1, 0.0, 0.3])


def test_the_largest_group_comes_first_and_ties_go_by_value_not_by_text() -> None:
    groups = pl.Series(["10", "10", "9", "9", "2", "2", "2"])

    found = fairness_tables("g", groups, HUMAN, SYSTEM)["estimates_osd_by_g"]

    assert found.get_column("").to_list() == ["Intercept (2)", "9", "10"]


def test_the_estimates_are_differences_of_mean_errors() -> None:
    groups = pl.Series(["a", "a", "a", "b", "b", "b", "a"])

    found = fairness_tables("g", groups, HUMAN, SYSTEM)["estimates_osd_by_g"].get_column("estimate").to_list()

    np.testing.assert_allclose(found, [0.45, -0.45], atol=1e-12)


def test_a_single_group_has_nothing_to_explain() -> None:
    found = fairness_tables("g", pl.Series(["a"] * 7), HUMAN, SYSTEM)["fairness_metrics_by_g"]

    assert found.get_column("Overall score difference").to_list() == ["0.0", "nan"]
    assert found.get_column("base_category").to_list() == ["a", "a"]


def test_responses_without_a_group_are_left_out_and_none_at_all_gives_no_table() -> None:
    some = fairness_tables("g", pl.Series(["a", "a", "b", "b", "NA", None, ""]), HUMAN, SYSTEM)

    assert some["estimates_osa_by_g"].get_column("").to_list() == ["Intercept (a)", "b"]
    assert fairness_tables("g", pl.Series([None] * 7, dtype=pl.String), HUMAN, SYSTEM) == {}


def test_a_model_with_thousands_of_human_scores_is_not_fitted() -> None:
    human = np.arange(2100) / 1000
    groups = pl.Series(["a", "b", "a"] * 700)

    found = fairness_tables("g", groups, human, human + np.sin(human * 50))

    assert "estimates_csd_by_g" not in found
    assert found["fairness_metrics_by_g"].get_column("Conditional score difference").to_list() == [None, None]
    assert found["fairness_metrics_by_g"].get_column("Overall score difference").null_count() == 0


def test_a_perfect_estimate_is_certain_and_the_group_difference_has_its_p_value() -> None:
    groups = pl.Series(["a", "a", "a", "b", "b", "b", "a"])
    shifted = HUMAN + np.where(np.array(groups.to_list()) == "b", 0.5, 0.0)
    exact = fairness_tables("g", groups, HUMAN, shifted)["estimates_osd_by_g"]
    assert exact.get_column("estimate").to_list() == pytest.approx([0, 0.5], abs=1e-12)
    assert exact.get_column("P>[t]").to_list()[1] == 0
    assert exact.get_column("[0.025").to_list()[1] == exact.get_column("0.975]").to_list()[1] == pytest.approx(0.5)
    summary = fairness_tables("g", groups, HUMAN, SYSTEM)["fairness_metrics_by_g"]
    assert summary.columns == [
        *("", "Overall score accuracy", "Overall score difference", "Conditional score difference", "base_category")
    ]
    r2, p = summary.get_column("Overall score difference").to_list()
    # a t test of two groups: errors .5 .4 .6 .3 against -.1 .1 0
    one, two = np.array([0.5, 0.4, 0.6, 0.3]), np.array([-0.1, 0.1, 0.0])
    within = ((one - one.mean()) ** 2).sum() + ((two - two.mean()) ** 2).sum()
    every = np.concatenate([one, two])
    whole = ((every - every.mean()) ** 2).sum()
    assert r2 == pytest.approx(1 - (within / 5) / (whole / 6))
    assert 0 < p < 0.01


def test_groups_are_named_up_to_a_full_stop_and_without_brackets() -> None:
    groups = pl.Series(["a", "a", "a", "b.1]", "b.1]", "c]", "a"])
    labels = fairness_tables("g", groups, HUMAN, SYSTEM)["estimates_osd_by_g"].get_column("").to_list()
    assert labels == ["Intercept (a)", "b", "c"]
    booleans = fairness_tables(
        "g", pl.Series(["true", "false", "true", "false", "true", "false", "true"]), HUMAN, SYSTEM
    )
    assert booleans["estimates_osd_by_g"].get_column("").to_list() == ["Intercept (True)", "False"]


def test_too_few_responses_for_a_group_each_have_no_figure() -> None:
    few = fairness_tables("g", pl.Series(["a", "b"]), HUMAN[:2], SYSTEM[:2])["fairness_metrics_by_g"]
    assert few.get_column("Overall score difference").is_nan().all()


def analysed(table: FeatureTable, *, length: bool) -> dict[str, pl.DataFrame]:
    groups = {"L1": np.array(["de", "fr"] * (len(table) // 2), dtype=object)}
    lengths = np.arange(len(table), dtype=float) if length else None
    return analysis_tables(
        analyse_training(table.names, table.matrix, table.matrix, table.human, length=lengths, groups=groups)
    )


def test_features_are_described_with_their_outliers_correlations_and_components() -> None:
    table = feature_table()
    tables = analysed(table, length=True)
    described = tables["feature_descriptives"]
    assert described.columns == [
        *("", "mean", "std. dev.", "min", "max", "skewness", "kurtosis", "Correlation", "p", "N")
    ]
    assert described.get_column("").to_list() == list(table.names)
    assert described.get_column("mean").to_list() == pytest.approx(table.matrix.mean(axis=0).tolist())
    assert described.get_column("max").to_list() == pytest.approx(table.matrix.max(axis=0).tolist())
    assert described.get_column("N").to_list() == [80] * 3
    extra = tables["feature_descriptivesExtra"]
    assert extra.columns[-3:] == ["IQR", "Mild outliers", "Extreme outliers"]
    assert extra.get_column("50%").to_list() == pytest.approx(
        np.percentile(table.matrix, 50, axis=0, method="lower").tolist()
    )
    beyond = tables["feature_outliers"]
    assert beyond.columns == ["", "lower", "upper", "both", "lowerperc", "upperperc", "bothperc"]
    assert (beyond["lower"] + beyond["upper"]).to_list() == beyond["both"].to_list()
    assert tables["cors_orig"].columns == ["", *table.names, "sc1", "length"]
    assert tables["cors_orig"].item(0, "sc1") == pytest.approx(np.corrcoef(table.matrix[:, 0], table.human)[0, 1])
    assert tables["pca"].columns == ["", "PC1", "PC2", "PC3"]
    shares = tables["pcavar"]
    assert shares.get_column("").to_list() == [
        *("Eigenvalues", "Percentage of variance", "Cumulative percentage of variance")
    ]
    assert shares.item(2, "PC3") == pytest.approx(1)
    assert shares.item(2, "PC2") == pytest.approx(shares.item(1, "PC1") + shares.item(1, "PC2"))
    assert tables["margcor_score_by_L1"].get_column("").to_list() == ["All data", "de", "fr"]
    assert {"margcor_length_all_data", "pcor_score_no_length_all_data", "pcor_score_no_length_by_L1"} <= set(tables)
    assert "pcor_length_no_length_all_data" not in tables


def test_without_lengths_there_is_nothing_about_them() -> None:
    tables = analysed(feature_table(), length=False)
    assert tables["cors_orig"].columns[-1] == "sc1"
    assert not [name for name in tables if "length" in name]


def test_a_group_of_one_response_is_listed_without_a_value() -> None:
    table = feature_table(20)
    groups = {"L1": np.array(["one"] + ["de"] * 19, dtype=object)}
    tables = analysis_tables(analyse_training(table.names, table.matrix, table.matrix, table.human, groups=groups))
    lone = tables["pcor_score_no_length_by_L1"]
    assert (lone.get_column("").to_list(), lone.columns[1:]) == (["one"], ["a", "b", "c", "sc1"])
    assert lone.drop("").select(pl.all().is_nan().all()).row(0) == (True,) * 4


def test_a_group_called_all_data_is_told_apart_unless_it_was_merged() -> None:
    table = feature_table(20)
    groups = {"L1": np.array(["All data"] * 8 + ["de"] * 12, dtype=object)}
    for merged, names in ((False, ["All data", "All data (group)", "de"]), (True, ["All data", "de"])):
        analyses = analyse_training(
            table.names, table.matrix, table.matrix, table.human, groups=groups, merge_all_data=merged
        )
        assert analysis_tables(analyses)["margcor_score_by_L1"].get_column("").to_list() == names


def test_a_model_tells_how_features_are_prepared_and_what_they_count() -> None:
    experiment = train_experiment(feature_table(), feature_table(40, seed=2), ExperimentPlan())
    tables = model_tables(experiment)
    assert set(tables) == {
        "feature",
        "postprocessing_params",
        "coefficients",
        "coefficients_scaled",
        "betas",
        "model_fit",
    }
    assert not {"low", "high", "fill"} & set(tables["feature"].columns)
    assert tables["feature"].height == 3
    betas, fit = tables["betas"], experiment.fit
    assert betas.get_column("relative").abs().sum() == pytest.approx(1)
    # prepared features have spread 1, so a beta is the coefficient in standard deviations of the score
    weights = experiment.model.weights()
    spread = experiment.train.used.human.std(ddof=1)
    assert betas.get_column("standardized").to_list() == pytest.approx([weights[n] / spread for n in experiment.used])
    assert fit is not None
    assert tables["model_fit"].rows() == [(80, 3, fit.r2, fit.adjusted_r2)]
    listed = dict(tables["coefficients"].iter_rows())
    assert listed == {name: weights[name] for name in experiment.listed}


def test_scaled_coefficients_give_scaled_scores() -> None:
    experiment = train_experiment(feature_table(), feature_table(40, seed=2), ExperimentPlan())
    scaled = dict(model_tables(experiment)["coefficients_scaled"].iter_rows())
    prepared = experiment.test.preprocessed[:, [experiment.names.index(n) for n in experiment.used]]
    scores = scaled["Intercept"] + prepared @ np.array([scaled[name] for name in experiment.used])
    assert scores == pytest.approx(experiment.test_predictions["scale"])
    as_rsmtool = dict(model_tables(experiment, compat=True)["coefficients_scaled"].iter_rows())
    after = experiment.postprocessing
    assert as_rsmtool["Intercept"] - scaled["Intercept"] == pytest.approx(after.train_predictions_mean - after.h1_mean)


def test_features_of_the_model_come_back_as_a_feature_file(tmp_path: Path) -> None:
    specs = (FeatureSpec("a", "raw", -1.0, -9.0, 9.0), FeatureSpec("b", "raw", 1.0, -5.0, 5.0), FeatureSpec("c"))
    experiment = train_experiment(feature_table(), feature_table(40, seed=2), ExperimentPlan(features=specs))
    listed = selected_features(experiment, rsm_tool_config(write_training(tmp_path)))
    assert listed.columns == ["feature", "transform", "sign"]
    assert sorted(listed.rows()) == [("a", "raw", -1.0), ("b", "raw", 1.0), ("c", "raw", 1.0)]
    (tmp_path / "features.csv").write_text("feature,min,max\na,1,2\n", encoding="utf-8")
    path = write_training(tmp_path, features="features.csv", use_truncation_thresholds=True)
    bounded = selected_features(experiment, rsm_tool_config(path))
    assert bounded.columns == ["feature", "sign", "transform", "min", "max"]
    assert ("a", -1.0, "raw", -9.0, 9.0) in bounded.rows()


def test_a_fit_is_told_in_plain_text() -> None:
    experiment = train_experiment(feature_table(), feature_table(40, seed=2), ExperimentPlan())
    assert experiment.fit is not None
    lines = fit_summary("LinearRegression", experiment.fit).splitlines()
    assert lines[0] == "LinearRegression: least squares on 80 responses"
    assert lines[1] == (
        f"R2 {experiment.fit.r2:.4f}   adjusted R2 {experiment.fit.adjusted_r2:.4f}   residual degrees of freedom 76"
    )
    assert lines[3].split() == ["coefficient", "std.", "error", "t", "P>|t|"]
    assert len(lines) == 4 + 4
    assert [line.split()[0] for line in lines[4:]] == list(experiment.fit.names)
    assert float(lines[4].split()[1]) == pytest.approx(experiment.fit.estimates[0], rel=1e-5)


def test_the_composition_of_an_experiment_counts_both_partitions(tmp_path: Path) -> None:
    groups = {"L1": ["de", "fr", "fr", "de"]}
    train = FeatureTable.of(
        {"a": [1, 2, 3, 4.5]}, [1, 2, 3, 4], ids=list("wxyz"), candidate=list("ccdd"), groups=groups
    )
    test = FeatureTable.of({"a": [1, 2.5]}, [1, 2], ids=list("zv"), candidate=list("ce"), groups={"L1": ["de", "it"]})
    experiment = train_experiment(train, test, ExperimentPlan())
    config = rsm_tool_config(write_training(tmp_path))
    tables = experiment_composition(data_composition(experiment.train, experiment.test), config)
    assert tables["data_composition"].rows(named=True) == [
        {"partition": "Training", "responses": 4, "candidates": 2, "L1": 2},
        {"partition": "Evaluation", "responses": 2, "candidates": 2, "L1": 2},
        {"partition": "Overlapping", "responses": 1, "candidates": 1, "L1": 1},
        {"partition": "Total", "responses": 5, "candidates": 3, "L1": 3},
    ]
    assert tables["data_composition_by_L1"].rows() == [("de", 2, 1), ("fr", 2, 0), ("it", 0, 1)]
    assert {"train_excluded_composition", "test_excluded_composition"} <= set(tables)


def least_squares(values: np.ndarray[Any, Any], *codes: np.ndarray[Any, Any]) -> tuple[float, int, float]:
    """What is left of a sum of squares after fitting groups, its degrees of freedom, and adjusted R2."""
    columns = [np.ones(len(values))]
    for code in codes:
        columns += [(code == one).astype(float) for one in np.unique(code)[1:]]
    design = np.column_stack(columns)
    rest = values - design @ np.linalg.lstsq(design, values, rcond=None)[0]
    df = len(values) - np.linalg.matrix_rank(design)
    left, whole = float(rest @ rest), float(((values - values.mean()) ** 2).sum())
    return left, int(df), 1 - (left / df) / (whole / (len(values) - 1))


@pytest.mark.parametrize("grouped", [7, 6])
def test_what_groups_explain_is_tested_against_the_model_without_them(grouped: int) -> None:
    names = ["a", "a", "b", "b", "a", "b", "a"]
    groups = pl.Series([*names[:grouped], *[None] * (7 - grouped)], dtype=pl.String)
    summary = fairness_tables("g", groups, HUMAN, SYSTEM)["fairness_metrics_by_g"]
    error, code = SYSTEM - HUMAN, np.array(names)
    part = slice(None, grouped)
    for title, values, human in (
        ("Overall score accuracy", error**2, ()),
        ("Overall score difference", error, ()),
        ("Conditional score difference", error, (HUMAN,)),
    ):
        left, df, r2 = least_squares(values[part], code[part], *(h[part] for h in human))
        # the model that knows human scores is fitted to all responses
        every = slice(None) if human else part
        smaller, smaller_df, smaller_r2 = least_squares(values[every], *(h[every] for h in human))
        figures = summary.get_column(title).to_list()
        assert figures[0] == pytest.approx(r2 - smaller_r2)
        further = smaller_df - df
        assert figures[1] == pytest.approx(f_distribution.sf((smaller - left) / further / (left / df), further, df))


def test_a_certain_estimate_of_nothing_has_no_p_value() -> None:
    groups = pl.Series(["a", "a", "a", "b", "b", "b", "a"])
    shifted = HUMAN + np.where(np.array(groups.to_list()) == "b", 0.5, 0.0)
    exact = fairness_tables("g", groups, HUMAN, shifted)["estimates_osd_by_g"]
    assert np.isnan(exact.get_column("P>[t]").to_list()[0])
    assert exact.columns == ["", "estimate", "P>[t]", "[0.025", "0.975]"]


def test_outliers_are_counted_on_both_sides_and_in_per_cent() -> None:
    values = np.concatenate([np.tile([-1.0, 0, 1], 26), [-60.0, 50, 55]])[:, None]
    human = np.tile([1.0, 2, 3], 27)
    analyses = analyse_training(("a",), values, values, human)
    beyond = analysis_tables(analyses)["feature_outliers"].row(0, named=True)
    lower, upper = int(analyses.outliers.lower[0]), int(analyses.outliers.upper[0])
    assert lower + upper > 0
    assert beyond == {
        **{"": "a", "lower": lower, "upper": upper, "both": lower + upper},
        **{"lowerperc": round(lower / 81 * 100, 2), "upperperc": round(upper / 81 * 100, 2)},
        "bothperc": round((lower + upper) / 81 * 100, 2),
    }


def test_features_that_are_sums_of_others_are_told_in_the_summary() -> None:
    table = feature_table(names=("a", "b"))
    matrix = np.column_stack([table.matrix, table.matrix.sum(axis=1)])
    summed = FeatureTable(table.ids, ("a", "b", "c"), matrix, table.human)
    fit = train_experiment(summed, summed, ExperimentPlan()).fit
    assert fit is not None
    text = fit_summary("LinearRegression", fit)
    assert ("Some features are sums of others" in text) == (fit.rank < len(fit.names))
    assert fit.rank < len(fit.names)
    assert text.endswith("\n")
