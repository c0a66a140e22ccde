"""What workers do with essays: measure a block of them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.essays.features.measure import Measured
    from assay.essays.text.essay import Essay
    from assay.io.essays.table import EssayPart

BLOCK_ESSAYS = 32
BLOCK_CHARACTERS = 200_000
"""Essays read together. Fixed, whatever the number of workers, so that results do not depend on it."""

Block = Sequence[tuple["Essay", float]]
"""Essays with their human scores."""
MeasuredBlock = Sequence[tuple["Essay", float, "Measured"]]


def measure_block(block: Block, keep_content: bool) -> MeasuredBlock:
    """The essays of a block measured; what a worker does. Only what is needed travels back."""
    from dataclasses import replace

    from assay.essays.features.measure import measure_essays
    from assay.io.models.discourse_weights import bundled_discourse_model

    done = []
    found = measure_essays([essay for essay, _ in block], bundled_discourse_model())
    for (essay, score), measured in zip(block, found, strict=True):
        kept = measured if keep_content else replace(measured, content={})
        done.append((replace(essay, text=""), score, kept))
    return done


def blocks_by_part(parts: Iterable["EssayPart"], sizes: Iterable[int]) -> Iterator[Block]:
    """Blocks that end where a part of the results ends: a run that is gone on with has the same blocks."""
    pairs = pairs_of(parts)
    for size in sizes:
        yield from blocks_of(islice(pairs, size))


def pairs_of(parts: Iterable["EssayPart"]) -> Iterator[tuple["Essay", float]]:
    """Every essay with its human score."""
    for part in parts:
        yield from zip(part.essays, part.scores.tolist(), strict=True)


def blocks_of(pairs: Iterable[tuple["Essay", float]]) -> Iterator[Block]:
    """Essays put together in blocks."""
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
