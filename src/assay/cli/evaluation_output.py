"""What `assay evaluate` and `assay compare` write and say."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from assay.cli.terminal import console, in_two, probability
from assay.evaluation.compare import Comparison
from assay.evaluation.gates import GateResult
from assay.evaluation.result import Evaluation
from assay.evaluation.thresholds import THRESHOLDS
from assay.io.results.evaluation_tables import PlainTable, comparison_tables, evaluation_tables
from assay.io.results.result_json import comparison_json, evaluation_json
from assay.io.tables.output import OutputFolder, write_csv
from assay.provenance import Provenance
from assay.report.document.document import Document
from assay.report.evaluation.comparison_report import comparison_report
from assay.report.evaluation.report import evaluation_report
from assay.report.render.html import to_html
from assay.report.render.tables_csv import csv_files

TITLES: Mapping[str, str] = {
    "qwk": "QWK",
    "r": "Pearson r",
    "smd": "SMD",
    "exact_agreement": "Exact agreement, %",
    "adjacent_agreement": "Exact or adjacent, %",
    "rmse": "RMSE",
    "prmse": "PRMSE (true score)",
    "degradation_qwk": "QWK less human QWK",
    "largest_dsm": "Largest group DSM",
}
"""The figures a terminal shows, in this order."""
COMPARED = ("qwk", "r", "smd", "exact_agreement", "rmse")
SIGNED = ("smd", "degradation_qwk", "largest_dsm")
PER_CENT = ("exact_agreement", "adjacent_agreement")


def write_evaluation(
    evaluation: Evaluation,
    provenance: Provenance,
    excluded: Sequence[tuple[str, str]],
    source: str,
    out: Path,
    *,
    pdf: bool,
    force: bool,
) -> None:
    """evaluation.json, report.html, perhaps report.pdf, and tables/*.csv; all of them or none."""
    title = f"Evaluation of “{evaluation.engine}”"
    document = evaluation_report(evaluation, title=title, source=source, provenance=provenance, made=provenance.made)
    with OutputFolder(out, force, replaces="evaluation.json") as folder:
        _write(folder, document, evaluation_tables(evaluation, excluded), pdf=pdf)
        (folder / "evaluation.json").write_text(evaluation_json(evaluation, provenance), encoding="utf-8")


def write_comparison(comparison: Comparison, provenance: Provenance, out: Path, *, pdf: bool, force: bool) -> None:
    """comparison.json, report.html, perhaps report.pdf, and tables/*.csv; all of them or none."""
    title = f"Comparison of {len(comparison.engines)} engines"
    document = comparison_report(comparison, title=title, provenance=provenance, made=provenance.made)
    with OutputFolder(out, force, replaces="comparison.json") as folder:
        _write(folder, document, comparison_tables(comparison), pdf=pdf)
        (folder / "comparison.json").write_text(comparison_json(comparison, provenance), encoding="utf-8")


def _write(folder: Path, document: Document, tables: Mapping[str, PlainTable], *, pdf: bool) -> None:
    (folder / "report.html").write_text(to_html(document), encoding="utf-8")
    if pdf:
        from assay.report.render.pdf import to_pdf

        (folder / "report.pdf").write_bytes(to_pdf(document))
    (folder / "tables").mkdir()
    for name, table in tables.items():
        write_csv(folder / "tables" / f"{safe_name(name)}.csv", table.columns, table.rows)
    (folder / "tables" / "report").mkdir()
    for file, text in csv_files(document).items():
        (folder / "tables" / "report" / file).write_text(text, encoding="utf-8", newline="")


def safe_name(name: str) -> str:
    """A file name made from what a user called a column: letters, digits, and what is harmless.

    >>> safe_name("eval_by_../../etc/passwd")
    'eval_by_.._.._etc_passwd'
    """
    return re.sub(r"[^\w .,()+×-]", "_", name)[:120]


def say_evaluation(
    evaluation: Evaluation,
    gates: Sequence[GateResult],
    provenance: Provenance,
    out: Path,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """The headline figures, the gates, and where the files are."""
    screen = console()
    if as_json:
        print(evaluation_json(evaluation, provenance), end="")
    elif not quiet:
        screen.print(_headline(evaluation))
    remarks = console(stderr=True) if as_json or quiet else screen
    for gate in gates:
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
    for name, words in TITLES.items():
        if name in figures:
            shown = in_two(figures[name], 1 if name in PER_CENT else 2, signed=name in SIGNED)
            limit = THRESHOLDS[name].describe() if name in THRESHOLDS else ""
            table.add_row(words, *shown, limit, verdicts.get(name, ""))
    return table


def say_comparison(comparison: Comparison, provenance: Provenance, out: Path, *, as_json: bool, quiet: bool) -> None:
    """The differences, and where the files are."""
    from rich import box
    from rich.table import Table

    if as_json:
        print(comparison_json(comparison, provenance), end="")
    elif not quiet:
        screen = console()
        same = "the same responses" if comparison.paired else "different responses: intervals treat them as independent"
        table = Table(box=box.SIMPLE_HEAD, title=f"{len(comparison.engines)} engines on {same}", title_justify="left")
        for head in ("Figure", "Engines", "Difference", "95 % interval", "p, adjusted"):
            table.add_column(head, justify="right" if head.startswith(("Diff", "p")) else "left", no_wrap="%" in head)
        for d in comparison.differences:
            if d.metric in COMPARED:
                shown = in_two(d.estimate, 1 if d.metric in PER_CENT else 3, signed=True)
                table.add_row(TITLES[d.metric], f"{d.first} − {d.second}", *shown, probability(d.p_adjusted))
        screen.print(table)
    if not quiet:
        console(stderr=as_json).print(
            f"Wrote {out}: report.html, comparison.json, tables/", markup=False, soft_wrap=True
        )
