"""`Comparison` -> `Document`: engines on the same responses, and how sure their differences are."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from assay.evaluation.compare import Comparison, Difference
from assay.evaluation.result import Evaluation
from assay.evaluation.thresholds import GateResult
from assay.metrics.catalogue import PAIR_METRICS
from assay.metrics.intervals import Estimate
from assay.provenance import Provenance
from assay.report.charts.charts import IntervalPlot, IntervalRow
from assay.report.charts.figures import on_one_axis
from assay.report.document.document import Block, Disclosure, Document, KeyFigure, Note, Paragraph, Section
from assay.report.document.metric_words import METRIC_WORDS, gap, gap_title, shown, target, target_words, verdict, words
from assay.report.document.values import INTEGER, SIGNED, Column, FormattedEstimate, Row, Table, columns_of
from assay.report.document.wording import (
    be,
    counted,
    date_words,
    listed,
    natural_order,
    number_word,
    p_words,
    sentence,
    shortened,
)
from assay.report.evaluation.facts import group_name, shifts
from assay.report.evaluation.left_out import cautions, exclusions_table, left_out_words
from assay.report.evaluation.reading import VERDICTS_TABLE, beside_words, glossary, interval_words, provenance_table

FURTHER = ("degradation_qwk", "degradation_r", "disattenuated_r", "prmse", "partial_r", "largest_dsm")
"""Figures that an engine has where there are further raters, lengths or groups."""
MOST_KEY_FIGURES = 6
MOST_DRAWN = 25
SIGNIFICANT = 0.05
"""A difference is significant when its p value, adjusted for all pairs of engines, is below this."""

HIGHER_IS_BETTER = ("qwk", "r", "r2", "kappa", "linear_kappa", "exact_agreement", "adjacent_agreement")
LOWER_IS_BETTER = ("mse", "rmse", "mae")

ORDER = tuple(name for name in METRIC_WORDS if name in PAIR_METRICS)


def comparison_report(
    comparison: Comparison,
    *,
    title: str,
    provenance: Provenance,
    evaluations: Mapping[str, Evaluation] | None = None,
    gates: Mapping[str, Sequence[GateResult]] | None = None,
) -> Document:
    """The whole report; `evaluations` are those of the engines, where they were made for it."""
    least, most = min(comparison.n.values()), max(comparison.n.values())
    responses = counted(most, "response") + " each" if least == most else f"{least:,} to {most:,} responses each"
    day = f" {date_words(provenance.created)}." if provenance.created else ""
    qwk = {engine: comparison.metrics[engine]["qwk"] for engine in by_agreement(comparison)[:MOST_KEY_FIGURES]}
    note = f"QWK, {target_words('qwk')}"
    table = provenance_table(provenance, comparison.bootstrap_draws)
    return Document(
        title=title,
        subtitle=f"{counted(len(comparison.engines), 'engine')} against human scores, {responses}.{day}",
        verdict_lead=verdict_lead(comparison),
        verdict_rest=verdict_rest(comparison),
        key_figures=on_one_axis(
            [
                KeyFigure(shortened(engine), note, shown("qwk", measured), target("qwk"), verdict("qwk", measured))
                for engine, measured in qwk.items()
            ]
        ),
        sections=(
            *data_sections(comparison),
            _engines_section(comparison),
            *groups_sections(evaluations or {}),
            differences_section(comparison),
            *gates_sections(gates or {}),
            reading_section(comparison, provenance),
            Section("Provenance", (Paragraph(beside_words("comparison.json")), table)),
        ),
        footer=f"Made by Assay {provenance.version}. It opens without a network and holds no scripts.",
    )


def by_agreement(comparison: Comparison) -> list[str]:
    """The engines, highest QWK first, undefined ones last."""
    figures = {engine: comparison.metrics[engine]["qwk"] for engine in comparison.engines}
    return sorted(figures, key=lambda e: (not figures[e].defined, -figures[e].value if figures[e].defined else 0.0))


def verdict_lead(comparison: Comparison, kind: str = "engine") -> str:
    """Which engine agrees best with people, and how surely; `kind` is what stands for an engine."""
    best, *others = [e for e in by_agreement(comparison) if comparison.metrics[e]["qwk"].defined] or [""]
    if not others:
        return f"The {kind}s cannot be compared."
    surpassed = [other for other in others if significant(qwk_difference(comparison, best, other))]
    if len(others) == 1:
        if surpassed:
            return f"“{best}” agrees with the human scores more closely than “{others[0]}”."
        return f"No significant difference between “{best}” and “{others[0]}”."
    if len(surpassed) == len(others):
        return f"Of {number_word(len(comparison.engines))} {kind}s, “{best}” agrees with the human scores most closely."
    rivals = listed([f"“{e}”" for e in others if e not in surpassed], 3, kind)
    return f"“{best}” has the highest agreement, but is not significantly ahead of {rivals}."


def verdict_rest(comparison: Comparison) -> str:
    """The figures behind it, what could not be compared, and whether the responses are the same."""
    ranked = by_agreement(comparison)
    notable = {words: None for exclusions in comparison.exclusions.values() for words in cautions(exclusions)}
    parts = list(notable)
    first, second = (comparison.metrics[e]["qwk"] for e in ranked[:2])
    if first.defined and second.defined:
        difference = qwk_difference(comparison, ranked[0], ranked[1])
        ahead = words(gap("qwk", difference.estimate))
        parts.append(
            f"QWK of “{ranked[0]}” is {first.value:.2f}, of “{ranked[1]}” {second.value:.2f}: a difference of {ahead}."
        )
    for engine in ranked:
        qwk = comparison.metrics[engine]["qwk"]
        if not qwk.defined:
            parts.append(f"“{engine}” could not be judged: {shown('qwk', qwk).reason or 'QWK is not defined'}.")
    if not comparison.paired:
        parts.append("They scored different responses, so part of a difference may lie in the responses.")
    return " ".join(parts)


def qwk_difference(comparison: Comparison, first: str, second: str) -> Difference:
    """QWK of the first minus that of the second, whichever way round it was computed."""
    pairs = {(d.first, d.second): d for d in comparison.differences if d.metric == "qwk"}
    return pairs[first, second] if (first, second) in pairs else turned(pairs[second, first])


def turned(difference: Difference) -> Difference:
    """The same difference seen from the other engine."""
    e = difference.estimate
    estimate = type(e)(-e.value, -e.high, -e.low, e.reason)
    return replace(difference, first=difference.second, second=difference.first, estimate=estimate)


def significant(difference: Difference) -> bool:
    """Whether chance is ruled out as far as 95 % can, all pairs of engines together (Holm)."""
    return difference.p_adjusted < SIGNIFICANT


def data_sections(comparison: Comparison) -> tuple[Section, ...]:
    """What was read and left out, where that is known."""
    known = comparison.exclusions
    if not known:
        return ()
    words = tuple(Paragraph(text) for text in left_out_words(comparison.exclusions, comparison.unscored))
    first, *others = known.values()
    if all(other == first for other in others):
        return (Section("Data and exclusions", (*words, exclusions_table(first))),)
    return (Section("Data and exclusions", words),)


def _engines_section(comparison: Comparison) -> Section:
    """Every engine beside the others."""
    ranked = by_agreement(comparison)
    blocks: list[Block] = [Paragraph(f"All engines scored the same {counted(comparison.n[ranked[0]], 'response')}.")]
    if not comparison.paired:
        counts = listed([f"{comparison.n[engine]:,} (“{shortened(engine)}”)" for engine in ranked], 6, "engine")
        note = f"The engines did not score the same responses: {counts}. Compare them with care."
        blocks = [Note(note, "caution")]
    if len(ranked) > MOST_KEY_FIGURES:  # the first screen draws the same for a few engines
        blocks.append(_engines_plot(comparison, ranked))
    return Section("Engines", (*blocks, engines_table(comparison, ranked)))


def _engines_plot(comparison: Comparison, ranked: Sequence[str]) -> IntervalPlot:
    """The agreement of every engine with people."""
    met = sum((verdict("qwk", comparison.metrics[engine]["qwk"]) or "").startswith("met") for engine in ranked)
    who = "all engines" if met == len(ranked) else f"{number_word(met)} of {number_word(len(ranked))} engines"
    reach = "reaches" if met == 1 else "reach"
    says = sentence(f"{who} {reach} a QWK of at least 0.70") if met else "No engine reaches a QWK of 0.70."
    return IntervalPlot(
        name="qwk_by_engine",
        title="Agreement with human scores",
        says=says,
        alt=f"{counted(len(ranked), 'engine')}, each with its interval. {says}",
        rows=tuple(
            IntervalRow(engine, (shown("qwk", comparison.metrics[engine]["qwk"]),), comparison.n[engine])
            for engine in ranked[:MOST_DRAWN]
        ),
        row_title="Engine",
        axis_title="QWK, 1 is perfect agreement",
        band=target("qwk"),
    )


def engines_table(comparison: Comparison, ranked: Sequence[str]) -> Table:
    """Every figure of every engine: a row per figure, a column per engine."""
    columns = (Column("Figure"), *(Column(engine, "estimate") for engine in ranked))
    further = [name for name in FURTHER if any(name in comparison.figures.get(engine, {}) for engine in ranked)]
    rows: list[Row] = [("Responses", *(FormattedEstimate(comparison.n[engine], number=INTEGER) for engine in ranked))]
    rows += [
        (METRIC_WORDS[name].title, *(shown(name, comparison.metrics[engine][name]) for engine in ranked))
        for name in ORDER
    ]
    rows += [
        (METRIC_WORDS[name].title, *(_further(comparison.figures.get(engine, {}), name) for engine in ranked))
        for name in further
    ]
    return Table("engines", "Every figure of every engine", columns, tuple(rows))


def _further(figures: Mapping[str, Estimate], name: str) -> FormattedEstimate | None:
    return shown(name, figures[name]) if name in figures else None


def groups_sections(evaluations: Mapping[str, Evaluation]) -> tuple[Section, ...]:
    """How far each engine shifts each group; nothing without groups."""
    columns = {grouping.column for evaluation in evaluations.values() for grouping in evaluation.groupings}
    tables = [table for column in sorted(columns) if (table := _groups_table(evaluations, column))]
    if not tables:
        return ()
    says = (
        "The difference of standardized means (DSM) says how much higher an engine places a group than the human "
        f"scores do; it should lie {target_words('largest_dsm')}. Intervals hold for all groups of an engine together, "
        "and the figure is shrunken as far as chance explains it."
    )
    return (Section("Subgroups", (Paragraph(says), *tables)),)


def _groups_table(evaluations: Mapping[str, Evaluation], column: str) -> Table | None:
    cells: dict[str, dict[str, Estimate]] = {}
    sizes: dict[str, int] = {}
    for engine, evaluation in evaluations.items():
        for shift in shifts(evaluation, [g for g in evaluation.groupings if g.column == column]):
            cells.setdefault(shift.group.name, {})[engine] = shown("dsm", shift.dsm)
            sizes[shift.group.name] = shift.group.n
    if not cells:
        return None
    heads = (Column(column), Column("Responses", "number", INTEGER), *(Column(e, "estimate") for e in evaluations))
    rows: list[Row] = [
        (group_name(group), sizes[group], *(own.get(engine) for engine in evaluations))
        for group, own in sorted(cells.items(), key=lambda cell: natural_order(cell[0]))
    ]
    return Table(f"dsm_by_{column}", f"Difference by {column}, engine by engine", heads, tuple(rows))


def gates_sections(gates: Mapping[str, Sequence[GateResult]]) -> tuple[Section, ...]:
    """Which engine passed which gate; nothing without gates."""
    rows: list[Row] = [
        (engine, gate.gate, "passed" if gate.passed else "failed", gate.why)
        for engine, own in gates.items()
        for gate in own
    ]
    if not rows:
        return ()
    columns = tuple(Column(head) for head in ("Engine", "Gate", "Result", "Why"))
    return (Section("Gates", (Table("gates", "Gates, engine by engine", columns, tuple(rows)),)),)


def differences_section(comparison: Comparison) -> Section:
    """Every difference between two engines."""
    sure = sum(significant(d) for d in comparison.differences)
    opening = "No difference is significant (Holm)."
    if sure:
        opening = f"{sure} of {counted(len(comparison.differences), 'difference')} {be(sure)} significant (Holm)."
    columns = columns_of(
        "Figure",
        "First",
        "Second",
        Column("First minus second", "estimate", SIGNED, name="difference"),
        "p",
        "p, adjusted",
        "Significantly better",
    )
    rows: list[Row] = []
    for d in sorted(comparison.differences, key=lambda d: ORDER.index(d.metric)):
        figures = (gap(d.metric, d.estimate), p_words(d.p), p_words(d.p_adjusted))
        rows.append((gap_title(d.metric), d.first, d.second, *figures, better(d)))
    table = Table("differences", "Every difference between two engines", columns, tuple(rows))
    short = len(rows) <= 2 * len(ORDER)
    wrapped: Block = table if short else Disclosure("Every difference of every figure", (table,))
    return Section("Differences", (Paragraph(opening), _differences_plot(comparison), wrapped))


def _differences_plot(comparison: Comparison) -> IntervalPlot:
    """The differences in agreement, the largest first, each from the engine that is ahead."""
    agreement = [d for d in comparison.differences if d.metric == "qwk"]
    agreement.sort(key=lambda d: (not d.estimate.defined, -abs(d.estimate.value) if d.estimate.defined else 0.0))
    ahead = [turned(d) if d.estimate.value < 0 else d for d in agreement]
    sure, count = sum(significant(d) for d in ahead), number_word(len(ahead))
    if len(ahead) == 1:
        says = f"The difference is {'' if sure else 'not '}significant."
    else:
        says = f"{number_word(sure).capitalize()} of {count} differences {be(sure)} significant (Holm)."
        says = says if sure else f"None of {count} differences is significant (Holm)."
        says += f" Drawn are the {MOST_DRAWN} largest." if len(ahead) > MOST_DRAWN else ""
    return IntervalPlot(
        name="qwk_differences",
        title="Difference in agreement",
        says=says,
        alt=f"{counted(len(ahead), 'difference')} of QWK with intervals around zero. {says}",
        rows=tuple(IntervalRow(f"{d.first} minus {d.second}", (gap("qwk", d.estimate),)) for d in ahead[:MOST_DRAWN]),
        row_title="Engines",
        axis_title="QWK of the first minus that of the second",
        number=SIGNED,
        zero=True,
    )


def better(difference: Difference) -> str:
    """The engine that is significantly better, if more or less is better for this figure."""
    if difference.metric not in (*HIGHER_IS_BETTER, *LOWER_IS_BETTER):
        return ""
    if not significant(difference):
        return "neither"
    ahead = (difference.estimate.value > 0) == (difference.metric in HIGHER_IS_BETTER)
    return difference.first if ahead else difference.second


def reading_section(comparison: Comparison, provenance: Provenance) -> Section:
    """How to read the report."""
    pairs = (
        "Engines that scored the same responses are compared response by response: what makes a response hard for all "
        "of them cancels out, so a difference can be significant although the intervals of the engines overlap."
    )
    p = (
        "p says how surprising so large a difference were if there was none. With several pairs of engines it is "
        "adjusted (Holm 1979), so that one false alarm among all pairs stays rare; a difference is significant when "
        "the adjusted p is below 0.05. One that is not significant may still be real: more responses would tell."
    )
    how = interval_words(comparison.bootstrap_draws, provenance.seed, by_candidate=comparison.by_candidate)
    blocks = (Paragraph(how), Paragraph(pairs), Paragraph(p), VERDICTS_TABLE, glossary(ORDER))
    return Section("How to read this", blocks)
