"""`Evaluation` and `Comparison` -> tables for CSV, under RSMTool's names and columns where it has them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from assay.evaluation.compare import Comparison
from assay.evaluation.result import Crossed, Disattenuated, Evaluation, Grouping, PairFigures
from assay.metrics.fairness import FairnessModel
from assay.metrics.intervals import Estimate

Row = Sequence[object]

RSM_NAMES: Mapping[str, str] = {
    "r": "corr",
    "qwk": "wtkappa",
    "r2": "R2",
    "kappa": "kappa",
    "exact_agreement": "exact_agr",
    "adjacent_agreement": "adj_agr",
    "smd": "SMD",
    "rmse": "RMSE",
    "dsm": "DSM",
}
"""Our names of metrics -> RSMTool's, in the order of its eval table."""

_EVAL = ("r", "qwk", "r2", "kappa", "exact_agreement", "adjacent_agreement", "smd", "rmse")
_RATERS = ("r", "qwk", "kappa", "exact_agreement", "adjacent_agreement")
_DEGRADED = ("r", "kappa", "qwk", "exact_agreement", "adjacent_agreement", "smd")
_SHORT = (("qwk", "r", "smd", "rmse", "r2"), ("kappa", "exact_agreement", "adjacent_agreement", "smd"))
_ANALYSES: Mapping[str, str] = {"osa": "overall_accuracy", "osd": "overall_difference", "csd": "conditional_difference"}
_FAIRNESS = ("", "Overall score accuracy", "Overall score difference", "Conditional score difference", "base_category")
_TRUE_SCORE = ("", "N", "N raters", "N single", "N multiple", "Variance of errors", "True score var")
_CORRECTED = ("", "corr_HM", "corr_HH", "sqrt_HH", "corr_disattenuated", "low", "high")
_CUTS = ("human_pass", "system_pass", "accuracy", "sensitivity", "specificity", "kappa")
_SUMMARY = ("mean", "sd", "min", "max")


@dataclass(frozen=True, slots=True)
class PlainTable:
    """Column names and rows of raw values."""

    columns: Sequence[str]
    rows: Sequence[Row]


def evaluation_tables(evaluation: Evaluation, excluded: Sequence[tuple[str, str]] = ()) -> dict[str, PlainTable]:
    """Every table of an evaluation by file name; tables without rows are left out."""
    plan, read, both = evaluation.plan, evaluation.readings, evaluation.consistency
    whole = evaluation.variants[plan.trimmed]
    short = short_cells({form: evaluation.variants[form] for form in (plan.trimmed, plan.rounded) if form}, "smd")
    steps = [(reason, -count) for reason, count in evaluation.exclusions.left_out.items()]
    tables = {
        "eval": PlainTable(
            ("", "N", *_summary_names("h", "sys"), *_rsm(_EVAL)),
            [(form, *_summaries(p), *(p.metrics[n].value for n in _EVAL)) for form, p in evaluation.variants.items()],
        ),
        "eval_short": PlainTable(
            ("N", "h_mean", "h_sd", *short), [(whole.n, whole.first.mean, whole.first.sd, *short.values())]
        ),
        "figures": PlainTable(
            ("figure", "value", "low", "high", "reason"),
            [(name, *_ends(estimate), estimate.reason) for name, estimate in evaluation.figures().items()],
        ),
        "exclusions": PlainTable(
            ("step", "responses"), [("read", evaluation.exclusions.read), *steps, ("used", evaluation.exclusions.used)]
        ),
        "consistency": PlainTable(("", *_rater_columns("SMD")), [("", *_rater_cells(both, "smd"))] if both else []),
        "rater_pairs": PlainTable(
            ("first", "second", *_rater_columns("SMD")),
            [(p.first, p.second, *_rater_cells(p.figures, "smd")) for p in evaluation.rater_pairs],
        ),
        "degradation": PlainTable(
            ("", *_rsm(_DEGRADED)),
            [(form, *(values[n].value for n in _DEGRADED)) for form, values in evaluation.degradation.items()],
        ),
        "disattenuated_correlations": PlainTable(
            _CORRECTED, [_corrected(form, d) for form, d in evaluation.disattenuated.items()]
        ),
        "true_score_eval": PlainTable(
            (*_TRUE_SCORE, *_named("MSE true"), *_named("PRMSE true")),
            [
                (
                    *(form, evaluation.n, read.raters, read.single, read.multiple, t.error_variance, t.true_variance),
                    *(*_ends(t.mse), *_ends(t.prmse)),
                )
                for form, t in evaluation.true_score.items()
            ],
        ),
        "confMatrix": _crossed(evaluation.crossed),
        "confMatrix_h1h2": _crossed(evaluation.crossed_raters),
        "score_dist": PlainTable(
            ("score", "human", f"sys_{plan.primary}", *_named("difference")),
            [(s.point, s.human.value, s.system.value, *_ends(s.difference)) for s in evaluation.distribution],
        ),
        "levels": PlainTable(
            ("human score", "N", *_named("bias"), *_named("rmse")),
            [(level.point, level.n, *_ends(level.bias), *_ends(level.rmse)) for level in evaluation.levels],
        ),
        "cuts": PlainTable(
            ("cut", *(head for name in _CUTS for head in _named(name))),
            [(c.cut, *(end for name in _CUTS for end in _ends(getattr(c, name)))) for c in evaluation.cuts],
        ),
        "thresholds": PlainTable(
            ("figure", "value", "low", "high", "at least", "at most", "verdict", "source"),
            [
                (j.name, *_ends(j.estimate), limit.least, limit.most, j.verdict or "n/a", limit.source)
                for j, limit in ((judgement, judgement.threshold) for judgement in evaluation.judgements)
            ],
        ),
    }
    for grouping in evaluation.groupings:
        tables |= _group_tables(grouping, with_raters=bool(both))
    tables["excluded"] = PlainTable(("response", "reason"), excluded)
    return {name: table for name, table in tables.items() if table.rows}


def comparison_tables(comparison: Comparison) -> dict[str, PlainTable]:
    """The figures of each engine, and every difference."""
    return {
        "engines": PlainTable(
            ("engine", "metric", "value", "low", "high", "reason"),
            [
                (engine, metric, *_ends(estimate), estimate.reason)
                for engine, metrics in comparison.metrics.items()
                for metric, estimate in metrics.items()
            ],
        ),
        "differences": PlainTable(
            ("metric", "first", "second", "difference", "low", "high", "p", "p_adjusted", "reason"),
            [
                (d.metric, d.first, d.second, *_ends(d.estimate), d.p, d.p_adjusted, d.estimate.reason)
                for d in comparison.differences
            ],
        ),
    }


def _ends(estimate: Estimate) -> tuple[float, float, float]:
    return estimate.value, estimate.low, estimate.high


def _named(name: str) -> tuple[str, str, str]:
    return name, f"{name} low", f"{name} high"


def _corrected(name: str, d: Disattenuated) -> Row:
    root = d.human_human**0.5 if d.human_human > 0 else float("nan")
    return (name, d.human_system, d.human_human, root, *_ends(d.corrected))


def _rsm(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(RSM_NAMES[name] for name in names)


def _summary_names(first: str, second: str) -> list[str]:
    return [f"{side}_{what}" for side in (first, second) for what in _SUMMARY]


def _summaries(pair: PairFigures) -> tuple[float, ...]:
    """How many responses there are, and mean, spread and ends of both sides."""
    return (pair.n, *(getattr(side, what) for side in (pair.first, pair.second) for what in _SUMMARY))


def short_cells(figures: Mapping[str, PairFigures], shift: str) -> dict[str, float]:
    """RSMTool's short form: some metrics of the trimmed and some of the rounded score; `shift` is smd or dsm."""
    variants = list(figures.items())
    cells: dict[str, float] = {}
    for (form, pair), names in zip(variants, _SHORT if len(variants) > 1 else [_SHORT[0]], strict=True):
        cells |= {f"sys_mean.{form}": pair.second.mean, f"sys_sd.{form}": pair.second.sd}
        for name in names:
            name = shift if name == "smd" else name  # noqa: PLW2901 - groups have DSM where everyone has SMD
            cells[f"{RSM_NAMES[name]}.{form}"] = pair.metrics[name].value
    return cells


def _rater_columns(shift: str) -> tuple[str, ...]:
    return ("N", *_summary_names("h1", "h2"), *_rsm(_RATERS), shift)


def _rater_cells(pair: PairFigures, shift: str) -> tuple[float, ...]:
    return (*_summaries(pair), *(pair.metrics[name].value for name in (*_RATERS, shift)))


def _crossed(crossed: Crossed | None) -> PlainTable:
    if crossed is None:
        return PlainTable((), ())
    names = [f"{point:g}" for point in crossed.points]
    return PlainTable(("", *names), [(name, *row) for name, row in zip(names, crossed.counts, strict=True)])


def _group_tables(grouping: Grouping, *, with_raters: bool) -> dict[str, PlainTable]:
    column, base = grouping.column, grouping.fairness.base_group
    shown = [group for group in grouping.groups if group.shown]
    short = [short_cells(group.system, "dsm") for group in shown]
    first = [next(iter(group.system.values())).first for group in shown]
    figures = [(g.name, g.n, f.mean, f.sd, *cells.values()) for g, f, cells in zip(shown, first, short, strict=True)]
    tables = {
        f"eval_by_{column}": PlainTable(("", "N", "h_mean", "h_sd", *(short[-1] if short else ())), figures),
        f"group_intervals_by_{column}": PlainTable(
            ("group", "N", "form", "metric", "value", "low", "high", "reason"),
            [
                (group.name, group.n, form, metric, *_ends(estimate), estimate.reason)
                for group in shown
                for form, pair in group.system.items()
                for metric, estimate in pair.metrics.items()
            ],
        ),
        f"groups_by_{column}": PlainTable(("group", "N", "shown"), [(g.name, g.n, g.shown) for g in grouping.groups]),
    }
    if with_raters:
        tables[f"consistency_by_{column}"] = PlainTable(
            ("", *_rater_columns("DSM")), [(g.name, *_rater_cells(g.raters, "dsm")) for g in shown if g.raters]
        )
        tables[f"disattenuated_correlations_by_{column}"] = PlainTable(
            _CORRECTED, [_corrected(g.name, g.disattenuated) for g in shown if g.disattenuated]
        )
    models: dict[str, FairnessModel] = {code: getattr(grouping.fairness, name) for code, name in _ANALYSES.items()}
    tables[f"fairness_metrics_by_{column}"] = PlainTable(
        _FAIRNESS, [("R2", *(m.r2 for m in models.values()), base), ("sig", *(m.p for m in models.values()), base)]
    )
    for code, model in models.items():
        rows = [(c.name, c.estimate, c.p, c.low, c.high) for c in model.coefficients]
        tables[f"estimates_{code}_by_{column}"] = PlainTable(("", "estimate", "P>[t]", "[0.025", "0.975]"), rows)
    return tables
