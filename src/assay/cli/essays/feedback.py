"""`assay essays feedback`: what a writer can do next, on the terminal, as JSON and as a page."""

import json
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

File = Annotated[str, typer.Argument(metavar="FILE", help="The essay as plain text in UTF-8; - reads standard input.")]
Prompt = Annotated[
    str | None,
    typer.Option(
        "--prompt",
        help="Text file with the question: shows whether it was copied. Or the name of one of the model's prompts.",
    ),
]
Program = Annotated[str | None, typer.Option("--program", help="Grade or test, for a model that tells them apart.")]
Html = Annotated[Path | None, typer.Option("--html", help="Write a page with the essay and its notes; - prints it.")]
Model = Annotated[Path | None, typer.Option("--model", help="Score model; the bundled argument model without it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the feedback as JSON.")]
Force = Annotated[bool, typer.Option("--force", help="Replace a file that is not a page of Assay.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]


def feedback(
    file: File,
    prompt: Prompt = None,
    html: Html = None,
    model: Model = None,
    program: Program = None,
    as_json: AsJson = False,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Tell a writer what works in an essay, what would help most, and where: errors, discourse, features, score.

    Example: assay essays feedback essay.txt --html feedback.html
    """
    from assay.cli.essays.feedback_screen import show_feedback
    from assay.cli.terminal import console
    from assay.workflows.essays.feedback import check_page
    from assay.workflows.essays.feedback import feedback as feedback_on

    if html is not None and str(html) != "-":
        check_page(html, force=force)
    result = feedback_on(
        Path(file),
        model=model,
        prompt=Path(prompt) if prompt else "",
        program=program or "",
        command=shlex.join(["assay", *sys.argv[1:]]),
    )
    if str(html) == "-":
        print(result.html())
    elif html is not None:
        result.write(html, force=force)
    if as_json:
        print(json.dumps(result.to_dict(), ensure_ascii=False, indent=2, allow_nan=False))
    elif not quiet and str(html) != "-":
        show_feedback(console(), result)
        last = f"Page: {html}" if html else f"Next: assay essays feedback {shlex.quote(file)} --html feedback.html"
        console().print(f"\n{last}", markup=False, soft_wrap=True)
