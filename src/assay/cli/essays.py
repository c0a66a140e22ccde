"""`assay essays ...`: features of essays."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from assay.essays.essay import Essay
    from assay.essays.measure import Measured
    from assay.files.essay_table import EssayFolder, EssayPart, EssayTable
    from assay.files.features_table import Row

essays_app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Features, models and scores of essays.")

BLOCK_ESSAYS = 32
BLOCK_CHARACTERS = 200_000
"""Essays read together. Fixed, whatever the number of workers, so that results do not depend on it."""

Essays = Annotated[Path, typer.Argument(help="Table with a row per essay, or a folder of .txt files.")]
Text = Annotated[str | None, typer.Option("--text", help="Column with the text of the essay.")]
Id = Annotated[str | None, typer.Option("--id", help="Column that names the essay; row numbers without it.")]
Prompt = Annotated[
    str | None, typer.Option("--prompt", help="Column with the prompt: essays of one prompt are compared.")
]
Score = Annotated[
    str | None, typer.Option("--score", help="Column with the human score: adds the two prompt-specific features.")
]
Out = Annotated[Path, typer.Option("--out", "-o", help="Features table to write: .csv or .parquet; - prints CSV.")]
Workers = Annotated[int | None, typer.Option("--workers", "-j", min=1, help="Processes; one per core without it.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")]


@essays_app.callback()
def essays() -> None:
    """Essays."""  # with a callback `features` stays a word to type while it is the only command


@essays_app.command("features")
def features(
    essays: Essays,
    out: Out,
    text: Text = None,
    id: Id = None,
    prompt: Prompt = None,
    score: Score = None,
    workers: Workers = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Measure the twelve e-rater features of every essay.

    Example: assay essays features essays.csv --text essay --id id --prompt prompt --score score -o features.csv
    """
    from assay.cli.workers import cores
    from assay.files.essay_table import EssayColumns, open_essays
    from assay.files.features_table import check_features_path, write_features

    check_features_path(out)
    table = open_essays(essays, EssayColumns(text, id, prompt, score) if text else None)
    summary = Summary()
    rows = feature_rows(table, workers=workers or cores(), quiet=quiet)
    write_features(out, summary.counting(rows))
    if str(out) == "-":
        return  # standard output is the table
    if as_json:
        typer.echo(json.dumps({"essays": summary.essays, "advisories": dict(summary.advisories), "features": str(out)}))
    elif not quiet:
        summary.say(out)


def feature_rows(table: "EssayTable | EssayFolder", *, workers: int, quiet: bool = True) -> Iterator["Row"]:
    """The rows of the features table, in the order of the essays.

    Without scores a row leaves as soon as its essay is measured. With scores essays are compared, so all wait for the
    last: some 2 kB each stay in memory.
    """
    from functools import partial

    from assay.cli.terminal import progress
    from assay.cli.workers import in_order
    from assay.files.features_table import features_row

    with progress("Reading essays", table.count, quiet=quiet) as bar:
        work = partial(measure_block, keep_content=table.has_scores)
        blocks = bar.counting(in_order(work, _blocks(table.parts()), workers=workers))
        if table.has_scores:
            yield from _compared(blocks)
        else:
            for block in blocks:
                yield from (features_row(*measured) for measured in block)


Block = Sequence[tuple["Essay", float]]
MeasuredBlock = Sequence[tuple["Essay", float, "Measured"]]


def measure_block(block: Block, *, keep_content: bool) -> MeasuredBlock:
    """The essays of a block measured; what a worker process does. Only what is needed travels back."""
    from dataclasses import replace

    from assay.essays.measure import measure_essays
    from assay.files.discourse_weights import bundled_discourse_model

    done = []
    found = measure_essays([essay for essay, _ in block], bundled_discourse_model())
    for (essay, score), measured in zip(block, found, strict=True):
        kept = measured if keep_content else replace(measured, content={})
        done.append((replace(essay, text=""), score, kept))
    return done


def _blocks(parts: Iterable["EssayPart"]) -> Iterator[Block]:
    block: list[tuple[Essay, float]] = []
    size = 0
    for part in parts:
        for essay, score in zip(part.essays, part.scores.tolist(), strict=True):
            block.append((essay, score))
            size += len(essay.text)
            if len(block) == BLOCK_ESSAYS or size >= BLOCK_CHARACTERS:
                yield block
                block, size = [], 0
    if block:
        yield block


def _compared(blocks: Iterable[MeasuredBlock]) -> Iterator["Row"]:
    from dataclasses import replace

    from assay.essays.compare_content import with_content
    from assay.essays.packed_content import PackedContents
    from assay.files.features_table import features_row

    contents = PackedContents()
    essays, scores, measured = [], [], []
    for block in blocks:
        for essay, score, found in block:
            contents.append(found.content)
            essays.append(essay)
            scores.append(score)
            measured.append(replace(found, content={}))
    compared = with_content(measured, contents, [essay.prompt for essay in essays], scores)
    yield from map(features_row, essays, scores, compared)


class Summary:
    """What went into a features table, counted as it passes."""

    def __init__(self) -> None:
        self.essays = 0
        self.advisories: Counter[str] = Counter()

    def counting(self, rows: Iterable["Row"]) -> Iterator["Row"]:
        """The same rows."""
        from assay.files.features_table import SCHEMA

        at = list(SCHEMA).index("advisories")
        for row in rows:
            self.essays += 1
            self.advisories.update(str(row[at] or "").split())
            yield row

    def say(self, out: Path) -> None:
        """One line on what was measured, one per kind of advisory, and what to do next."""
        from assay.cli.terminal import console
        from assay.essays.advisory import TITLES

        screen = console()
        screen.print(f"Measured {self.essays:,} essays.")
        for name, title in TITLES.items():
            if self.advisories[name]:
                screen.print(f"  {title}: {self.advisories[name]:,}", markup=False)
        screen.print(f"Features: {out}", markup=False, soft_wrap=True)
