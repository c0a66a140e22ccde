"""`assay demo`: everything once, on the bundled examples."""

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
    from assay.files.example_scores import write_example_scores

    typer.echo("Assay grades work that people hand in, and proves how far the grades can be trusted.\n")
    scores, training = write_example_scores(out / "evaluation" / "input")
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
        scale_with=training,
        out=out / "evaluation" / "engine_a",
        pdf=_can_make_pdf(),
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
    typer.echo(f"\nDone. Open {out / 'evaluation' / 'engine_a' / 'report.html'} in a browser.")
    typer.echo(f"Next: assay evaluate {scores} --human human --system judge --scale 1-6")


def _can_make_pdf() -> bool:
    from importlib.util import find_spec

    return find_spec("typst") is not None
