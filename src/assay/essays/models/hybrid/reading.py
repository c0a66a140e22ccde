"""`HybridEssays`: essays as the hybrid sees them: their texts, and what was measured in them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.essays.discourse.model import DiscourseModel
from assay.essays.features.analysis import Analysis, analyse_all
from assay.essays.features.measures import measures_of
from assay.essays.feedback.advisories import Advisory, advisories
from assay.essays.models.digits import rounded
from assay.essays.text.text import Essay

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class HybridEssays:
    """Essays and (essays, measures), to six digits, NaN where undefined."""

    essays: tuple[Essay, ...]
    measures: Floats
    advisories: tuple[tuple[Advisory, ...], ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "measures", rounded(self.measures))
        self.measures.flags.writeable = False

    def __len__(self) -> int:
        return len(self.essays)

    @property
    def prompts(self) -> tuple[str, ...]:
        return tuple(essay.prompt for essay in self.essays)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(essay.text for essay in self.essays)

    def at(self, rows: NDArray[np.integer]) -> "HybridEssays":
        """Some of the essays, in the order of `rows`."""
        picked = rows.tolist()
        doubts = tuple(self.advisories[row] for row in picked)
        return HybridEssays(tuple(self.essays[row] for row in picked), self.measures[rows], doubts)


def measured_essay(essay: Essay, analysis: Analysis) -> HybridEssays:
    """An essay that was read, as the hybrid sees it."""
    doubts = advisories(analysis.words, prompt=essay.prompt)
    return HybridEssays((essay,), np.array([measures_of(analysis)]), (doubts,))


def read_hybrid(essay: Essay, labeller: DiscourseModel | None) -> HybridEssays:
    """An essay read by itself, and measured: what else is read must not change a digit."""
    return measured_essay(essay, next(analyse_all([essay.text], labeller)))


def joined(parts: Sequence[HybridEssays]) -> HybridEssays:
    """Essays that were read one by one."""
    return HybridEssays(
        tuple(essay for part in parts for essay in part.essays),
        np.concatenate([part.measures for part in parts]),
        tuple(doubts for part in parts for doubts in part.advisories),
    )
