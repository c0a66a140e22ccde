"""Hybrid models on the command line: reading essays for them, training one, scoring by one."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from assay import __version__
from assay.errors import InputError

if TYPE_CHECKING:
    from assay.essays.essay import Essay
    from assay.essays.hybrid.calibrate import CalibratedModel
    from assay.essays.hybrid.model import HybridModel
    from assay.essays.hybrid.reading import HybridEssays
    from assay.essays.scoring.score import EssayScore
    from assay.files.essay_table import EssayColumns
    from assay.files.scored_essays import ScoredEssays
    from assay.provenance import Provenance
    from assay.scale import ScoreScale

ESSAYS_AT_ONCE = 16
MOST_WORDS = 12
"""Telling words listed for each essay."""

Told = tuple["EssayScore", Mapping[str, float]]


def train_hybrid_file(
    read: "ScoredEssays",
    out: Path,
    *,
    scale: "ScoreScale | None",
    cutoffs: str,
    workers: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Train a hybrid on scored essays and write its file."""
    from assay.essays.hybrid.train_hybrid import train_hybrid
    from assay.files.hybrid_model_file import write_hybrid

    essays = read_essays(read.essays, workers=workers, quiet=quiet)
    model = train_hybrid(essays, read.human, scale=scale, cutoffs=cutoffs, version=__version__)
    write_hybrid(model, out)
    if as_json:
        summary = {"model": str(out), "kind": model.kind, "essays": model.training.essays}
        typer.echo(json.dumps(summary | {"agreement": dict(model.agreement), "notes": list(model.training.notes)}))
    elif not quiet:
        _show_model(model, out)


def read_essays(essays: Sequence["Essay"], *, workers: int | None, quiet: bool) -> "HybridEssays":
    """Essays read and measured by as many processes as asked for, each by itself: their number changes no digit."""
    import numpy as np

    from assay.cli.terminal import progress
    from assay.cli.workers import cores, in_order
    from assay.essays.hybrid.reading import HybridEssays

    blocks = (essays[first : first + ESSAYS_AT_ONCE] for first in range(0, len(essays), ESSAYS_AT_ONCE))
    with progress("Reading essays", len(essays), quiet=quiet) as bar:
        read = bar.counting(in_order(read_block, blocks, workers=workers or cores()))
        found = [one for block in read for one in block]
    doubts = tuple(doubt for one in found for doubt in one.advisories)
    return HybridEssays(tuple(essays), np.concatenate([one.measures for one in found]), doubts)


def read_block(essays: Sequence["Essay"]) -> list["HybridEssays"]:
    """Every essay of a block read by itself; what a worker process does."""
    from assay.essays.hybrid.reading import read_hybrid
    from assay.files.discourse_weights import bundled_discourse_model

    return [read_hybrid([essay], bundled_discourse_model()) for essay in essays]


def is_hybrid(model: Path) -> bool:
    """Whether a model file holds a hybrid or calibrated model."""
    from assay.files.essay_model_file import read_document
    from assay.files.scoring_models import HYBRID_KINDS

    return read_document(model).get("kind") in HYBRID_KINDS


def score_by_hybrid(
    essays: Path,
    columns: "EssayColumns | None",
    model: Path,
    out: Path,
    made: "Provenance",
    *,
    force: bool,
    workers: int | None,
    quiet: bool,
) -> list["EssayScore"]:
    """Score essays by a hybrid or calibrated model, into scores.csv, words.csv and report.html of a folder."""
    from assay.files.essay_scores_table import write_scores
    from assay.files.output import OutputFolder, write_csv
    from assay.files.scored_essays import read_scored_essays
    from assay.report.html import to_html
    from assay.report.hybrid_scores_report import hybrid_scores_report

    with OutputFolder(out, force, replaces="scores.csv") as folder:
        told = list(_scored(read_scored_essays(essays, columns), model, workers=workers, quiet=quiet))
        scores = [score for score, _ in told]
        write_scores(folder / "scores.csv", scores)
        rows = [[score.essay_id, word, round(share, 4)] for score, words in told for word, share in words.items()]
        if rows:
            write_csv(folder / "words.csv", ["id", "word", "share"], rows)
        page = to_html(hybrid_scores_report(scores, loaded(model), name=essays.name, provenance=made))
        (folder / "report.html").write_text(page, encoding="utf-8")
    return scores


def _scored(read: "ScoredEssays", model: Path, *, workers: int | None, quiet: bool) -> Iterator[Told]:
    from assay.cli.terminal import progress
    from assay.cli.workers import cores, in_order

    blocks = (read.essays[first : first + ESSAYS_AT_ONCE] for first in range(0, len(read), ESSAYS_AT_ONCE))
    with progress("Scoring essays", len(read), quiet=quiet) as bar:
        for block in bar.counting(in_order(partial(score_block, model=model), blocks, workers=workers or cores())):
            yield from block


def score_block(essays: Sequence["Essay"], *, model: Path) -> list[Told]:
    """The scores of some essays; what a worker process does. It reads the model once."""
    from assay.essays.hybrid.model import HybridModel
    from assay.essays.hybrid.reading import read_hybrid
    from assay.essays.hybrid.score_calibrated import score_calibrated
    from assay.essays.hybrid.score_hybrid import score_read
    from assay.files.discourse_weights import bundled_discourse_model

    used, discourse = loaded(model), bundled_discourse_model()
    if not isinstance(used, HybridModel):
        return [(score, {}) for score in score_calibrated(essays, used, discourse)]
    found = [score_read(read_hybrid([essay], discourse), used)[0] for essay in essays]
    return [(score, dict(list(words.items())[:MOST_WORDS])) for score, words in found]


@cache
def loaded(path: Path) -> "HybridModel | CalibratedModel":
    """The model of a file, read once by each process."""
    from assay.essays.scoring.model import EssayModel
    from assay.files.scoring_models import read_scoring_model

    found = read_scoring_model(path)
    if isinstance(found, EssayModel):
        raise InputError(f"{path} is a {found.kind} model, which is no hybrid.")
    return found


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
