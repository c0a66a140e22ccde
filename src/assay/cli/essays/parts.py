"""Features of essays as a folder of Parquet parts, gone on with after a crash; and what scores in parts share."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from assay import __version__
from assay.cli.essays.work import blocks_by_part, measure_block
from assay.cli.terminal import progress
from assay.execution.executor import Executor
from assay.io.essays.table import EssayFolder, EssayPart, EssayTable
from assay.io.tables.part_folder import Origin, PartFolder, RowChunk, stretches

if TYPE_CHECKING:
    from assay.io.essays.features_table import Row

Item = TypeVar("Item")

PART_ROWS = 10_000
"""Essays of a part where the input is one file."""

Essays = EssayTable | EssayFolder


def features_in_parts(
    table: Essays,
    out: Path,
    executor: Executor,
    counting: Callable[[Iterable["Row"]], Iterator["Row"]],
    *,
    force: bool,
    quiet: bool,
) -> None:
    """The features table, part by part.

    With scores every essay is compared with all others, so all are read again when any part is left.
    """
    from assay.cli.essays.features import feature_rows
    from assay.io.essays.features_table import write_features_part

    folder = PartFolder(out, origin_of("essays features", table, None), force=force)
    left = folder.left()
    say_left(folder, quiet=quiet)
    compared = table.has_scores and bool(left)
    rows = feature_rows(table, executor, quiet=quiet) if compared else _feature_rows(table, left, executor, quiet=quiet)
    at = 0
    for part in left:
        if compared:  # past the rows of parts that are there
            next(islice(rows, part.first - at, part.first - at), None)
            at = part.first + part.rows
        folder.write(part, partial(taking, write_features_part, counting(rows), part.rows))


def _feature_rows(table: Essays, left: Sequence[RowChunk], executor: Executor, *, quiet: bool) -> Iterator["Row"]:
    from assay.io.essays.features_table import features_row

    blocks = blocks_by_part(essays_left(table, left), [part.rows for part in left])
    with progress("Reading essays", sum(part.rows for part in left), quiet=quiet) as bar:
        for block in bar.counting(executor.map_ordered(measure_block, blocks, False)):
            yield from (features_row(*measured) for measured in block)


def essays_left(table: Essays, left: Sequence[RowChunk]) -> Iterator[EssayPart]:
    """The essays of the parts that are left, read once."""
    return chain.from_iterable(table.parts(span) for span in stretches(left))


def taking(writing: Callable[[Path, Iterable[Item]], None], rows: Iterator[Item], count: int, file: Path) -> None:
    writing(file, islice(rows, count))


def origin_of(command: str, table: Essays, model: str | None) -> Origin:
    options = asdict(table.columns) if isinstance(table, EssayTable) else {}
    return Origin(__version__, command, options, model, table.digests(), tuple(table.part_sizes(PART_ROWS)))


def say_left(folder: PartFolder, *, quiet: bool) -> None:
    """When some parts are there already."""
    from assay.cli.terminal import console

    if folder.done and not quiet:
        rest = "going on from there" if len(folder.done) < len(folder.parts) else "nothing is left to do"
        remark = f"{len(folder.done)} of {len(folder.parts)} parts are in {folder.path} already: {rest}."
        console(stderr=True).print(remark, markup=False, soft_wrap=True)
