"""Instructions to the rules on a terminal: what was understood, the diff, and the question whether it applies."""

import os
import sys
from collections.abc import Iterable

import typer

from assay.annotations.rubric.known_names import KnownNames
from assay.annotations.rubric.rubric import Rubric
from assay.cli.terminal import console
from assay.errors import InputError

STYLES = {"+++": "bold", "---": "bold", "@@": "cyan", "+": "green", "-": "red"}


def instructed_rubric(
    rubric: Rubric,
    instructions: str,
    *,
    attributes: Iterable[str] = (),
    llm: str | None = None,
    llm_model: str | None = None,
    llm_insecure: bool = False,
    yes: bool = False,
) -> Rubric:
    """The rules after an instruction that the user agrees to; `attributes` are those of the ground truth.

    Without a person at a terminal it takes --yes, and then everything must have been understood: an instruction that
    is followed by half would change grades behind its author's back.
    """
    from assay.io.language_model import configured_model
    from assay.workflows.annotations.instructions import propose_rubric, rubric_diff, summary

    model = configured_model(os.environ, llm, llm_model, insecure=llm_insecure)
    proposal = propose_rubric(instructions, rubric, model=model, known=KnownNames.of(rubric, attributes))
    lines = list(summary(proposal))
    if not proposal.changes_something and (proposal.not_understood or not proposal.already):
        raise InputError("\n".join(["The instruction changes nothing.", *lines]))
    _show([*lines, "", *rubric_diff(proposal.before, proposal.after).splitlines()])
    if not proposal.changes_something:
        return rubric
    if yes and proposal.not_understood:
        raise InputError("Not all of the instruction was understood, so --yes applies none of it.")
    if not yes and not sys.stdin.isatty():
        raise InputError("The rules are not changed: nobody is there to agree. Add --yes to apply what is shown.")
    if not yes and not typer.confirm("Apply these changes?", err=True):
        raise InputError("The rules are not changed.")
    return proposal.after


def _show(lines: Iterable[str]) -> None:
    from rich.text import Text

    screen = console(stderr=True)
    for line in lines:
        style = next((style for start, style in STYLES.items() if line.startswith(start)), "")
        screen.print(Text(line, style=style), soft_wrap=True)
