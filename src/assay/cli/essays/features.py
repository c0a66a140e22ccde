"""The rows of a features table, made by an executor."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from assay.cli.essays.work import MeasuredBlock, blocks_of, measure_block, pairs_of
from assay.cli.terminal import progress
from assay.essays.features.compare_content import with_content
from assay.essays.features.packed_content import PackedContents
from assay.execution.executor import Executor
from assay.io.essays.features_table import Row, features_row
from assay.io.essays.table import EssayFolder, EssayTable


def feature_rows(table: EssayTable | EssayFolder, executor: Executor, *, quiet: bool = True) -> Iterator[Row]:
    """The rows of the features table, in the order of the essays.

    Without scores a row leaves as soon as its essay is measured. With scores essays are compared, so all wait for the
    last: some 2 kB each stay in memory.
    """
    with progress("Reading essays", table.count, quiet=quiet) as bar:
        blocks = bar.counting(executor.map_ordered(measure_block, blocks_of(pairs_of(table.parts())), table.has_scores))
        if table.has_scores:
            yield from _compared(blocks)
        else:
            for block in blocks:
                yield from (features_row(*measured) for measured in block)


def _compared(blocks: Iterable[MeasuredBlock]) -> Iterator[Row]:
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
