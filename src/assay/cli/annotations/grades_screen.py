"""What `assay annotations score` says: the ranking, what could not be scored, where the results are."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from assay.annotations.grading.explanation import losses
from assay.annotations.grading.graded import Graded
from assay.cli.terminal import console, in_two, number

MOST_ON_SCREEN = 40
LOST_TO = {
    "localisation": "place",
    "label": "labels",
    "attributes": "attributes",
    "missed": "misses",
    "extra": "extras",
    "nothing_matched": "no match",
    "override": "overrides",
}
"""Where points went, in a word."""


def say_grades(graded: Graded, out: Path, *, as_json: bool, quiet: bool) -> None:
    """The ranking, the files that could not be scored, and where the results are."""
    if as_json:
        with (out / "results.json").open(encoding="utf-8") as stream:
            shutil.copyfileobj(stream, sys.stdout)
    elif not quiet:
        console().print(_ranking(graded))
    remarks = console(stderr=as_json or quiet)
    for name, error in graded.failed.items():
        remarks.print(f"{name} could not be scored: {error}", markup=False, soft_wrap=True)
    for line in _problems(graded):
        remarks.print(line, markup=False, soft_wrap=True)
    if not quiet:
        files = "report.html, results.json, summary.csv, details/" + ("" if graded.alone else ", students/")
        remarks.print(f"Wrote {out}: {files}. Next: open {out / 'report.html'}", markup=False, soft_wrap=True)


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


def _ranking(graded: Graded) -> object:
    from rich import box
    from rich.table import Table

    ranking, truth = graded.batch.ranking, graded.batch.truth
    objects = int(truth.to_be_found.sum())
    title = f"{len(ranking)} scored against {objects} objects on {len(truth.annotations.images)} images"
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
