"""`assay essays study`: the paper's tables 1-9 for a corpus of scored essays."""

import shlex
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.executor_options import ClusterAddress, Profile, Workers, timed_executor

if TYPE_CHECKING:
    from assay.cli.terminal import Counter
    from assay.essays.study.corpus import StudyCorpus
    from assay.essays.study.study import Study
    from assay.essays.study.systems import Found
    from assay.execution.executor import Executor
    from assay.io.essays.study_table import StudyEssays
    from assay.provenance import Provenance

Essays = Annotated[Path, typer.Argument(help="Table with a row per essay and its human scores.")]
Text = Annotated[str, typer.Option("--text", help="Column with the text of the essay.")]
Score = Annotated[str, typer.Option("--score", help="Column with the human score.")]
Prompt = Annotated[str, typer.Option("--prompt", help="Column with the prompt.")]
Id = Annotated[str | None, typer.Option("--id", help="Column that names the essay; row numbers without it.")]
Second = Annotated[str | None, typer.Option("--second-score", help="Column with the score of a second rater.")]
Third = Annotated[str | None, typer.Option("--third-score", help="Column with a third score, where two disagreed.")]
Program = Annotated[
    str | None, typer.Option("--program", help="Column with the grade or test: one scale, some prompts.")
]
Candidate = Annotated[
    str | None, typer.Option("--candidate", help="Column with the writer: two essays of one are a retest.")
]
Scale = Annotated[str | None, typer.Option("--scale", help="Scale of the scores, as 1-6; observed without it.")]
Recipe = Annotated[str, typer.Option("--recipe", help="How models are built: as the paper did, or as assay does.")]
Features = Annotated[
    Path | None,
    typer.Option("--features", help="Features of these essays (.csv, .parquet): read, or measured and kept there."),
]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the results.")]
Seed = Annotated[int, typer.Option("--seed", help="Chance by which prompts are cut in halves.")]
Pdf = Annotated[bool, typer.Option("--pdf", help="Make report.pdf too.")]
Force = Annotated[bool, typer.Option("--force", help="Write into a folder that holds other files.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print study.json.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]


def study(
    essays: Essays,
    text: Text,
    score: Score,
    prompt: Prompt,
    id: Id = None,
    second_score: Second = None,
    third_score: Third = None,
    program: Program = None,
    candidate: Candidate = None,
    scale: Scale = None,
    recipe: Recipe = "paper",
    features: Features = None,
    out: Out = None,
    seed: Seed = 2005,
    pdf: Pdf = False,
    force: Force = False,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    profile: Profile = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Study a corpus of scored essays: the tables 1-9 of Attali & Burstein (2005), with charts.

    Descriptives; features and scores; weights; agreement by the weight of length; systems compared on essays they have
    not seen; reliability. A table that needs what the corpus lacks says so.

    Example: assay essays study essays.csv --text text --score rating_1 --second-score rating_2 --prompt prompt
    --program program --candidate candidate --out study
    """
    from assay.cli.terminal import progress
    from assay.essays.study.study import steps, study_essays
    from assay.io.essays.study_table import StudyColumns, read_study_essays
    from assay.io.tables.output import OutputFolder
    from assay.scale import ScoreScale

    declared = ScoreScale.parse(scale) if scale else None
    columns = StudyColumns(text, score, prompt, id, second_score, third_score, program, candidate)
    out = out or Path(f"{essays.name.split('.')[0]}-study")
    with timed_executor(workers, cluster, "measured", profile=profile, quiet=quiet) as (executor, observer):
        with observer.stage("read"):
            read = read_study_essays(essays, columns)
        with OutputFolder(out, force, replaces="study.json") as folder:
            corpus = study_corpus(read, features, executor, quiet=quiet)
            with observer.stage("compared"), progress("Comparing systems", steps(corpus), quiet=quiet) as bar:
                counting = partial(_one_by_one, bar)
                found = study_essays(corpus, recipe=recipe, scale=declared, seed=seed, counting=counting)
            provenance = _provenance(read, seed)
            with observer.stage("wrote"):
                _write(found, provenance, folder, read.name, pdf=pdf)
    _say(found, provenance, out, as_json=as_json, quiet=quiet)


def _one_by_one(bar: "Counter", found: Iterable["Found"]) -> Iterator["Found"]:
    for (one,) in bar.counting((one,) for one in found):
        yield one


def study_corpus(
    read: "StudyEssays",
    features: Path | None,
    executor: "Executor",
    *,
    quiet: bool = True,  # noqa: ARG001
) -> "StudyCorpus":
    """The essays with their features."""
    from assay.essays.features.features import FEATURES
    from assay.essays.models.erater.prompt_vocabulary import essay_content
    from assay.essays.models.feature_table import EssayFeatures
    from assay.essays.models.v1.arguments import partition
    from assay.essays.study.corpus import StudyCorpus
    from assay.workflows.essays.measured_essays import measured_essays

    values, v1_values = measured_essays(read.essays, features, executor)
    table = EssayFeatures(
        essay_ids=tuple(essay.essay_id for essay in read.essays),
        prompts=tuple(essay.prompt for essay in read.essays),
        names=tuple(FEATURES),
        values=values,
        contents=tuple(essay_content(essay.text) for essay in read.essays),
        human=read.human,
        programs=read.programs,
    )
    arguments = () if v1_values is None else tuple(partition(essay.text).contents for essay in read.essays)
    return StudyCorpus(table, read.candidates, v1_values, arguments)


def _write(study: "Study", provenance: "Provenance", folder: Path, source: str, *, pdf: bool) -> None:
    from assay.io.results.study_json import study_json
    from assay.report.render.html import to_html
    from assay.report.render.tables_csv import csv_files
    from assay.report.study.report import study_report

    document = study_report(study, source=source, provenance=provenance)
    (folder / "report.html").write_text(to_html(document), encoding="utf-8")
    if pdf:
        from assay.report.render.pdf import to_pdf

        (folder / "report.pdf").write_bytes(to_pdf(document))
    (folder / "study.json").write_text(study_json(study, provenance), encoding="utf-8")
    (folder / "tables").mkdir()
    for file, text in csv_files(document).items():
        (folder / "tables" / file).write_text(text, encoding="utf-8", newline="")


def _say(study: "Study", provenance: "Provenance", out: Path, *, as_json: bool, quiet: bool) -> None:
    from assay.cli.terminal import console
    from assay.io.results.study_json import study_json

    if as_json:
        print(study_json(study, provenance), end="")
    elif not quiet:
        console().print(_systems_table(study))
    if not quiet:
        console(stderr=as_json).print(f"Wrote {out}: report.html, study.json, tables/", markup=False, soft_wrap=True)


def _systems_table(study: "Study") -> object:
    """Table 6 for a terminal."""
    from rich import box
    from rich.table import Table

    from assay.cli.terminal import number
    from assay.report.study.words import SYSTEM_WORDS, reported_figures

    heading = f"{study.essays:,} essays, {study.prompts} prompts; agreement on essays not seen"
    table = Table(box=box.SIMPLE_HEAD, title=heading, title_justify="left")
    for head in ("Program", "System", "Length weight", "Prompts", "Kappa", "Exact", "QWK"):
        table.add_column(head, justify="left" if head in ("Program", "System") else "right")
    for program in study.programs:
        for own in reported_figures(study.systems, program):
            weight = "" if own.length_weight is None else number(own.length_weight, 1)
            figures = (number(own.mean_kappa), number(own.mean_exact), number(own.mean_qwk))
            table.add_row(program, SYSTEM_WORDS[own.system], weight, str(own.n), *figures)
    return table


def _provenance(read: "StudyEssays", seed: int) -> "Provenance":
    from assay import __version__
    from assay.provenance import Provenance

    made = datetime.now().astimezone().isoformat(timespec="seconds")
    return Provenance(__version__, shlex.join(["assay", *sys.argv[1:]]), {read.name: read.digest}, seed, made)
