"""Hybrid models on the command line: reading essays for them, training one, scoring by one."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from assay import __version__
from assay.cli.essay_work import ESSAYS_AT_ONCE
from assay.errors import InputError

if TYPE_CHECKING:
    from assay.cluster.crew import Crew
    from assay.essays.essay import Essay
    from assay.essays.hybrid.calibrate import CalibratedModel
    from assay.essays.hybrid.model import HybridModel
    from assay.essays.hybrid.reading import HybridEssays
    from assay.essays.scoring.score import EssayScore
    from assay.files.essay_table import EssayColumns
    from assay.files.scored_essays import ScoredEssays
    from assay.provenance import Provenance
    from assay.scale import ScoreScale

MOST_WORDS = 12
"""Telling words listed for each essay."""

Told = tuple["EssayScore", Mapping[str, float]]


def train_hybrid_file(
    read: "ScoredEssays",
    out: Path,
    crew: "Crew",
    *,
    scale: "ScoreScale | None",
    cutoffs: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Train a hybrid on scored essays and write its file."""
    from assay.essays.hybrid.train_hybrid import train_hybrid
    from assay.files.hybrid_model_file import write_hybrid

    essays = read_essays(read.essays, crew, quiet=quiet)
    model = train_hybrid(essays, read.human, scale=scale, cutoffs=cutoffs, version=__version__)
    write_hybrid(model, out)
    if as_json:
        summary = {"model": str(out), "kind": model.kind, "essays": model.training.essays}
        typer.echo(json.dumps(summary | {"agreement": dict(model.agreement), "notes": list(model.training.notes)}))
    elif not quiet:
        _show_model(model, out)


def read_essays(essays: Sequence["Essay"], crew: "Crew", *, quiet: bool) -> "HybridEssays":
    """Essays read and measured, each by itself: who works on them changes no digit."""
    import numpy as np

    from assay.cli.terminal import progress
    from assay.essays.hybrid.reading import HybridEssays

    blocks = (essays[first : first + ESSAYS_AT_ONCE] for first in range(0, len(essays), ESSAYS_AT_ONCE))
    with progress("Reading essays", len(essays), quiet=quiet) as bar:
        read = bar.counting(crew.in_order(read_block, blocks))
        found = [one for block in read for one in block]
    doubts = tuple(doubt for one in found for doubt in one.advisories)
    return HybridEssays(tuple(essays), np.concatenate([one.measures for one in found]), doubts)


def read_block(essays: Sequence["Essay"]) -> list["HybridEssays"]:
    """Every essay of a block read by itself; what a worker does."""
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
    crew: "Crew",
    *,
    force: bool,
    quiet: bool,
) -> list["EssayScore"]:
    """Score essays by a hybrid or calibrated model, into scores.csv, words.csv and report.html of a folder."""
    from assay.files.essay_scores_table import write_scores
    from assay.files.output import OutputFolder, write_csv
    from assay.files.scored_essays import read_scored_essays
    from assay.report.html import to_html
    from assay.report.hybrid_scores_report import hybrid_scores_report

    with OutputFolder(out, force, replaces="scores.csv") as folder:
        used = hybrid_of(model)
        told = list(hybrid_scores(read_scored_essays(essays, columns).essays, used, crew, quiet=quiet))
        scores = [score for score, _ in told]
        write_scores(folder / "scores.csv", scores)
        rows = [[score.essay_id, word, round(share, 4)] for score, words in told for word, share in words.items()]
        if rows:
            write_csv(folder / "words.csv", ["id", "word", "share"], rows)
        page = to_html(hybrid_scores_report(scores, used, name=essays.name, provenance=made))
        (folder / "report.html").write_text(page, encoding="utf-8")
    return scores


def hybrid_scores(
    essays: Sequence["Essay"], model: "HybridModel | CalibratedModel", crew: "Crew", *, quiet: bool
) -> Iterator[Told]:
    """The score of every essay in order, with the words that tell; who works on them changes no digit."""
    from assay.cli.terminal import progress

    blocks = (essays[first : first + ESSAYS_AT_ONCE] for first in range(0, len(essays), ESSAYS_AT_ONCE))
    with progress("Scoring essays", len(essays), quiet=quiet) as bar:
        for block in bar.counting(crew.in_order(score_block, blocks, model)):
            yield from block


def score_block(essays: Sequence["Essay"], model: "HybridModel | CalibratedModel") -> list[Told]:
    """The scores of some essays; what a worker does."""
    from assay.essays.hybrid.model import HybridModel
    from assay.essays.hybrid.reading import read_hybrid
    from assay.essays.hybrid.score_calibrated import score_calibrated
    from assay.essays.hybrid.score_hybrid import score_read
    from assay.files.discourse_weights import bundled_discourse_model

    discourse = bundled_discourse_model()
    if not isinstance(model, HybridModel):
        return [(score, {}) for score in score_calibrated(essays, model, discourse)]
    found = [score_read(read_hybrid([essay], discourse), model)[0] for essay in essays]
    return [(score, dict(list(words.items())[:MOST_WORDS])) for score, words in found]


def hybrid_of(path: Path) -> "HybridModel | CalibratedModel":
    """The hybrid or calibrated model of a file."""
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
