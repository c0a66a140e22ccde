"""`assay essays train` and `assay essays score`: models of essay scores, and scores with their reasons."""

import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay import __version__
from assay.cli.essays.work import ESSAYS_AT_ONCE, measure_each
from assay.cli.executor_options import ClusterAddress, Partitions, Profile, Workers, timed_executor
from assay.errors import InputError

if TYPE_CHECKING:
    from assay.cli.essays.scores import AnyModel
    from assay.essays.features.measure import Measured
    from assay.essays.models.erater.model import EssayModel
    from assay.essays.models.erater.train import TrainingPlan
    from assay.essays.models.feature_table import EssayFeatures
    from assay.execution.executor import Executor
    from assay.io.essays.scored_essays import ScoredEssays
    from assay.provenance import Provenance
    from assay.report.essays.score_summary import ScoreSummary

Essays = Annotated[Path, typer.Argument(help="Table with a row per essay, or a folder of .txt files.")]
Text = Annotated[str | None, typer.Option("--text", help="Column with the text of the essay.")]
Id = Annotated[str | None, typer.Option("--id", help="Column that names the essay; row numbers without it.")]
Prompt = Annotated[str | None, typer.Option("--prompt", help="Column with the prompt the essay answers.")]
Score = Annotated[str, typer.Option("--score", help="Column with the human score.")]
Second = Annotated[str | None, typer.Option("--second-score", help="Column with the score of a second rater.")]
Third = Annotated[str | None, typer.Option("--third-score", help="Column with a third score, where two disagreed.")]
Program = Annotated[str | None, typer.Option("--program", help="Column with the grade or test: an equation for each.")]
Kind = Annotated[str, typer.Option("--model", help="specific, generic12, generic10, v1 or hybrid.")]
LengthWeight = Annotated[
    str, typer.Option("--length-weight", help="Share of essay length in all weights, 0 to 1; free lets essays decide.")
]
Fix = Annotated[
    list[str] | None, typer.Option("--fix", help="FEATURE=SHARE of all weights, fixed in advance; may be repeated.")
]
CutoffKind = Annotated[
    str,
    typer.Option(
        "--cutoffs",
        help="balanced, mean-sd, widened, distribution, signal-detection, signal-detection-common, qwk or rounding.",
    ),
]
Curved = Annotated[
    bool,
    typer.Option("--curves", help="Give each feature a curve: what its values are worth among these essays."),
]
Scale = Annotated[str | None, typer.Option("--scale", help="Scale of the scores, as 1-6; observed without it.")]
Paper = Annotated[
    bool, typer.Option("--paper", help="Build it as the paper did: features as measured, signal detection.")
]
Features = Annotated[
    Path | None,
    typer.Option("--features", help="Features of these essays (.csv, .parquet): read, or measured and kept there."),
]
ModelOut = Annotated[Path, typer.Option("--out", "-o", help="Model file to write (.json).")]
Model = Annotated[Path | None, typer.Option("--model", help="Model file; the bundled argument model without it.")]
Out = Annotated[Path, typer.Option("--out", "-o", help="Folder for scores.csv and report.html.")]
Force = Annotated[bool, typer.Option("--force", help="Write into a folder that holds other files.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")]


def train(
    essays: Essays,
    score: Score,
    out: ModelOut,
    text: Text = None,
    id: Id = None,
    prompt: Prompt = None,
    second_score: Second = None,
    third_score: Third = None,
    program: Program = None,
    model: Kind = "generic12",
    length_weight: LengthWeight = "0.2",
    fix: Fix = None,
    cutoffs: CutoffKind = "balanced",
    curves: Curved = False,
    scale: Scale = None,
    paper: Paper = False,
    features: Features = None,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    profile: Profile = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Build a score model from essays that people scored.

    Example: assay essays train essays.csv --text essay --score score --prompt prompt --model generic12 -o model.json
    """
    from assay.cli.essays.measures import v1_training_table
    from assay.essays.models.erater.train import check_scores, train_model
    from assay.io.essays.scored_essays import FurtherColumns, read_scored_essays
    from assay.io.essays.table import EssayColumns
    from assay.io.models.erater import write_model
    from assay.scale import ScoreScale

    if out.is_dir():
        raise InputError(f"{out} is a folder. Name a file with -o.")
    declared = ScoreScale.parse(scale) if scale else None
    plan = _plan(model, length_weight, fix or [], cutoffs, curved=curves, paper=paper)
    columns = EssayColumns(text, id, prompt, score) if text else None
    with timed_executor(workers, cluster, "measured", profile=profile, quiet=quiet) as (executor, observer):
        with observer.stage("read"):
            read = read_scored_essays(essays, columns, FurtherColumns(second_score, third_score, program))
            check_scores(read.human, declared)
        if model == "hybrid":
            from assay.cli.essays.hybrid import train_hybrid_file

            with observer.stage("trained"):
                train_hybrid_file(read, out, executor, scale=declared, cutoffs=cutoffs, as_json=as_json, quiet=quiet)
            return
        table_of = v1_training_table if model == "v1" else measured_table
        with observer.stage("trained"):
            table = table_of(read, features, executor, quiet=quiet)
            trained = train_model(table, plan, scale=declared, version=__version__)
        write_model(trained, out)
    _say_model(trained, out, as_json=as_json, quiet=quiet)


def score(
    essays: Essays,
    text: Text = None,
    id: Id = None,
    prompt: Prompt = None,
    program: Program = None,
    model: Model = None,
    out: Out = Path("essay-scores"),
    partitions: Partitions = False,
    force: Force = False,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    profile: Profile = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Score essays: raw and final score, interval, what each feature adds, and reasons for doubt.

    Example: assay essays score essays.csv --text essay --id id --model model.json --out scores
    """
    from assay.cli.essays.scores import scores_in_folder, scores_in_parts
    from assay.io.essays.table import EssayColumns, EssayFolder, open_essays
    from assay.report.essays.score_summary import ScoreSummary

    columns = EssayColumns(text, id, prompt, program=program) if text else None
    summary = ScoreSummary()
    with (
        timed_executor(workers, cluster, "scored", profile=profile, quiet=quiet) as (executor, observer),
        observer.stage("wrote"),
    ):
        used, digest = _any_model(model)
        with observer.stage("read"):
            table = open_essays(essays, columns)
        if program and isinstance(table, EssayFolder):
            raise InputError(f"{essays} is a folder of texts: it has no columns for --program. Give a table.")
        if partitions:
            scores_in_parts(table, used, digest, out, executor, summary, force=force, quiet=quiet)
        else:
            scores_in_folder(table, used, out, provenance(), executor, summary, force=force, quiet=quiet)
    _say_scores(summary, out, partitions=partitions, as_json=as_json, quiet=quiet)


def _any_model(path: Path | None) -> tuple["AnyModel", str]:
    """The model of a file, of whatever kind, or the bundled one, and the digest of what it was read from."""
    from assay.io.models.scoring_models import read_scoring_model
    from assay.io.tables.tables import file_digest

    if path is None:
        return _bundled(), "bundled"
    return read_scoring_model(path), file_digest(path)


def _plan(
    kind: str, length_weight: str, fixes: Sequence[str], cutoffs: str, *, curved: bool, paper: bool
) -> "TrainingPlan":
    from dataclasses import replace

    from assay.essays.models.cutoffs import cutoff_rule
    from assay.essays.models.erater.model import KIND_FEATURES
    from assay.essays.models.erater.train import TrainingPlan

    kinds = (*KIND_FEATURES, "v1", "hybrid")
    if kind not in kinds:
        raise InputError(f"no model is called {kind!r}. Choose one of: {', '.join(kinds)}.")
    fixed = _fixed_weights(length_weight, fixes)
    if curved and (paper or kind not in KIND_FEATURES):
        raise InputError("--curves is for specific, generic12 and generic10, without --paper: others have none.")
    if paper:
        return replace(TrainingPlan.paper(kind), fixed=fixed)
    cutoff_rule(cutoffs)
    return TrainingPlan(kind=kind, fixed=fixed, cutoffs=cutoffs, curved=curved)


def _fixed_weights(length_weight: str, fixes: Sequence[str]) -> dict[str, float]:
    """The share of length unless free, and the shares named with --fix, which come first."""
    fixed = {} if length_weight == "free" else {"length": _share(length_weight, "--length-weight")}
    for fix in fixes:
        name, sign, share = fix.partition("=")
        if not sign:
            raise InputError(f"--fix {fix} names no share. Write it as --fix style=0.1.")
        fixed[name.strip()] = _share(share, f"--fix {name}")
    return fixed


def _share(text: str, option: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{option} is {text!r}, which is not a number. Write a share from 0 to 1, as 0.2.") from None


def measured_table(
    read: "ScoredEssays", features: Path | None, executor: "Executor", *, quiet: bool
) -> "EssayFeatures":
    """The features of the essays: from the file named, or measured now, and then kept in it."""
    from assay.essays.features.features import FEATURES
    from assay.essays.models.feature_table import EssayFeatures

    if features is not None and features.exists():
        from assay.io.essays.study_features import read_study_features

        values, _ = read_study_features(features, [essay.essay_id for essay in read.essays])
        rows = [dict(zip(FEATURES, row, strict=True)) for row in values.tolist()]
        return EssayFeatures.of(read.essays, rows, read.human, programs=read.programs, names=tuple(FEATURES))
    measured = [row for block in _measured_blocks(read, executor, quiet=quiet) for row in block]
    if features is not None:
        from assay.io.essays.features_table import features_row, write_features

        first = read.human.first.tolist()
        write_features(features, (features_row(*row) for row in zip(read.essays, first, measured, strict=True)))
    values_of = [found.values for found in measured]
    return EssayFeatures.of(read.essays, values_of, read.human, programs=read.programs, names=tuple(FEATURES))


def _measured_blocks(read: "ScoredEssays", executor: "Executor", *, quiet: bool) -> Iterator[list["Measured"]]:
    from assay.cli.terminal import progress

    blocks = (read.essays[first : first + ESSAYS_AT_ONCE] for first in range(0, len(read), ESSAYS_AT_ONCE))
    with progress("Reading essays", len(read), quiet=quiet) as bar:
        yield from bar.counting(executor.map_ordered(measure_each, blocks))


def _bundled() -> "EssayModel":
    from assay.io.models.bundled import required_bundled_model

    return required_bundled_model()


def _say_model(model: "EssayModel", out: Path, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        equations = {group: dict(equation.agreement) for group, equation in model.equations.items()}
        summary = {"model": str(out), "kind": model.kind, "essays": model.training.essays, "equations": equations}
        typer.echo(json.dumps(summary | {"notes": list(model.training.notes)}))
    elif not quiet:
        from assay.cli.essays.models_screen import show_model

        show_model(model, out)


def _say_scores(summary: "ScoreSummary", out: Path, *, partitions: bool, as_json: bool, quiet: bool) -> None:
    if as_json:
        counts = {"essays": summary.essays, "scored": summary.given.total(), "advisories": dict(summary.doubts)}
        typer.echo(json.dumps(counts | {"out": str(out)}))
    elif not quiet:
        from assay.cli.essays.models_screen import show_scores
        from assay.cli.essays.scores import REPORT

        show_scores(summary, {"Scores": out} if partitions else {"Scores": out / "scores.csv", "Report": out / REPORT})


def provenance() -> "Provenance":
    from assay.provenance import Provenance

    made = datetime.now().astimezone().isoformat(timespec="seconds")
    return Provenance(__version__, shlex.join(["assay", *sys.argv[1:]]), {}, 0, made)
