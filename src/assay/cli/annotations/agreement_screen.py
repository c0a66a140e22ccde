"""What `assay annotations agree` says: alpha, every pair, where the results are."""

from itertools import combinations
from pathlib import Path

from assay.annotations.agreement import Agreement
from assay.cli.terminal import console, in_two
from assay.metrics.intervals import Estimate
from assay.workflows.annotations.agree import AgreementResult


def say_agreement(result: AgreementResult, out: Path, consensus: Path | None, *, as_json: bool, quiet: bool) -> None:
    """Alpha, the pairs, and where the results are."""
    agreement = result.agreement
    if as_json:
        print(result.json(), end="")
    elif not quiet:
        value, interval = in_two(agreement.alpha, 3)
        screen = console()
        screen.print(f"Krippendorff's alpha {value} ({interval})", markup=False)
        screen.print(_pairs(agreement))
    remarks = console(stderr=as_json or quiet)
    for name, error in result.failed.items():
        remarks.print(f"{name} could not be read: {error}", markup=False, soft_wrap=True)
    if consensus is not None and not quiet:
        remarks.print(
            f"Wrote {consensus}: a consensus of {len(result.consensus)} objects.", markup=False, soft_wrap=True
        )
    if not quiet:
        remarks.print(f"Wrote {out}: report.html, agreement.json", markup=False, soft_wrap=True)


def _pairs(agreement: Agreement) -> object:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, title="Every two annotators, of 100", title_justify="left")
    for head in ("Annotators", "Same objects", "Same place", "Same label"):
        table.add_column(head, justify="left" if head == "Annotators" else "right")
    for i, j in combinations(range(len(agreement.names)), 2):
        values = (matrix[i, j] for matrix in (agreement.same_objects, agreement.localisation, agreement.label))
        shown = [in_two(Estimate(float(v), reason="nothing in common"), 1) for v in values]
        cells = [value if value != "n/a:" else f"n/a: {why}" for value, why in shown]
        table.add_row(f"{agreement.names[i]}, {agreement.names[j]}", *cells)
    return table
