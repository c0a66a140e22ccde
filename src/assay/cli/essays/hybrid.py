"""Hybrid models on the command line: reading essays for them, training one; what a worker does to score by one."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from assay import __version__
from assay.cli.essays.work import ESSAYS_AT_ONCE

if TYPE_CHECKING:
    from assay.essays.models.calibrated.calibrate import CalibratedModel
    from assay.essays.models.hybrid.model import HybridModel
    from assay.essays.models.hybrid.reading import HybridEssays
    from assay.essays.text.essay import Essay
    from assay.execution.executor import Executor
    from assay.io.essays.scored_essays import ScoredEssays
    from assay.report.essays.score_summary import ScoredEssay
    from assay.scale import ScoreScale

MOST_WORDS = 12
"""Telling words listed for each essay."""


def train_hybrid_file(
    read: "ScoredEssays",
    out: Path,
    executor: "Executor",
    *,
    scale: "ScoreScale | None",
    cutoffs: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Train a hybrid on scored essays and write its file."""
    from assay.essays.models.hybrid.train import train_hybrid
    from assay.io.models.hybrid import write_hybrid

    essays = read_essays(read.essays, executor, quiet=quiet)
    model = train_hybrid(essays, read.human, scale=scale, cutoffs=cutoffs, version=__version__)
    write_hybrid(model, out)
    if as_json:
        summary = {"model": str(out), "kind": model.kind, "essays": model.training.essays}
        typer.echo(json.dumps(summary | {"agreement": dict(model.agreement), "notes": list(model.training.notes)}))
    elif not quiet:
        _show_model(model, out)


def read_essays(essays: Sequence["Essay"], executor: "Executor", *, quiet: bool) -> "HybridEssays":
    """Essays read and measured, each by itself: who works on them changes no digit."""
    import numpy as np

    from assay.cli.terminal import progress
    from assay.essays.models.hybrid.reading import HybridEssays

    blocks = (essays[first : first + ESSAYS_AT_ONCE] for first in range(0, len(essays), ESSAYS_AT_ONCE))
    with progress("Reading essays", len(essays), quiet=quiet) as bar:
        read = bar.counting(executor.map_ordered(read_block, blocks))
        found = [one for block in read for one in block]
    doubts = tuple(doubt for one in found for doubt in one.advisories)
    return HybridEssays(tuple(essays), np.concatenate([one.measures for one in found]), doubts)


def read_block(essays: Sequence["Essay"]) -> list["HybridEssays"]:
    """Every essay of a block read by itself; what a worker does."""
    from assay.essays.models.hybrid.reading import read_hybrid
    from assay.io.models.discourse_weights import bundled_discourse_model

    return [read_hybrid([essay], bundled_discourse_model()) for essay in essays]


def score_block(essays: Sequence["Essay"], model: "HybridModel | CalibratedModel") -> list["ScoredEssay"]:
    """The scores of some essays; what a worker does."""
    from assay.essays.models.calibrated.score import score_calibrated
    from assay.essays.models.hybrid.model import HybridModel
    from assay.essays.models.hybrid.reading import read_hybrid
    from assay.essays.models.hybrid.score import score_read
    from assay.io.models.discourse_weights import bundled_discourse_model

    discourse = bundled_discourse_model()
    if not isinstance(model, HybridModel):
        return [(score, {}) for score in score_calibrated(essays, model, discourse)]
    found = [score_read(read_hybrid([essay], discourse), model)[0] for essay in essays]
    return [(score, dict(list(words.items())[:MOST_WORDS])) for score, words in found]


def _show_model(model: "HybridModel", out: Path) -> None:
    from assay.cli.terminal import console, number

    screen, found = console(), model.agreement
    screen.print(f"Trained {model.kind} on {model.training.essays:,} essays, scale {model.scale}.", markup=False)
    for reason, count in model.training.left_out.items():
        screen.print(f"  left out, {reason}: {count:,}", markup=False)
    screen.print(
        f"Essays it had not seen: QWK {number(found['qwk'])}, kappa {number(found['kappa'])}, "
        f"exact agreement {number(found['exact'], 0)} %, r {number(found['r'])}.",
        markup=False,
    )
    for note in model.training.notes:
        screen.print(f"Note: {note}.", markup=False)
    screen.print(f"Model: {out}", markup=False, soft_wrap=True)
