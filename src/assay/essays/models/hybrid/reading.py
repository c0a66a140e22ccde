"""`HybridEssays`: essays as the hybrid sees them, their texts and what was measured in them; and how that is spread."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.essays.features.features import Analysis
from assay.essays.feedback.advisories import Advisory
from assay.essays.integrity.detectors import text_advisories
from assay.essays.models.arrays import Floats, ReadOnlyArrays, rounded
from assay.essays.text.text import Essay

LOG_WORDS = 0
"""The column of `log_words` among all measures; 0 for an essay without words."""
CLIP = 4.0
"""Standard deviations from the mean beyond which a feature counts no further."""


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

    @classmethod
    def of(cls, essay: Essay, analysis: Analysis, measures: Floats) -> "HybridEssays":
        """A single essay, and all measures of it."""
        doubts = text_advisories(analysis.text, analysis.words, prompt=essay.prompt)
        return cls((essay,), measures[None], (doubts,))

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


def joined(parts: Sequence[HybridEssays]) -> HybridEssays:
    """Essays that were read one by one."""
    return HybridEssays(
        tuple(essay for part in parts for essay in part.essays),
        np.concatenate([part.measures for part in parts]),
        tuple(doubts for part in parts for doubts in part.advisories),
    )


@dataclass(frozen=True, eq=False, slots=True)
class Standard(ReadOnlyArrays):
    """Mean and standard deviation of each feature in one prompt."""

    mean: Floats
    sd: Floats

    def z(self, values: Floats) -> Floats:
        """(essays, features): in standard deviations, at most four; 0 where undefined."""
        scaled = (values - self.mean) / self.sd
        return np.asarray(np.clip(np.where(np.isfinite(scaled), scaled, 0.0), -CLIP, CLIP))


def learn_standard(values: Floats) -> Standard:
    """From (essays, features), undefined values aside; a feature that does not vary gets the spread 1."""
    known = np.isfinite(values)
    count = np.maximum(known.sum(axis=0), 1)
    mean = np.where(known, values, 0.0).sum(axis=0) / count
    spread = np.sqrt((np.where(known, values - mean, 0.0) ** 2).sum(axis=0) / count)
    return Standard(mean, np.where(spread > 1e-9, spread, 1.0))
