"""`assay annotations rules`, `score` and `agree`."""

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.observer import ClusterAddress, TerminalObserver, timed_executor
from assay.errors import Field, InputError

if TYPE_CHECKING:
    from assay.io.language_model import LanguageModel

FEW_BYTES = 4_000_000
"""Submissions with fewer in all are scored sooner than processes could be started."""

annotations_app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Image annotations: rules from a ground truth, grades with reasons, agreement of annotators.",
)

Truth = Annotated[Path, typer.Option(help="The ground truth: a file, folder or ZIP in COCO, CVAT or another format.")]
Submissions = Annotated[
    list[Path], typer.Argument(help="What students handed in: files, folders, ZIPs of one or many students.")
]
Rules = Annotated[
    Path | None, typer.Option(help="Rules to score by, as `assay annotations rules` writes them. Inferred without it.")
]
Profile = Annotated[
    str | None, typer.Option(help="What the rules begin as: annotator-ai-1.0 (the scoring plan) or strict-1.0.")
]
Images = Annotated[Path | None, typer.Option(help="Folder or ZIP with the images, to draw the annotations on.")]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the results.")]
Pdf = Annotated[bool, typer.Option("--pdf", help="Write every report as PDF too.")]
Force = Annotated[bool, typer.Option("--force", help="Write into a folder that holds other files.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the results as JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
Instructions = Annotated[str | None, typer.Option(help='Changes in plain English: "ignore color, IoU at least 0.7".')]
Llm = Annotated[str | None, typer.Option(help="OpenAI-compatible address for what is not understood offline.")]
LlmModel = Annotated[str | None, typer.Option(help="Name of the model at that address.")]
LlmInsecure = Annotated[bool, typer.Option("--llm-insecure", help="Allow plain http to another machine.")]
Workers = Annotated[
    int | None,
    typer.Option("--workers", "-j", min=1, help="Processes; without it one, or one per core if there is much to do."),
]
Timings = Annotated[bool, typer.Option("--timings", help="Say on stderr what each stage took: time, CPU, memory.")]
Yes = Annotated[bool, typer.Option("--yes", help="Apply the shown changes without asking.")]


@annotations_app.command("rules")
def rules(
    truth: Annotated[
        Path, typer.Argument(help="The ground truth: a file, folder or ZIP in COCO, CVAT or another format.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="File for the rules; - prints them as TOML.")] = Path(
        "rules.toml"
    ),
    profile: Profile = None,
    images: Annotated[
        Path | None, typer.Option(help="Folder or ZIP with the images, for formats that do not state their sizes.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that holds other rules.")] = False,
    quiet: Quiet = False,
    instructions: Instructions = None,
    llm: Llm = None,
    llm_model: LlmModel = None,
    llm_insecure: LlmInsecure = False,
    yes: Yes = False,
) -> None:
    """Infer the rules of scoring from a ground truth: read them, edit them, score by them.

    Example: assay annotations rules truth.xml -o rules.toml
    """
    from assay.cli.annotations.screens import confirm_by
    from assay.cli.observer import console
    from assay.workflows.annotations.rules import rules as infer_rules

    model = _language_model(llm, llm_model, insecure=llm_insecure) if instructions is not None else None
    result = infer_rules(
        truth,
        profile=profile,
        images=images,
        instructions=instructions,
        language_model=model,
        confirm=confirm_by(yes=yes),
        observer=TerminalObserver(quiet=quiet),
    )
    if str(out) == "-":
        print(result.toml(), end="")
        return
    result.write(out, force=force)
    if not quiet:
        print(result.pseudocode())
        remark = f"\nWrote {out}. Edit it, then: assay annotations score --truth {truth} SUBMISSION --rules {out}"
        console().print(remark, markup=False, soft_wrap=True)


def _language_model(llm: str | None, llm_model: str | None, *, insecure: bool) -> "LanguageModel | None":
    from assay.io.language_model import configured_model

    return configured_model(os.environ, llm, llm_model, insecure=insecure)


@annotations_app.command("score")
def score(
    submissions: Submissions,
    truth: Truth,
    rules: Rules = None,
    profile: Profile = None,
    images: Images = None,
    roster: Annotated[
        Path | None, typer.Option(help="CSV of who should hand in: student, and file or name if called otherwise.")
    ] = None,
    out: Out = None,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    timings: Timings = False,
    pdf: Pdf = False,
    force: Force = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
    reword: Annotated[
        bool, typer.Option("--reword", help="Give feedback also in a language model's words, beside the computed.")
    ] = False,
    llm: Annotated[str | None, typer.Option(help="OpenAI-compatible address of the model that rewords.")] = None,
    llm_model: LlmModel = None,
    llm_insecure: LlmInsecure = False,
) -> None:
    """Grade submissions against a ground truth: a score with its reasons for each student, and a report for all.

    Example: assay annotations score --truth truth.xml submissions/ --images images.zip --out grades
    """
    from assay.cli.annotations.screens import say_grades
    from assay.execution.stages import TimedExecutor
    from assay.workflows.annotations.grade import grade

    model = _rewording_model(llm, llm_model, insecure=llm_insecure) if reword else None
    out = out or Path(f"{truth.stem}-grades")
    with timed_executor(_processes(workers, cluster, submissions), cluster, "scored", profile=timings, quiet=quiet) as (
        executor,
        observer,
    ):
        result = grade(
            truth,
            submissions,
            rules=rules,
            profile=profile,
            images=images,
            roster=roster,
            language_model=model,
            scratch=out.parent,
            command=shlex.join(["assay", *sys.argv[1:]]),
            executor=executor,
            observer=observer,
        )
        with observer.stage("wrote"):
            # workers elsewhere may not have the images: then the pages are made here
            near = cluster is not None and result.images is not None
            writers = None if near else TimedExecutor(executor.executor, observer.stages, "wrote")
            result.write(out, pdf=pdf, force=force, executor=writers, observer=observer)
        say_grades(result.graded, out, as_json=as_json, quiet=quiet)


def _rewording_model(llm: str | None, llm_model: str | None, *, insecure: bool) -> "LanguageModel":
    """The model of the options or the environment; asked for before anything is graded."""
    from assay.io.language_model import URL_VARIABLE

    model = _language_model(llm, llm_model, insecure=insecure)
    if model is None:
        address = ("Give its OpenAI-compatible address with ", Field("llm"), f" or {URL_VARIABLE}. ")
        without = ("Without ", Field("reword"), ", feedback is given in the sentences that are computed.")
        raise InputError((Field("reword"), " needs a language model"), field="llm", remedy=(*address, *without))
    return model


def _processes(workers: int | None, cluster: str | None, submissions: Sequence[Path]) -> int | None:
    """As many as asked for; otherwise one, if it would be done sooner than many: going by the bytes to be read."""
    return workers if workers is not None or cluster is not None or _worth_spreading(submissions) else 1


def _worth_spreading(submissions: Sequence[Path]) -> bool:
    if len(submissions) == 1 and submissions[0].suffix.lower() in (".json", ".xml"):
        return False
    files = (f for path in submissions for f in (path.rglob("*") if path.is_dir() else [path]) if f.is_file())
    return sum(file.stat().st_size for file in files) > FEW_BYTES


@annotations_app.command("agree")
def agree(
    files: Annotated[list[Path], typer.Argument(help="Files, folders or ZIPs of two or more annotators.")],
    consensus: Annotated[
        Path | None, typer.Option(help="Write what most annotators drew: FILE.json as COCO, FILE.xml as CVAT.")
    ] = None,
    quorum: Annotated[float, typer.Option(help="An object needs more than this share of the annotators.")] = 0.5,
    rules: Annotated[Path | None, typer.Option(help="Rules with the least overlap of a pair.")] = None,
    images: Images = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the results.")] = Path("agreement"),
    workers: Workers = None,
    cluster: ClusterAddress = None,
    timings: Timings = False,
    pdf: Pdf = False,
    force: Force = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Annotators against each other, without a ground truth: who agrees with whom, alpha, a consensus.

    Example: assay annotations agree ada.xml ben.json chloe.xml --consensus consensus.xml --out agreement
    """
    from assay.cli.annotations.screens import say_agreement
    from assay.workflows.annotations.agree import agree as measure
    from assay.workflows.annotations.agree import check_consensus_name

    if consensus is not None:
        check_consensus_name(consensus)
    command, processes = shlex.join(["assay", *sys.argv[1:]]), _processes(workers, cluster, files)
    with timed_executor(processes, cluster, "compared", profile=timings, quiet=quiet) as (executor, observer):
        shown: Any = {"command": command, "executor": executor, "observer": observer}
        result = measure(files, quorum=quorum, rules=rules, images=images, **shown)
        with observer.stage("wrote"):
            result.write(out, consensus=consensus, pdf=pdf, force=force)
    say_agreement(result, out, consensus, as_json=as_json, quiet=quiet)
