"""What `assay evaluate` and `assay compare` say."""

from pathlib import Path

from assay.cli.terminal import console, in_two, probability
from assay.evaluation.result import Evaluation
from assay.evaluation.thresholds import THRESHOLDS
from assay.workflows.evaluation.results import HEADLINES, ComparisonResult, EvaluationResult

COMPARED = ("qwk", "r", "smd", "exact_agreement", "rmse")
SIGNED = ("smd", "degradation_qwk", "largest_dsm")
PER_CENT = ("exact_agreement", "adjacent_agreement")


def say_evaluation(result: EvaluationResult, out: Path, *, as_json: bool, quiet: bool) -> None:
    """The headline figures, the gates, and where the files are."""
    evaluation, screen = result.evaluation, console()
    if as_json:
        print(result.json(), end="")
    elif not quiet:
        screen.print(_headline(evaluation))
    remarks = console(stderr=True) if as_json or quiet else screen
    for gate in result.gates:
        if not gate.passed or not quiet:
            remarks.print(
                f"gate {gate.gate}: {'passed' if gate.passed else 'FAILED'}; {gate.why}", markup=False, soft_wrap=True
            )
    if not quiet:
        remarks.print(
            f"Wrote {out}: report.html, evaluation.json, tables/. Next: {_next_step(evaluation, out)}",
            markup=False,
            soft_wrap=True,
        )


def _next_step(evaluation: Evaluation, out: Path) -> str:
    """What is most worth doing now."""
    if not evaluation.groupings:
        return "add --groups COLUMN to see whether it is fair to each group"
    return f"assay compare {out / 'evaluation.json'} OTHER/evaluation.json"


def _headline(evaluation: Evaluation) -> object:
    from rich import box
    from rich.table import Table

    left_out = sum(evaluation.exclusions.left_out.values())
    scale = evaluation.plan.scale
    heading = f"{evaluation.n} response{'s' * (evaluation.n != 1)}" + (f", {left_out} left out" if left_out else "")
    table = Table(
        box=box.SIMPLE_HEAD, title=f"{heading}; scale {scale if scale else 'not of points'}", title_justify="left"
    )
    table.add_column("Figure", no_wrap=True)
    table.add_column("Value", justify="right", no_wrap=True)
    table.add_column("95 % interval", min_width=16)
    table.add_column("Should be")
    table.add_column("Verdict")
    figures = evaluation.figures()
    verdicts = {j.name: j.verdict or "" for j in evaluation.judgements}
    for name, words in HEADLINES.items():
        if name in figures:
            shown = in_two(figures[name], 1 if name in PER_CENT else 2, signed=name in SIGNED)
            limit = THRESHOLDS[name].describe() if name in THRESHOLDS else ""
            table.add_row(words, *shown, limit, verdicts.get(name, ""))
    return table


def say_comparison(result: ComparisonResult, out: Path, *, as_json: bool, quiet: bool) -> None:
    """The differences, and where the files are."""
    from rich import box
    from rich.table import Table

    comparison = result.comparison
    if as_json:
        print(result.json(), end="")
    elif not quiet:
        screen = console()
        same = "the same responses" if comparison.paired else "different responses: intervals treat them as independent"
        table = Table(box=box.SIMPLE_HEAD, title=f"{len(comparison.engines)} engines on {same}", title_justify="left")
        for head in ("Figure", "Engines", "Difference", "95 % interval", "p, adjusted"):
            table.add_column(head, justify="right" if head.startswith(("Diff", "p")) else "left", no_wrap="%" in head)
        for d in comparison.differences:
            if d.metric in COMPARED:
                shown = in_two(d.estimate, 1 if d.metric in PER_CENT else 3, signed=True)
                table.add_row(HEADLINES[d.metric], f"{d.first} − {d.second}", *shown, probability(d.p_adjusted))
        screen.print(table)
    if not quiet:
        console(stderr=as_json).print(
            f"Wrote {out}: report.html, comparison.json, tables/", markup=False, soft_wrap=True
        )
