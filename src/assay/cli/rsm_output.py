"""What the commands of `assay rsm` print."""

from collections.abc import Sequence
from pathlib import Path

from rich import box
from rich.table import Table

from assay.cli.evaluation_output import PER_CENT, SIGNED
from assay.cli.observer import TerminalObserver
from assay.cli.terminal import console, in_two
from assay.evaluation.result import Evaluation
from assay.workflows.evaluation.results import HEADLINES
from assay.workflows.rsm.experiments import RsmExperimentsResult
from assay.workflows.rsm.explain import RsmExplainResult
from assay.workflows.rsm.predict import RsmPredictResult

MOST_SHOWN = 10


class NotesObserver(TerminalObserver):
    """Says also with --quiet what of a configuration is not done."""

    def remark(self, text: str) -> None:
        """A note on stderr."""
        console(stderr=True).print(f"Note: {text}", markup=False)


def say_evaluation(
    evaluation: Evaluation, heading: str, where: str, report: Path | None, *, notes: Sequence[str] = ()
) -> None:
    """The headline figures, what to know about them, and where the files are."""
    screen = console()
    left_out = "; ".join(f"{reason}: {n}" for reason, n in evaluation.exclusions.left_out.items())
    title = f"{heading}: {evaluation.n} responses{f', left out {left_out}' if left_out else ''}"
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left")
    table.add_column("Figure", no_wrap=True)
    table.add_column("Value", justify="right", no_wrap=True)
    table.add_column("95 % interval")
    figures = evaluation.figures()
    for name, words in HEADLINES.items():
        if name in figures:
            table.add_row(words, *in_two(figures[name], 1 if name in PER_CENT else 2, signed=name in SIGNED))
    screen.print(table)
    for note in notes:
        screen.print(f"Note: {note}", markup=False)
    screen.print(where + (f"  Report: {report}" if report else ""), markup=False, soft_wrap=True)


def say_predicted(result: RsmPredictResult) -> None:
    """How many responses were scored, and where the scores are."""
    left_out = f", {result.excluded} could not be scored" if result.excluded else ""
    parts = "1 part" if result.empty_parts == 1 else f"{result.empty_parts} parts"
    none = f" (in {parts} none could)" if result.empty_parts else ""
    words = f"{result.scored} responses scored{left_out}{none}. Scores: {result.path}"
    console().print(words, markup=False, soft_wrap=True)


def say_experiments(result: RsmExperimentsResult, out: Path) -> None:
    """The agreement of each experiment with people, and where the files are."""
    table = Table(box=box.SIMPLE_HEAD, title=result.identity, title_justify="left")
    table.add_column("Experiment")
    table.add_column("Responses", justify="right")
    table.add_column("QWK", justify="right", no_wrap=True)
    table.add_column("95 % interval")
    for experiment, evaluation in zip(result.experiments, result.evaluations, strict=True):
        if evaluation is None:
            table.add_row(experiment.name, "", "n/a", "no scores are stored")
        else:
            table.add_row(experiment.name, str(evaluation.n), *in_two(evaluation.figures()["qwk"], 2, signed=False))
    _say_files(table, out, result.report_path(out))


def say_explained(result: RsmExplainResult, out: Path) -> None:
    """The features that move scores most, and where the files are."""
    explanation = result.explanation
    exact = "exact" if explanation.errors is None else "sampled"
    table = Table(box=box.SIMPLE_HEAD, title=f"{len(explanation)} responses explained, {exact}", title_justify="left")
    table.add_column("Feature")
    table.add_column("Mean share, points", justify="right")
    for i in explanation.ranked()[:MOST_SHOWN]:
        table.add_row(explanation.features[i], f"{explanation.mean_size[i]:.3f}")
    _say_files(table, out, result.report_path(out))


def _say_files(table: Table, out: Path, report: Path) -> None:
    screen = console()
    screen.print(table)
    screen.print(f"Tables: {out / 'output'}  Report: {report}", markup=False, soft_wrap=True)
