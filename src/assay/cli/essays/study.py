"""`assay essays study`: the paper's tables 1-9 for a corpus of scored essays."""

from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.essays import models
from assay.cli.observer import ClusterAddress, Profile, Workers, timed_executor

if TYPE_CHECKING:
    from assay.workflows.essays.study import StudyResult

Essays = Annotated[Path, typer.Argument(help="Table with a row per essay and its human scores.")]
Program = Annotated[
    str | None, typer.Option("--program", help="Column with the grade or test: one scale, some prompts.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print study.json.")]


def study(
    essays: Essays,
    score: models.Score,
    prompt: Annotated[str, typer.Option("--prompt", help="Column with the prompt.")],
    text: models.Text = None,
    file: models.File = None,
    id: models.Id = None,
    second_score: models.Second = None,
    third_score: models.Third = None,
    program: Program = None,
    candidate: Annotated[
        str | None, typer.Option("--candidate", help="Column with the writer: two essays of one are a retest.")
    ] = None,
    scale: models.Scale = None,
    recipe: Annotated[
        str, typer.Option("--recipe", help="How models are built: as the paper did, or as assay does.")
    ] = "paper",
    features: models.Features = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the results.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Chance by which prompts are cut in halves.")] = 2005,
    pdf: Annotated[bool, typer.Option("--pdf", help="Make report.pdf too.")] = False,
    force: models.Force = False,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    profile: Profile = False,
    as_json: AsJson = False,
    quiet: models.Quiet = False,
) -> None:
    """Study a corpus of scored essays: the tables 1-9 of Attali & Burstein (2005), with charts.

    Descriptives; features and scores; weights; agreement by the weight of length; systems compared on essays they have
    not seen; reliability. A table that needs what the corpus lacks says so.

    Example: assay essays study essays.csv --text text --score rating_1 --second-score rating_2 --prompt prompt
    --program program --candidate candidate --out study
    """
    from assay.workflows.essays.study import study as study_essays

    out = out or Path(f"{essays.name.split('.')[0]}-study")
    with timed_executor(workers, cluster, "measured", profile=profile, quiet=quiet) as (executor, observer):
        result = study_essays(
            essays,
            text=text,
            file=file,
            score=score,
            prompt=prompt,
            id=id,
            second_score=second_score,
            third_score=third_score,
            program=program,
            candidate=candidate,
            scale=scale,
            recipe=recipe,
            features=features,
            seed=seed,
            out=out,
            pdf=pdf,
            force=force,
            executor=executor,
            observer=observer,
            command=models.command_line(),
        )
    if as_json:
        print(result.json(), end="")
    if not quiet:
        _say(result, out, as_json=as_json)


def _say(result: "StudyResult", out: Path, *, as_json: bool) -> None:
    """Table 6 for a terminal, and where the files are."""
    from rich import box
    from rich.table import Table

    from assay.cli.observer import console, number

    if not as_json:
        heading = f"{result.study.essays:,} essays, {result.study.prompts} prompts; agreement on essays not seen"
        table = Table(box=box.SIMPLE_HEAD, title=heading, title_justify="left")
        for head in ("Program", "System", "Length weight", "Prompts", "Kappa", "Exact", "QWK"):
            table.add_column(head, justify="left" if head in ("Program", "System") else "right")
        for program, system, prompts, weight, *figures in result.to_polars().iter_rows():
            shown = [number(nan if figure is None else figure) for figure in figures]
            table.add_row(program, system, "" if weight is None else number(weight, 1), str(prompts), *shown)
        console().print(table)
    console(stderr=as_json).print(f"Wrote {out}: report.html, study.json, tables/", markup=False, soft_wrap=True)
