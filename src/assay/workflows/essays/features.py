"""`features`: essays -> the twelve e-rater features of each, in memory or written as they come."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from math import nan
from pathlib import Path
from typing import Any

import polars as pl

from assay import __version__
from assay.essays.features.features import FEATURES, Measured, PackedContents, measure_essays, with_content
from assay.essays.feedback.advisories import TITLES
from assay.essays.text.text import Essay
from assay.execution.executor import Executor, SerialExecutor
from assay.execution.observer import SILENT, Observer, with_progress
from assay.io.essays import features_table as tables
from assay.io.essays.table import EssayColumns, EssayFolder, EssayPart, EssayTable
from assay.io.models.scoring_models import bundled_discourse_model
from assay.io.results.result_json import plain
from assay.io.tables.part_folder import stretches
from assay.provenance import Provenance
from assay.report.document.document import Document, Paragraph, Section
from assay.report.document.values import Column, Number, Table
from assay.report.document.wording import counted, date_words
from assay.workflows.arguments import check_arguments
from assay.workflows.essays.essay_inputs import EssaysLike, made_now, open_essay_input, open_parts
from assay.workflows.results import Result

RESULT = "assay.essay-features/1"
BLOCK_ESSAYS = 32
BLOCK_CHARACTERS = 200_000
"""Essays read together. Fixed, whatever the number of workers, so that results do not depend on it."""

EssaySource = EssayTable | EssayFolder
Block = Sequence[tuple[Essay, float]]
"""Essays with their human scores."""
MeasuredBlock = Sequence[tuple[Essay, float, Measured]]


@dataclass(eq=False, repr=False, slots=True)
class FeatureResult(Result):
    """The features of some essays; `to_polars` is the table."""

    name: str
    provenance: Provenance
    out: Path | None = None
    """Where the table was written; None while it is in memory alone."""
    essays: int = 0
    """How many were measured in this run."""
    advisories: Counter[str] = field(default_factory=Counter)
    """How many essays carry each advisory."""
    rows: list[tables.Row] = field(default_factory=list)
    """Empty where they were written as they came."""

    def add(self, rows: Sequence[tables.Row]) -> None:
        """Count some rows."""
        at = list(tables.SCHEMA).index("advisories")
        self.essays += len(rows)
        self.advisories.update(name for row in rows for name in str(row[at] or "").split())

    def summary(self) -> list[tuple[str, str]]:
        """How many essays, and what stands against some."""
        doubts = [(title, f"{self.advisories[name]:,}") for name, title in TITLES.items() if self.advisories[name]]
        return [(counted(self.essays, "essay"), "measured"), *doubts]

    def to_dict(self) -> dict[str, Any]:
        """Counts, and the rows that are in memory."""
        head = {"schema": RESULT, "version": __version__, "essays": self.essays, "advisories": dict(self.advisories)}
        content: dict[str, Any] = plain(
            {**head, "rows": [dict(zip(tables.SCHEMA, row, strict=True)) for row in self.rows]}
        )
        return content

    def to_polars(self) -> pl.DataFrame:
        """A row for each essay: id, prompt, score, the twelve features, advisories, and why a feature is empty."""
        if self.out is None or self.rows:
            return tables.features_frame(self.rows)
        if self.out.suffix.lower() == ".csv":
            return pl.read_csv(self.out, schema_overrides=tables.SCHEMA)
        return pl.read_parquet(self.out / "*.parquet" if self.out.is_dir() else self.out)

    def document(self) -> Document:
        """How each feature is spread."""
        frame = self.to_polars()
        values = {name: frame[name].drop_nulls().to_numpy() for name in FEATURES}
        moments = {n: (float(own.mean()), float(own.std())) if own.size else (nan, nan) for n, own in values.items()}
        rows = tuple((FEATURES[n].title, *moments[n], frame.height - own.size) for n, own in values.items())
        numbers = {"Mean": Number(3), "SD": Number(3), "Undefined": Number(0)}
        columns = (Column("Feature"), *(Column(title, "number", number) for title, number in numbers.items()))
        doubts = tuple(Paragraph(f"{title}: {count}.") for title, count in self.summary()[1:])
        return Document(
            title=f"Features of {self.name}",
            verdict_lead=f"{counted(frame.height, 'essay')} measured.",
            sections=(Section("Features", (Table("features", "Features", columns, rows), *doubts)),),
            footer=f"Made by Assay {self.provenance.version}, {date_words(self.provenance.created)}.",
        )

    def write(self, path: str | Path) -> Path:
        """The table as a CSV or Parquet file, by its ending, complete or not at all."""
        tables.write_features(Path(path), self.to_polars().iter_rows())
        return Path(path)


def features(
    essays: EssaysLike,
    *,
    text: str | None = None,
    id: str | None = None,
    prompt: str | None = None,
    score: str | None = None,
    file: str | None = None,
    out: str | Path | None = None,
    partitions: bool = False,
    force: bool = False,
    executor: Executor | None = None,
    observer: Observer = SILENT,
    command: str = "assay.features",
) -> FeatureResult:
    """Measure the twelve e-rater features of every essay.

    Parameters
    ----------
    essays
        A list of texts or of `Essay`, a table (pandas, Polars, pyarrow), or a path: a table, or essays (.txt, .md,
        .docx, .odt, .pdf), one, a folder or a ZIP of them; `-` is standard input.
    text, id, prompt
        The columns of a table with the essay (the likely one without it), its name, and the prompt it answers.
    file
        The column that names the file of each essay, relative to the table, in place of `text`.
    score
        The column with the human score: adds the two prompt-specific features, for which essays are compared.
    out
        A .csv or .parquet file to write as rows come, so that memory is bounded whatever the number of essays.
    partitions
        Write a folder of Parquet parts instead, and go on with those that are missing after a crash.
    force
        With `partitions`, begin the folder anew.
    executor, observer
        Who does the work, and who hears of it.
    command
        What asked for it, for the record.

    Returns
    -------
    FeatureResult
        The table, and how many essays carry which advisory.

    Examples
    --------
    >>> table = features(["Dogs are loyal, because they wait for us every day."]).to_polars()
    >>> table["length"].item(), table["advisories"].item()
    (10.0, 'too_short')
    """
    check_arguments(features, locals())
    executor = executor or SerialExecutor()
    if out is not None and not partitions:
        tables.check_features_path(Path(out))
    with observer.stage("read"):
        source = open_essay_input(essays, EssayColumns(text, id, prompt, score, file=file), observer)
    result = FeatureResult(source.name, made_now(command), None if out is None else Path(out))
    with observer.stage("wrote"):
        if result.out is not None and partitions:
            _write_parts(source, result, executor, observer, force=force)
            return result
        with tables.FeaturesWriter(result.out) if result.out is not None else nullcontext() as writer:
            for rows in _rows(source, executor, observer):
                result.add(rows)
                if writer is None:
                    result.rows += rows
                else:
                    writer.write(rows)
    return result


def _rows(source: EssaySource, executor: Executor, observer: Observer) -> Iterator[list[tables.Row]]:
    """The rows block by block, in the order of the essays.

    Without scores a row leaves as soon as its essay is measured. With scores essays are compared, so all wait for the
    last: some 2 kB each stay in memory.
    """
    work = executor.map_ordered(measure_block, _blocks(_pairs(source.parts())), source.has_scores)
    measured = with_progress(work, observer, "Reading essays", source.count)
    if source.has_scores:
        contents, rows = PackedContents(), []
        for essay, score, one in chain.from_iterable(measured):
            contents.append(one.content)
            rows.append((essay, score, replace(one, content={})))
        essays, scores, alone = zip(*rows, strict=True) if rows else ((), (), ())
        compared = with_content(alone, contents, [essay.prompt for essay in essays], scores)
        yield list(map(tables.features_row, essays, scores, compared))
    else:
        yield from ([tables.features_row(*row) for row in block] for block in measured)


def measure_block(block: Block, keep_content: bool) -> MeasuredBlock:
    """The essays of a block measured; what a worker does. Only what is needed travels back."""
    values = measure_essays([essay for essay, _ in block], bundled_discourse_model())
    return [
        (replace(essay, text=""), score, measured if keep_content else replace(measured, content={}))
        for (essay, score), measured in zip(block, values, strict=True)
    ]


def _write_parts(
    source: EssaySource, result: FeatureResult, executor: Executor, observer: Observer, *, force: bool
) -> None:
    """The table part by part, each there whole or not at all; counted are the rows of this run.

    With scores every essay is compared with all others, so all are read again when any part is left.
    """
    assert result.out is not None
    folder = open_parts(source, result.out, "essays features", None, observer, force=force)
    left = folder.left()
    if source.has_scores and left:
        (compared,) = _rows(source, executor, observer)
        rows = (row for part in left for row in compared[part.first : part.first + part.rows])
    else:
        pairs = _pairs(chain.from_iterable(source.parts(span) for span in stretches(left)))
        # blocks end where a part ends: a run that is gone on with has the same blocks
        blocks = chain.from_iterable(_blocks(islice(pairs, part.rows)) for part in left)
        work = executor.map_ordered(measure_block, blocks, False)
        measured = with_progress(work, observer, "Reading essays", sum(part.rows for part in left))
        rows = (tables.features_row(*row) for block in measured for row in block)
    for part in left:
        own = list(islice(rows, part.rows))
        folder.write(part, partial(tables.write_features_part, rows=own))
        result.add(own)


def _pairs(parts: Iterable[EssayPart]) -> Iterator[tuple[Essay, float]]:
    for part in parts:
        yield from zip(part.essays, part.scores.tolist(), strict=True)


def _blocks(pairs: Iterable[tuple[Essay, float]]) -> Iterator[Block]:
    block: list[tuple[Essay, float]] = []
    size = 0
    for essay, score in pairs:
        block.append((essay, score))
        size += len(essay.text)
        if len(block) == BLOCK_ESSAYS or size >= BLOCK_CHARACTERS:
            yield block
            block, size = [], 0
    if block:
        yield block
