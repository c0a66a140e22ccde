"""`score_essays`: essays and a model -> a score each, kept in memory or written as they come."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain, islice
from math import ceil
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from assay import __version__
from assay.errors import Field, InputError
from assay.essays.models.scoring_model import (
    SCORE_TITLES,
    EssayScore,
    ScoringModel,
    check_known,
    check_parts,
    score_each,
)
from assay.essays.text.text import Essay
from assay.execution.executor import Executor, SerialExecutor
from assay.execution.observer import SILENT, Observer, with_progress
from assay.io.essays.features_table import TEXTS, ScoresWriter, scores_frame
from assay.io.essays.table import EssayColumns, EssayFolder, EssayPart, EssayTable
from assay.io.language_model import LanguageModel
from assay.io.models.scoring_models import bundled_discourse_model
from assay.io.tables.columns import text_column
from assay.io.tables.output import OutputFolder
from assay.io.tables.part_folder import stretches
from assay.provenance import Provenance
from assay.report.document.document import Document
from assay.report.essays.scores_report import ScoreSummary, essay_scores_report
from assay.workflows.arguments import check_arguments
from assay.workflows.essays import essay_inputs as inputs
from assay.workflows.results import Result

if TYPE_CHECKING:
    from assay.workflows.essays.judged_essays import JudgeOptions
    from assay.workflows.evaluation.judge import Confirm

SCHEMA = "assay.essay-scores/1"
SCORES, REPORT = "scores.csv", "report.html"
BATCH = 16
"""Essays handed out together; each is read by itself, so the number changes no digit."""

EssaySource = EssayTable | EssayFolder
Batch = Sequence[tuple[Essay, str]]
"""Essays, each with its program."""


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class EssayScores(Result, Sequence[EssayScore]):
    """The scores of some essays by one model."""

    model: ScoringModel
    counts: ScoreSummary
    name: str
    provenance: Provenance
    scores: tuple[EssayScore, ...] = ()
    """Empty where they were written as they came; see `out`."""
    out: Path | None = None
    """The folder they were written to."""
    _frames: list[pl.DataFrame] = field(default_factory=list)

    def __len__(self) -> int:
        return self.counts.essays

    def __getitem__(self, place: Any) -> Any:
        if self.out is not None:
            problem = f"the scores were written to {self.out} and are not held in memory"
            remedy = "Read them with to_polars(), or score without a folder to write to."
            raise InputError(problem, field="out", remedy=remedy)
        return self.scores[place]

    def summary(self) -> list[tuple[str, str]]:
        """How many were scored, how the scores spread, and what stood against some."""
        counts = self.counts
        points = [(f"{point:g}", f"{count:,}") for point, count in sorted(counts.given.items())]
        doubts = [(title, f"{counts.advisories[n]:,}") for n, title in SCORE_TITLES.items() if counts.advisories[n]]
        scored = f"{counts.given.total():,} of {counts.essays:,} essays scored"
        return [(scored, f"by a {self.model.kind} model, scale {self.model.scale}"), *points, *doubts]

    def counted(self) -> dict[str, Any]:
        """Essays, those that got a score, and advisories by name."""
        counts = self.counts
        return {"essays": counts.essays, "scored": counts.given.total(), "advisories": dict(counts.advisories)}

    def to_dict(self) -> dict[str, Any]:
        """Counts, and every score with its features and shares."""
        from assay.io.results.result_json import plain  # noqa: PLC0415 - brings what evaluations need

        head = {"schema": SCHEMA, "version": __version__, "kind": self.model.kind, "scale": str(self.model.scale)}
        scores = [asdict(score) for score in self.scores]
        document: dict[str, Any] = plain({**head, **self.counted(), "scores": scores})
        return document

    def to_polars(self) -> pl.DataFrame:
        """A row per essay, as scores.csv has it."""
        if self.out is None:
            return scores_frame(self.scores, self.model)
        if not self._frames:
            csv, schema = self.out / SCORES, dict.fromkeys(TEXTS, pl.String)
            whole = csv.exists()
            self._frames.append(
                pl.read_csv(csv, schema_overrides=schema) if whole else pl.read_parquet(self.out / "*.parquet")
            )
        return self._frames[0]

    def document(self) -> Document:
        """The report."""
        return essay_scores_report(self.counts, self.model, name=self.name, provenance=self.provenance)

    def write(self, folder: str | Path, *, force: bool = False) -> Path:
        """scores.csv, words.csv where single words tell, and report.html."""
        self[:0]  # only scores in memory can be written again
        with OutputFolder(Path(folder), force, replaces=SCORES) as staging:
            with ScoresWriter(staging, self.model) as writer:
                writer.write(self.scores)
            self.report(staging / REPORT)
        return Path(folder)


def score_essays(
    essays: inputs.EssaysLike,
    model: inputs.ModelLike = None,
    *,
    text: str | None = None,
    id: str | None = None,
    prompt: str | None = None,
    program: str | None = None,
    file: str | None = None,
    out: str | Path | None = None,
    partitions: bool = False,
    force: bool = False,
    on_advisory: Mapping[str, str] | None = None,
    judge_model: str | LanguageModel | None = None,
    base_url: str | None = None,
    cache: str | PathLike[str] | None = None,
    insecure: bool = False,
    yes: bool = False,
    confirm: "Confirm | None" = None,
    executor: Executor | None = None,
    observer: Observer = SILENT,
    command: str = "assay.score_essays",
) -> EssayScores:
    """Score essays: raw and final score, interval, what each feature adds, and advisories.

    Parameters
    ----------
    essays
        A list of texts or of `Essay`, a table (pandas, Polars, pyarrow), or a path: a table, or essays (.txt, .md,
        .docx, .odt, .pdf), one, a folder or a ZIP of them; `-` is standard input.
    model
        A model, what `train` returned, or the path of a model file; the bundled argument model without it. Or
        `judge:` and the path of a rubric: then a language model scores, as in `assay.judge`.
    text, id, prompt, program
        The columns of a table with the essay (the likely one without it), its name, the prompt it answers, and the
        grade or test it belongs to.
    file
        The column that names the file of each essay, relative to the table, in place of `text`.
    out
        A folder to write to as scores come, so that memory is bounded whatever the number of essays; see `write`.
    partitions
        Write Parquet parts into `out` instead, and go on with those that are missing after a crash.
    force
        Write into a folder that holds other files; with `partitions`, begin anew.
    on_advisory
        What follows from an advisory in place of what the model says: name -> `warn`, `withhold`, `cap` (at most the
        middle of the scale) or `cap:3`.
    judge_model, base_url, cache, insecure, yes, confirm
        Of a judge: the model's name, and the rest as for `assay.judge`.
    executor, observer
        Who does the work, and who hears of it.
    command
        What the report says the scores were made by.

    Returns
    -------
    EssayScores
        A score for each essay, in order.

    Examples
    --------
    >>> scores = score_essays(["Phones should stay at home, because they disturb us. They ring in every lesson."])
    >>> scores[0].score
    1.0
    """
    check_arguments(score_essays, locals())
    columns = EssayColumns(text, id, prompt, program=program, file=file)
    if inputs.names_judge(model):
        from assay.workflows.essays.judged_essays import JudgeOptions  # noqa: PLC0415 - models of features need no judge

        source = inputs.open_essay_input(essays, columns, observer)
        options = JudgeOptions(judge_model, base_url, cache, insecure, yes, confirm)
        result = _judged(source, str(model), options, observer, command, partitions=partitions)
        return result if out is None else replace(result, out=result.write(out, force=force))
    used, digest = inputs.model_input(model)
    used = inputs.with_asked_consequences(used, on_advisory)
    executor = executor or SerialExecutor()
    with observer.stage("read"):
        source = inputs.open_essay_input(essays, columns, observer)
        _check(source, used, program)
    inputs.say_data(observer)
    counts, provenance = ScoreSummary(), inputs.made_now(command)
    if out is None:
        scores: list[EssayScore] = []
        for batch in _scored(source.parts(), [source.count], used, executor, observer):
            scores += batch
            counts.add(batch)
        return EssayScores(used, counts, source.name, provenance, tuple(scores))
    result = EssayScores(used, counts, source.name, provenance, out=Path(out))
    with observer.stage("wrote"):
        if partitions:
            _write_parts(
                source, result, digest + str(sorted((on_advisory or {}).items())), executor, observer, force=force
            )
            return result
        with OutputFolder(Path(out), force, replaces=SCORES) as folder:
            with ScoresWriter(folder, used) as writer:
                for batch in _scored(source.parts(), [source.count], used, executor, observer):
                    writer.write(batch)
                    counts.add(batch)
            result.report(folder / REPORT)
    return result


def _judged(
    source: EssaySource, model: str, options: "JudgeOptions", observer: Observer, command: str, *, partitions: bool
) -> EssayScores:
    """The scores by a language model, which reads essays by itself."""
    from assay.workflows.essays.judged_essays import judge_essays  # noqa: PLC0415 - models of features need no judge

    if partitions:
        problem = ("a judge writes no ", Field("partitions"), "; its cache goes on after a crash")
        raise InputError(problem, field="partitions")
    essays = [essay for part in source.parts() for essay in part.essays]
    judged, counts = judge_essays(essays, model, options, observer), ScoreSummary()
    scores = tuple(judged.score(essay) for essay in essays)
    counts.add(scores)
    return EssayScores(judged, counts, source.name, inputs.made_now(command), scores)


def score_block(batch: Batch, model: ScoringModel) -> list[EssayScore]:
    """The scores of some essays; what a worker does."""
    essays, programs = [essay for essay, _ in batch], [program for _, program in batch]
    return list(score_each(essays, model, bundled_discourse_model(), programs=programs))


def _scored(
    parts: Iterable[EssayPart], sizes: Sequence[int], model: ScoringModel, executor: Executor, observer: Observer
) -> Iterator[list[EssayScore]]:
    """The scores batch by batch, in order; who works on them changes no digit. Each of `sizes` ends a batch."""

    def batches() -> Iterator[Batch]:
        pairs = (pair for p in parts for pair in zip(p.essays, p.programs or ("",) * len(p), strict=True))
        for size in sizes:
            part = islice(pairs, size)
            while batch := list(islice(part, BATCH)):
                yield batch

    return with_progress(executor.map_ordered(score_block, batches(), model), observer, "Scoring essays", sum(sizes))


def _write_parts(
    source: EssaySource, result: EssayScores, digest: str, executor: Executor, observer: Observer, *, force: bool
) -> None:
    """The scores as Parquet parts, each there whole or not at all; counted are those of this run."""
    assert result.out is not None
    model, folder = (
        result.model,
        inputs.open_parts(source, result.out, "essays score", digest, observer, force=force),
    )
    left = folder.left()
    parts = chain.from_iterable(source.parts(span) for span in stretches(left))
    scored = _scored(parts, [part.rows for part in left], model, executor, observer)
    for part in left:
        frames = [scores_frame((), model, words=True)]  # a part may hold no essays
        for batch in islice(scored, ceil(part.rows / BATCH)):
            frames.append(scores_frame(batch, model, words=True))
            result.counts.add(batch)
        folder.write(part, pl.concat(frames, rechunk=True).write_parquet)


def _check(source: EssaySource, model: ScoringModel, program: str | None) -> None:
    """InputError before any work if nothing could be scored, or not as the model was trained."""
    if program and isinstance(source, EssayFolder):
        problem = ("a folder of texts has no columns, and ", Field("program"), " names one")
        raise InputError(problem, source=source.path, field="program", remedy="Give a table.")
    check_parts(model.reads_with, bundled_discourse_model())
    if model.known_prompts or model.known_programs:
        prompts = _named(source, "prompt") if model.known_prompts else set()
        programs = _named(source, "program") if model.known_programs else set()
        check_known(model, prompts=prompts, programs=programs)


def _named(source: EssaySource, what: str) -> set[str]:
    """The prompts or programs that the essays name."""
    if isinstance(source, EssayFolder):
        return {essay.prompt for part in source.parts() for essay in part.essays} if what == "prompt" else {""}
    column = getattr(source.columns, what)
    if column is None:
        return {""}
    batches = source.source.batches([column])
    return {value for batch in batches for value in text_column(batch, column).fill_null("").unique().to_list()}
