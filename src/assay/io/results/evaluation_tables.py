"""`Evaluation` and `Comparison` -> tables for CSV, under RSMTool's names and columns where it has them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assay.evaluation.compare import Comparison
from assay.evaluation.result import Crossed, Disattenuated, Evaluation, GroupFigures, Grouping, PairFigures
from assay.metrics.fairness import Fairness, FairnessModel
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
_SHORT = (("qwk", "r", "smd", "rmse", "r2"), ("kappa", "exact_agreement", "adjacent_agreement", "smd"))
_ANALYSES: Mapping[str, str] = {
    "osa": "overall_accuracy",
    "osd": "overall_difference",
    "csd": "conditional_difference",
}
_CORRECTED = ("", "corr_HM", "corr_HH", "sqrt_HH", "corr_disattenuated", "low", "high")
_SUMMARY = ("mean", "sd", "min", "max")


@dataclass(frozen=True, slots=True)
class PlainTable:
    """Column names and rows of raw values."""

    columns: Sequence[str]
    rows: Sequence[Row]


def evaluation_tables(evaluation: Evaluation, excluded: Sequence[tuple[str, str]] = ()) -> dict[str, PlainTable]:
    """Every table of an evaluation by file name; tables without rows are left out."""
    tables = dict(_tables(evaluation))
    tables["excluded"] = PlainTable(("response", "reason"), excluded)
    return {name: table for name, table in tables.items() if table.rows}


def _tables(evaluation: Evaluation) -> Iterator[tuple[str, PlainTable]]:
    yield "eval", _eval(evaluation)
    yield "eval_short", _eval_short(evaluation)
    yield "figures", _figures(evaluation)
    yield "exclusions", _exclusions(evaluation)
    if evaluation.consistency:
        yield (
            "consistency",
            PlainTable(("", *_rater_columns("SMD")), [("", *_rater_cells(evaluation.consistency, "smd"))]),
        )
    yield (
        "rater_pairs",
        PlainTable(
            ("first", "second", *_rater_columns("SMD")),
            [(p.first, p.second, *_rater_cells(p.figures, "smd")) for p in evaluation.rater_pairs],
        ),
    )
    yield "degradation", _degradation(evaluation)
    yield (
        "disattenuated_correlations",
        PlainTable(
            _CORRECTED,
            [_corrected(form, d) for form, d in evaluation.disattenuated.items()],
        ),
    )
    yield "true_score_eval", _true_score(evaluation)
    yield "confMatrix", _crossed(evaluation.crossed)
    yield "confMatrix_h1h2", _crossed(evaluation.crossed_raters)
    yield "score_dist", _distribution(evaluation)
    yield (
        "levels",
        PlainTable(
            ("human score", "N", *_named("bias"), *_named("rmse")),
            [(level.point, level.n, *_ends(level.bias), *_ends(level.rmse)) for level in evaluation.levels],
        ),
    )
    yield "cuts", _cuts(evaluation)
    yield (
        "thresholds",
        PlainTable(
            ("figure", "value", "low", "high", "at least", "at most", "verdict", "source"),
            [
                (
                    j.name,
                    *_ends(j.estimate),
                    j.threshold.least,
                    j.threshold.most,
                    j.verdict or "n/a",
                    j.threshold.source,
                )
                for j in evaluation.judgements
            ],
        ),
    )
    for grouping in evaluation.groupings:
        yield from _group_tables(grouping, evaluation)


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
    return (name, d.human_system, d.human_human, _root(d.human_human), *_ends(d.corrected))


def _root(value: float) -> float:
    return value**0.5 if value > 0 else float("nan")


def _summary(pair: PairFigures, *, second: bool = False, what: Sequence[str] = _SUMMARY) -> tuple[float, ...]:
    return tuple(getattr(pair.second if second else pair.first, name) for name in what)


def _eval(evaluation: Evaluation) -> PlainTable:
    heads = [f"{who}_{what}" for who in ("h", "sys") for what in _SUMMARY]
    rows = [
        (form, p.n, *_summary(p), *_summary(p, second=True), *(p.metrics[name].value for name in _EVAL))
        for form, p in evaluation.forms.items()
    ]
    return PlainTable(("", "N", *heads, *(RSM_NAMES[name] for name in _EVAL)), rows)


def short_cells(figures: Mapping[str, PairFigures], shift: str) -> dict[str, float]:
    """RSMTool's short form: some metrics of the trimmed and some of the rounded score; `shift` is smd or dsm."""
    forms = list(figures.items())
    cells: dict[str, float] = {}
    for (form, pair), names in zip(forms, _SHORT if len(forms) > 1 else [_SHORT[0]], strict=True):
        cells |= {f"sys_mean.{form}": pair.second.mean, f"sys_sd.{form}": pair.second.sd}
        for name in names:
            name = shift if name == "smd" else name  # noqa: PLW2901 - groups have DSM where everyone has SMD
            cells[f"{RSM_NAMES[name]}.{form}"] = pair.metrics[name].value
    return cells


def _eval_short(evaluation: Evaluation) -> PlainTable:
    plan = evaluation.plan
    decisive = {form: evaluation.forms[form] for form in (plan.trimmed, plan.rounded) if form}
    pair = evaluation.forms[plan.trimmed]
    cells = short_cells(decisive, "smd")
    return PlainTable(("N", "h_mean", "h_sd", *cells), [(pair.n, pair.first.mean, pair.first.sd, *cells.values())])


def _figures(evaluation: Evaluation) -> PlainTable:
    rows = [(name, *_ends(estimate), estimate.reason) for name, estimate in evaluation.figures().items()]
    return PlainTable(("figure", "value", "low", "high", "reason"), rows)


def _exclusions(evaluation: Evaluation) -> PlainTable:
    rows: list[Row] = [("read", evaluation.exclusions.read)]
    rows += [(reason, -count) for reason, count in evaluation.exclusions.left_out.items()]
    return PlainTable(("step", "responses"), [*rows, ("used", evaluation.exclusions.used)])


def _rater_columns(shift: str) -> tuple[str, ...]:
    heads = [f"{who}_{what}" for who in ("h1", "h2") for what in _SUMMARY]
    return ("N", *heads, *(RSM_NAMES[name] for name in _RATERS), shift)


def _rater_cells(pair: PairFigures, shift: str) -> tuple[float, ...]:
    values = (pair.metrics[name].value for name in (*_RATERS, shift))
    return (pair.n, *_summary(pair), *_summary(pair, second=True), *values)


def _degradation(evaluation: Evaluation) -> PlainTable:
    names = ("r", "kappa", "qwk", "exact_agreement", "adjacent_agreement", "smd")
    rows = [(form, *(values[n].value for n in names)) for form, values in evaluation.degradation.items()]
    return PlainTable(("", *(RSM_NAMES[name] for name in names)), rows)


def _true_score(evaluation: Evaluation) -> PlainTable:
    read = evaluation.readings
    head = ("", "N", "N raters", "N single", "N multiple", "Variance of errors", "True score var")
    rows = [
        (
            *(form, evaluation.n, read.raters, read.single, read.multiple, t.error_variance, t.true_variance),
            *_ends(t.mse),
            *_ends(t.prmse),
        )
        for form, t in evaluation.true_score.items()
    ]
    return PlainTable((*head, *_named("MSE true"), *_named("PRMSE true")), rows)


def _crossed(crossed: Crossed | None) -> PlainTable:
    if crossed is None:
        return PlainTable((), ())
    names = [f"{point:g}" for point in crossed.points]
    return PlainTable(("", *names), [(name, *row) for name, row in zip(names, crossed.counts, strict=True)])


def _distribution(evaluation: Evaluation) -> PlainTable:
    system = f"sys_{evaluation.plan.primary}"
    rows = [
        (share.point, share.human.value, share.system.value, *_ends(share.difference))
        for share in evaluation.distribution
    ]
    return PlainTable(("score", "human", system, *_named("difference")), rows)


def _cuts(evaluation: Evaluation) -> PlainTable:
    names = ("human_pass", "system_pass", "accuracy", "sensitivity", "specificity", "kappa")
    heads = [head for name in names for head in _named(name)]
    rows = [(c.cut, *(x for name in names for x in _ends(getattr(c, name)))) for c in evaluation.cuts]
    return PlainTable(("cut", *heads), rows)


def _group_tables(grouping: Grouping, evaluation: Evaluation) -> Iterator[tuple[str, PlainTable]]:
    column = grouping.column
    shown = [group for group in grouping.groups if group.shown]
    yield f"eval_by_{column}", _by_group(shown)
    yield (
        f"group_intervals_by_{column}",
        PlainTable(
            ("group", "N", "form", "metric", "value", "low", "high", "reason"),
            [
                (group.name, group.n, form, metric, *_ends(estimate), estimate.reason)
                for group in shown
                for form, pair in group.system.items()
                for metric, estimate in pair.metrics.items()
            ],
        ),
    )
    yield (
        f"groups_by_{column}",
        PlainTable(("group", "N", "shown"), [(group.name, group.n, group.shown) for group in grouping.groups]),
    )
    if evaluation.consistency:
        yield (
            f"consistency_by_{column}",
            PlainTable(
                ("", *_rater_columns("DSM")), [(g.name, *_rater_cells(g.raters, "dsm")) for g in shown if g.raters]
            ),
        )
        yield (
            f"disattenuated_correlations_by_{column}",
            PlainTable(
                _CORRECTED,
                [_corrected(g.name, g.disattenuated) for g in shown if g.disattenuated],
            ),
        )
    yield f"fairness_metrics_by_{column}", fairness_table(grouping.fairness)
    for short, name in _ANALYSES.items():
        yield f"estimates_{short}_by_{column}", estimates_table(getattr(grouping.fairness, name))


def _by_group(groups: Sequence[GroupFigures]) -> PlainTable:
    rows = []
    heads: tuple[str, ...] = ()
    for group in groups:
        cells = short_cells(group.system, "dsm")
        heads = tuple(cells)
        first = next(iter(group.system.values())).first
        rows.append((group.name, group.n, first.mean, first.sd, *cells.values()))
    return PlainTable(("", "N", "h_mean", "h_sd", *heads), rows)


def fairness_table(fairness: Fairness) -> PlainTable:
    """RSMTool's fairness_metrics: adjusted R2 and significance of each analysis."""
    models: list[FairnessModel] = [getattr(fairness, name) for name in _ANALYSES.values()]
    heads = ("Overall score accuracy", "Overall score difference", "Conditional score difference")
    base = fairness.base_group
    return PlainTable(
        ("", *heads, "base_category"),
        [("R2", *(m.r2 for m in models), base), ("sig", *(m.p for m in models), base)],
    )


def estimates_table(model: FairnessModel) -> PlainTable:
    """RSMTool's estimates: each group's coefficient."""
    rows = [(c.name, c.estimate, c.p, c.low, c.high) for c in model.coefficients]
    return PlainTable(("", "estimate", "P>[t]", "[0.025", "0.975]"), rows)
