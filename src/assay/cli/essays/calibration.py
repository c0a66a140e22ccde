"""`assay essays calibrate`: a model of other prompts taken to a new one, with a few scored essays or none."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.essays.models import AsJson, Essays, Id, ModelOut, Prompt, Quiet, Text
from assay.cli.executor_options import ClusterAddress, Profile, Workers, timed_executor
from assay.errors import InputError

if TYPE_CHECKING:
    from assay.essays.models.calibrated.calibrate import CalibratedModel
    from assay.essays.models.erater.model import EssayModel
    from assay.essays.models.hybrid.model import HybridModel
    from assay.execution.executor import Executor
    from assay.io.essays.scored_essays import ScoredEssays
    from assay.scale import ScoreScale

OldModel = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A generic10 model, or a hybrid trained on several prompts.")
]
Score = Annotated[str | None, typer.Option("--score", help="Column with human scores; empty where an essay has none.")]
Scale = Annotated[str | None, typer.Option("--scale", help="Scale of the new prompt; that of the model without it.")]


def calibrate(
    model: OldModel,
    essays: Essays,
    out: ModelOut,
    text: Text = None,
    id: Id = None,
    prompt: Prompt = None,
    score: Score = None,
    scale: Scale = None,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    profile: Profile = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Take a model to a prompt it has not seen.

    ESSAYS are of the new prompt. Ten to fifty of them should have a score; the others, which need none, show how essays
    on it usually are. Without any score the model ranks the essays and places them where prompts usually lie.

    Example: assay essays calibrate model.json essays.csv --text essay --score score -o new-prompt.json
    """
    from assay.essays.models.erater.model import EssayModel
    from assay.essays.models.hybrid.model import HybridModel
    from assay.io.essays.scored_essays import read_scored_essays
    from assay.io.essays.table import EssayColumns
    from assay.io.models.scoring_models import read_scoring_model
    from assay.scale import ScoreScale

    if out.exists() and out.resolve() == model.resolve():
        raise InputError(f"{out} is the model itself. Name a new file with -o: the old one stays beside it.")
    old = read_scoring_model(model)
    read = read_scored_essays(essays, EssayColumns(text, id, prompt, score) if text else None)
    declared = ScoreScale.parse(scale) if scale else old.scale
    if not isinstance(old, EssayModel | HybridModel):
        raise InputError(f"{model} is calibrated to a prompt already. Name the model it was made from.")
    with timed_executor(workers, cluster, "measured", profile=profile, quiet=quiet) as (executor, _):
        if isinstance(old, EssayModel):
            notes = _calibrated_equation(old, read, declared, out, executor, quiet=quiet)
        else:
            notes = _calibrated_hybrid(old, read, declared, out, executor, quiet=quiet)
    _say(notes, read, declared, out, as_json=as_json, quiet=quiet)


def _calibrated_equation(
    old: "EssayModel", read: "ScoredEssays", scale: "ScoreScale", out: Path, executor: "Executor", *, quiet: bool
) -> tuple[str, ...]:
    from assay.cli.essays.models import measured_table
    from assay.essays.models.calibrated.calibrate_equation import calibrate_equation
    from assay.io.models.erater import write_model

    table = measured_table(read, None, executor, quiet=quiet)
    new = calibrate_equation(old, table, read.human.first, scale)
    write_model(new, out)
    return new.training.notes[-1:]


def _calibrated_hybrid(
    old: "HybridModel", read: "ScoredEssays", scale: "ScoreScale", out: Path, executor: "Executor", *, quiet: bool
) -> tuple[str, ...]:
    from assay.cli.essays.hybrid import read_essays
    from assay.essays.models.calibrated.calibrate import calibrate as calibrate_hybrid
    from assay.io.models.calibrated import write_calibrated

    if old.transfer is None:
        raise InputError(
            "this hybrid was trained on one prompt, so it does not know what carries over to another. "
            "Train it on essays of several prompts, named with --prompt."
        )
    found: CalibratedModel = calibrate_hybrid(
        old.transfer, read_essays(read.essays, executor, quiet=quiet), read.human.first, scale
    )
    write_calibrated(found, out)
    return found.notes


def _say(
    notes: tuple[str, ...], read: "ScoredEssays", scale: "ScoreScale", out: Path, *, as_json: bool, quiet: bool
) -> None:
    import numpy as np

    scored = int(np.isfinite(read.human.first).sum())
    if as_json:
        summary = {"model": str(out), "essays": len(read), "scored": scored, "notes": list(notes)}
        typer.echo(json.dumps(summary))
    elif not quiet:
        from assay.cli.terminal import console

        screen = console()
        screen.print(f"Calibrated with {scored:,} scored essays among {len(read):,}, scale {scale}.", markup=False)
        for note in notes:
            screen.print(f"Note: {note}.", markup=False)
        screen.print(f"Model: {out}", markup=False, soft_wrap=True)
