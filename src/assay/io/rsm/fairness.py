"""RSMTool's fairness tables of one subgroup column, which RSMTool writes only from its report.

RSMTool reads its own tables back before the analysis, so groups called 01 and 1 become one and NA becomes no group
at all; so do they here.
"""

from collections.abc import Iterator
from math import nan

import numpy as np
import polars as pl
from scipy.special import fdtrc

from assay.evaluation.ratings import Codes
from assay.io.rsm.figures import INDEX, Tables
from assay.io.rsm.table import inferred, printed_booleans
from assay.metrics.error_tally import ErrorTally
from assay.metrics.least_squares import MOST_COEFFICIENTS, AdditiveFit, CellTable, fit_additive, nested_p
from assay.metrics.pairs import Scores

TITLES = {"osa": "Overall score accuracy", "osd": "Overall score difference", "csd": "Conditional score difference"}


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
        estimates[f"estimates_{name}_by_{column}"] = _estimates(larger, labels)
    summary = pl.DataFrame({INDEX: ["R2", "sig"], **metrics, "base_category": names[0]})
    return {f"fairness_metrics_by_{column}": summary} | estimates


def _models(human: Scores, system: Scores, codes: Codes, groups: int) -> Iterator[tuple[str, AdditiveFit, AdditiveFit]]:
    """The error explained with groups, and without."""
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


def _estimates(fit: AdditiveFit, labels: list[str]) -> pl.DataFrame:
    estimates = fit.estimates[: len(labels)]
    p, low, high = (values[: len(labels)] for values in fit.t_tests())
    if fit.residual_df >= 1 and fit.residual_ss == 0:  # nothing is left to err by: the interval is the estimate
        p, low, high = np.where(np.abs(estimates) < 1e-9, nan, 0.0), estimates, estimates
    return pl.DataFrame({INDEX: labels, "estimate": estimates, "P>[t]": p, "[0.025": low, "0.975]": high})
