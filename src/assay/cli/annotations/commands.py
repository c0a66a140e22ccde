"""`assay annotations rules`, `score` and `agree`."""

import shlex
import sys
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay import __version__
from assay.cli.executor_options import ClusterAddress, timed_executor
from assay.errors import InputError

if TYPE_CHECKING:
    from assay.annotations.rubric.rubric import Rubric
    from assay.annotations.shapes.annotation_set import AnnotationSet
    from assay.provenance import Provenance

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
Out = Annotated[Path | None, typer.Option("--out", help="Folder for the results.")]
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
    typer.Option(
        "--workers", "-j", min=1, help="Processes; without it one, or one per core if there is much to score."
    ),
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
    from assay.annotations.rubric.infer import suggest_rubric
    from assay.annotations.rubric.pseudocode import pseudocode
    from assay.annotations.shapes.attributes import AttributeColumns
    from assay.cli.annotations.photos import opened_images
    from assay.cli.annotations.rule_instructions import instructed_rubric
    from assay.cli.terminal import console
    from assay.io.annotations.files import read_annotations
    from assay.io.annotations.rubric_toml import rubric_toml

    annotations = read_annotations(truth, images=opened_images(images))
    rubric = suggest_rubric(annotations, profile or "annotator-ai-1.0")
    if instructions is not None:
        rubric = instructed_rubric(
            rubric,
            instructions,
            attributes=AttributeColumns.of(annotations).written.values(),
            llm=llm,
            llm_model=llm_model,
            llm_insecure=llm_insecure,
            yes=yes,
        )
    text = rubric_toml(rubric)
    if str(out) == "-":
        print(text, end="")
        return
    _write_rules(out, text, force=force)
    if not quiet:
        print(pseudocode(rubric))
        remark = f"\nWrote {out}. Edit it, then: assay annotations score --truth {truth} SUBMISSION --rules {out}"
        console().print(remark, markup=False, soft_wrap=True)


def _write_rules(out: Path, text: str, *, force: bool) -> None:
    """The file, unless that would lose what somebody edited."""
    try:
        if out.exists() and not force and out.read_text(encoding="utf-8") != text:
            raise InputError(f"{out} holds other rules already. Choose another -o, or replace them with --force.")
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text, encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"{out} cannot be written: {problem}. Choose another -o.") from None


@annotations_app.command("score")
def score(
    submissions: Submissions,
    truth: Truth,
    rules: Rules = None,
    profile: Profile = None,
    images: Images = None,
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
    from assay.annotations.matching.prepared_truth import prepare_truth
    from assay.cli.annotations.grading import grade_all, worth_spreading
    from assay.cli.annotations.output import say_grades, write_grades
    from assay.cli.annotations.photos import images_beside, opened_images
    from assay.cli.annotations.reworded_feedback import rewording_model, with_rewording
    from assay.execution.executor import SerialExecutor
    from assay.execution.stages import TimedExecutor
    from assay.io.annotations.files import FormatReading, each_submission, read_annotations
    from assay.io.results.spilling_scores import SpillingScores

    model = rewording_model(llm, llm_model, insecure=llm_insecure) if reword else None
    photos = opened_images(images)
    images = images or images_beside(truth)
    out = out or Path(f"{truth.stem}-grades")
    with timed_executor(workers, cluster, "scored", profile=timings, quiet=quiet) as (executor, observer):
        with observer.stage("read"):
            expected = read_annotations(truth, images=photos)
            if not len(expected):
                raise InputError(
                    f"{truth} holds no annotations, so there is nothing to score by. Name the ground truth."
                )
            prepared = prepare_truth(expected, _rubric(expected, rules, profile))
            if not prepared.to_be_found.any():
                raise InputError(
                    f"{truth} holds {len(expected):,} annotations and no object to be found: all are crowd or ignore "
                    f"regions, or of labels that the rules do not count. Name another ground truth, or mend the rules."
                )
            much, handed_in = worth_spreading(each_submission(submissions, FormatReading(expected, images=photos)))
        helpers = executor.executor if workers is not None or cluster is not None or much else SerialExecutor()
        with SpillingScores(prepared, out.parent) as shelf:
            graded = grade_all(shelf, handed_in, TimedExecutor(helpers, observer.stages, "scored"), quiet=quiet)
            if model is not None:
                graded = with_rewording(graded, model, quiet=quiet)
            with observer.stage("wrote"):
                made = _provenance([truth, *submissions, *([rules] if rules else [])])
                # workers elsewhere may not have the images: then the pages are made here
                near = cluster is not None and images is not None
                writers = TimedExecutor(SerialExecutor() if near else helpers, observer.stages, "wrote")
                write_grades(graded, images, made, out, writers, pdf=pdf, force=force, quiet=quiet)
            say_grades(graded, out, as_json=as_json, quiet=quiet)


def _rubric(truth: "AnnotationSet", rules: Path | None, profile: str | None) -> "Rubric":
    """The rules of a file, or those that the ground truth suggests."""
    from assay.annotations.rubric.infer import suggest_rubric
    from assay.io.annotations.rubric_toml import read_rubric

    if rules is None:
        return suggest_rubric(truth, profile or "annotator-ai-1.0")
    if profile is not None:
        raise InputError("Give --rules or --profile, not both: a file of rules names its own profile.")
    return read_rubric(_text_of(rules), source=rules.name)


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as problem:
        raise InputError(f"{path} cannot be read: {problem.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is not text in UTF-8. Save it as UTF-8.") from None


@annotations_app.command("agree")
def agree(
    files: Annotated[list[Path], typer.Argument(help="Files, folders or ZIPs of two or more annotators.")],
    consensus: Annotated[
        Path | None, typer.Option(help="Write what most annotators drew: FILE.json as COCO, FILE.xml as CVAT.")
    ] = None,
    quorum: Annotated[float, typer.Option(help="An object needs more than this share of the annotators.")] = 0.5,
    rules: Annotated[Path | None, typer.Option(help="Rules with the least overlap of a pair.")] = None,
    images: Images = None,
    out: Annotated[Path, typer.Option("--out", help="Folder for the results.")] = Path("agreement"),
    pdf: Pdf = False,
    force: Force = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Annotators against each other, without a ground truth: who agrees with whom, alpha, a consensus.

    Example: assay annotations agree ada.xml ben.json chloe.xml --consensus consensus.xml --out agreement
    """
    from assay.annotations.agreement import measure_agreement
    from assay.annotations.consensus import build_consensus
    from assay.cli.annotations.output import say_agreement, write_agreement
    from assay.cli.annotations.photos import opened_images
    from assay.io.annotations.files import read_submissions
    from assay.io.annotations.rubric_toml import read_rubric

    if consensus is not None and consensus.suffix.lower() not in (".json", ".xml"):
        raise InputError(f"--consensus {consensus}: end the name in .json for COCO or in .xml for CVAT.")
    photos = opened_images(images)
    handed_in = read_submissions(files, images=photos)
    sets = {one.student: one.annotations for one in handed_in if one.annotations is not None}
    failed = {one.student: one.error for one in handed_in if one.annotations is None}
    if len(sets) < 2:
        told = "".join(f"\n  {name}: {error}" for name, error in failed.items())
        raise InputError(f"Agreement needs the files of at least two annotators; {len(sets)} could be read.{told}")
    agreement = measure_agreement(sets, read_rubric(_text_of(rules), source=rules.name) if rules else None)
    made = _provenance([*files, *([rules] if rules else [])])
    text, objects = None, None
    if consensus is not None:
        merged = build_consensus(sets, agreement, quorum)
        text, objects = _consensus_text(consensus, merged), len(merged)
    write_agreement(agreement, sets, failed, photos, made, out, consensus=objects, pdf=pdf, force=force)
    written = None
    if consensus is not None and text is not None and objects is not None:
        _write_consensus(consensus, text)
        written = (consensus, objects)
    say_agreement(agreement, sets, failed, made, out, written, as_json=as_json, quiet=quiet)


def _consensus_text(path: Path, merged: "AnnotationSet") -> str:
    from assay.io.annotations.writers import coco_json, cvat_xml

    return coco_json(merged) if path.suffix.lower() == ".json" else cvat_xml(merged)


def _write_consensus(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise InputError(f"{path} cannot be written: {problem.strerror}. Choose another --consensus.") from None


def _provenance(paths: Sequence[Path]) -> "Provenance":
    from assay.provenance import Provenance

    command = shlex.join(["assay", *sys.argv[1:]])
    made = datetime.now().astimezone().isoformat(timespec="seconds")
    return Provenance(__version__, command, {str(path): _digest(path) for path in paths}, 0, made)


def _digest(path: Path) -> str:
    """SHA-256 of a file; of a folder, over the names and contents of its files in order. Empty if it is not there."""
    found = sha256()
    for file in sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]:
        try:
            if path.is_dir():
                found.update(file.relative_to(path).as_posix().encode() + b"\0")
            with file.open("rb") as stream:
                while part := stream.read(1 << 20):
                    found.update(part)
        except OSError:
            return ""
    return found.hexdigest()
