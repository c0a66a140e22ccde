"""`HybridEssays`: essays as the hybrid sees them: their texts, and what was measured in them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.essays.discourse.model import DiscourseModel
from assay.essays.features.analysis import analyse_all
from assay.essays.features.measures.all_measures import NAMES, measures_of
from assay.essays.feedback.advisories import Advisory, advisories
from assay.essays.models.digits import rounded
from assay.essays.text.essay import Essay

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


def read_hybrid(essays: Sequence[Essay], discourse_model: DiscourseModel | None = None) -> HybridEssays:
    """Essays read and measured."""
    rows, doubts = [], []
    for essay, analysis in zip(essays, analyse_all((e.text for e in essays), discourse_model), strict=True):
        rows.append(measures_of(analysis))
        doubts.append(advisories(analysis.words, prompt=essay.prompt))
    return HybridEssays(tuple(essays), np.array(rows).reshape(len(essays), len(NAMES)), tuple(doubts))
