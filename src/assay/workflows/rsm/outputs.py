"""What RSMTool's experiments share: what they record, where their tables and reports go, what a result shows."""

import json
import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

import polars as pl

from assay import __version__
from assay.errors import Field, InputError
from assay.evaluation.result import Evaluation
from assay.execution.observer import Observer
from assay.io.rsm.configuration.settings import ConfigSource
from assay.io.rsm.table import check_free, write_rsm_table
from assay.io.tables.output import OutputFolder
from assay.provenance import Provenance, created
from assay.workflows.mlflow_run import log_run, require_mlflow
from assay.workflows.results import Result

if TYPE_CHECKING:
    from assay.report.document.document import Document, Section

OUTPUT = "output"
"""The folder of the tables, as RSMTool calls it."""
HEADLINES = {"qwk": "QWK", "r": "Pearson r", "smd": "SMD", "rmse": "RMSE"}
Verb = TypeVar("Verb", bound=Callable[..., Any])


PARAMETERS = {
    "config": "A configuration file of {tool}, JSON with comments or TOML, or its options by name.",
    "out": "The folder for {holds}, all or nothing; without it nothing is written.",
    "force": "Write even if the folder `output` in it holds files already.",
    "compat": "Reproduce RSMTool's known defects, and ignore options of its other commands.",
    "no_report, pdf": "Write no report, or write it as PDF too.",
    "pdf": "Write the report as PDF too.",
    "command": "What is recorded as the command that was run.",
    "executor, observer": "Who trains the folds (this process, if not given), and who hears how far it is.",
    "mlflow": "The experiment of MLflow to which figures, settings and files are logged, where it is installed.",
    "observer": "Who hears of the work: its stages, progress and remarks.",
}
"""What the parameters of RSMTool's verbs mean; two of them may share a sentence."""
COMPAT_OPTIONS = "Ignore options of RSMTool's other commands, as RSMTool does."


def documented(tool: str, holds: str = "tables and report", **own: str) -> Callable[[Verb], Verb]:
    """Put the parameters of a verb into its docstring, in the words that all verbs share and some of its own."""

    def with_parameters(verb: Verb) -> Verb:
        names, lines = list(signature(verb).parameters), []
        for known, words in (PARAMETERS | own).items():
            if set(known.split(", ")) <= set(names):
                lines += [
                    f"    {known}",
                    *(f"        {line}" for line in words.format(tool=tool, holds=holds).split("\n")),
                ]
                names = [name for name in names if name not in known.split(", ")]
        section = "\n".join(["    Parameters", "    ----------", *lines])
        verb.__doc__ = (verb.__doc__ or "").replace("    Returns\n", f"{section}\n\n    Returns\n", 1)
        return verb

    return with_parameters


class RsmResult(Result):
    """A result that goes to a folder as RSMTool lays it out."""

    config: Any
    provenance: Provenance
    guarded = OUTPUT
    """The folder inside that must be free."""

    @property
    def identity(self) -> str:
        """What the name of the report begins with."""
        return str(self.config.experiment_id)

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know about the result, a sentence each."""
        return ()

    @abstractmethod
    def document(self, files: Sequence[str] = ()) -> "Document":
        """The report before it has a format; `files` lie beside it."""

    @abstractmethod
    def write_files(self, folder: Path) -> None:
        """Everything but the report."""

    def report_path(self, folder: str | Path) -> Path:
        """Where RSMTool puts the report of an experiment."""
        return Path(folder) / "report" / f"{self.identity}_report.html"

    def write_reports(self, folder: Path, *, pdf: bool = False) -> None:
        """The report where RSMTool puts its own, naming the tables beside it; and as PDF if asked for."""
        files = sorted(path.name for path in (folder / OUTPUT).iterdir())
        write_report(self.document(files), self.report_path(folder), pdf=pdf)

    def write(self, out: str | Path, *, force: bool = False, no_report: bool = False, pdf: bool = False) -> Path:
        """Write tables, configuration and report to a folder, all or nothing.

        Where its folder `output` holds files already nothing is written, unless forced; then files of the same name
        are replaced, and others stay.

        Returns
        -------
        Path
            The folder.
        """
        check_free(Path(out) / self.guarded, force=force)
        with OutputFolder(Path(out), force=True) as folder:
            self.write_files(folder)
            if not no_report:
                self.write_reports(folder, pdf=pdf)
        return Path(out)

    def written(self, out: str | Path | None, **options: Any) -> Self:
        """Itself, once it is written to a folder, if there is one."""
        if out is not None:
            self.write(out, **options)
        return self


class EvaluatedResult(RsmResult):
    """A result whose main figures are those of one evaluation."""

    evaluation: Evaluation

    def write(
        self,
        out: str | Path,
        *,
        force: bool = False,
        no_report: bool = False,
        pdf: bool = False,
        mlflow: str | None = None,
    ) -> Path:
        """As `RsmResult.write`; `mlflow` names an experiment to which figures, settings and files are logged too."""
        if mlflow is not None:
            require_mlflow()
        written = super().write(out, force=force, no_report=no_report, pdf=pdf)
        if mlflow is not None:
            figures = self.evaluation.figures()
            log_run(mlflow, name=self.identity, figures=figures, settings=self.config.saved, folder=written)
        return written

    def facts(self) -> list[tuple[str, str]]:
        """The responses and the headline figures, for a short look."""
        facts, figures = [("Responses", str(self.evaluation.n))], self.evaluation.figures()
        for name, title in HEADLINES.items():
            if name in figures:
                e = figures[name]
                interval = f"{e.value:.2f} (95% CI {e.low:.2f}-{e.high:.2f})"
                facts.append((title, interval if e.defined else f"n/a: {e.reason}"))
        return facts

    def to_polars(self) -> pl.DataFrame:
        """Every headline figure with its interval."""
        rows = [(name, e.value, e.low, e.high, e.reason) for name, e in self.evaluation.figures().items()]
        return pl.DataFrame(rows, schema=["figure", "value", "low", "high", "reason"], orient="row")


def begin(
    out: str | Path | None,
    remarks: Iterable[str],
    observer: Observer,
    *,
    force: bool,
    guarded: str = OUTPUT,
    mlflow: str | None = None,
) -> None:
    """Before any work is done: say what is not, and make sure that there is room for the results."""
    if mlflow is not None:
        require_mlflow()
        if out is None:
            problem = "there is nothing to log without a folder of results"
            raise InputError(problem, field="mlflow", remedy=("Give ", Field("out"), " too."))
    for remark in remarks:
        observer.remark(remark)
    if out is not None:
        check_free(Path(out) / guarded, force=force)
    observer.check()


def provenance_of(config: ConfigSource, files: Iterable[Path], *, command: str = "", seed: int = 0) -> Provenance:
    """This run and its inputs; a file that is not there is missed by those who read it."""
    inputs = [*(() if isinstance(config, Mapping) else (Path(config),)), *files]
    digests = {file.name: sha256(file.read_bytes()).hexdigest() for file in inputs if file.is_file()}
    return Provenance(__version__, command, digests, seed, created())


def own_sections(texts: Mapping[str, str]) -> "dict[str, Section]":
    """Sections of the user's own, from their Markdown."""
    from assay.report.document.markdown import own_section  # noqa: PLC0415 - reports are only sometimes asked for

    return {name: own_section(name, text) for name, text in texts.items()}


def write_tables(tables: Mapping[str, pl.DataFrame], folder: Path, *, prefix: str, file_format: str) -> None:
    """Every table that has rows, to a file of its name."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        if table.height:
            # a subgroup column may be called a/b, but a file may not
            safe = re.sub(r"[/\\\0]", "_", name)
            write_rsm_table(folder / f"{prefix}_{safe}.{file_format}", table)


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """A configuration as RSMTool saves it."""
    path.write_text(json.dumps(content, indent=4), encoding="utf-8")


def write_report(document: "Document", path: Path, *, pdf: bool = False) -> None:
    """A report as HTML; and as PDF if asked for."""
    from assay.report.render.html import to_html  # noqa: PLC0415 - reports are only sometimes asked for

    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(to_html(document), encoding="utf-8")
    if pdf:
        from assay.report.render.pdf import to_pdf  # noqa: PLC0415 - an extra

        path.with_suffix(".pdf").write_bytes(to_pdf(document))
