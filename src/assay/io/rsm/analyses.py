"""RSMTool's tables about the responses, the features and the model of an experiment: name -> table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import fdtrc

from assay.evaluation.ratings import Codes
from assay.io.rsm.figures import ALL_DATA, INDEX, Tables
from assay.io.rsm.rows import left_out_composition
from assay.io.rsm.table import inferred, printed_booleans
from assay.metrics.error_tally import ErrorTally
from assay.metrics.least_squares import MOST_COEFFICIENTS, AdditiveFit, CellTable, fit_additive, nested_p
from assay.metrics.pairs import Scores
from assay.rsm.analyses import GroupedCorrelations, TargetCorrelations, TrainingAnalyses
from assay.rsm.descriptives import PERCENTILES
from assay.rsm.feature_model import Postprocessing
from assay.rsm.filtering import Composition
from assay.rsm.learners.fitted import INTERCEPT, LinearFit
from assay.rsm.preprocess import FeatureParameters
from assay.rsm.types import Matrix

if TYPE_CHECKING:
    from assay.io.rsm.configuration.configs import RsmModelConfig
    from assay.rsm.experiment import Experiment

SELECTED = "selected"
"""The table that RSMTool keeps in a folder of its own, `feature`."""
TITLES = {"osa": "Overall score accuracy", "osd": "Overall score difference", "csd": "Conditional score difference"}


def analysis_tables(analyses: TrainingAnalyses) -> Tables:
    """Every table of `TrainingAnalyses`, the rows and columns of features in their order.

    A group called "All data" is written as "All data (group)", unless its responses were merged with all others.
    """
    features, components = analyses.features, analyses.components
    columns = (*features, "sc1", *(["length"] if analyses.with_length else []))
    d, percentiles, outliers = analyses.descriptives, analyses.percentiles, analyses.outliers
    descriptives = {
        "mean": d.mean,
        "std. dev.": d.sd,
        "min": d.low,
        "max": d.high,
        "skewness": d.skewness,
        "kurtosis": d.kurtosis,
        "Correlation": d.r,
        "p": d.p,
        "N": d.n.astype(np.int64),
    }
    extra = {f"{at}%": percentiles.values[:, i] for i, at in enumerate(PERCENTILES)} | {"IQR": percentiles.iqr}
    extra |= {
        f"{kind.capitalize()} outliers": getattr(percentiles, kind).astype(np.int64) for kind in ("mild", "extreme")
    }
    counts = {"lower": outliers.lower, "upper": outliers.upper, "both": outliers.lower + outliers.upper}
    beyond = {name: count.astype(np.int64) for name, count in counts.items()}
    beyond |= {f"{name}perc": np.round(count / outliers.n * 100, 2) for name, count in counts.items()}
    names = [f"PC{i}" for i in range(1, len(components.eigenvalues) + 1)]
    shares = np.array([components.eigenvalues, components.share, np.cumsum(components.share)])
    variances = ("Eigenvalues", "Percentage of variance", "Cumulative percentage of variance")
    return {
        "feature_descriptives": _named(features, descriptives),
        "feature_descriptivesExtra": _named(features, extra),
        "feature_outliers": _named(features, beyond),
        "cors_orig": _matrix(columns, columns, analyses.original),
        "cors_processed": _matrix(columns, columns, analyses.processed),
        **_correlation_tables(features, analyses.with_score, "score"),
        **(_correlation_tables(features, analyses.with_length_alone, "length") if analyses.with_length_alone else {}),
        "pca": _matrix(features, names, components.loadings),
        "pcavar": _matrix(variances, names, shares),
    }


def experiment_composition(composition: Composition, config: "RsmModelConfig") -> Tables:
    """How many responses there are, and which were left out."""
    tables = {
        "test_excluded_composition": left_out_composition(composition.test_left_out, config),
        "train_excluded_composition": left_out_composition(composition.train_left_out, config),
    }
    columns = {"responses": composition.responses}
    columns |= {"candidates": composition.candidates} if composition.candidates else {}
    columns |= composition.groups
    counted = {name: [part.training, part.evaluation, part.both, part.total] for name, part in columns.items()}
    partitions = ["Training", "Evaluation", "Overlapping", "Total"]
    tables["data_composition"] = pl.DataFrame({"partition": partitions, **counted})
    for column, groups in composition.by_group.items():
        counts = {"Training set": [n for n, _ in groups.values()], "Evaluation set": [n for _, n in groups.values()]}
        tables[f"data_composition_by_{column}"] = pl.DataFrame({column: list(groups), **counts})
    return tables


def _correlation_tables(features: Sequence[str], correlations: GroupedCorrelations, word: str) -> Tables:
    tables = _three_tables(features, {ALL_DATA: correlations.everyone}, word, "all_data")
    own = ALL_DATA if correlations.merged else f"{ALL_DATA} (group)"
    for column, groups in correlations.groups.items():
        rows = {ALL_DATA: correlations.everyone}
        rows |= {own if name == ALL_DATA else name: part for name, part in groups.items()}
        tables |= _three_tables(features, dict(sorted(rows.items())), word, f"by_{column}")
    return tables


def _three_tables(features: Sequence[str], rows: Mapping[str, TargetCorrelations], word: str, where: str) -> Tables:
    parts, without_length = list(rows.values()), f"pcor_{word}_no_length_{where}"
    tables = {
        f"margcor_{word}_{where}": _matrix(list(rows), features, np.array([part.marginal for part in parts])),
        f"pcor_{word}_{where}": _matrix(list(rows), features, np.array([part.partial for part in parts])),
    }
    known = {name: part.without_length for name, part in rows.items() if part.without_length is not None}
    single = [name for name, part in rows.items() if part.n == 1]
    if known:
        tables[without_length] = _matrix(list(known), features, np.array(list(known.values())))
    elif word == "score" and single:
        # without length RSMTool still lists groups of one response here, and the human score, all without a value
        columns = sorted((*features, "sc1"))
        tables[without_length] = _matrix(single, columns, np.full((len(single), len(columns)), np.nan))
    return tables


def _matrix(rows: Sequence[str], columns: Sequence[str], values: Matrix) -> pl.DataFrame:
    return _named(rows, {name: values[:, i] for i, name in enumerate(columns)})


def _named(rows: Sequence[str], columns: Mapping[str, NDArray[Any]]) -> pl.DataFrame:
    values = {name: np.ascontiguousarray(column) for name, column in columns.items()}
    return pl.DataFrame({INDEX: pl.Series(list(rows), dtype=pl.String), **values})


def model_tables(experiment: "Experiment", *, compat: bool = False) -> Tables:
    """How features are prepared, and of built-in models the coefficients and the fit."""
    chosen = [p for p in experiment.parameters if p.feature in experiment.model.features]
    names = [name for name in FeatureParameters.__dataclass_fields__ if name not in ("low", "high", "fill")]
    after = experiment.postprocessing
    tables = {
        "feature": pl.DataFrame({name: [getattr(parameter, name) for parameter in chosen] for name in names}),
        "postprocessing_params": pl.DataFrame([asdict(after)]),
    }
    fit = experiment.fit
    if experiment.listed:
        weights = experiment.model.weights()
        listed = [weights[name] for name in experiment.listed]
        tables["coefficients"] = pl.DataFrame({"feature": experiment.listed, "coefficient": listed})
        tables["coefficients_scaled"] = _scaled(weights, after, compat=compat)
        # coefficients in standard deviations of feature and score, and as shares of the sum of their sizes
        columns = [experiment.names.index(name) for name in experiment.used]
        spread = experiment.train.preprocessed[:, columns].std(axis=0, ddof=1)
        betas = np.array([weights[name] for name in experiment.used]) * spread
        betas /= experiment.train.used.human.std(ddof=1)
        relative = betas / np.abs(betas).sum()
        tables["betas"] = pl.DataFrame({"feature": experiment.used, "standardized": betas, "relative": relative})
    if fit is not None:
        sizes = {"N responses": [fit.n], "N features": [fit.rank - 1]}
        tables["model_fit"] = pl.DataFrame({**sizes, "R2": [fit.r2], "R2_adjusted": [fit.adjusted_r2]})
    return tables


def selected_features(experiment: "Experiment", config: "RsmModelConfig") -> pl.DataFrame:
    """The features of the model as a feature file."""
    chosen = [p for p in experiment.parameters if p.feature in experiment.model.features]
    # a feature file comes back with its columns in this order; what RSMTool works out itself, in the other
    order = ("sign", "transform") if config.feature_file is not None else ("transform", "sign")
    columns: dict[str, list[object]] = {name: [getattr(p, name) for p in chosen] for name in ("feature", *order)}
    if config.use_truncation_thresholds:
        columns |= {"min": [p.low for p in chosen], "max": [p.high for p in chosen]}
    return pl.DataFrame(columns)


def _scaled(weights: dict[str, float], after: Postprocessing, *, compat: bool) -> pl.DataFrame:
    """Coefficients that give scaled scores.

    RSMTool's intercept is off where the mean prediction is not the mean human score.
    """
    ratio = after.ratio
    scaled = {name: weight * ratio for name, weight in weights.items()}
    mean = after.train_predictions_mean if compat else after.h1_mean
    scaled[INTERCEPT] += mean - after.train_predictions_mean * ratio
    return pl.DataFrame({"feature": list(scaled), "coefficient": list(scaled.values())})


def fit_summary(name: str, fit: LinearFit) -> str:
    """The fit as plain text: coefficients with standard error, t and p."""
    error, t, p = fit.tests()
    width = max(len(name) for name in fit.names)
    lines = [
        f"{name}: least squares on {fit.n} responses",
        f"R2 {fit.r2:.4f}   adjusted R2 {fit.adjusted_r2:.4f}   residual degrees of freedom {fit.residual_df}",
        "",
        f"{'':{width}}  {'coefficient':>12}  {'std. error':>12}  {'t':>9}  {'P>|t|':>8}",
    ]
    lines += [
        f"{feature:{width}}  {fit.estimates[i]:12.6g}  {error[i]:12.6g}  {t[i]:9.3f}  {p[i]:8.4f}"
        for i, feature in enumerate(fit.names)
    ]
    if fit.rank < len(fit.names):
        lines += ["", "Some features are sums of others: of all equally good fits the smallest coefficients are given."]
    return "\n".join(lines) + "\n"


def fairness_tables(column: str, groups: pl.Series, human: Scores, system: Scores) -> Tables:
    """How far the error of the system depends on the group, from the responses used; nothing without any group."""
    # groups by size, the largest first and ties by value; -1 stands for no group
    values = inferred(groups).alias("value")
    sizes = values.drop_nulls().value_counts(name="size").sort("size", "value", descending=[True, False])
    levels = sizes.get_column("value")
    if not levels.len():
        return {}
    numbered = sizes.select("value", code=pl.int_range(pl.len()))
    places = values.to_frame().join(numbered, on="value", how="left", maintain_order="left").get_column("code")
    codes = places.fill_null(-1).to_numpy().astype(np.int64)
    names = (printed_booleans(levels) if levels.dtype == pl.Boolean else levels.cast(pl.String)).to_list()
    # as RSMTool names groups in its tables of estimates: up to the first full stop, without brackets around
    labels = [f"Intercept ({names[0]})", *(name.partition(".")[0].strip("]") for name in names[1:])]
    metrics: dict[str, pl.Series | None] = dict.fromkeys(TITLES.values())  # None: a model too large to fit
    estimates = {}
    for name, larger, smaller in _models(human, system, codes, len(names)):
        metrics[TITLES[name]] = _summary(larger, smaller, no_p=None if name == "csd" else "nan")
        fitted = larger.estimates[: len(labels)]
        p, low, high = (values[: len(labels)] for values in larger.t_tests())
        if larger.residual_df >= 1 and larger.residual_ss == 0:  # nothing is left to err by: the estimate is certain
            p, low, high = np.where(np.abs(fitted) < 1e-9, nan, 0.0), fitted, fitted
        ends = {"P>[t]": p, "[0.025": low, "0.975]": high}
        estimates[f"estimates_{name}_by_{column}"] = pl.DataFrame({INDEX: labels, "estimate": fitted, **ends})
    summary = pl.DataFrame({INDEX: ["R2", "sig"], **metrics, "base_category": names[0]})
    return {f"fairness_metrics_by_{column}": summary} | estimates


def _models(human: Scores, system: Scores, codes: Codes, groups: int) -> Iterator[tuple[str, AdditiveFit, AdditiveFit]]:
    tally = ErrorTally.of(human, system, codes, groups)
    everyone = ErrorTally.of(human, system, np.zeros_like(codes), 1)
    # scores by how often they occur, the most frequent one first: it is what the others are compared with
    common = everyone.levels[np.lexsort((everyone.levels, -everyone.n[0]))]
    squares, errors = _tables(tally, common)
    # as in RSMTool the model without groups is fitted to all responses, also to those without a group
    at_score = errors.pooled(0) if (codes >= 0).all() else _tables(everyone, common)[1]
    models = {
        "osa": (squares.pooled(1), squares.pooled(1).pooled(0)),
        "osd": (errors.pooled(1), errors.pooled(1).pooled(0)),
        "csd": (errors, at_score),
    }
    for name, (larger, smaller) in models.items():
        if larger.coefficients <= MOST_COEFFICIENTS:
            yield name, fit_additive(larger), fit_additive(smaller)


def _summary(larger: AdditiveFit, smaller: AdditiveFit, *, no_p: str | None) -> pl.Series:
    """Adjusted R2 less that of the model without groups, and p from the F test of both models.

    As in RSMTool the degrees of freedom are taken from the responses of each model, also where the model without
    groups has more of them, since some responses have no group. `no_p` stands for a p value that does not exist.
    """
    if larger.rank == 1:  # one group: its model is that without groups
        return pl.Series(["0.0", no_p], dtype=pl.String)
    if larger.residual_df < 1 or larger.total_ss == 0:
        return pl.Series([nan, nan], dtype=pl.Float64)
    further = smaller.residual_df - larger.residual_df
    if further < 1 or larger.residual_ss == 0:
        p = nested_p(smaller, larger)
    else:
        gain = (smaller.residual_ss - larger.residual_ss) / further
        p = float(fdtrc(further, larger.residual_df, gain / (larger.residual_ss / larger.residual_df)))
    return pl.Series([larger.adjusted_r2 - smaller.adjusted_r2, p], dtype=pl.Float64)


def _tables(tally: ErrorTally, common: Scores) -> tuple[CellTable, CellTable]:
    """Squared errors and errors by group and human score, scores in the order of `common`."""
    present = common[np.isin(common, tally.levels)]
    order = np.searchsorted(tally.levels, present)
    n, weight = float(tally.n.sum()), tally.weight[:, order]
    error, square = tally.mean_error[:, order], tally.mean_square[:, order]
    # what the subtraction of two scores may lose: differences below are not differences
    blur = 1e-12 * float(np.abs(tally.levels).max() + np.abs(error).max())
    blur_square = 2 * blur * float(np.sqrt(square.max()))
    return (
        CellTable(n, weight, square, float(tally.ss_square.sum()), n * blur_square**2),
        CellTable(n, weight, error, float(tally.ss_error.sum()), n * blur**2),
    )
