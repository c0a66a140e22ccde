"""RSMTool's tables of figures, from the tallies of an evaluation: name -> table, in its order.

Where a figure is undefined RSMTool sometimes gives a number; these tables give the same number. The figures of
`Evaluation`, which the report shows, do not.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

import numpy as np
import polars as pl

from assay.evaluation.plan import Plan
from assay.evaluation.tallying import EvaluationTally, GroupTally
from assay.metrics import mean_difference
from assay.metrics.agreement import adjacent_agreement, exact_agreement
from assay.metrics.correlation import pearson_r
from assay.metrics.error import r_squared, root_mean_squared_error
from assay.metrics.kappa import cohen_kappa, quadratic_weighted_kappa
from assay.metrics.pairs import Scores
from assay.metrics.tally import PairTally
from assay.metrics.true_score import rater_error_variance, true_score_mse, true_score_variance

Tables = dict[str, pl.DataFrame]
Formula = Callable[[PairTally], Any]

INDEX = ""
"""The column of row names has no name in RSMTool's files."""

ALL_DATA = "All data"
TRIMMED_FIGURES = ("sys_mean", "sys_sd", "wtkappa", "corr", "SMD", "RMSE", "R2")
ROUNDED_FIGURES = ("sys_mean", "sys_sd", "kappa", "exact_agr", "adj_agr", "SMD")
DEGRADED = ("corr", "kappa", "wtkappa", "exact_agr", "adj_agr", "SMD")
Row = dict[str, Any]


def _kappa(tally: PairTally) -> Scores:
    """Cohen's kappa; 1 when both raters give every response one same point, as SKLL has it."""
    one_point = np.count_nonzero(tally.human_points + tally.system_points > 0, axis=-1) == 1
    return np.where(one_point & (tally.n > 0), 1.0, cohen_kappa.of_tally(tally))


def _r2(tally: PairTally) -> Scores:
    """R2; when all human scores are equal 1 for a perfect system and 0 for any other, as scikit-learn has it."""
    flat = tally.human_flat & (tally.n > 1)
    return np.where(flat, np.where(tally.squared_error == 0, 1.0, 0.0), r_squared.of_tally(tally))


AGREEMENT: Mapping[str, Formula] = {
    "corr": pearson_r.of_tally,
    "wtkappa": quadratic_weighted_kappa.of_tally,
    "R2": _r2,
    "kappa": _kappa,
    "exact_agr": exact_agreement.of_tally,
    "adj_agr": adjacent_agreement.of_tally,
    "SMD": mean_difference.standardized_mean_difference.of_tally,
    "RMSE": root_mean_squared_error.of_tally,
}


def _moments(side: str, prefix: str) -> dict[str, Formula]:
    """Mean, spread and ends of the scores of one side of a tally."""

    def sd(tally: PairTally) -> Scores:
        # the variance of equal scores may be a rounding error; their spread is 0
        flat = getattr(tally, f"{side}_flat") & (tally.n > 1)
        return np.where(flat, 0.0, np.sqrt(getattr(tally, f"{side}_variance")()))

    names = ("mean", "sd", "min", "max")
    return {f"{prefix}_{name}": sd if name == "sd" else attrgetter(f"{side}_{name}") for name in names}


SYSTEM_FIGURES: Mapping[str, Formula] = {
    "N": lambda t: t.n,
    **_moments("human", "h"),
    **_moments("system", "sys"),
    **AGREEMENT,
}
RATER_FIGURES: Mapping[str, Formula] = {
    "N": lambda t: t.n,
    **_moments("human", "h1"),
    **_moments("system", "h2"),
    **{name: AGREEMENT[name] for name in ("corr", "wtkappa", "kappa", "exact_agr", "adj_agr")},
    "SMD": mean_difference.pooled_mean_difference.of_tally,
}


def figure_tables(
    tally: EvaluationTally, plan: Plan, *, kappas: Mapping[str, float], merge_all_data: bool = False
) -> Tables:
    """Every table of figures but those that need the responses themselves.

    `kappas` holds Cohen's kappa of the variants for which the tally cannot tell it.
    A group called "All data" is written as "All data (group)"; with `merge_all_data` its responses are counted
    once more among all, as RSMTool does it.
    """
    rows = {variant: figures(blocks.merged(), SYSTEM_FIGURES) for variant, blocks in tally.system.items()}
    for variant, value in kappas.items():
        rows[variant]["kappa"] = value
    assert plan.rounded is not None  # an rsmeval experiment always has a scale
    tables = {
        "eval": named_rows(rows),
        "eval_short": named_rows({"0": _short(rows[plan.trimmed], rows[plan.rounded], plan)}),
    }
    raters = tally.raters.get((0, 1))
    if raters is not None:
        pair = figures(raters.merged(), RATER_FIGURES)
        tables["consistency"] = named_rows({"": pair})
        tables["degradation"] = named_rows(
            {variant: {name: row[name] - pair[name] for name in DEGRADED} for variant, row in rows.items()}
        )
        corrected = {variant: disattenuated(row["corr"], pair["corr"]) for variant, row in rows.items()}
        tables["disattenuated_correlations"] = named_rows(corrected)
    for column, group in tally.groups.items():
        tables |= _group_tables(column, group, tally, plan, merge_all_data=merge_all_data)
    if raters is not None or plan.error_variance is not None:
        tables["true_score_eval"] = _true_scores(tally, plan)
    return tables


def figures(tally: PairTally, formulas: Mapping[str, Formula]) -> Row:
    """Every figure of one tally; without responses N is 0 and the rest is missing."""
    with np.errstate(invalid="ignore", divide="ignore"):
        values = {name: float(formula(tally)) for name, formula in formulas.items()}
    if not tally.n:
        values = dict.fromkeys(values, np.nan)
    return values | {"N": int(tally.n)}


def named_rows(rows: Mapping[str, Row]) -> pl.DataFrame:
    """A table with a column of row names in front."""
    figures = pl.DataFrame(list(rows.values()), infer_schema_length=None)
    return figures.insert_column(0, pl.Series(INDEX, list(rows), dtype=pl.String))


def disattenuated(human_system: float, human_human: float) -> Row:
    """r corrected for the raters' own; infinite when theirs is 0, missing when it is negative."""
    with np.errstate(invalid="ignore", divide="ignore"):
        root = np.sqrt(np.float64(human_human))
        corrected = float(np.float64(human_system) / root)
    known = {"corr_HM": human_system, "corr_HH": human_human}
    return {**known, "sqrt_HH": float(root), "corr_disattenuated": corrected}


def _short(trimmed: Row, rounded: Row, plan: Plan) -> Row:
    """The figures of a short table; within groups the mean difference is DSM instead of SMD."""
    short = {name: trimmed[name] for name in ("N", "h_mean", "h_sd")}
    parts = ((plan.trimmed, trimmed, TRIMMED_FIGURES), (plan.rounded, rounded, ROUNDED_FIGURES))
    for variant, row, names in parts:
        for name in names:
            own = "DSM" if name == "SMD" and "DSM" in row else name
            short[f"{own}.{variant}"] = row[own]
    return short


def _group_tables(
    column: str, group: GroupTally, tally: EvaluationTally, plan: Plan, *, merge_all_data: bool
) -> Tables:
    assert plan.rounded is not None
    shift = mean_difference.difference_of_standardized_means
    everyone = {form: tally.system[form].merged() for form in (plan.trimmed, plan.rounded)}
    rows: dict[str, dict[str, Row]] = {}
    for form, whole in everyone.items():
        for name, part in _parts(group.levels, group.system[form].merged(), whole, merge=merge_all_data).items():
            row = figures(part, SYSTEM_FIGURES)
            row["DSM"] = float(shift(part, whole))
            rows.setdefault(name, {})[form] = row | {"N": float(row["N"])}
    occurring = sorted(name for name, by_form in rows.items() if by_form[plan.trimmed]["N"])
    tables = {
        f"eval_by_{column}": named_rows(
            {name: _short(rows[name][plan.trimmed], rows[name][plan.rounded], plan) for name in occurring}
        )
    }
    if group.raters is None:
        return tables
    both = tally.raters[0, 1].merged()
    pairs = {}
    for name, part in _parts(group.levels, group.raters.merged(), both, merge=merge_all_data).items():
        row = figures(part, RATER_FIGURES)
        del row["SMD"]
        pairs[name] = row | {"DSM": float(shift(part, everyone[plan.trimmed], both))}
    tables[f"consistency_by_{column}"] = named_rows({name: pairs[name] for name in occurring})
    tables[f"disattenuated_correlations_by_{column}"] = named_rows(
        {name: disattenuated(rows[name][plan.trimmed]["corr"], pairs[name]["corr"]) for name in occurring}
    )
    return tables


def _parts(levels: Sequence[str], groups: PairTally, whole: PairTally, *, merge: bool) -> dict[str, PairTally]:
    """The tally of each group by its name in the tables, and of all responses."""
    parts = {name: groups[number] for number, name in enumerate(levels)}
    namesake = parts.pop(ALL_DATA, None)
    if namesake is None or not namesake.n:
        return parts | {ALL_DATA: whole}
    if merge:
        return parts | {ALL_DATA: whole + namesake}
    return parts | {ALL_DATA: whole, f"{ALL_DATA} (group)": namesake}


def _true_scores(tally: EvaluationTally, plan: Plan) -> pl.DataFrame:
    whole = tally.ratings.merged()
    error = np.asarray(rater_error_variance(whole) if plan.error_variance is None else plan.error_variance)
    variance, mse = true_score_variance(whole, error), true_score_mse(whole, error)
    with np.errstate(invalid="ignore", divide="ignore"):
        explained = 1 - mse / variance
    n, single = int(whole.n), int(whole.single)
    known = {"N": n, "N raters": 1 + (single < whole.n), "N single": single, "N multiple": n - single}
    known |= {"Variance of errors": float(error), "True score var": float(variance)}
    return named_rows(
        {
            variant: known | {"MSE true": float(mse[number]), "PRMSE true": float(explained[number])}
            for number, variant in enumerate(tally.system)
        }
    )


def point_tables(human: Scores, final: Scores, plan: Plan) -> Tables:
    """From the ratings (responses, raters) used, NaN for not read, and the final system score."""
    tables = {"confMatrix": crossed(human[:, 0], final)}
    if human.shape[1] > 1:
        both = np.isfinite(human[:, 1])
        if both.any():
            tables["confMatrix_h1h2"] = crossed(human[both, 0], human[both, 1])
    tables["score_dist"] = _distribution(human[:, 0], final, plan)
    return tables


def crossed(first: Scores, second: Scores) -> pl.DataFrame:
    """How often each rounded score of the first met each of the second: rows the first, observed scores only."""
    points, places = np.unique(np.rint(np.concatenate([first, second])) + 0.0, return_inverse=True)
    rows, columns = np.split(places, 2)
    counts = np.bincount(rows * points.size + columns, minlength=points.size**2).reshape(points.size, points.size)
    names = [str(int(point)) for point in points]
    return pl.DataFrame({INDEX: names, **dict(zip(names, counts.T, strict=True))})


def point_kappa(first: Scores, second: Scores) -> float:
    """Cohen's kappa of rounded scores, however many points they cover; see `metrics.kappa.cohen_kappa`."""
    points, places = np.unique(np.rint(np.concatenate([first, second])), return_inverse=True)
    rows, columns = np.split(places, 2)
    by_first, by_second = (np.bincount(p, minlength=points.size) / first.size for p in (rows, columns))
    by_chance = float(by_first @ by_second)
    return 1.0 if points.size == 1 else float(1 - (1 - np.mean(rows == columns)) / (1 - by_chance))


def _distribution(human: Scores, final: Scores, plan: Plan) -> pl.DataFrame:
    points, places = np.unique(np.rint(np.concatenate([human, final])) + 0.0, return_inverse=True)
    by_human, by_system = (np.bincount(p, minlength=points.size) / human.size * 100 for p in np.split(places, 2))
    shares = {"human": by_human, f"sys_{plan.primary}": by_system, "difference": by_system - by_human}
    return pl.DataFrame({INDEX: points, "score": points, **shares})
