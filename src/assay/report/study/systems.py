"""Tables 5 to 9 of a study: kinds of models on essays they have not seen, and two essays of one candidate."""

from collections.abc import Sequence
from dataclasses import astuple
from math import isnan, nan
from typing import TYPE_CHECKING

from assay.essays.study.corpus import Missing
from assay.essays.study.retest import LENGTH_WEIGHT, Reliability
from assay.essays.study.systems import ERATER, WEIGHTS, SystemFigures
from assay.metrics.intervals import Estimate
from assay.report.charts.charts import IntervalPlot, IntervalRow, Series
from assay.report.document.document import Block, Disclosure, Note, Paragraph, Section
from assay.report.document.values import INTEGER, PERCENT, PLAIN, Column, Number, Row, Table, columns_of
from assay.report.document.wording import number_text, sentence
from assay.report.study.paper import (
    AGREEMENT,
    CORRECTED,
    FEATURE_RELIABILITY,
    FEATURE_WORDS,
    RETEST,
    SYSTEM_WORDS,
    axis_from,
    beside_paper,
    in_a_sentence,
    program_words,
    reported_figures,
)

if TYPE_CHECKING:
    from assay.essays.study.study import Study

SERIES = (Series("Specific", "neutral"), Series("Generic10", "human"), Series("Generic12", "system"))
WEIGHT = Number(decimals=1)
MOST_CHARTS = 6
METHODS = {"erater": "Automated score", "single_human": "Single human rater", "average_human": "AHS"}
ONE_RATING = "one rating per essay"
FEW = "too few candidates with two essays"


def weight_words(weight: float | None) -> str:
    return "free" if weight is None else number_text(weight, WEIGHT)


def length_section(study: "Study") -> Section:
    """Table 5."""
    weights = [weight_words(weight) for weight in WEIGHTS]
    columns = columns_of(
        "System", "Program", *(Column(w, "number", name=f"length_{w}", undefined="not measured") for w in weights)
    )
    rows: list[Row] = []
    for program in study.programs:
        for system in ERATER:
            figures = [study.systems.of(system, program, weight) for weight in WEIGHTS]
            if any(figures):
                kappas = [own.mean_kappa if own else nan for own in figures]
                rows.append((SYSTEM_WORDS[system], program_words(program), *kappas))
    if not rows:
        return Section("The weight of length", (Note("n/a: no program has enough essays for any kind of model."),))
    title = "Table 5. Mean kappa by the weight of essay length"
    table = Table("table5_kappa_by_length_weight", title, columns, tuple(rows))
    charts = [
        _length_chart(study, program)
        for program in study.programs[:MOST_CHARTS]
        if any(study.systems.of(system, program, 0.2) for system in ERATER)
    ]
    words = (
        "Kappa of system and resolved human score on essays that the model has not seen, averaged over prompts. Length "
        "has a fixed share of all weights; under “free” the regression weighs it as it does the others."
    )
    return Section("The weight of length", (Paragraph(words), *charts, table))


def _length_chart(study: "Study", program: str) -> IntervalPlot:
    rows, best = [], []
    for weight in WEIGHTS:
        figures = [study.systems.of(system, program, weight) for system in ERATER]
        rows.append(IntervalRow(weight_words(weight), tuple(Estimate(f.mean_kappa) if f else None for f in figures)))
    for system in ERATER:
        fixed = [f for w in WEIGHTS if w is not None and (f := study.systems.of(system, program, w))]
        known = [f for f in fixed if not isnan(f.mean_kappa)]
        if known:
            top = max(known, key=lambda own: own.mean_kappa)
            best.append(f"{SYSTEM_WORDS[system]} at {weight_words(top.length_weight)}")
    return IntervalPlot(
        name="table5_chart",
        title=f"Kappa by the weight of length{_where(study, program)}",
        says=sentence(f"highest kappa: {', '.join(best)}") if best else "No kappa is defined here.",
        alt="For each weight of essay length the mean kappa of specific, Generic10 and Generic12 models.",
        rows=tuple(rows),
        series=SERIES,
        row_title="Length weight",
        axis_title="Mean kappa over prompts; rows are shares of length in all weights",
        axis=axis_from(e.value for row in rows for e in row.estimates if e is not None),
    )


def _where(study: "Study", program: str) -> str:
    return "" if len(study.programs) == 1 else f", {program_words(program)}"


def systems_section(study: "Study") -> Section:
    """Table 6."""
    blocks: list[Block] = [
        Paragraph(
            "Prompt-specific models and v.1.3 are built on one half of a prompt's essays and judged on the other, both "
            "ways. Generic models are built on the other prompts of the program. The figures are means over prompts; "
            "the two of the paper are for GMAT argument and GMAT issue prompts."
        )
    ]
    rows: list[Row] = []
    by_prompt: list[Row] = []
    for program in study.programs:
        figures = reported_figures(study.systems, program)
        if figures:
            blocks.append(_systems_chart(study, program, figures))
        for own in figures:
            weight = "" if own.length_weight is None else weight_words(own.length_weight)
            head = (SYSTEM_WORDS[own.system], program_words(program), weight)
            sd = Estimate(own.sd_kappa, reason="one prompt" if isnan(own.sd_kappa) else "")
            printed = AGREEMENT.get((own.system, own.length_weight), ("", ""))
            rows.append((*head, own.n, own.mean_kappa, sd, own.mean_exact, own.mean_qwk, *printed))
            by_prompt += [(*head, p.prompt, p.n, p.kappa, p.exact, p.qwk) for p in own.prompts]
    if rows:
        blocks += _systems_tables(rows, by_prompt)
    for program, systems in study.systems.missing.items():
        for system, reason in systems.items():
            blocks.append(Note(f"{SYSTEM_WORDS[system]}, {program_words(program)}: n/a: {reason}"))
    return Section("Systems compared", tuple(blocks))


def _systems_tables(rows: Sequence[Row], by_prompt: Sequence[Row]) -> list[Block]:
    head = (Column("System"), Column("Program"), Column("Length weight"))
    agreement = (Column("Exact agreement", "number"), Column("QWK", "number", name="qwk"))
    columns = columns_of(
        *head,
        ("Prompts", INTEGER),
        ("Mean kappa", "number"),
        Column("SD kappa", "number", name="sd_kappa"),
        *agreement,
        "Paper, kappa",
        "Paper, exact",
    )
    title = "Table 6. Kappa and exact agreement of different systems"
    prompts = (*head, Column("Prompt"), Column("Essays", "number", INTEGER), Column("Kappa", "number"), *agreement)
    each = Table("table6_by_prompt", "Systems, prompt by prompt", prompts, tuple(by_prompt))
    return [Table("table6_systems", title, columns, tuple(rows)), Disclosure("Prompt by prompt", (each,))]


def _systems_chart(study: "Study", program: str, figures: Sequence[SystemFigures]) -> IntervalPlot:
    rows = []
    for own in figures:
        if own.length_weight in (None, 0.2):
            sd = 0.0 if isnan(own.sd_kappa) else own.sd_kappa
            span = (own.mean_kappa - sd, own.mean_kappa + sd) if sd else (float("nan"), float("nan"))
            rows.append(IntervalRow(SYSTEM_WORDS[own.system], (Estimate(own.mean_kappa, *span),)))
    return IntervalPlot(
        name="table6_chart",
        title=f"Systems compared{_where(study, program)}",
        says=_systems_say(figures),
        alt="For each system its mean kappa with the resolved human score, with a standard deviation over prompts.",
        rows=tuple(rows),
        row_title="System",
        axis_title="Mean kappa, length at 0.2; the line is one standard deviation over prompts to either side",
        axis=axis_from(v for row in rows for e in row.estimates if e is not None for v in (e.value, e.low, e.high)),
    )


def _systems_say(figures: Sequence[SystemFigures]) -> str:
    machines = [
        f for f in figures if f.system != "human" and f.length_weight in (None, 0.2) and not isnan(f.mean_kappa)
    ]
    if not machines:
        return "No kappa is defined here."
    best = max(machines, key=lambda own: own.mean_kappa)
    human = next((f for f in figures if f.system == "human" and not isnan(f.mean_kappa)), None)
    words = f"highest kappa among systems: {SYSTEM_WORDS[best.system]}, {best.mean_kappa:.2f}"
    return sentence(words + (f"; two human raters: {human.mean_kappa:.2f}" if human else ""))


def reliability_section(study: "Study") -> Section:
    """Tables 7, 8 and 9, or why they cannot be made."""
    if isinstance(study.reliability, Missing):
        return Section("Reliability", (Note(f"Tables 7, 8 and 9: n/a: {study.reliability.reason}"),))
    words = (
        "Candidates who wrote two essays on different prompts of a program: how far both get the same score. The "
        f"automated score takes the average weights of Table 4 with length at {number_text(LENGTH_WEIGHT, PLAIN)}, so "
        "that it is not fitted to these essays. Scores are standardised within programs. A corrected correlation may "
        "exceed 1, since reliabilities are estimates too."
    )
    tables = _retest_tables(study.reliability, twice=study.has_second_rater)
    return Section("Reliability", (Paragraph(words), *tables, *_feature_reliability(study.reliability)))


def _retest_tables(reliability: Reliability, *, twice: bool) -> tuple[Table, Table]:
    why = {"erater": FEW, "single_human": FEW, "average_human": FEW if twice else ONE_RATING}
    columns = columns_of(
        "Program",
        ("Candidates", INTEGER),
        *(Column(words, "number", name=name, undefined=why[name]) for name, words in METHODS.items()),
    )
    rows = tuple((program_words(own.program), *astuple(own)[1:]) for own in reliability.programs)
    paper: Row = ("Paper, overall", 1987, *(RETEST[name] for name in METHODS))
    retest = Table("table7_retest", "Table 7. Test-retest reliabilities", columns, rows, (paper,))
    undefined = "no reliability above 0" if twice else ONE_RATING
    columns = columns_of(
        "Score", *(Column(words, "number", name=name, undefined=undefined) for name, words in METHODS.items())
    )
    multimethod = reliability.multimethod
    own, across, corrected = multimethod.reliability, multimethod.across, multimethod.corrected
    cells: tuple[Row, ...] = (
        (METHODS["erater"], own["erater"], corrected["single_human"], corrected["average_human"]),
        (METHODS["single_human"], across["single_human"], own["single_human"], None),
        (METHODS["average_human"], across["average_human"], None, own["average_human"]),
    )
    caption = (
        "Table 8. Correlations across different essays: reliabilities on the diagonal, above it corrected for "
        f"unreliability (paper: {CORRECTED:.2f})"
    )
    return retest, Table("table8_multimethod", caption, columns, cells)


def _feature_reliability(reliability: Reliability) -> tuple[IntervalPlot, Table]:
    """Table 9 and its chart."""
    rows = reliability.features
    best = max(rows, key=lambda own: -1.0 if isnan(own.reliability) else own.reliability)
    chart = beside_paper(
        "table9_chart",
        "How reliable each feature is",
        says=f"Most alike in two essays of one candidate: {in_a_sentence(best.feature)}.",
        alt="For each feature the correlation between two essays of one candidate, here and in the paper.",
        values={own.feature: (Estimate(own.reliability), FEATURE_RELIABILITY[own.feature]) for own in rows},
        axis_title="Correlation between two essays of one candidate",
        axis=axis_from((0.0, *(own.reliability for own in rows), *FEATURE_RELIABILITY.values())),
    )
    columns = columns_of(
        "Feature", ("Test-retest reliability", "number"), ("Weight", PERCENT), ("Correlation with AHS", "number")
    )
    ranks = (reliability.rank_with_weight, reliability.rank_with_correlation)
    weights, scores = (number_text(rho, PLAIN) for rho in ranks)
    caption = (
        f"Table 9. Test-retest reliabilities of features; rank correlation with weights {weights}, with correlations "
        f"{scores} (paper: 0.78 and 0.78)"
    )
    cells = tuple((FEATURE_WORDS[own.feature], *astuple(own)[1:]) for own in rows)
    return chart, Table("table9_feature_reliabilities", caption, columns, cells)
