"""A model and scores as a terminal shows them."""

from collections.abc import Mapping
from pathlib import Path

from rich.table import Table

from assay.cli.terminal import console, number
from assay.essays.models.erater.equation import Equation
from assay.essays.models.scoring_model import ScoringModel

MOST_WEIGHTS = 12
"""Of a model with more features, as v.1.3 is, those without weight are not shown."""
MOST_EQUATIONS = 4
"""Weights of so many equations are shown; the file has all."""


def show_model(model: ScoringModel, out: Path) -> None:
    """What was built, how well it agrees, what it weighs and what to know."""
    screen = console()
    screen.print(f"Trained {model.kind} on {model.training.essays:,} essays, scale {model.scale}.", markup=False)
    for reason, count in model.training.left_out.items():
        screen.print(f"  left out, {reason}: {count:,}", markup=False)
    for group, equation in list(model.equations.items())[:MOST_EQUATIONS]:
        if group:
            screen.print(f"\n{group}: {equation.essays:,} essays", markup=False)
        screen.print(_agreement(equation.agreement), markup=False)
        screen.print(_weights(equation))
    if not model.equations:
        screen.print(_agreement(model.agreement), markup=False)
    for note in model.training.notes:
        screen.print(f"Note: {note}.", markup=False)
    screen.print(f"Model: {out}", markup=False, soft_wrap=True)


def _agreement(figures: Mapping[str, float]) -> str:
    return (
        f"Essays it had not seen: QWK {number(figures['qwk'])}, kappa {number(figures['kappa'])}, "
        f"exact agreement {number(figures['exact'], 0)} %, r {number(figures['r'])}."
    )


def _weights(equation: Equation) -> Table:
    table = Table("Feature", box=None, pad_edge=False)
    for title in ("percent", "standardised", "raw"):
        table.add_column(title, justify="right")
    weights = equation.weights
    for name, share, z, raw in zip(weights.names, weights.relative, weights.standardised, weights.raw, strict=True):
        if z != 0 or len(weights.names) <= MOST_WEIGHTS:
            fixed = " (fixed)" if name in weights.fixed else ""
            table.add_row(f"{name}{fixed}", number(100 * share, 1), number(z, 3, signed=True), f"{raw:+.4g}")
    return table
