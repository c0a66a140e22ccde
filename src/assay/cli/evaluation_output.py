"""What `assay evaluate`, `assay compare` and `assay trust` say."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from assay.cli.observer import in_two, probability
from assay.cli.text_table import TextColumn, TextTable, say_lines, say_table
from assay.evaluation.thresholds import THRESHOLDS, GateResult
from assay.metrics.intervals import Estimate
from assay.report.document.metric_words import shown
from assay.report.evaluation.left_out import cautions, left_out_words
from assay.report.evaluation.verdict import verdict_lead
from assay.workflows.evaluation.results import HEADLINES, ComparisonResult, EvaluationResult

if TYPE_CHECKING:
    from assay.workflows.evaluation.trust import TrustResult

COMPARED = ("qwk", "r", "smd", "exact_agreement", "rmse")
SIGNED = ("smd", "degradation_qwk", "degradation_r", "largest_dsm")
PER_CENT = ("exact_agreement", "adjacent_agreement")


def say_evaluation(result: EvaluationResult, out: Path, *, as_json: bool, quiet: bool) -> None:
    """The headline figures, the gates, and where the files are."""
    if as_json:
        print(result.json(), end="")
    elif not quiet:
        say_table(_headline(result))
    remarks = [] if quiet else [verdict_lead([j.verdict for j in result.evaluation.judgements])]
    remarks += [] if quiet else [f"Caution: {words}" for words in cautions(result.exclusions)]
    remarks += _gate_lines(result.gates, quiet=quiet)
    if not quiet:
        following = "add --groups COLUMN to see whether it is fair to each group"
        if result.evaluation.groupings:
            following = f"assay compare {out / 'evaluation.json'} OTHER/evaluation.json"
        remarks.append(f"Wrote {out}: report.html, evaluation.json, tables/. Next: {following}")
    say_lines(remarks, stderr=as_json or quiet)


def _gate_lines(gates: Iterable[GateResult], engine: str = "", *, quiet: bool) -> list[str]:
    """Each gate; only those that failed where nothing else is said."""
    of = f" of {engine}" if engine else ""
    return [
        f"gate {gate.gate}{of}: {'passed' if gate.passed else 'FAILED'}; {gate.why}"
        for gate in gates
        if not gate.passed or not quiet
    ]


def _headline(result: EvaluationResult) -> TextTable:
    evaluation = result.evaluation
    left_out, scale = sum(evaluation.exclusions.left_out.values()), evaluation.plan.scale
    heading = f"{evaluation.n} response{'s' * (evaluation.n != 1)}" + (f", {left_out} left out" if left_out else "")
    title = f"{heading}; scale {scale if scale else 'not of points'}"
    columns = (TextColumn("Figure"), TextColumn("Value", right=True), TextColumn("95% CI", wrap=True, least=16))
    table = TextTable(title, (*columns, TextColumn("Should be", wrap=True), TextColumn("Verdict", wrap=True)))
    verdicts = {j.name: j.verdict or "" for j in evaluation.judgements}
    figures = result.figures
    for name in HEADLINES:
        if name in figures:
            cells = in_two(figures[name], _decimals(name, figures[name]), signed=name in SIGNED)
            limit = THRESHOLDS[name].describe() if name in THRESHOLDS else ""
            table.add_row(HEADLINES[name], *cells, limit, verdicts.get(name, ""))
    return table


def _decimals(name: str, figure: Estimate) -> int:
    """As many as the report writes: where two would hide on which side of the threshold it lies, more."""
    number = shown(name, figure).number
    return number.decimals if number else 2


def say_comparison(result: ComparisonResult, out: Path, *, as_json: bool, quiet: bool) -> None:
    """The differences, and where the files are."""
    comparison = result.comparison
    if as_json:
        print(result.json(), end="")
    elif not quiet:
        n = next(iter(comparison.n.values()))
        same = f"the same {n:,} response{'s' * (n != 1)}"
        same = same if comparison.paired else "different responses: intervals treat them as independent"
        heads = ("Figure", "Engines", "Difference", "95% CI", "p, adjusted")
        columns = [TextColumn(head, head.startswith(("Diff", "p")), wrap="%" not in head) for head in heads]
        table = TextTable(f"{len(comparison.engines)} engines on {same}", columns)
        for d in comparison.differences:
            if d.metric in COMPARED:
                shown = in_two(d.estimate, 1 if d.metric in PER_CENT else 3, signed=True)
                table.add_row(HEADLINES[d.metric], f"{d.first} − {d.second}", *shown, probability(d.p_adjusted))
        say_table(table)
    lines = [] if quiet else left_out_words(comparison.exclusions, comparison.unscored)
    if not quiet:
        warned = {words: None for exclusions in comparison.exclusions.values() for words in cautions(exclusions)}
        lines += [f"Caution: {words}" for words in warned]
    for engine, gates in result.gates.items():
        lines += _gate_lines(gates, engine, quiet=quiet)
    lines += [] if quiet else [f"Wrote {out}: report.html, comparison.json, tables/"]
    say_lines(lines, stderr=as_json or quiet)


def say_trust(result: "TrustResult", out: Path | None, *, as_json: bool, quiet: bool) -> None:
    """The verdict, what more reviews bring, what to review next, and where the files are."""
    if as_json:
        print(result.json(), end="")
    elif not quiet:
        heading, *facts = result.summary()
        lines = [f"{heading[0]}: {heading[1]}", result.verdict]
        lines += [f"{name}: {text}" for name, text in facts if name != "Next"]
        lines += ["Review next:" if result.trust.next else "Nothing waits for review."]
        lines += [f"  {name}: {why}" for name, why in result.to_polars().select("name", "why").iter_rows()]
        say_lines(lines)
    if out is not None and not quiet:
        say_lines([f"Wrote {out}: report.html, trust.json"], stderr=as_json)
