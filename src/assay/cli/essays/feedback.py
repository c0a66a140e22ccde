"""`assay essays feedback`: what a writer can do next, on the terminal, as JSON and as a page."""

import shlex
import sys
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay import __version__
from assay.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.essays.feedback.feedback import EssayFeedback
    from assay.essays.models.scoring_model import EssayScore, ScoringModel
    from assay.essays.text.essay import Essay
    from assay.provenance import Provenance

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
    from assay.essays.text.essay import Essay
    from assay.io.essays.text import read_essay_text
    from assay.io.results.feedback_export import feedback_json

    if html is not None:
        _check_page(html, force=force)
    text, content = read_essay_text(file)
    used = _model(model)
    answered = answered_prompt(used, prompt, program)
    asked = "" if prompt is None or prompt == answered else read_essay_text(prompt)[0]
    found = _feedback(text, asked)
    scored = _score(Essay("1", text, answered), used, program or "")
    made = _provenance(file, content)
    name = "your essay" if file == "-" else Path(file).name
    if html is not None:
        _write_page(html, found, name, asked, made, scored)
    if as_json:
        print(feedback_json(found, made, scored))
    elif not quiet and str(html) != "-":
        show_feedback(console(), found, name=name, score=scored)
        last = f"Page: {html}" if html else f"Next: assay essays feedback {shlex.quote(file)} --html feedback.html"
        console().print(f"\n{last}", markup=False, soft_wrap=True)


def _feedback(text: str, prompt: str) -> "EssayFeedback":
    from assay.essays.features.analysis import analyse
    from assay.essays.feedback.feedback import essay_feedback
    from assay.essays.text.reader import read_text
    from assay.io.models.discourse_weights import bundled_discourse_model

    model = bundled_discourse_model()
    analysis = analyse(read_text(text), model)
    return essay_feedback(analysis, labeller="model" if model else "rules", prompt=prompt)


def _model(path: Path | None) -> "ScoringModel | None":
    """The model of the file, or the bundled one; None where there is neither."""
    from assay.io.models.bundled import bundled_essay_model
    from assay.io.models.scoring_models import read_scoring_model

    return read_scoring_model(path) if path else bundled_essay_model()


def answered_prompt(model: "ScoringModel | None", prompt: str | None, program: str | None) -> str:
    """The model's prompt that the essay answers, named by `--prompt` itself or by the name of its file.

    Empty for a model that needs none. InputError where the model tells prompts or programs apart and is not told which.
    """
    known, programs = (sorted(model.known_prompts), sorted(model.known_programs)) if model else ([], [])
    if programs and program not in programs:
        raise InputError(_untold("program", program, programs))
    if prompt is not None:
        named = [name for name in known if name in (prompt, Path(prompt).stem)]
        if named:
            return named[0]
    if len(known) > 1:
        raise InputError(_untold("prompt", prompt, known))
    return known[0] if known else ""


def _untold(what: str, given: str | None, known: "Sequence[str]") -> str:
    shown = ", ".join(repr(name) for name in known[:5]) + (f" and {len(known) - 5} more" if len(known) > 5 else "")
    why = (
        f"the model tells {len(known)} {what}s apart, and {f'{given!r} is none of them' if given else 'none is named'}"
    )
    return f"{why}. Name the one of this essay with --{what}: {shown}."


def _score(essay: "Essay", model: "ScoringModel | None", program: str) -> "EssayScore | None":
    """The score by a model of any kind; None without a model."""
    from assay.essays.models.scoring_model import score_each
    from assay.io.models.discourse_weights import bundled_discourse_model

    if model is None:
        return None
    return next(score_each([essay], model, bundled_discourse_model(), programs=[program]))


def _check_page(path: Path, *, force: bool) -> None:
    """Refuse to lose a file that this command did not write."""
    if str(path) == "-" or force or not path.exists():
        return
    try:
        ours = path.is_file() and "<title>Feedback on " in path.read_text(encoding="utf-8", errors="replace")[:2000]
    except OSError as problem:
        raise InputError(f"{path} cannot be read: {problem.strerror}. Choose another --html.") from None
    if not ours:
        raise InputError(f"{path} is no page of feedback. Choose another --html, or replace it with --force.")


def _write_page(
    path: Path, found: "EssayFeedback", name: str, prompt: str, made: "Provenance", score: "EssayScore | None"
) -> None:
    from assay.report.essays.feedback_report import essay_report
    from assay.report.render.html import to_html

    page = to_html(essay_report(found, name=name, prompt=prompt, provenance=made, score=score))
    if str(path) == "-":
        print(page)
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page, encoding="utf-8")
    except OSError as problem:
        raise InputError(f"{path} cannot be written: {problem.strerror}. Choose another --html.") from None


def _provenance(file: str, content: bytes) -> "Provenance":
    from assay.provenance import Provenance

    made = datetime.now().astimezone().isoformat(timespec="seconds")
    command = shlex.join(["assay", *sys.argv[1:]])
    return Provenance(__version__, command, {file: sha256(content).hexdigest()}, 0, made)
