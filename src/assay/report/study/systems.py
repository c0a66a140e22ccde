"""Tables 5 and 6 of a study: kinds of models on essays they have not seen."""

from collections.abc import Sequence
from math import isnan

from assay.essays.study.study import Study
from assay.essays.study.systems import ERATER, WEIGHTS, SystemFigures
from assay.metrics.intervals import Estimate
from assay.report.document.document import (
    INTEGER,
    Block,
    Column,
    Disclosure,
    IntervalPlot,
    IntervalRow,
    Note,
    Number,
    Paragraph,
    Row,
    Section,
    Series,
    Table,
)
from assay.report.document.phrases import sentence
from assay.report.document.wording import number_text
from assay.report.study.paper import AGREEMENT
from assay.report.study.words import SYSTEM_WORDS, axis_from, program_words, reported_figures

SERIES = (Series("Specific", "neutral"), Series("Generic10", "human"), Series("Generic12", "system"))
WEIGHT = Number(decimals=1)
MOST_CHARTS = 6


def weight_words(weight: float | None) -> str:
    return "free" if weight is None else number_text(weight, WEIGHT)


def length_section(study: Study) -> Section:
    """Table 5."""
    kinds = [(program, system) for program in study.programs for system in ERATER]
    columns = (
        Column("System"),
        Column("Program"),
        *(
            Column(weight_words(w), "number", name=f"length_{weight_words(w)}", undefined="not measured")
            for w in WEIGHTS
        ),
    )
    rows: list[Row] = []
    for program, system in kinds:
        found = [study.systems.of(system, program, weight) for weight in WEIGHTS]
        if any(found):
            kappas = [own.mean_kappa if own else float("nan") for own in found]
            rows.append((SYSTEM_WORDS[system], program_words(program), *kappas))
    if not rows:
        return Section("The weight of length", (Note("n/a: no program has enough essays for any kind of model."),))
    table = Table(
        "table5_kappa_by_length_weight", "Table 5. Mean kappa by the weight of essay length", columns, tuple(rows)
    )
    charts = [_length_chart(study, program) for program in study.programs[:MOST_CHARTS] if _has_any(study, program)]
    words = (
        "Kappa of system and resolved human score on essays that the model has not seen, averaged over prompts. Length "
        "has a fixed share of all weights; under “free” the regression weighs it as it does the others."
    )
    return Section("The weight of length", (Paragraph(words), *charts, table))


def _has_any(study: Study, program: str) -> bool:
    return any(study.systems.of(system, program, 0.2) for system in ERATER)


def _length_chart(study: Study, program: str) -> IntervalPlot:
    rows = []
    for weight in WEIGHTS:
        found = [study.systems.of(system, program, weight) for system in ERATER]
        rows.append(IntervalRow(weight_words(weight), tuple(Estimate(f.mean_kappa) if f else None for f in found)))
    where = "" if len(study.programs) == 1 else f", {program_words(program)}"
    return IntervalPlot(
        name="table5_chart",
        title=f"Kappa by the weight of length{where}",
        says=_length_says(study, program),
        alt="For each weight of essay length the mean kappa of specific, Generic10 and Generic12 models.",
        rows=tuple(rows),
        series=SERIES,
        row_title="Length weight",
        axis_title="Mean kappa over prompts; rows are shares of length in all weights",
        axis=axis_from(e.value for row in rows for e in row.estimates if e is not None),
    )


def _length_says(study: Study, program: str) -> str:
    best = []
    for system in ERATER:
        found = [f for w in WEIGHTS if w is not None and (f := study.systems.of(system, program, w))]
        known = [f for f in found if not isnan(f.mean_kappa)]
        if known:
            top = max(known, key=lambda own: own.mean_kappa)
            best.append(f"{SYSTEM_WORDS[system]} at {weight_words(top.length_weight)}")
    return sentence(f"highest kappa: {', '.join(best)}") if best else "No kappa is defined here."


def systems_section(study: Study) -> Section:
    """Table 6."""
    blocks: list[Block] = [
        Paragraph(
            "Prompt-specific models and v.1.3 are built on one half of a prompt's essays and judged on the other, both "
            "ways. Generic models are built on the other prompts of the program. The figures are means over prompts; "
            "the two of the paper are for GMAT argument and GMAT issue prompts."
        )
    ]
    rows: list[Row] = []
    for program in study.programs:
        found = reported_figures(study.systems, program)
        if found:
            blocks.append(_systems_chart(study, program, found))
        rows.extend(_row(own) for own in found)
    if rows:
        blocks.append(_systems_table(rows))
        blocks.append(_prompts_table(study))
    for program, systems in study.systems.missing.items():
        for system, reason in systems.items():
            blocks.append(Note(f"{SYSTEM_WORDS[system]}, {program_words(program)}: n/a: {reason}"))
    return Section("Systems compared", tuple(blocks))


def _row(own: SystemFigures) -> Row:
    paper = AGREEMENT.get((own.system, own.length_weight), ("", ""))
    weight = "" if own.length_weight is None else weight_words(own.length_weight)
    sd = Estimate(own.sd_kappa, reason="one prompt" if isnan(own.sd_kappa) else "")
    name = SYSTEM_WORDS[own.system]
    return (name, program_words(own.program), weight, own.n, own.mean_kappa, sd, own.mean_exact, own.mean_qwk, *paper)


def _systems_table(rows: Sequence[Row]) -> Table:
    columns = (
        Column("System"),
        Column("Program"),
        Column("Length weight"),
        Column("Prompts", "number", INTEGER),
        Column("Mean kappa", "number"),
        Column("SD kappa", "number", name="sd_kappa"),
        Column("Exact agreement", "number"),
        Column("QWK", "number", name="qwk"),
        Column("Paper, kappa"),
        Column("Paper, exact"),
    )
    return Table("table6_systems", "Table 6. Kappa and exact agreement of different systems", columns, tuple(rows))


def _prompts_table(study: Study) -> Block:
    columns = (
        Column("System"),
        Column("Program"),
        Column("Length weight"),
        Column("Prompt"),
        Column("Essays", "number", INTEGER),
        Column("Kappa", "number"),
        Column("Exact agreement", "number"),
        Column("QWK", "number", name="qwk"),
    )
    rows: list[Row] = []
    for program in study.programs:
        for own in reported_figures(study.systems, program):
            weight = "" if own.length_weight is None else weight_words(own.length_weight)
            head = (SYSTEM_WORDS[own.system], program_words(program), weight)
            rows.extend((*head, p.prompt, p.n, p.kappa, p.exact, p.qwk) for p in own.prompts)
    return Disclosure(
        "Prompt by prompt", (Table("table6_by_prompt", "Systems, prompt by prompt", columns, tuple(rows)),)
    )


def _systems_chart(study: Study, program: str, found: Sequence[SystemFigures]) -> IntervalPlot:
    rows = []
    for own in found:
        if own.length_weight in (None, 0.2):
            sd = 0.0 if isnan(own.sd_kappa) else own.sd_kappa
            span = (own.mean_kappa - sd, own.mean_kappa + sd) if sd else (float("nan"), float("nan"))
            rows.append(IntervalRow(SYSTEM_WORDS[own.system], (Estimate(own.mean_kappa, *span),)))
    where = "" if len(study.programs) == 1 else f", {program_words(program)}"
    return IntervalPlot(
        name="table6_chart",
        title=f"Systems compared{where}",
        says=_systems_say(found),
        alt="For each system its mean kappa with the resolved human score, with a standard deviation over prompts.",
        rows=tuple(rows),
        row_title="System",
        axis_title="Mean kappa, length at 0.2; the line is one standard deviation over prompts to either side",
        axis=axis_from(v for row in rows for e in row.estimates if e is not None for v in (e.value, e.low, e.high)),
    )


def _systems_say(found: Sequence[SystemFigures]) -> str:
    machines = [f for f in found if f.system != "human" and f.length_weight in (None, 0.2) and not isnan(f.mean_kappa)]
    if not machines:
        return "No kappa is defined here."
    best = max(machines, key=lambda own: own.mean_kappa)
    human = next((f for f in found if f.system == "human" and not isnan(f.mean_kappa)), None)
    words = f"highest kappa among systems: {SYSTEM_WORDS[best.system]}, {best.mean_kappa:.2f}"
    return sentence(words + (f"; two human raters: {human.mean_kappa:.2f}" if human else ""))
