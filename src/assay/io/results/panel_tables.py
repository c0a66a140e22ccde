"""`Panel` -> tables for CSV."""

from math import isnan, nan

from assay.evaluation.raters.panel import Panel
from assay.evaluation.raters.replacement import Replacement
from assay.io.results.evaluation_tables import PlainTable
from assay.metrics.intervals import Estimate

_JUDGE = ("agreement", "ceiling", "difference", "exact", "exact_ceiling")


def panel_tables(panel: Panel) -> dict[str, PlainTable]:
    """Every table of a panel by file name; tables without rows are left out."""
    exclusions = panel.exclusions
    steps = [(reason, -count) for reason, count in exclusions.left_out.items()]
    tables = {
        "judges": _judges(panel.replacement),
        "people": PlainTable(
            ("rater", "ratings", "pairs", *_named("agreement"), "reason", "agrees with nobody"),
            [
                (p.name, p.ratings, p.pairs, *_ends(p.agreement), p.agreement.reason, p.unrelated)
                for p in panel.replacement.people
            ],
        ),
        "alternative_test": PlainTable(
            ("judge", "rater", "p", "replaced"),
            [
                (judge.name, rater, p, rater in judge.test.replaced)
                for judge in panel.replacement.judges
                for rater, p in zip(judge.test.raters, judge.test.p_values, strict=True)
            ],
        ),
        "exclusions": PlainTable(("step", "ratings"), [("read", exclusions.read), *steps, ("used", exclusions.used)]),
        "figures": PlainTable(
            ("figure", "value", "low", "high", "reason"),
            [(name, *_ends(figure), figure.reason) for name, figure in panel.figures().items()],
        ),
    }
    tables |= _agreement_tables(panel) | _error_tables(panel) | _model_tables(panel) | _use_tables(panel)
    if panel.without is not None:
        tables["judges_without_unrelated"] = _judges(panel.without)
    return {name: table for name, table in tables.items() if table.rows}


def _agreement_tables(panel: Panel) -> dict[str, PlainTable]:
    matrix = panel.agreement.matrix
    size = range(len(matrix.raters))
    return {
        "matrix": PlainTable(
            ("first", "second", *_named("agreement"), "items"),
            [
                (
                    *(matrix.raters[a], matrix.raters[b]),
                    *(ends[a][b] for ends in (matrix.agreement, matrix.low, matrix.high)),
                    matrix.items[a][b],
                )
                for a in size
                for b in size
                if a < b
            ],
        ),
        "reliability": PlainTable(
            ("who", "raters", "figure", "value", "low", "high", "reason"),
            [
                (one.who, one.raters, name, *_ends(figure), figure.reason)
                for one in panel.agreement.reliability
                for name, figure in one.figures.items()
            ],
        ),
        "ranks": PlainTable(
            ("judge", *_named("agreement"), "best_rank", "worst_rank"),
            [(rank.judge, *_ends(rank.agreement), rank.best, rank.worst) for rank in panel.agreement.ranks],
        ),
    }


def _error_tables(panel: Panel) -> dict[str, PlainTable]:
    rows: list[tuple[object, ...]] = []
    for judge in panel.errors.judges:
        effects = ("severity", "spread", "halo", "length", "order", "own_family", "run_noise", "version_drift")
        figures = [(name, getattr(judge, name)) for name in effects]
        rows += [(judge.name, "effect", name, None, *_ends(figure), None, figure.reason) for name, figure in figures]
        lists = {"level": judge.levels, "criterion": judge.criteria, "version": judge.versions, **judge.groups}
        rows += [
            (judge.name, by, part.name, part.items, *_ends(part.gap), part.shrunken, part.gap.reason)
            for by, parts in lists.items()
            for part in parts
        ]
    items = panel.errors.items
    return {
        "errors": PlainTable(("judge", "by", "name", "items", *_named("gap"), "shrunken", "reason"), rows),
        "disagreements": PlainTable(
            ("item", "people", "judges", "gap", "text"),
            [(i.item, " ".join(i.people), " ".join(i.judges), i.gap, i.text) for i in items],
        ),
    }


def _model_tables(panel: Panel) -> dict[str, PlainTable]:
    models = panel.models
    return {
        "rasch": PlainTable(
            ("rater", "judge", "ratings", *_named("severity"), "infit", "outfit", "fair_average", "reason"),
            [
                (r.name, r.judge, r.ratings, *_ends(r.severity), r.infit, r.outfit, r.fair_average, r.severity.reason)
                for r in models.rasch.raters
            ],
        ),
        "criteria_difficulty": PlainTable(
            ("criterion", *_named("difficulty"), "infit", "outfit"),
            [
                (name, *_ends(figure), *models.rasch.criterion_fit.get(name, (nan, nan)))
                for name, figure in models.rasch.criteria.items()
            ],
        ),
        "thresholds": PlainTable(
            ("step", *_named("logits")), [(n, *_ends(t)) for n, t in enumerate(models.rasch.thresholds, 1)]
        ),
        "consensus": PlainTable(
            ("rater", "judge", "accuracy"), [(a.name, a.judge, a.accuracy) for a in models.consensus.raters]
        ),
        "confusion": PlainTable(
            ("rater", "consensus", "given", "share"),
            [
                (rater.name, true, given, share)
                for rater in models.consensus.raters
                for true, row in zip(models.consensus.levels, rater.confusion, strict=True)
                for given, share in zip(models.consensus.levels, row, strict=True)
            ],
        ),
        "conditional_error": PlainTable(
            ("level", "items", "one_rating", "mean_rating"),
            [(e.level, e.items, e.one_rating, e.mean_rating) for e in models.error_by_level],
        ),
        "decisions": PlainTable(
            ("people", "judges", "reliability", "reason"),
            [(d.people, d.judges, d.reliability, d.reason) for d in models.decisions],
        ),
        "components": PlainTable(
            ("effect", *_named("variance")), [(name, *_ends(e)) for name, e in models.components.items()]
        ),
        "strengths": PlainTable(
            ("rater", "candidate", *_named("strength"), "reason"),
            [(s.who, name, *_ends(e), e.reason) for s in models.preferences for name, e in s.strengths.items()],
        ),
        "preferences": _preferences(panel),
    }


def _preferences(panel: Panel) -> PlainTable:
    """Position effect, agreement with people and pairs shown both ways, by rater."""
    heads = [head for name in ("first_wins", "same", "opposite", "consistent") for head in _named(name)]
    missing = Estimate()
    rows = []
    for one in panel.models.preferences:
        beside, swaps = one.with_people, one.swaps
        figures = (
            one.first_wins,
            beside.same if beside else missing,
            beside.reversed if beside else missing,
            swaps.consistent if swaps else missing,
        )
        rows.append((one.who, one.comparisons, *(end for figure in figures for end in _ends(figure)), one.reason))
    return PlainTable(("rater", "comparisons", *heads, "reason"), rows)


def _use_tables(panel: Panel) -> dict[str, PlainTable]:
    use = panel.use
    heads = ("mean", "human_mean")
    return {
        "corrected_means": PlainTable(
            (
                *("judge", "labeled", "unlabeled", *(head for name in heads for head in _named(name)), "judge_mean"),
                *("labels_to_halve", "within", "labels_within", "reason"),
            ),
            [
                (
                    *(c.judge, c.labeled, c.unlabeled, *_ends(c.mean), *_ends(c.human_mean), c.judge_mean),
                    *(c.labels_to_halve, c.within, c.labels_within, c.reason),
                )
                for c in use.corrected
            ],
        ),
        "pass_rates": PlainTable(
            (
                *("judge", "labeled", "unlabeled"),
                *(h for n in ("judged", "sensitivity", "specificity", "rate", "human") for h in _named(n)),
                "reason",
            ),
            [
                (
                    *(r.judge, r.labeled, r.unlabeled, *_ends(r.judged), *_ends(r.sensitivity)),
                    *(*_ends(r.specificity), *_ends(r.rate), *_ends(r.human), r.rate.reason),
                )
                for r in use.pass_rates
            ],
        ),
        "calibration": PlainTable(
            ("judge", "items", "method", "best", *_named("error"), "calibration_error", "by_chance"),
            [
                (c.judge, c.items, m.name, m.name == c.best, *_ends(m.error), m.calibration_error, m.by_chance)
                for c in use.calibration
                for m in (*((c.raw,) if c.raw else ()), *c.methods)
            ],
        ),
        "calibrated_scores": PlainTable(
            ("judge", "score", "calibrated"),
            [(c.judge, label, value) for c in use.calibration for label, value in c.scores.items()],
        ),
        "reliability_curve": PlainTable(
            ("judge", "predicted", *_named("observed"), "items"),
            [(c.judge, p.predicted, *_ends(p.observed), p.items) for c in use.calibration for p in c.curve],
        ),
        "equating": PlainTable(
            ("judge", "score", *_named("linear"), *_named("equipercentile")),
            [
                (e.judge, label, *_ends(figure), *_ends(e.equipercentile.get(label, Estimate())))
                for e in use.equating
                for label, figure in e.linear.items()
            ],
        ),
        "jury": PlainTable(("judge", "weight"), [(m.judge, m.weight) for m in use.jury.members]),
        "more_items": PlainTable(
            ("judge", "items", "winning_rate_low", "winning_rate_high", "settled_at", "settled_as"),
            [
                (m.judge, items, low, high, m.settled_at, m.settled_as)
                for m in use.more_items
                for items, low, high in zip(m.items, m.low, m.high, strict=True)
            ],
        ),
        "label_next": PlainTable(
            ("item", "people", "judges_apart", "probability"),
            [(n.item, n.people, n.apart, n.probability) for n in use.next_items],
        ),
        "group_bias": PlainTable(
            (
                *("judge", "column", "group", "items", *_named("difference"), "standardized", "mantel_p", "adjusted_p"),
                *(*_named("delta"), "ets_class", "uniform_p", "nonuniform_p", "r2_gain", "size", "reason"),
            ),
            [
                (
                    *(g.judge, g.column, g.group, g.items, *_ends(g.difference), g.standardized, g.mantel_p),
                    *(g.adjusted_p, *_ends(g.delta), g.category, g.uniform_p, g.nonuniform_p, g.r2_gain, g.size),
                    g.reason,
                )
                for g in panel.group_bias
            ],
        ),
        "items": _items(panel),
    }


def _items(panel: Panel) -> PlainTable:
    """What is known of each item: its ratings, its place on the Rasch scale, its consensus label."""
    items, consensus, criteria = panel.items, panel.models.consensus, max(len(panel.design.criteria), 1)
    if items is None:
        return PlainTable((), [])
    measures, labels = panel.models.rasch.measures, consensus.labels
    rows = []
    for place, name in enumerate(items.names):
        if not items.people[place] + items.judges[place]:
            continue
        own = measures[place // criteria] if measures is not None and place // criteria < len(measures) else (nan, nan)
        label, chance = labels[place] if labels is not None else (nan, nan)
        word = "" if isnan(label) else consensus.levels[int(label)]
        counts = (int(items.people[place]), float(items.human_mean[place]), int(items.judges[place]))
        rows.append((name, *counts, float(items.judge_mean[place]), float(own[0]), float(own[1]), word, float(chance)))
    heads = (
        "item",
        "people",
        "human_mean",
        "judges",
        "judge_mean",
        "measure",
        "measure_error",
        "consensus",
        "probability",
    )
    return PlainTable(heads, rows)


def _judges(replacement: Replacement) -> PlainTable:
    heads = [head for name in (*_JUDGE, "winning_rate", "advantage") for head in _named(name)]
    return PlainTable(
        ("judge", "ratings", "items", "pairs", *heads, "not_worse_by_margin", "raters_tested", "verdict", "reason"),
        [
            (
                *(judge.name, judge.ratings, judge.items, judge.pairs),
                *(end for name in _JUDGE for end in _ends(getattr(judge, name))),
                *(*_ends(judge.test.winning_rate), *_ends(judge.test.advantage)),
                *(judge.non_inferior or "n/a", len(judge.test.raters), judge.verdict or "n/a", judge.reason),
            )
            for judge in replacement.judges
        ],
    )


def _ends(estimate: Estimate) -> tuple[float, float, float]:
    return estimate.value, estimate.low, estimate.high


def _named(name: str) -> tuple[str, str, str]:
    return name, f"{name}_low", f"{name}_high"
