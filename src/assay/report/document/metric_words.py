"""What every figure of an evaluation is called, in what unit it is written, and what it says in one line."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite, isnan
from operator import attrgetter

from assay.evaluation.thresholds import THRESHOLDS, Threshold, Verdict
from assay.metrics.intervals import Estimate
from assay.report.document.values import PERCENT, PLAIN, SIGNED, Band, FormattedEstimate, Number
from assay.report.document.wording import band_text, below_text, number_text, value_text

POINTS = Number(1, signed=True)
"""A difference of two percentages, in percentage points."""


@dataclass(frozen=True, slots=True)
class MetricWords:
    """A figure in words."""

    title: str
    says: str
    number: Number = PLAIN


METRIC_WORDS: Mapping[str, MetricWords] = {
    "qwk": MetricWords(
        "Quadratic weighted kappa (QWK)",
        "Agreement beyond chance; a miss by two points weighs four times a miss by one. 1 is perfect, 0 is chance.",
    ),
    "r": MetricWords(
        "Pearson r", "How closely both scores rise and fall together, whatever their level. 1 is perfect, 0 is none."
    ),
    "smd": MetricWords(
        "Standardised mean difference (SMD)",
        "How much higher the system scores on average, in standard deviations of the human scores. 0 is none.",
        SIGNED,
    ),
    "exact_agreement": MetricWords("Exact agreement", "Responses that both give the same score.", PERCENT),
    "adjacent_agreement": MetricWords(
        "Exact or adjacent agreement", "Responses whose two scores are at most 1 apart.", PERCENT
    ),
    "kappa": MetricWords("Cohen’s kappa", "Exact agreement beyond chance; every miss weighs the same."),
    "linear_kappa": MetricWords(
        "Linear weighted kappa", "Agreement beyond chance; a miss by two points weighs twice a miss by one."
    ),
    "r2": MetricWords(
        "R²",
        "Share of the variance of human scores that the system score reproduces; below 0 is worse than their mean.",
    ),
    "rmse": MetricWords("Root mean squared error", "The typical error in score points; large ones weigh more."),
    "mae": MetricWords("Mean absolute error", "The average error in score points, whatever its direction."),
    "mse": MetricWords("Mean squared error", "The average of the squared errors."),
    "dsm": MetricWords(
        "Difference of standardised means (DSM)",
        "How much higher the system places a group than raters do, each measured in its own standard deviations.",
        SIGNED,
    ),
    "prmse": MetricWords(
        "PRMSE",
        "Share of the differences between true scores that the system score predicts, rater error removed.",
    ),
    "disattenuated_r": MetricWords(
        "Disattenuated r", "Pearson r, corrected for how far two raters themselves disagree. May exceed 1 by chance."
    ),
    "partial_r": MetricWords("Partial r", "Pearson r between responses of the same length."),
    "spearman": MetricWords("Spearman’s rho", "Pearson r of the ranks: do both put the responses in the same order?"),
    "kendall": MetricWords("Kendall’s tau-b", "Pairs of responses put in the same order minus those put in the other."),
    "ccc": MetricWords(
        "Lin’s concordance (CCC)", "Correlation that also counts differences of mean and spread; equals QWK here."
    ),
    "alpha": MetricWords(
        "Krippendorff’s alpha, interval", "Agreement beyond chance of any number of raters, gaps allowed."
    ),
    "alpha_ordinal": MetricWords("Krippendorff’s alpha, ordinal", "The same, where only the order of scores counts."),
    "alpha_nominal": MetricWords(
        "Krippendorff’s alpha, nominal", "The same, where every disagreement weighs the same."
    ),
    "icc_1": MetricWords(
        "ICC(1)", "Share of the variance that lies between responses; raters differ from one to the next."
    ),
    "icc_2": MetricWords("ICC(2,1)", "The same for raters drawn from many; their leniency counts as error."),
    "icc_3": MetricWords("ICC(3,1)", "The same for these very raters; their leniency does not count."),
    "ac1": MetricWords("Gwet’s AC1", "Exact agreement beyond chance, stable when one score is very common."),
    "ac2": MetricWords("Gwet’s AC2, quadratic", "AC1 where a miss by two points weighs four times a miss by one."),
    "fleiss_kappa": MetricWords("Fleiss’ kappa", "Exact agreement beyond chance of any number of raters."),
    "degradation_qwk": MetricWords(
        "QWK against a second rater",
        "QWK of rater and system minus that of two raters; below 0 two raters agree better.",
        SIGNED,
    ),
    "degradation_r": MetricWords("Pearson r against a second rater", "The same difference for Pearson r.", SIGNED),
    "largest_dsm": MetricWords("Largest group difference (DSM)", "The DSM of the group that is shifted most.", SIGNED),
}

SHORT = {
    "qwk": "QWK",
    "smd": "SMD",
    "dsm": "DSM",
    "kappa": "Cohen’s kappa",
    "linear_kappa": "linear weighted kappa",
    "exact_agreement": "exact agreement",
    "adjacent_agreement": "adjacent agreement",
    "rmse": "RMSE",
}
"""What a figure is called in a sentence, where that is not its title."""

SOURCES = {"Williamson": "Williamson et al. (2012)", "RSMTool": "RSMTool 12"}
"""How a source is cited in a table, by how its full title begins."""

_NO_INTERVAL = {
    "too few responses for an interval": "too few responses",
    "at the end of its range: no interval": "at the end of its range",
    "undefined in too many bootstrap draws for an interval": "undefined in too many draws",
    "undefined": "",
}


def shown(name: str, measured: Estimate) -> FormattedEstimate:
    """A figure of that name as the report writes it."""
    number = METRIC_WORDS[name].number
    estimate = as_share(measured) if number.percent else as_is(measured, number)
    band = target(name)
    if band is None:
        return estimate
    numbers = [_told_apart(estimate.value, band.ends, number)]
    numbers += [_told_apart(end, band.ends, number, most=3) for end in (estimate.low, estimate.high)]
    return with_number(estimate, max(numbers, key=attrgetter("decimals")))


def _told_apart(value: float, limits: tuple[float, ...], number: Number, most: int = 4) -> Number:
    """Enough decimals that a figure beside its threshold does not read as equal to it.

    >>> _told_apart(0.6998, (0.7,), PLAIN).decimals, _told_apart(0.71, (0.7,), PLAIN).decimals
    (4, 2)
    """
    for decimals in range(number.decimals, most + 1):
        finer = replace(number, decimals=decimals)
        if isnan(value) or all(
            value == limit or number_text(value, finer) != number_text(limit, finer) for limit in limits
        ):
            return finer
    return number


def as_is(measured: Estimate, number: Number = PLAIN) -> FormattedEstimate:
    """A figure in its own unit."""
    reason = _NO_INTERVAL.get(measured.reason, measured.reason)
    return FormattedEstimate(measured.value, measured.low, measured.high, reason, number)


def with_number(estimate: Estimate, number: Number) -> FormattedEstimate:
    """The same figure, written so."""
    return FormattedEstimate(estimate.value, estimate.low, estimate.high, estimate.reason, number)


def as_share(measured: Estimate) -> FormattedEstimate:
    """A per cent figure, 0 to 100 in an evaluation, as the share a report keeps: the one place that divides."""
    plain = as_is(measured, PERCENT)
    return FormattedEstimate(plain.value / 100, plain.low / 100, plain.high / 100, plain.reason, PERCENT)


def short(name: str) -> str:
    """What the figure is called in a sentence."""
    return SHORT.get(name, METRIC_WORDS[name].title)


def head(name: str) -> str:
    """What the figure is called above a column."""
    return short(name)[:1].upper() + short(name)[1:]


def gap(name: str, measured: Estimate) -> FormattedEstimate:
    """The difference of two figures of that name; between percentages, in percentage points."""
    number = POINTS if METRIC_WORDS[name].number.percent else SIGNED
    estimate = as_is(measured, number)
    if measured.low > 0 or measured.high < 0:  # the digits must show that 0 is outside
        nearest = measured.low if measured.low > 0 else measured.high
        return with_number(estimate, _told_apart(nearest, (0.0,), number))
    return estimate


def gap_title(name: str) -> str:
    """What that difference is called."""
    return f"{METRIC_WORDS[name].title}{', percentage points' if METRIC_WORDS[name].number.percent else ''}"


def words(estimate: Estimate) -> str:
    """Value and interval in running text, or why there is none.

    >>> words(FormattedEstimate(0.76, 0.72, 0.79, number=PLAIN)), words(Estimate(reason="only one response"))
    ('0.76 (0.72 to 0.79)', 'n/a (only one response)')
    """
    value, below = value_text(estimate, PLAIN), below_text(estimate, PLAIN)
    return f"{value} ({below})" if below else value


def target(name: str) -> Band | None:
    """Where the figure of that name should lie, in the units of the report."""
    threshold = THRESHOLDS.get(name)
    if threshold is None:
        return None
    percent = name in METRIC_WORDS and METRIC_WORDS[name].number.percent
    ends = (end / 100 if percent else end for end in (threshold.least, threshold.most))
    return Band(*(end if isfinite(end) else None for end in ends))


def target_words(name: str) -> str:
    """The threshold in words.

    >>> target_words("qwk"), target_words("exact_agreement"), target_words("rmse")
    ('at least 0.70', 'at least 50\\xa0%', 'none set')
    """
    band = target(name)
    if band is None:
        return "none set"
    return band_text(band, Number(0, percent=True) if METRIC_WORDS[name].number.percent else METRIC_WORDS[name].number)


def source_words(threshold: Threshold | None) -> str:
    """Who set the threshold, short enough for a table."""
    matches = (short for start, short in SOURCES.items() if threshold and threshold.source.startswith(start))
    return next(matches, threshold.source if threshold else "")


def verdict(name: str, measured: Estimate) -> Verdict | None:
    """The figure against its threshold; None without one, or undefined."""
    threshold = THRESHOLDS.get(name)
    return threshold.verdict(measured) if threshold else None
