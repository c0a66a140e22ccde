"""`assay essays calibrate`: a model of other prompts taken to a new one, with a few scored essays or none."""

import json
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.essays.models import AsJson, Essays, Id, ModelOut, Prompt, Quiet, Text, check_model_path
from assay.cli.executor_options import ClusterAddress, Profile, Workers, timed_executor

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
    from assay.workflows.essays.calibrate import calibrate as calibrate_workflow

    check_model_path(out, model)
    with timed_executor(workers, cluster, "measured", profile=profile, quiet=quiet) as (executor, observer):
        result = calibrate_workflow(
            model,
            essays,
            text=text,
            id=id,
            prompt=prompt,
            score=score,
            scale=scale,
            executor=executor,
            observer=observer,
        )
    result.save(out)
    if as_json:
        summary = {"model": str(out), "essays": result.essays, "scored": result.scored, "notes": list(result.notes)}
        typer.echo(json.dumps(summary))
    elif not quiet:
        from assay.cli.essays.models_screen import show_calibration

        show_calibration(result, out)
