"""What workers do with essays: measure a block of them, or score them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.essays.features.measure import Measured
    from assay.essays.models.erater.model import EssayModel
    from assay.essays.models.erater.score import EssayScore
    from assay.essays.text.essay import Essay
    from assay.io.essays.table import EssayPart

BLOCK_ESSAYS = 32
BLOCK_CHARACTERS = 200_000
"""Essays read together. Fixed, whatever the number of workers, so that results do not depend on it."""

ESSAYS_AT_ONCE = 16
"""Essays handed out together where each is read by itself."""

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


def score_block(block: Sequence[tuple["Essay", str]], model: "EssayModel") -> list["EssayScore"]:
    """The scores of some essays; what a worker does."""
    from assay.essays.models.erater.score import score_essays
    from assay.io.models.discourse_weights import bundled_discourse_model

    programs = [program for _, program in block]
    return list(score_essays([essay for essay, _ in block], model, bundled_discourse_model(), programs=programs))


def measure_each(essays: Sequence["Essay"]) -> list["Measured"]:
    """Every essay measured by itself, as `score` will measure it; what a worker does."""
    from dataclasses import replace

    from assay.essays.features.measure import measure_essays
    from assay.io.models.discourse_weights import bundled_discourse_model

    found = (next(measure_essays([essay], bundled_discourse_model())) for essay in essays)
    return [replace(one, content={}) for one in found]
