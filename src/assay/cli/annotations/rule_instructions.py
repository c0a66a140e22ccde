"""Instructions to the rules on a terminal: what was understood, the diff, and the question whether it applies."""

import sys
from collections.abc import Callable, Iterable

import typer

from assay.cli.terminal import console
from assay.errors import Field, InputError
from assay.workflows.annotations.instructions import Proposal, rubric_diff, summary

STYLES = {"+++": "bold", "---": "bold", "@@": "cyan", "+": "green", "-": "red"}


def confirm_by(*, yes: bool) -> Callable[[Proposal], None]:
    """How a user agrees to changes of the rules: at the terminal, or with --yes.

    Without a person at a terminal it takes --yes, and then everything must have been understood: an instruction that
    is followed by half would change grades behind its author's back.
    """

    def confirm(proposal: Proposal) -> None:
        _show([*summary(proposal), "", *rubric_diff(proposal.before, proposal.after).splitlines()])
        if not proposal.changes_something:
            return
        if yes and proposal.not_understood:
            problem = ("Not all of the instruction was understood, so ", Field("yes"), " applies none of it.")
            raise InputError(problem, field="instructions")
        if not yes and not sys.stdin.isatty():
            remedy = ("Add ", Field("yes"), " to apply what is shown.")
            raise InputError("The rules are not changed: nobody is there to agree.", field="yes", remedy=remedy)
        if not yes and not typer.confirm("Apply these changes?", err=True):
            raise InputError("The rules are not changed.")

    return confirm


def _show(lines: Iterable[str]) -> None:
    from rich.text import Text

    screen = console(stderr=True)
    for line in lines:
        style = next((style for start, style in STYLES.items() if line.startswith(start)), "")
        screen.print(Text(line, style=style), soft_wrap=True)
