"""Tables 7 to 9 of a study: two essays of one candidate."""

from assay.essays.study.corpus import Missing
from assay.essays.study.retest import LENGTH_WEIGHT, Multimethod, Reliability
from assay.essays.study.study import Study
from assay.metrics.intervals import Estimate
from assay.report.document.document import (
    INTEGER,
    PERCENT,
    Column,
    IntervalPlot,
    IntervalRow,
    Note,
    Paragraph,
    Row,
    Section,
    Series,
    Table,
)
from assay.report.document.values import PLAIN
from assay.report.document.wording import number_text
from assay.report.study.paper import CORRECTED, FEATURE_RELIABILITY, RETEST
from assay.report.study.words import FEATURE_WORDS, axis_from, in_a_sentence, program_words

METHODS = {"erater": "Automated score", "single_human": "Single human rater", "average_human": "AHS"}
ONE_RATING = "one rating per essay"
FEW = "too few candidates with two essays"


def reliability_section(study: Study) -> Section:
    """Tables 7, 8 and 9, or why they cannot be made."""
    if isinstance(study.reliability, Missing):
        return Section("Reliability", (Note(f"Tables 7, 8 and 9: n/a: {study.reliability.reason}"),))
    found = study.reliability
    words = (
        "Candidates who wrote two essays on different prompts of a program: how far both get the same score. The "
        f"automated score takes the average weights of Table 4 with length at {number_text(LENGTH_WEIGHT, PLAIN)}, so "
        "that it is not fitted to these essays. Scores are standardised within programs. A corrected correlation may "
        "exceed 1, since reliabilities are estimates too."
    )
    return Section(
        "Reliability",
        (
            Paragraph(words),
            _retest(study, found),
            _multimethod(study, found.multimethod),
            _chart(found),
            _features(found),
        ),
    )


def _retest(study: Study, found: Reliability) -> Table:
    why = {"erater": FEW, "single_human": FEW, "average_human": FEW if study.has_second_rater else ONE_RATING}
    columns = (
        Column("Program"),
        Column("Candidates", "number", INTEGER),
        *(Column(words, "number", name=name, undefined=why[name]) for name, words in METHODS.items()),
    )
    rows: list[Row] = [
        (program_words(own.program), own.candidates, own.erater, own.single_human, own.average_human)
        for own in found.programs
    ]
    paper: Row = ("Paper, overall", 1987, RETEST["erater"], RETEST["single_human"], RETEST["average_human"])
    return Table("table7_retest", "Table 7. Test-retest reliabilities", columns, tuple(rows), (paper,))


def _multimethod(study: Study, found: Multimethod) -> Table:
    undefined = "one rating per essay" if not study.has_second_rater else "no reliability above 0"
    columns = (
        Column("Score"),
        *(Column(words, "number", name=name, undefined=undefined) for name, words in METHODS.items()),
    )
    own, across, corrected = found.reliability, found.across, found.corrected
    rows: tuple[Row, ...] = (
        (METHODS["erater"], own["erater"], corrected["single_human"], corrected["average_human"]),
        (METHODS["single_human"], across["single_human"], own["single_human"], None),
        (METHODS["average_human"], across["average_human"], None, own["average_human"]),
    )
    caption = (
        "Table 8. Correlations across different essays: reliabilities on the diagonal, above it corrected for "
        f"unreliability (paper: {CORRECTED:.2f})"
    )
    return Table("table8_multimethod", caption, columns, rows)


def _chart(found: Reliability) -> IntervalPlot:
    best = max(found.features, key=lambda own: own.reliability if own.reliability == own.reliability else -1.0)
    return IntervalPlot(
        name="table9_chart",
        title="How reliable each feature is",
        says=f"Most alike in two essays of one candidate: {in_a_sentence(best.feature)}.",
        alt="For each feature the correlation between two essays of one candidate, here and in the paper.",
        rows=tuple(
            IntervalRow(
                FEATURE_WORDS[own.feature], (Estimate(own.reliability), Estimate(FEATURE_RELIABILITY[own.feature]))
            )
            for own in found.features
        ),
        series=(Series("this corpus"), Series("the paper", "neutral")),
        row_title="Feature",
        axis_title="Correlation between two essays of one candidate",
        axis=axis_from((0.0, *(own.reliability for own in found.features), *FEATURE_RELIABILITY.values())),
    )


def _features(found: Reliability) -> Table:
    columns = (
        Column("Feature"),
        Column("Test-retest reliability", "number"),
        Column("Weight", "number", PERCENT),
        Column("Correlation with AHS", "number"),
    )
    rows: tuple[Row, ...] = tuple(
        (FEATURE_WORDS[own.feature], own.reliability, own.weight, own.correlation) for own in found.features
    )
    weights, scores = (number_text(rho, PLAIN) for rho in (found.rank_with_weight, found.rank_with_correlation))
    caption = (
        f"Table 9. Test-retest reliabilities of features; rank correlation with weights {weights}, with correlations "
        f"{scores} (paper: 0.78 and 0.78)"
    )
    return Table("table9_feature_reliabilities", caption, columns, rows)
