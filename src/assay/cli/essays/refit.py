"""`assay essays refit`: a new revision of a model from teachers' scores, judged beside the old one."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay import __version__
from assay.cli.essays.models import AsJson, Essays, Features, Force, Id, ModelOut, Program, Prompt, Quiet, Text
from assay.cli.executor_options import ClusterAddress, Profile, Workers, timed_executor
from assay.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from assay.evaluation.compare import Contender
    from assay.scale import ScoreScale

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
    from assay.cli.essays.models import measured_table, provenance
    from assay.cli.evaluation_output import say_comparison
    from assay.essays.models.refit import refit_model, refitted_unseen
    from assay.evaluation.compare import compare_engines
    from assay.io.essays.scored_essays import FurtherColumns, read_scored_essays
    from assay.io.essays.table import EssayColumns
    from assay.io.models.erater import read_model, write_model
    from assay.io.tables.output import write_csv
    from assay.workflows.evaluation.results import ComparisonResult

    if out.exists() and out.resolve() == model.resolve():
        raise InputError(f"{out} is the model itself. Name a new file with -o: the old one stays beside it.")
    old = read_model(model)
    columns = EssayColumns(text, id, prompt, overrides) if text else None
    read = read_scored_essays(essays, columns, FurtherColumns(program=program))
    with timed_executor(workers, cluster, "measured", profile=profile, quiet=quiet) as (executor, _):
        table = measured_table(read, features, executor, quiet=quiet)
    new = refit_model(old, table, version=__version__)
    before, after = refitted_unseen(old, table)
    human = table.human.first
    contenders = [_contender(*engine, human, old.scale) for engine in (("after", after), ("before", before))]
    found = compare_engines(contenders)
    made = provenance()
    folder = comparison or out.with_name(f"{out.stem}-comparison")
    compared = ComparisonResult(found, made)
    compared.write(folder, force=force)
    rows = zip(table.essay_ids, human.tolist(), before.tolist(), after.tolist(), strict=True)
    write_csv(folder / "scores.csv", ["id", "human", "before", "after"], rows)
    write_model(new, out)
    say_comparison(compared, folder, as_json=as_json, quiet=quiet)
    if not (quiet or as_json):
        typer.echo(f"Model: {out} (revision {new.training.revision})")


def _contender(
    name: str, system: "NDArray[np.float64]", human: "NDArray[np.float64]", scale: "ScoreScale"
) -> "Contender":
    from assay.evaluation.chunks import tally_parts
    from assay.evaluation.compare import Contender
    from assay.evaluation.plan import Plan
    from assay.evaluation.ratings import Ratings

    plan = Plan(scale=scale, leave_out_zeros=False)
    tally, _ = tally_parts([Ratings.of(human, system)], plan)
    return Contender(name, tally.system[plan.trimmed], tally.system[plan.rounded or plan.trimmed])
