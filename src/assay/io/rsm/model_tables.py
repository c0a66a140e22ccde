"""RSMTool's tables about a model: features and their parameters, coefficients, fit, scaling; and a text summary."""

import numpy as np
import polars as pl

from assay.io.rsm.configuration.configs import RsmModelConfig
from assay.io.rsm.rows import Tables
from assay.rsm.experiment import Experiment
from assay.rsm.feature_model import Postprocessing
from assay.rsm.learners.fitted import INTERCEPT, LinearFit
from assay.rsm.preprocess import FeatureParameters

SELECTED = "selected"
"""The table that RSMTool keeps in a folder of its own, `feature`."""


def model_tables(experiment: Experiment, *, compat: bool = False) -> Tables:
    """How features are prepared, and of built-in models the coefficients and the fit."""
    chosen = [p for p in experiment.parameters if p.feature in experiment.model.features]
    tables = {"feature": _features(chosen), "postprocessing_params": _postprocessing(experiment.postprocessing)}
    if experiment.listed:
        tables["coefficients"] = _coefficients(experiment)
        tables["coefficients_scaled"] = _scaled(experiment, compat=compat)
        tables["betas"] = _betas(experiment)
    if experiment.fit is not None:
        tables["model_fit"] = _fit(experiment.fit)
    return tables


def selected_features(experiment: Experiment, config: RsmModelConfig) -> pl.DataFrame:
    """The features of the model as a feature file."""
    chosen = [p for p in experiment.parameters if p.feature in experiment.model.features]
    # a feature file comes back with its columns in this order; what RSMTool works out itself, in the other
    order = ("sign", "transform") if config.feature_file is not None else ("transform", "sign")
    columns: dict[str, list[object]] = {name: [getattr(p, name) for p in chosen] for name in ("feature", *order)}
    if config.use_truncation_thresholds:
        columns |= {"min": [p.low for p in chosen], "max": [p.high for p in chosen]}
    return pl.DataFrame(columns)


def _features(parameters: list[FeatureParameters]) -> pl.DataFrame:
    names = ("feature", "transform", "sign", "train_mean", "train_sd", "train_transformed_mean", "train_transformed_sd")
    return pl.DataFrame({name: [getattr(parameter, name) for parameter in parameters] for name in names})


def _postprocessing(parameters: Postprocessing) -> pl.DataFrame:
    return pl.DataFrame({name: [getattr(parameters, name)] for name in Postprocessing.__dataclass_fields__})


def weights(experiment: Experiment) -> dict[str, float]:
    """The coefficient of every feature of a line, and the intercept."""
    model = experiment.model
    assert model.coefficients is not None
    assert model.intercept is not None
    return {INTERCEPT: model.intercept, **dict(zip(model.features, model.coefficients.tolist(), strict=True))}


def _coefficients(experiment: Experiment) -> pl.DataFrame:
    by_name = weights(experiment)
    return pl.DataFrame({"feature": experiment.listed, "coefficient": [by_name[name] for name in experiment.listed]})


def _scaled(experiment: Experiment, *, compat: bool) -> pl.DataFrame:
    """Coefficients that give scaled scores.

    RSMTool's intercept is off where the mean prediction is not the mean human score.
    """
    after = experiment.postprocessing
    ratio = after.h1_sd / after.train_predictions_sd
    by_name = {name: weight * ratio for name, weight in weights(experiment).items()}
    mean = after.train_predictions_mean if compat else after.h1_mean
    by_name[INTERCEPT] += mean - after.train_predictions_mean * ratio
    return pl.DataFrame({"feature": list(by_name), "coefficient": list(by_name.values())})


def _betas(experiment: Experiment) -> pl.DataFrame:
    """Coefficients in standard deviations of feature and score, and as shares of the sum of their sizes."""
    by_name = weights(experiment)
    columns = [experiment.names.index(name) for name in experiment.used]
    spread = experiment.train.preprocessed[:, columns].std(axis=0, ddof=1)
    standardized = np.array([by_name[name] for name in experiment.used]) * spread
    standardized /= experiment.train.used.human.std(ddof=1)
    relative = standardized / np.abs(standardized).sum()
    return pl.DataFrame({"feature": experiment.used, "standardized": standardized, "relative": relative})


def _fit(fit: LinearFit) -> pl.DataFrame:
    return pl.DataFrame(
        {"N responses": [fit.n], "N features": [fit.rank - 1], "R2": [fit.r2], "R2_adjusted": [fit.adjusted_r2]}
    )


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
