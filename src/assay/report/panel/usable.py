"""What makes judges usable: calibration, equating, a jury, corrected means and rates, and what to label next."""

from math import isnan

from assay.evaluation.raters.calibrated import JudgeCalibration
from assay.evaluation.raters.corrections import Corrected, JudgeJury
from assay.evaluation.raters.more_items import MoreItems
from assay.evaluation.raters.panel import Panel
from assay.metrics.intervals import Estimate
from assay.report.charts.feature_charts import LinePlot, Trace
from assay.report.document.document import Block, Disclosure, Note, Paragraph, Section, Subheading
from assay.report.document.values import INTEGER, PERCENT, PLAIN, Number, Row, Table, columns_of
from assay.report.document.wording import counted, listed, number_text

MOST_JUDGES = 8
MOST_LEVELS = 15
METHODS = {"isotonic": "isotonic", "platt": "logistic (Platt)", "ordinal": "ordinal logit"}


def labels_section(panel: Panel) -> Section | None:
    """How many more items and labels would settle what is open, and which to label next."""
    blocks = [*_more_items(panel), *_label_needs(panel), *_next_items(panel)]
    return Section("How many more labels", tuple(blocks)) if blocks else None


def _more_items(panel: Panel) -> list[Block]:
    curves = panel.use.more_items
    if not curves:
        return []
    return [Paragraph(settling_words(curves)), _settling_chart(curves)]


def settling_words(curves: tuple[MoreItems, ...]) -> str:
    """At how many items each uncertain verdict would be certain."""
    parts = []
    for curve in curves:
        if curve.settled_at is None:
            most = f"{curve.items[-1]:,}"
            parts.append(f"{curve.judge} would stay uncertain even with {most} items: it is close to the line")
        else:
            more = max(curve.settled_at - curve.items[0], 1)
            how = "would pass" if curve.settled_as == "met" else "would fail"
            parts.append(f"{curve.judge} {how} for certain with about {_rounded(more):,} more")
    return (
        f"{'; '.join(parts)}. Counted are items rated by two or more people, and new items are supposed to resemble "
        "these."
    )


def _rounded(number: int) -> int:
    """One or two leading digits: the estimate has no more.

    >>> _rounded(1234), _rounded(47)
    (1200, 50)
    """
    step: int = 10 ** max(len(str(number)) - 2, 1)
    return max(round(number / step) * step, step)


def _settling_chart(curves: tuple[MoreItems, ...]) -> LinePlot:
    """The end of the interval that must cross one half."""
    longest = max(curves, key=lambda curve: curve.items[0])
    return LinePlot(
        name="more_items",
        title="Winning rate with more items",
        says="Lower end of the 95% CI; a judge passes for certain where it reaches 0.50.",
        alt="Lower end of the winning rate by number of items",
        places=tuple(f"{items:,}" for items in longest.items),
        traces=tuple(Trace(curve.judge, tuple(Estimate(low) for low in curve.low)) for curve in curves[:MOST_JUDGES]),
        place_title="Items rated by two or more people",
        axis_title="Lower end of the winning rate",
        limit=0.5,
    )


def _label_needs(panel: Panel) -> list[Block]:
    asked = [one for one in panel.use.corrected if one.within is not None]
    if not asked:
        return []
    within = asked[0].within or 0.0
    heads = columns_of("Judge", ("Human labels now", INTEGER), (f"Labels for ±{within:g}", INTEGER), "")
    rows: tuple[Row, ...] = tuple((c.judge, c.labeled, c.labels_within, _need_words(c)) for c in asked)
    table = Table("label_needs", f"Human labels until the mean is within ±{within:g} (95%)", heads, rows)
    return [Subheading("Human labels needed"), table]


def _need_words(corrected: Corrected) -> str:
    if corrected.labels_within is None:
        return "out of reach: the judge’s items alone leave a wider interval"
    more = corrected.labels_within - corrected.labeled
    return f"{more:,} more" if more > 0 else "reached"


def _next_items(panel: Panel) -> list[Block]:
    items = panel.use.next_items
    if not items:
        return []
    heads = columns_of("Item", ("Human ratings", INTEGER), ("Judges apart", PLAIN), ("Chance drawn", PERCENT))
    rows: tuple[Row, ...] = tuple(
        (one.item, one.people, None if isnan(one.apart) else one.apart, one.probability) for one in items
    )
    text = (
        "A random draw of items with too few human ratings, in which items that judges disagree on come more often. "
        "Weigh each by 1 / chance when its label comes in, and the corrected mean stays unbiased."
    )
    table = Table("label_next", f"{counted(len(items), 'item')} to label next", heads, rows)
    return [Subheading("Items to label next"), Paragraph(text), table]


def use_section(panel: Panel) -> Section | None:
    """Calibration, equating, jury, corrected means and rates."""
    blocks = [*_corrected(panel), *_rates(panel), *_calibration(panel), *_jury(panel.use.jury), *_equating(panel)]
    return Section("Put the judges to use", tuple(blocks)) if blocks else None


def _corrected(panel: Panel) -> list[Block]:
    corrected = [one for one in panel.use.corrected if one.mean.defined]
    if not corrected:
        return []
    heads = columns_of(
        "Judge",
        ("Human labels", INTEGER),
        ("Other items", INTEGER),
        ("Judge alone", PLAIN),
        ("Human labels alone", "estimate"),
        ("Corrected", "estimate"),
        ("Labels to halve the interval", INTEGER),
    )
    rows: tuple[Row, ...] = tuple(
        (c.judge, c.labeled, c.unlabeled, c.judge_mean, c.human_mean, c.mean, c.labels_to_halve) for c in corrected
    )
    blocks: list[Block] = [
        Subheading("Corrected means"),
        Paragraph("The mean people would give to all items, from the items they rated and the judge’s scores of all."),
        Table("corrected", "Means corrected for the judge’s errors (prediction-powered inference)", heads, rows),
    ]
    return blocks + [Note(caution) for caution in dict.fromkeys(text for one in corrected for text in one.cautions)]


def _rates(panel: Panel) -> list[Block]:
    rates = panel.use.pass_rates
    if not rates:
        return []
    heads = columns_of(
        "Judge",
        ("Human labels", INTEGER),
        ("Passes by the judge", "estimate", PERCENT),
        ("Sensitivity", "estimate", PERCENT),
        ("Specificity", "estimate", PERCENT),
        ("Passes by people", "estimate", PERCENT),
        ("Corrected rate of the others", "estimate", PERCENT),
    )
    rows: tuple[Row, ...] = tuple(
        (r.judge, r.labeled, r.judged, r.sensitivity, r.specificity, r.human, r.rate) for r in rates
    )
    table = Table("pass_rates", "Share that passes, corrected for the judge’s errors (Rogan–Gladen)", heads, rows)
    notes = [Note(caution) for caution in dict.fromkeys(text for one in rates for text in one.cautions)]
    return [Subheading("Corrected pass rates"), table, *notes]


def _calibration(panel: Panel) -> list[Block]:
    fitted = [one for one in panel.use.calibration if one.methods]
    if not fitted:
        return []
    boolean = panel.labels.kind == "boolean"
    number = Number(3)
    heads = columns_of(
        "Judge",
        ("Items", INTEGER),
        ("Brier score as it is" if boolean else "Squared error as it is", "estimate", number),
        ("Calibrated", "estimate", number),
        "Method",
        ("ECE as it is", number),
        ("Calibrated ECE", number),
        ("By chance", number),
    )
    blocks: list[Block] = [Subheading("Calibration"), Paragraph(_calibration_words(fitted))]
    chart = reliability_chart(panel, fitted)
    blocks += [chart] if chart is not None else []
    rows = tuple(_calibration_row(one) for one in fitted)
    caption = "Error of each judge against single human ratings, as it is and calibrated; both on items held out"
    blocks.append(Table("calibration", caption, heads, rows))
    scores = tuple((one.judge, label, value) for one in fitted[:MOST_JUDGES] for label, value in one.scores.items())
    heads = columns_of("Judge", "It gives", ("People would give", PLAIN))
    maps = Table("calibrated_scores", "What each score of a judge is worth on the human scale", heads, scores)
    return [*blocks, Disclosure("What each score is worth", (maps,))]


def _calibration_row(one: JudgeCalibration) -> Row:
    best = next(method for method in one.methods if method.name == one.best)
    raw = one.raw or best
    ece = (raw.calibration_error, best.calibration_error, best.by_chance)
    return (one.judge, one.items, raw.error, best.error, METHODS[one.best], *ece)


def _calibration_words(fitted: list[JudgeCalibration]) -> str:
    gains = []
    for one in fitted:
        best = next(method for method in one.methods if method.name == one.best)
        if one.raw is not None and one.raw.error > 0:
            gains.append((1 - best.error / one.raw.error, one.judge))
    text = (
        "A calibration turns a judge’s score into what people would give on average; it is learned on four fifths of "
    )
    text += "the items and judged on the rest, five times."
    gain, judge = max(gains, default=(0.0, ""))
    if gain > 0.02:
        text += f" It takes {number_text(gain, Number(0, percent=True))} off the error of {judge}, the most of all."
    return text


def reliability_chart(panel: Panel, fitted: list[JudgeCalibration]) -> LinePlot | None:
    """What people gave for each score of each judge; None where judges give too many different scores."""
    if any(len(one.curve) != len(one.scores) or len(one.scores) > MOST_LEVELS for one in fitted):
        return None
    labels = list(dict.fromkeys(label for one in fitted for label in one.scores))
    places = tuple(sorted(labels, key=lambda label: _place(panel, label)))
    traces = [Trace("taken at its word", tuple(Estimate(_place(panel, label)) for label in places), bold=True)]
    for one in fitted[:MOST_JUDGES]:
        by_label = dict(zip(one.scores, one.curve, strict=True))
        points = tuple(by_label[label].observed if label in by_label else None for label in places)
        traces.append(Trace(one.judge, points))
    return LinePlot(
        name="reliability_curve",
        title="Reliability curve",
        says="What people gave on average to items of each score of the judge.",
        alt="Mean of people by score of the judge",
        places=places,
        traces=tuple(traces),
        place_title="The judge gives",
        axis_title="Mean of people",
    )


def _place(panel: Panel, label: str) -> float:
    levels = panel.labels.levels
    return float(levels.index(label)) if levels else float(label)


def _jury(jury: JudgeJury) -> list[Block]:
    if not jury.members:
        return []
    heads = columns_of("Judge", ("Weight", PLAIN))
    rows: tuple[Row, ...] = tuple((member.judge, member.weight) for member in jury.members)
    heads_error = columns_of("Who", ("Squared error", "estimate", Number(3)))
    errors = Table(
        "jury_errors",
        "Squared distance from the mean of people, on items held out",
        heads_error,
        (
            ("Jury with learned weights", jury.error),
            ("Mean of all judges, rescaled", jury.equal_weights_error),
            (f"{jury.best_judge}, the best single judge, rescaled", jury.best_judge_error),
        ),
    )
    weights = Table(
        "jury", f"Weights of the jury; its score is {number_text(jury.intercept, PLAIN)} plus them", heads, rows
    )
    return [Subheading("A jury of judges"), Paragraph(jury_words(jury)), weights, errors, *map(Note, jury.cautions)]


def jury_words(jury: JudgeJury) -> str:
    """Whether the jury is worth it."""
    gain = number_text(abs(jury.gain.value), Number(3))
    used = [member.judge for member in jury.members if member.weight > 0.005]
    who = listed(used) if len(used) <= 4 else counted(len(used), "judge")
    if jury.gain.has_interval and jury.gain.low > 0:
        better = f"than {jury.best_judge} alone (squared error {gain} lower)."
        return f"Together the judges come closer to people {better}"
    if jury.gain.has_interval and jury.gain.high < 0:
        return f"The jury is worse than {jury.best_judge} alone (squared error {gain} higher): use that judge."
    return f"A jury of {who} is not shown to be better than {jury.best_judge} alone."


def _equating(panel: Panel) -> list[Block]:
    scales = [one for one in panel.use.equating if one.linear]
    if not scales:
        return []
    heads = columns_of("Judge", "It gives", ("Linear", "estimate"), ("Equipercentile", "estimate"))
    rows: tuple[Row, ...] = tuple(
        (one.judge, label, figure, one.equipercentile.get(label))
        for one in scales[:MOST_JUDGES]
        for label, figure in one.linear.items()
    )
    text = (
        "Equated scores have the distribution of human scores: a cut on them passes as many items as people pass. "
        "Calibrated scores predict better; equated ones keep the spread."
    )
    table = Table("equating", "What each score of a judge is on the human scale, by equal distributions", heads, rows)
    notes = [Note(caution) for caution in dict.fromkeys(text for one in scales for text in one.cautions)]
    return [Disclosure("Equating to the human scale", (Paragraph(text), table, *notes))]
