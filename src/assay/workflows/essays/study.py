"""`study`: a corpus of scored essays -> the tables 1 to 9 of Attali & Burstein (2005), with charts."""

import json
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from assay.essays.features.features import FEATURES
from assay.essays.models.erater.v1_measures import partition
from assay.essays.study.corpus import StudyCorpus
from assay.essays.study.study import SEED, Study, steps, study_essays
from assay.essays.study.systems import SystemResult
from assay.execution.executor import Executor, SerialExecutor
from assay.execution.observer import SILENT, Observer, with_progress
from assay.io.essays.scored_essays import StudyColumns, read_study_essays
from assay.io.results.result_json import study_content
from assay.io.tables.output import OutputFolder
from assay.provenance import Provenance
from assay.report.document.document import Document
from assay.report.document.wording import counted
from assay.report.study.paper import SYSTEM_WORDS, reported_figures
from assay.report.study.report import study_report
from assay.scale import ScoreScale
from assay.workflows.arguments import check_arguments
from assay.workflows.essays.essay_inputs import EssaysLike, essay_source, heard_by, made_now
from assay.workflows.essays.measured_essays import content_table, measured_essays
from assay.workflows.results import Result

STUDY = "study.json"


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class StudyResult(Result):
    """The tables of a study."""

    study: Study
    name: str
    provenance: Provenance

    def summary(self) -> list[tuple[str, str]]:
        """How many essays, and how well each system agrees with people on essays it has not seen."""
        table = self.to_polars().drop_nulls("qwk")
        figures = [(f"{row['program']}, {row['system']}", f"QWK {row['qwk']:.2f}") for row in table.to_dicts()]
        return [(f"{counted(self.study.essays, 'essay')},", counted(self.study.prompts, "prompt")), *figures]

    def to_dict(self) -> dict[str, Any]:
        """All figures."""
        return study_content(self.study, self.provenance)

    def to_polars(self) -> pl.DataFrame:
        """Table 6: the agreement of each system with human scores, on essays not seen."""
        numbers = ("length_weight", "kappa", "exact", "qwk")
        columns = {"program": pl.String, "system": pl.String, "prompts": pl.Int64, **dict.fromkeys(numbers, pl.Float64)}
        rows = [
            (program, SYSTEM_WORDS[own.system], own.n, own.length_weight, own.mean_kappa, own.mean_exact, own.mean_qwk)
            for program in self.study.programs
            for own in reported_figures(self.study.systems, program)
        ]
        return pl.DataFrame(rows, schema=columns, orient="row").fill_nan(None)

    def document(self) -> Document:
        """The report."""
        return study_report(self.study, source=self.name, provenance=self.provenance)

    def json(self) -> str:
        """study.json."""
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def write(self, folder: str | Path, *, force: bool = False, pdf: bool = False) -> Path:
        """report.html, study.json and tables/ in a folder, all or nothing; with `pdf` report.pdf too."""
        with OutputFolder(Path(folder), force, replaces=STUDY) as staging:
            self.write_files(staging, pdf=pdf)
        return Path(folder)

    def write_files(self, folder: Path, *, pdf: bool) -> None:
        """The same files into a folder that is there."""
        from assay.report.render.tables_csv import csv_files  # noqa: PLC0415 - only sometimes asked for

        self.report(folder / "report.html")
        if pdf:
            self.report(folder / "report.pdf")
        (folder / STUDY).write_text(self.json(), encoding="utf-8")
        (folder / "tables").mkdir()
        for file, text in csv_files(self.document()).items():
            (folder / "tables" / file).write_text(text, encoding="utf-8", newline="")


def study(
    essays: EssaysLike,
    *,
    text: str | None = None,
    score: str,
    prompt: str,
    id: str | None = None,
    second_score: str | None = None,
    third_score: str | None = None,
    program: str | None = None,
    candidate: str | None = None,
    file: str | None = None,
    scale: str | ScoreScale | None = None,
    recipe: str = "paper",
    features: str | Path | None = None,
    seed: int = SEED,
    out: str | Path | None = None,
    pdf: bool = False,
    force: bool = False,
    executor: Executor | None = None,
    observer: Observer = SILENT,
    command: str = "assay.study",
) -> StudyResult:
    """Study a corpus of scored essays: descriptives, weights, agreement of systems, reliability.

    Parameters
    ----------
    essays
        A table (pandas, Polars, pyarrow), or the path of one: a row for each essay, with its human scores.
    text, score, prompt, id
        The columns with the essay, the human score, the prompt it answers, and its name.
    second_score, third_score
        The columns with the score of a second rater, and a third where two disagreed.
    program, candidate
        The columns with the grade or test, and with the writer: two essays of one are a retest.
    file
        The column that names the file of each essay, relative to the table, in place of `text`.
    scale
        Scale of the scores, as 1-6; observed without it.
    recipe
        How models are built: `paper`, as the paper did, or `assay`.
    features
        A file with the features of these essays: read, or measured and kept there.
    seed
        Chance by which prompts are cut in halves.
    out, pdf, force
        A folder to write to, see `StudyResult.write`; whether it can be written is seen before the work begins.
    executor, observer
        Who does the work, and who hears of it.
    command
        What asked for it, for the record.

    Returns
    -------
    StudyResult
        The tables 1 to 9; one that needs what the corpus lacks says so.

    Examples
    --------
    >>> essays = "examples/essays.csv"
    >>> result = study(essays, text="text", score="rating_1", prompt="prompt")  # doctest: +SKIP
    """
    check_arguments(study, locals())
    declared = ScoreScale.parse(scale) if isinstance(scale, str) else scale
    columns = StudyColumns(text, score, prompt, id, second_score, third_score, program, candidate, file)
    with observer.stage("read"):
        read = read_study_essays(essay_source(essays, None)[0], columns, **heard_by(observer))
    with OutputFolder(Path(out), force, replaces=STUDY) if out is not None else nullcontext() as folder:
        feature_file = None if features is None else Path(features)
        values, v1_values = measured_essays(read.essays, feature_file, executor or SerialExecutor(), observer)
        arguments = () if v1_values is None else tuple(partition(essay.text).contents for essay in read.essays)
        corpus = StudyCorpus(content_table(read, tuple(FEATURES), values), read.candidates, v1_values, arguments)

        def tracked(results: Iterable[SystemResult]) -> Iterator[SystemResult]:
            for (one,) in with_progress(((one,) for one in results), observer, "Comparing systems", steps(corpus)):
                yield one

        with observer.stage("compared"):
            tables = study_essays(corpus, recipe=recipe, scale=declared, seed=seed, track=tracked)
        provenance = replace(made_now(command), inputs={read.name: read.digest}, seed=seed)
        result = StudyResult(tables, read.name, provenance)
        if folder is not None:
            with observer.stage("wrote"):
                result.write_files(folder, pdf=pdf)
    return result
