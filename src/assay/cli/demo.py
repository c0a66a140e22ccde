"""`assay demo`: everything once, on the bundled examples."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the results.")] = Path("assay-demo"),
) -> None:
    """Everything once, on the bundled examples, offline. Ends by itself.

    Example: assay demo --out my-demo
    """
    from assay.cli.evaluation import compare, evaluate
    from assay.io.example_data import copy_examples

    typer.echo("Assay grades work that people hand in, and proves how far the grades can be trusted.\n")
    inputs = copy_examples(out / "evaluation" / "input", "scores.csv", "training.csv")
    scores = inputs / "scores.csv"
    typer.echo("1. Evaluation: 600 invented responses, three human raters, three engines.")
    typer.echo("   Is engine_a good enough to score alone? Its figures, each with its 95 % interval:\n")
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
        out=out / "evaluation" / "engine_a",
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
        out=out / "evaluation" / "engines",
    )
    _annotations(out / "annotations")
    _essays(out / "essays")
    typer.echo(f"\nDone. Open {out / 'evaluation' / 'engine_a' / 'report.html'} in a browser,")
    typer.echo(f"{out / 'annotations' / 'grades' / 'report.html'}")
    typer.echo(f"and {out / 'essays' / 'scores' / 'report.html'}.")
    typer.echo(f"Next: assay evaluate {scores} --human human --system judge --scale 1-6")


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
    """A model from some of the invented essays, and the scores it gives to the others."""
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
