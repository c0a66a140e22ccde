"""`assay essays refit`: a new revision of a model from teachers' scores, judged beside the old one."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.essays.models import (
    AsJson,
    Essays,
    Features,
    Force,
    Id,
    ModelOut,
    Program,
    Prompt,
    Quiet,
    Text,
    check_model_path,
    command_line,
)
from assay.cli.executor_options import ClusterAddress, Profile, Workers, timed_executor

OldModel = Annotated[Path, typer.Argument(metavar="MODEL", help="Model file of `assay essays train`.")]
Overrides = Annotated[
    str, typer.Option("--overrides", help="Column with the scores people gave in place of the model.")
]
Out = Annotated[Path | None, typer.Option("--comparison", help="Folder for the comparison of both; beside the model.")]


def refit(
    model: OldModel,
    essays: Essays,
    overrides: Overrides,
    out: ModelOut,
    text: Text = None,
    id: Id = None,
    prompt: Prompt = None,
    program: Program = None,
    features: Features = None,
    comparison: Out = None,
    force: Force = False,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    profile: Profile = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Move a model towards scores that teachers gave, and compare both on the same essays.

    The old file stays. The new model is judged on essays that it was not refitted on, fold by fold.

    Example: assay essays refit model.json essays.csv --text essay --overrides teacher -o model-2.json
    """
    from assay.cli.evaluation_output import say_comparison
    from assay.workflows.essays.refit import refit as refit_workflow

    check_model_path(out, model)
    with timed_executor(workers, cluster, "measured", profile=profile, quiet=quiet) as (executor, observer):
        result = refit_workflow(
            model,
            essays,
            overrides=overrides,
            text=text,
            id=id,
            prompt=prompt,
            program=program,
            features=features,
            executor=executor,
            observer=observer,
            command=command_line(),
        )
    folder = comparison or out.with_name(f"{out.stem}-comparison")
    result.write(folder, force=force)
    result.save(out)
    say_comparison(result.compared(), folder, as_json=as_json, quiet=quiet)
    if not (quiet or as_json):
        typer.echo(f"Model: {out} (revision {result.model.training.revision})")
