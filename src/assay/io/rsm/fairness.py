"""RSMTool's fairness tables of one subgroup column, which RSMTool writes only from its report.

RSMTool reads its own tables back before the analysis, so groups called 01 and 1 become one and NA becomes no group
at all; so do they here.
"""

from dataclasses import dataclass
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

R2, P = "R2", "sig"
TITLES = {
    "osa": "Overall score accuracy",
    "osd": "Overall score difference",
    "csd": "Conditional score difference",
}


@dataclass(frozen=True, eq=False, slots=True)
class _Model:
    """The error explained with groups, and without."""

    name: str
    with_groups: AdditiveFit
    without: AdditiveFit
    no_p: str | None
    """What stands for a p value that does not exist."""

    def r2(self) -> float:
        """Adjusted R2, less that of the model without groups."""
        return self.with_groups.adjusted_r2 - self.without.adjusted_r2

    def p(self) -> float:
        """From the F test of both models.

        As in RSMTool the degrees of freedom are taken from the responses of each model, also where the model without
        groups has more of them, since some responses have no group.
        """
        larger, smaller = self.with_groups, self.without
        further = smaller.residual_df - larger.residual_df
        if further < 1 or larger.residual_df < 1 or larger.residual_ss == 0:
            return nested_p(smaller, larger)
        gain = (smaller.residual_ss - larger.residual_ss) / further
        return float(fdtrc(further, larger.residual_df, gain / (larger.residual_ss / larger.residual_df)))


def fairness_tables(column: str, groups: pl.Series, human: Scores, system: Scores) -> Tables:
    """How far the error of the system depends on the group, from the responses used; nothing without any group."""
    names, codes = _groups_by_size(groups)
    if not names:
        return {}
    models = _models(human, system, codes, len(names))
    summaries = {model.name: _summary(model) for model in models}
    metrics = {title: summaries.get(name) for name, title in TITLES.items()}  # None: a model too large to fit
    tables = {f"fairness_metrics_by_{column}": pl.DataFrame({INDEX: [R2, P], **metrics, "base_category": names[0]})}
    labels = [f"Intercept ({names[0]})", *(_shortened(name) for name in names[1:])]
    return tables | {f"estimates_{model.name}_by_{column}": _estimates(model.with_groups, labels) for model in models}


def _models(human: Scores, system: Scores, codes: Codes, groups: int) -> list[_Model]:
    tally = ErrorTally.of(human, system, codes, groups)
    everyone = ErrorTally.of(human, system, np.zeros_like(codes), 1)
    # scores by how often they occur, the most frequent one first: it is what the others are compared with
    common = everyone.levels[np.lexsort((everyone.levels, -everyone.n[0]))]
    squares, errors = _tables(tally, common)
    # as in RSMTool the model without groups is fitted to all responses, also to those without a group
    at_score = errors.pooled(0) if (codes >= 0).all() else _tables(everyone, common)[1]
    models = [
        ("osa", squares.pooled(1), squares.pooled(1).pooled(0), "nan"),
        ("osd", errors.pooled(1), errors.pooled(1).pooled(0), "nan"),
        ("csd", errors, at_score, None),
    ]
    return [
        _Model(name, fit_additive(larger), fit_additive(smaller), no_p)
        for name, larger, smaller, no_p in models
        if larger.coefficients <= MOST_COEFFICIENTS
    ]


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


def _groups_by_size(groups: pl.Series) -> tuple[list[str], Codes]:
    """The names of the groups, largest first and ties by value, and each response's place among them; -1 for none."""
    values = inferred(groups).alias("value")
    sizes = values.drop_nulls().value_counts(name="size").sort("size", "value", descending=[True, False])
    levels = sizes.get_column("value")
    numbered = sizes.select("value", code=pl.int_range(pl.len()))
    codes = values.to_frame().join(numbered, on="value", how="left", maintain_order="left").get_column("code")
    names = printed_booleans(levels) if levels.dtype == pl.Boolean else levels.cast(pl.String)
    return names.to_list(), codes.fill_null(-1).to_numpy().astype(np.int64)


def _shortened(name: str) -> str:
    """A group as RSMTool names it in its tables of estimates: up to the first full stop, without brackets around.

    >>> _shortened("St. Mary")
    'St'
    """
    return name.partition(".")[0].strip("]")


def _summary(model: _Model) -> pl.Series:
    fit = model.with_groups
    if fit.rank == 1:  # one group: its model is that without groups
        return pl.Series(["0.0", model.no_p], dtype=pl.String)
    figures = [nan, nan] if fit.residual_df < 1 or fit.total_ss == 0 else [model.r2(), model.p()]
    return pl.Series(figures, dtype=pl.Float64)


def _estimates(fit: AdditiveFit, labels: list[str]) -> pl.DataFrame:
    estimates = fit.estimates[: len(labels)]
    p, low, high = (values[: len(labels)] for values in fit.t_tests())
    if fit.residual_df >= 1 and fit.residual_ss == 0:  # nothing is left to err by: the interval is the estimate
        p, low, high = np.where(np.abs(estimates) < 1e-9, nan, 0.0), estimates, estimates
    return pl.DataFrame(
        {INDEX: labels, "estimate": estimates, "P>[t]": p, "[0.025": low, "0.975]": high},
    )
