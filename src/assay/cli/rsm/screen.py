"""The headline figures of an experiment on the screen."""

from rich import box
from rich.table import Table

from assay.cli.evaluation_output import PER_CENT, SIGNED
from assay.cli.terminal import in_two
from assay.evaluation.result import Evaluation
from assay.workflows.evaluation.results import HEADLINES


def figures_table(evaluation: Evaluation, identity: str) -> Table:
    """The headline figures, with how many responses were left out why."""
    left_out = "; ".join(f"{reason}: {n}" for reason, n in evaluation.exclusions.left_out.items())
    heading = f"{identity}: {evaluation.n} responses{f', left out {left_out}' if left_out else ''}"
    table = Table(box=box.SIMPLE_HEAD, title=heading, title_justify="left")
    table.add_column("Figure", no_wrap=True)
    table.add_column("Value", justify="right", no_wrap=True)
    table.add_column("95 % interval")
    figures = evaluation.figures()
    for name, title in HEADLINES.items():
        if name in figures:
            table.add_row(title, *in_two(figures[name], 1 if name in PER_CENT else 2, signed=name in SIGNED))
    return table
