"""What `assay annotations` writes and says."""

import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from pathlib import Path

from assay.annotations.agreement import Agreement
from assay.annotations.grading.explanation import losses
from assay.annotations.shapes.annotation_set import AnnotationSet
from assay.cli.annotations.pages import PageTask, StudentFiles, student_files, students_of
from assay.cli.annotations.photos import opened_images
from assay.cli.terminal import console, in_two, number, progress
from assay.execution.executor import Executor
from assay.io.archives.image_files import ImageFiles
from assay.io.results.agreement_results import agreement_json
from assay.io.results.annotation_results import Graded, results_pieces
from assay.io.results.annotation_tables import write_summary
from assay.io.tables.output import OutputFolder, safe_name
from assay.metrics.intervals import Estimate
from assay.provenance import Provenance
from assay.report.annotations.agreement_report import agreement_report
from assay.report.annotations.report import BatchWork, batch_report
from assay.report.document.document import Document
from assay.report.render.html import to_html
from assay.web.workspaces.annotations.photos import photos

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


def write_grades(
    graded: Graded,
    images: Path | None,
    provenance: Provenance,
    out: Path,
    executor: Executor,
    *,
    pdf: bool = False,
    force: bool = False,
    quiet: bool = False,
) -> None:
    """results.json, summary.csv, details/, report.html and students/; all of them or none.

    What is about one student is made by the executor and written as it comes.
    """
    names = file_names(graded.batch.scores)
    alone = len(names) == 1 and not graded.failed
    task = PageTask(provenance, len(names), images, graded.readable, pdf)
    with OutputFolder(out, force, replaces="results.json") as folder:
        write_summary(folder / "summary.csv", graded)
        with progress("reports", len(names), quiet=quiet) as counter:
            made = counter.counting(executor.map_ordered(student_files, students_of(graded), graded.batch.truth, task))
            students = (_written(one, names[one.name], folder, alone=alone) for one in made)
            with (folder / "results.json").open("w", encoding="utf-8") as stream:
                stream.writelines(results_pieces(graded, provenance, students))
        if not alone:
            pages = {name: f"students/{file}.html" for name, file in names.items()}
            work = BatchWork(graded.batch, graded.intervals, graded.feedback, graded.failed, pages, graded.shared)
            photo_of = photos(opened_images(images))
            write_report(batch_report(work, photo_of=photo_of, provenance=provenance), folder / "report", pdf=pdf)


def _written(made: StudentFiles, file: str, folder: Path, *, alone: bool) -> str:
    """Write what is about one student; what results.json says of them."""
    details = folder / "details" / f"{file}.csv"
    page = folder / "report.html" if alone else folder / "students" / f"{file}.html"
    for path in (details, page):
        path.parent.mkdir(exist_ok=True)
    details.write_text(made.details, encoding="utf-8", newline="")
    page.write_text(made.page, encoding="utf-8")
    if made.pdf is not None:
        page.with_suffix(".pdf").write_bytes(made.pdf)
    return made.result


def write_report(document: Document, target: Path, *, pdf: bool) -> None:
    """TARGET.html, and TARGET.pdf if wished."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.with_name(f"{target.name}.html").write_text(to_html(document), encoding="utf-8")
    if pdf:
        from assay.report.render.pdf import to_pdf

        target.with_name(f"{target.name}.pdf").write_bytes(to_pdf(document))


def file_names(students: Iterable[str]) -> dict[str, str]:
    """A file name for each student; names that differ only in what files cannot tell apart get a number.

    >>> file_names(["a/b", "a:b", "A_B"])
    {'a/b': 'a_b', 'a:b': 'a_b-2', 'A_B': 'A_B-3'}
    """
    used: dict[str, int] = {}
    names = {}
    for student in students:
        name = safe_name(student).strip(". ") or "student"
        used[name.casefold()] = times = used.get(name.casefold(), 0) + 1
        names[student] = name if times == 1 else f"{name}-{times}"
    return names


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
        alone = len(graded.batch.scores) == 1 and not graded.failed
        files = "report.html, results.json, summary.csv, details/" + ("" if alone else ", students/")
        remarks.print(f"Wrote {out}: {files}. Next: open {out / 'report.html'}", markup=False, soft_wrap=True)


def _problems(graded: Graded) -> Iterator[str]:
    """A line for each file of which something is not scored, and one for all that were mended."""
    mended = 0
    for name, score in graded.batch.scores.items():
        lost = [problem for problem in score.submission.problems if problem.lost]
        mended += len(lost) < len(score.submission.problems)
        for problem in lost[:3]:
            yield f"{name}: {problem.where}: {problem.what} ({problem.count} times); not scored"
    if mended:
        files = "1 file has small problems and was" if mended == 1 else f"{mended} files have small problems and were"
        yield f"{files} scored all the same; see Files in the report."


def _ranking(graded: Graded) -> object:
    from rich import box
    from rich.table import Table

    standings = graded.batch.ranking
    truth = graded.batch.truth
    objects = int(truth.to_be_found.sum())
    title = f"{len(standings)} scored against {objects} objects on {len(truth.annotations.images)} images"
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left")
    for head in ("Place", "Student", "Score", "95 % interval", "Found", "Extra", "Lost most to"):
        right = head in ("Place", "Score", "Found", "Extra")
        table.add_column(head, justify="right" if right else "left", no_wrap=head in ("95 % interval", "Score"))
    for standing in standings[:MOST_ON_SCREEN]:
        score = graded.batch.scores[standing.name]
        cause, points = max(losses(score).items(), key=lambda item: item[1])
        lost = f"{LOST_TO[cause]} {number(points, 1)}" if points >= 0.05 else "nothing"
        found = f"{score.tally.matched} of {score.tally.matched + score.tally.missed}"
        shown = in_two(standing.score, 1)
        table.add_row(str(standing.place), standing.name, *shown, found, str(score.tally.extra), lost)
    if len(standings) > MOST_ON_SCREEN:
        table.add_row("", f"and {len(standings) - MOST_ON_SCREEN} more", "", "", "", "", "see summary.csv")
    return table


def write_agreement(
    agreement: Agreement,
    sets: Mapping[str, AnnotationSet],
    failed: Mapping[str, str],
    images: ImageFiles | None,
    provenance: Provenance,
    out: Path,
    *,
    consensus: int | None,
    pdf: bool,
    force: bool,
) -> None:
    """agreement.json and report.html; both or none."""
    document = agreement_report(
        agreement, sets, failed, photo_of=photos(images), provenance=provenance, consensus=consensus
    )
    with OutputFolder(out, force, replaces="agreement.json") as folder:
        write_report(document, folder / "report", pdf=pdf)
        text = agreement_json(agreement, sets, failed, provenance)
        (folder / "agreement.json").write_text(text, encoding="utf-8")


def say_agreement(
    agreement: Agreement,
    sets: Mapping[str, AnnotationSet],
    failed: Mapping[str, str],
    provenance: Provenance,
    out: Path,
    consensus: tuple[Path, int] | None,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """Alpha, the pairs, and where the results are."""
    if as_json:
        print(agreement_json(agreement, sets, failed, provenance), end="")
    elif not quiet:
        value, interval = in_two(agreement.alpha, 3)
        screen = console()
        screen.print(f"Krippendorff's alpha {value} ({interval})", markup=False)
        screen.print(_pairs(agreement))
    remarks = console(stderr=as_json or quiet)
    for name, error in failed.items():
        remarks.print(f"{name} could not be read: {error}", markup=False, soft_wrap=True)
    if consensus is not None and not quiet:
        remarks.print(f"Wrote {consensus[0]}: a consensus of {consensus[1]} objects.", markup=False, soft_wrap=True)
    if not quiet:
        remarks.print(f"Wrote {out}: report.html, agreement.json", markup=False, soft_wrap=True)


def _pairs(agreement: Agreement) -> object:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, title="Every two annotators, of 100", title_justify="left")
    for head in ("Annotators", "Same objects", "Same place", "Same label"):
        table.add_column(head, justify="left" if head == "Annotators" else "right")
    for i, j in combinations(range(len(agreement.names)), 2):
        values = (matrix[i, j] for matrix in (agreement.found, agreement.localisation, agreement.label))
        shown = [in_two(Estimate(float(v), reason="nothing in common"), 1) for v in values]
        cells = [value if value != "n/a:" else f"n/a: {why}" for value, why in shown]
        table.add_row(f"{agreement.names[i]}, {agreement.names[j]}", *cells)
    return table
