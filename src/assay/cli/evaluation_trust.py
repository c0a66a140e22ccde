"""`assay trust`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.evaluation import (
    AsJson,
    Force,
    Groups,
    Human,
    Id,
    Out,
    Pdf,
    Quiet,
    Scale,
    SecondHuman,
    Zeros,
    recorded_command,
    split_names,
)

if TYPE_CHECKING:
    from assay.workflows.evaluation.trust import TrustResult


def trust(
    reviews: Annotated[
        Path, typer.Argument(help="Table with a row per response; the human score is empty where nobody reviewed.")
    ],
    human: Human,
    system: Annotated[str, typer.Option(help="Column with the system score.")],
    id: Id = None,
    second_human: SecondHuman = None,
    groups: Groups = None,
    scale: Scale = None,
    keep_zeros: Zeros = None,
    figure: Annotated[str, typer.Option(help="The figure to know more closely: qwk, r, exact_agreement, ...")] = "qwk",
    within: Annotated[
        float | None, typer.Option(help="How closely: half the length of its interval. What is usual without it.")
    ] = None,
    most: Annotated[int, typer.Option(min=0, help="How many responses to suggest for review.")] = 8,
    out: Out = None,
    pdf: Pdf = False,
    force: Force = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Say how far an engine can be trusted, how many more reviews are needed, and what to review next.

    Example: assay trust reviews.csv --id id --human teacher --system engine --scale 1-6 --within 0.05 --out trust
    """
    from assay.cli.observer import TerminalObserver
    from assay.cli.terminal import console
    from assay.workflows.evaluation.trust import trust as trust_reviews

    result = trust_reviews(
        reviews,
        human=human,
        system=system,
        id=id,
        second_human=split_names(second_human),
        groups=split_names(groups),
        scale=scale,
        keep_zeros=keep_zeros,
        figure=figure,
        within=within,
        most=most,
        observer=TerminalObserver(quiet=quiet),
        command=recorded_command(),
    )
    if out is not None:
        result.write(out, force=force, pdf=pdf)
    if as_json:
        print(result.json(), end="")
    elif not quiet:
        screen = console()
        for line in _lines(result):
            screen.print(line, markup=False, soft_wrap=True)
    if out is not None and not quiet:
        console(stderr=as_json).print(f"Wrote {out}: report.html, trust.json", markup=False, soft_wrap=True)


def _lines(result: "TrustResult") -> list[str]:
    heading, *facts = result.summary()
    lines = [f"{heading[0]}: {heading[1]}", result.verdict]
    lines += [f"{name}: {text}" for name, text in facts if name != "Next"]
    lines += ["Review next:" if result.trust.next else "Nothing waits for review."]
    return lines + [f"  {name}: {why}" for name, why in result.to_polars().select("name", "why").iter_rows()]
