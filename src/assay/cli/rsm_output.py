"""What the commands of `assay rsm` print."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich import box
from rich.table import Table

from assay.cli.evaluation_output import PER_CENT, SIGNED
from assay.cli.observer import TerminalObserver, console, in_two
from assay.errors import InputError
from assay.workflows.evaluation.results import HEADLINES
from assay.workflows.rsm.experiments import RsmExperimentsResult
from assay.workflows.rsm.explain import RsmExplainResult
from assay.workflows.rsm.outputs import EvaluatedResult, RsmResult
from assay.workflows.rsm.predict import RsmPredictResult

if TYPE_CHECKING:
    from assay.io.rsm.configuration.generate import NeededOption

MOST_SHOWN = 10


class NotesObserver(TerminalObserver):
    """Says also with --quiet what of a configuration is not done."""

    def remark(self, text: str) -> None:
        """A note on stderr."""
        console(stderr=True).print(f"Note: {text}", markup=False)


def say_result(result: RsmResult, out: Path, *, no_report: bool) -> None:
    """The main figures, what to know about them, and where the files are."""
    screen, table = console(), Table(box=box.SIMPLE_HEAD, title=result.identity, title_justify="left")
    match result:
        case EvaluatedResult():
            evaluation, model = result.evaluation, getattr(result.config, "model", "")
            left_out = "; ".join(f"{reason}: {n}" for reason, n in evaluation.exclusions.left_out.items())
            heading = f"{result.identity}: {model}" if model else result.identity
            table.title = f"{heading}: {evaluation.n} responses{f', left out {left_out}' if left_out else ''}"
            table.add_column("Figure", no_wrap=True)
            table.add_column("Value", justify="right", no_wrap=True)
            table.add_column("95 % interval")
            figures = evaluation.figures()
            for name, words in HEADLINES.items():
                if name in figures:
                    table.add_row(words, *in_two(figures[name], 1 if name in PER_CENT else 2, signed=name in SIGNED))
        case RsmExperimentsResult():
            table.add_column("Experiment")
            table.add_column("Responses", justify="right")
            table.add_column("QWK", justify="right", no_wrap=True)
            table.add_column("95 % interval")
            for experiment, scores in zip(result.experiments, result.evaluations, strict=True):
                if scores is None:
                    table.add_row(experiment.name, "", "n/a", "no scores are stored")
                else:
                    table.add_row(experiment.name, str(scores.n), *in_two(scores.figures()["qwk"], 2, signed=False))
        case RsmExplainResult(explanation=explanation):
            exact = "exact" if explanation.errors is None else "sampled"
            table.title = f"{len(explanation)} responses explained, {exact}"
            table.add_column("Feature")
            table.add_column("Mean share, points", justify="right")
            for i in explanation.ranked()[:MOST_SHOWN]:
                table.add_row(explanation.features[i], f"{explanation.mean_size[i]:.3f}")
    screen.print(table)
    for note in result.notes:
        screen.print(f"Note: {note}", markup=False)
    where = f"Tables: {out / 'output'}" if result.guarded == "output" else f"Results: {out}"
    report = "" if no_report else f"  Report: {result.report_path(out)}"
    screen.print(where + report, markup=False, soft_wrap=True)


def say_predicted(result: RsmPredictResult) -> None:
    """How many responses were scored, and where the scores are."""
    left_out = f", {result.excluded} could not be scored" if result.excluded else ""
    parts = "1 part" if result.empty_parts == 1 else f"{result.empty_parts} parts"
    none = f" (in {parts} none could)" if result.empty_parts else ""
    words = f"{result.scored} responses scored{left_out}{none}. Scores: {result.path}"
    console().print(words, markup=False, soft_wrap=True)


def ask_for(option: "NeededOption") -> Any:
    """Ask for the value of an option until it can be used."""
    while True:
        more = " (separated by commas)" if option.several else ""
        answer = typer.prompt(f"{option.name}{more}", err=True)
        try:
            return option.checked(answer)
        except InputError as problem:
            typer.echo(str(problem), err=True)
