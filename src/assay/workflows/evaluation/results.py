"""What an evaluation and a comparison return, and the files they write."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from json import loads
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from assay.evaluation.compare import Comparison
from assay.evaluation.exclusions import Exclusions
from assay.evaluation.result import Evaluation
from assay.evaluation.thresholds import GateResult
from assay.io.results.evaluation_tables import PlainTable, comparison_tables, evaluation_tables
from assay.io.results.result_json import comparison_json, evaluation_json
from assay.io.tables.output import OutputFolder, safe_name, write_csv
from assay.metrics.catalogue import PAIR_METRICS
from assay.metrics.intervals import Estimate
from assay.provenance import Provenance
from assay.report.document.metric_words import METRIC_WORDS, gap, shown, words
from assay.report.evaluation.left_out import left_out_words
from assay.workflows.mlflow_run import log_run, require_mlflow
from assay.workflows.results import Result

if TYPE_CHECKING:
    import polars as pl

    from assay.report.document.document import Document

HEADLINES: Mapping[str, str] = {
    "qwk": "QWK",
    "r": "Pearson r",
    "smd": "SMD",
    "exact_agreement": "Exact agreement, %",
    "adjacent_agreement": "Exact or adjacent, %",
    "rmse": "RMSE",
    "prmse": "PRMSE (true score)",
    "degradation_qwk": "QWK minus rater QWK",
    "degradation_r": "r minus rater r",
    "disattenuated_r": "Disattenuated r",
    "largest_dsm": "Largest group DSM",
}
"""The figures a short look shows, in this order."""


class FolderResult(Result):
    """A result that goes to a folder."""

    file: ClassVar[str]
    """The name of its JSON file there."""

    @abstractmethod
    def json(self) -> str:
        """What its JSON file holds."""

    def to_dict(self) -> dict[str, Any]:
        """What its JSON file holds, as values."""
        content: dict[str, Any] = loads(self.json())
        return content

    def tables(self) -> dict[str, PlainTable]:
        """Every table, by the name of its file."""
        return {}

    def files(self) -> dict[str, bytes]:
        """Further files, by name."""
        return {}

    def write(self, folder: str | Path, *, force: bool = False, pdf: bool = False) -> Path:
        """Its JSON file, report.html, perhaps report.pdf, and its tables as tables/*.csv; all of them or none."""
        from assay.report.render.html import to_html  # noqa: PLC0415 - only when a report is asked for
        from assay.report.render.tables_csv import csv_files  # noqa: PLC0415

        document = self.document()
        with OutputFolder(Path(folder), force, replaces=self.file) as staging:
            (staging / "report.html").write_text(to_html(document), encoding="utf-8")
            if pdf:
                from assay.report.render.pdf import to_pdf  # noqa: PLC0415 - an extra

                (staging / "report.pdf").write_bytes(to_pdf(document))
            for name, content in self.files().items():
                (staging / name).write_bytes(content)
            tables = self.tables()
            if tables:
                (staging / "tables" / "report").mkdir(parents=True)
                for name, table in tables.items():
                    write_csv(staging / "tables" / f"{safe_name(name)}.csv", table.columns, table.rows)
                for file, text in csv_files(document).items():
                    (staging / "tables" / "report" / file).write_text(text, encoding="utf-8", newline="")
            (staging / self.file).write_text(self.json(), encoding="utf-8")
        return Path(folder)


@dataclass(frozen=True, eq=False, repr=False)
class EvaluationResult(FolderResult):
    """An engine judged by human scores. Every headline figure is an attribute: `result.qwk`."""

    file = "evaluation.json"
    evaluation: Evaluation
    """All numbers."""
    provenance: Provenance
    source: str
    """What the table is called."""
    excluded: Sequence[tuple[str, str]] = ()
    """Responses left out, by id, and why; the first ten thousand."""
    gates: tuple[GateResult, ...] = ()

    @property
    def figures(self) -> dict[str, Estimate]:
        """Every headline figure by name."""
        return self.evaluation.figures()

    @property
    def exclusions(self) -> Exclusions:
        """How many responses were read, and how many were left out why."""
        return self.evaluation.exclusions

    @property
    def passed(self) -> bool:
        """Whether every gate was passed."""
        return all(gate.passed for gate in self.gates)

    def __getattr__(self, name: str) -> Estimate:
        if not name.startswith("_") and (figure := self.figures.get(name)) is not None:
            return figure
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name in self.figures if name.isidentifier())]

    def summary(self) -> list[tuple[str, str]]:
        """The engine, how many responses, and the headline figures."""
        n, left_out = self.evaluation.n, sum(self.exclusions.left_out.values())
        heading = f"{n} response{'s' * (n != 1)}" + (f", {left_out} left out" if left_out else "")
        verdicts = {judgement.name: judgement.verdict for judgement in self.evaluation.judgements}
        facts = []
        for name, title in HEADLINES.items():
            if name in self.figures:
                verdict = f", {verdicts[name]}" if verdicts.get(name) else ""
                facts.append((title.removesuffix(", %"), f"{words(shown(name, self.figures[name]))}{verdict}"))
        return [(f"“{self.evaluation.engine}”", f"on {heading}"), *facts]

    def json(self) -> str:
        """evaluation.json."""
        return evaluation_json(self.evaluation, self.provenance)

    def to_polars(self) -> "pl.DataFrame":
        """A row per figure: name, title, value, low, high, reason, verdict."""
        verdicts = {judgement.name: judgement.verdict for judgement in self.evaluation.judgements}
        return _figure_frame(
            {"name": name, "title": title_of(name), **_ends(figure), "verdict": verdicts.get(name)}
            for name, figure in self.figures.items()
        )

    def write(self, folder: str | Path, *, force: bool = False, pdf: bool = False, mlflow: str | None = None) -> Path:
        """As `FolderResult.write`; `mlflow` names an experiment to which figures, settings and files are logged too."""
        if mlflow is not None:
            require_mlflow()
        written = super().write(folder, force=force, pdf=pdf)
        if mlflow is not None:
            evaluation = self.evaluation
            settings: dict[str, Any] = {"source": self.source, "system": evaluation.engine}
            settings |= {"scale": evaluation.plan.scale, "responses": evaluation.n, "version": self.provenance.version}
            log_run(mlflow, name=evaluation.engine, figures=self.figures, settings=settings, folder=written)
        return written

    def tables(self) -> dict[str, PlainTable]:
        """Every table, by the name of its file."""
        return evaluation_tables(self.evaluation, self.excluded)

    def document(self) -> "Document":
        """The report before it has a format."""
        from assay.report.evaluation.report import evaluation_report  # noqa: PLC0415 - only when a report is asked for

        title = f"Evaluation of “{self.evaluation.engine}”"
        return evaluation_report(self.evaluation, title=title, source=self.source, provenance=self.provenance)


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonResult(FolderResult):
    """Engines on the same responses."""

    file = "comparison.json"
    comparison: Comparison
    """All numbers."""
    provenance: Provenance
    evaluations: Mapping[str, Evaluation] = field(default_factory=dict)
    """Engine -> its evaluation on the responses that all engines scored; empty where evaluations were compared."""
    gates: Mapping[str, tuple[GateResult, ...]] = field(default_factory=dict)
    """Engine -> the gates, each passed or not."""

    @property
    def passed(self) -> bool:
        """Whether every engine passed every gate."""
        return all(gate.passed for gates in self.gates.values() for gate in gates)

    def summary(self) -> list[tuple[str, str]]:
        """The engines, and how far each pair of them is apart in QWK."""
        same = "the same responses" if self.comparison.paired else "different responses"
        qwk = [difference for difference in self.comparison.differences if difference.metric == "qwk"]
        facts = [(f"QWK, {d.first} minus {d.second}", words(gap("qwk", d.estimate))) for d in qwk]
        left_out = [
            ("Left out", words) for words in left_out_words(self.comparison.exclusions, self.comparison.unscored)
        ]
        return [(f"{len(self.comparison.engines)} engines", f"on {same}"), *left_out, *facts]

    def json(self) -> str:
        """comparison.json."""
        return comparison_json(self.comparison, self.provenance)

    def to_polars(self) -> "pl.DataFrame":
        """A row per difference: metric, first, second, value, low, high, reason, p, p_adjusted."""
        return _figure_frame(
            {"metric": d.metric, "first": d.first, "second": d.second}
            | {**_ends(d.estimate), "p": d.p, "p_adjusted": d.p_adjusted}
            for d in self.comparison.differences
        )

    def tables(self) -> dict[str, PlainTable]:
        """Every table, by the name of its file."""
        return comparison_tables(self.comparison)

    def document(self) -> "Document":
        """The report before it has a format."""
        from assay.report.evaluation.comparison_report import comparison_report  # noqa: PLC0415

        title = f"Comparison of {len(self.comparison.engines)} engines"
        return comparison_report(
            self.comparison, title=title, provenance=self.provenance, evaluations=self.evaluations, gates=self.gates
        )


def title_of(name: str) -> str:
    """What a figure is called, where it has a title of its own.

    >>> title_of("smd"), title_of("human_qwk"), title_of("raw.qwk")
    ('Standardised mean difference (SMD)', 'human_qwk', 'raw.qwk')
    """
    if name in METRIC_WORDS:
        return METRIC_WORDS[name].title
    return PAIR_METRICS[name].title if name in PAIR_METRICS else name


def _ends(estimate: Estimate) -> dict[str, Any]:
    value, low, high = (float(end) for end in (estimate.value, estimate.low, estimate.high))
    return {"value": value, "low": low, "high": high, "reason": estimate.reason}


def _figure_frame(rows: Any) -> "pl.DataFrame":
    import polars as pl  # noqa: PLC0415 - heavy

    return pl.DataFrame(list(rows), infer_schema_length=None).with_columns(pl.selectors.float().fill_nan(None))
