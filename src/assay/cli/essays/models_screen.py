"""A model and scores as a terminal shows them."""

from collections.abc import Mapping
from pathlib import Path

from rich.table import Table

from assay.cli.terminal import console, number
from assay.essays.models.erater.model import Equation, EssayModel
from assay.essays.models.erater.score import SCORE_TITLES
from assay.report.essays.score_summary import ScoreSummary

MOST_WEIGHTS = 12
"""Of a model with more features, as v.1.3 is, those without weight are not shown."""
MOST_EQUATIONS = 4
"""Weights of so many equations are shown; the file has all."""


def show_model(model: EssayModel, out: Path) -> None:
    """What was built, how well it agrees, what it weighs and what to know."""
    screen = console()
    screen.print(f"Trained {model.kind} on {model.training.essays:,} essays, scale {model.scale}.", markup=False)
    for reason, count in model.training.left_out.items():
        screen.print(f"  left out, {reason}: {count:,}", markup=False)
    for group, equation in list(model.equations.items())[:MOST_EQUATIONS]:
        if group:
            screen.print(f"\n{group}: {equation.essays:,} essays", markup=False)
        screen.print(_agreement(equation), markup=False)
        screen.print(_weights(equation))
    for note in model.training.notes:
        screen.print(f"Note: {note}.", markup=False)
    screen.print(f"Model: {out}", markup=False, soft_wrap=True)


def _agreement(equation: Equation) -> str:
    found = equation.agreement
    return (
        f"Essays it had not seen: QWK {number(found['qwk'])}, kappa {number(found['kappa'])}, "
        f"exact agreement {number(found['exact'], 0)} %, r {number(found['r'])}."
    )


def _weights(equation: Equation) -> Table:
    table = Table("Feature", box=None, pad_edge=False)
    for title in ("percent", "standardised", "raw"):
        table.add_column(title, justify="right")
    weights = equation.weights
    columns = zip(weights.names, weights.relative, weights.standardised, weights.raw, strict=True)
    for name, share, z, raw in columns:
        if z == 0 and len(weights.names) > MOST_WEIGHTS:
            continue
        fixed = " (fixed)" if name in weights.fixed else ""
        table.add_row(f"{name}{fixed}", number(100 * share, 1), number(z, 3, signed=True), f"{raw:+.4g}")
    return table


def show_scores(summary: ScoreSummary, files: Mapping[str, Path]) -> None:
    """How many were scored, how the scores spread, what stood against some, and where the files are."""
    screen = console()
    screen.print(f"Scored {summary.given.total():,} of {summary.essays:,} essays.")
    for point, count in sorted(summary.given.items()):
        screen.print(f"  {point:g}: {count:,}", markup=False)
    for name, title in SCORE_TITLES.items():
        if summary.doubts[name]:
            screen.print(f"  {title}: {summary.doubts[name]:,}", markup=False)
    for title, path in files.items():
        screen.print(f"{title}: {path}", markup=False, soft_wrap=True)
