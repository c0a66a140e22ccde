"""What `assay annotations` says: grades, agreement, what an instruction would change, and the question to apply it."""

import shutil
import sys
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from assay.annotations.grading.explanation import losses
from assay.annotations.grading.graded import Graded
from assay.cli.observer import console, in_two, number
from assay.errors import Field, InputError
from assay.metrics.intervals import Estimate
from assay.report.document.wording import counted

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from assay.annotations.agreement import Agreement
    from assay.workflows.annotations.agree import AgreementResult
    from assay.workflows.annotations.instructions import Proposal

MOST_ON_SCREEN = 40
LOST_TO = {
    "localisation": "position",
    "label": "labels",
    "attributes": "attributes",
    "missed": "misses",
    "extra": "extras",
    "near_miss": "near misses",
    "nothing_matched": "no match",
    "override": "overrides",
}
"""Where points went, in a word."""


def say_grades(graded: Graded, out: Path, *, as_json: bool, quiet: bool) -> None:
    """The ranking, the files that could not be scored, and where the results are."""
    if as_json:
        with (out / "results.json").open(encoding="utf-8") as stream:
            shutil.copyfileobj(stream, getattr(sys.stdout, "for_data", sys.stdout))
    elif not quiet:
        _show(console(), _ranking(graded))
    remarks = console(stderr=as_json or quiet)
    for line in _roster(graded):
        remarks.print(line, markup=False, soft_wrap=True)
    for line in _problems(graded):
        remarks.print(line, markup=False, soft_wrap=True)
    if not quiet:
        files = "report.html, results.json, summary.csv, details/" + ("" if graded.alone else ", students/")
        remarks.print(f"Wrote {out}: {files}. Next: open {out / 'report.html'}", markup=False, soft_wrap=True)


def _roster(graded: Graded) -> Iterator[str]:
    """A line for each submission that is not simply scored, and one for everybody who is missing."""
    missing = [entry.student for entry in graded.roster if entry.state == "missing"]
    if missing:
        more = f" and {len(missing) - 20} more" if len(missing) > 20 else ""
        yield f"Missing ({len(missing)}): {', '.join(missing[:20])}{more}"
    for entry in graded.roster:
        if entry.student in graded.failed:
            yield f"{entry.student} could not be scored: {entry.detail}"
        elif entry.state == "no annotations":
            yield f"{entry.student}: no annotations; left out of the figures of the class"
        elif entry.state != "missing" and entry.detail:
            yield f"{entry.student}: {entry.detail}"


def _problems(graded: Graded) -> Iterator[str]:
    """A line for each file of which something is not scored, and one for all that were repaired."""
    repaired = 0
    for name, score in graded.batch.scores.items():
        lost = [problem for problem in score.submission.problems if problem.lost]
        repaired += len(lost) < len(score.submission.problems)
        for problem in lost[:3]:
            yield f"{name}: {problem.where}: {problem.what} ({problem.count} times); not scored"
    if repaired:
        files = (
            "1 file has small problems and was" if repaired == 1 else f"{repaired} files have small problems and were"
        )
        yield f"{files} scored all the same; see Files in the report."


def _show(screen: "Console", table: "RenderableType") -> None:
    """A table; where nobody looks on, as wide as it needs to be, so that no name is cut."""
    if not screen.is_terminal:
        needed = screen.measure(table, options=screen.options.update(max_width=WIDEST)).maximum
        screen.width = max(screen.width, needed)
    screen.print(table)


WIDEST = 1_000


def _ranking(graded: Graded) -> "RenderableType":
    from rich import box
    from rich.table import Table

    ranking, truth = graded.batch.ranking, graded.batch.truth
    objects = int(truth.to_be_found.sum())
    images = counted(len(truth.annotations.images), "image")
    title = f"{len(ranking)} scored against {counted(objects, 'object')} on {images}"
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left")
    for head in ("Place", "Student", "Score", "95 % interval", "Found", "Extra", "Lost most to"):
        right = head in ("Place", "Score", "Found", "Extra")
        table.add_column(head, justify="right" if right else "left", no_wrap=head in ("95 % interval", "Score"))
    for ranked in ranking[:MOST_ON_SCREEN]:
        score = graded.batch.scores[ranked.name]
        cause, points = max(losses(score).items(), key=lambda item: item[1])
        lost = f"{LOST_TO[cause]} {number(points, 1)}" if points >= 0.05 else "nothing"
        matched = f"{score.tally.matched} of {score.tally.matched + score.tally.missed}"
        shown = in_two(ranked.score, 1)
        table.add_row(str(ranked.place), ranked.name, *shown, matched, str(score.tally.extra), lost)
    if len(ranking) > MOST_ON_SCREEN:
        table.add_row("", f"and {len(ranking) - MOST_ON_SCREEN} more", "", "", "", "", "see summary.csv")
    return table


def say_agreement(result: "AgreementResult", out: Path, consensus: Path | None, *, as_json: bool, quiet: bool) -> None:
    """Alpha, the pairs, and where the results are."""
    agreement = result.agreement
    if as_json:
        print(result.json(), end="")
    elif not quiet:
        value, interval = in_two(agreement.alpha, 3)
        screen = console()
        screen.print(f"Krippendorff's alpha {value} ({interval})", markup=False)
        _show(screen, _pairs(agreement))
    remarks = console(stderr=as_json or quiet)
    for name, error in result.failed.items():
        remarks.print(f"{name} could not be read: {error}", markup=False, soft_wrap=True)
    if consensus is not None and not quiet:
        remarks.print(
            f"Wrote {consensus}: a consensus of {len(result.consensus)} objects.", markup=False, soft_wrap=True
        )
    if not quiet:
        remarks.print(f"Wrote {out}: report.html, agreement.json", markup=False, soft_wrap=True)


def _pairs(agreement: "Agreement") -> "RenderableType":
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, title="Every two annotators, of 100", title_justify="left")
    for head in ("Annotators", "Same objects", "Same place", "Same label"):
        table.add_column(head, justify="left" if head == "Annotators" else "right")
    for i, j in combinations(range(len(agreement.names)), 2):
        values = (matrix[i, j] for matrix in (agreement.same_objects, agreement.localisation, agreement.label))
        shown = [in_two(Estimate(float(v), reason="nothing in common"), 1) for v in values]
        cells = [value if value != "n/a:" else f"n/a: {why}" for value, why in shown]
        table.add_row(f"{agreement.names[i]}, {agreement.names[j]}", *cells)
    return table


def confirm_by(*, yes: bool) -> "Callable[[Proposal], None]":
    """How a user agrees to changes of the rules: at the terminal, or with --yes.

    Without a person at a terminal it takes --yes, and then everything must have been understood: an instruction that
    is followed by half would change grades behind its author's back.
    """

    def confirm(proposal: "Proposal") -> None:
        from rich.text import Text

        from assay.workflows.annotations.instructions import summary

        screen = console(stderr=True)
        for line in summary(proposal):
            screen.print(Text(line, style="" if line.startswith(" ") else "bold"), soft_wrap=True)
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
