"""What is known of an engine from reviews: scores of people beside its own, and what still waits for a person."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from assay.evaluation.reference import reference_scores
from assay.evaluation.trust.review_order import Waiting
from assay.metrics.pairs import Scores
from assay.scale import ScoreScale


@dataclass(frozen=True, eq=False, slots=True)
class Pairs:
    """Responses with a human and a system score, in the order the human scores were given."""

    names: tuple[str, ...]
    readings: Scores
    """(responses, raters): the engine is judged by the first score there is."""
    system: Scores
    when: tuple[datetime | None, ...]
    """When a person decided; None for a score that came with the file."""
    confirmed: int
    """Decisions that left the system score as it was."""
    groups: Mapping[str, tuple[str | None, ...]]
    drawn: tuple[bool, ...]
    """Whether each belongs to the random sample that was drawn last."""

    def __len__(self) -> int:
        return len(self.names)

    @property
    def human(self) -> Scores:
        return reference_scores(self.readings, "first")

    def where(self, keep: Sequence[bool]) -> "Pairs":
        """Some of them."""
        rows = np.flatnonzero(keep)
        return Pairs(
            names=tuple(self.names[i] for i in rows),
            readings=self.readings[rows],
            system=self.system[rows],
            when=tuple(self.when[i] for i in rows),
            confirmed=self.confirmed,
            groups={name: tuple(values[i] for i in rows) for name, values in self.groups.items()},
            drawn=tuple(self.drawn[i] for i in rows),
        )


@dataclass(frozen=True, eq=False, slots=True)
class ReviewEvidence:
    """All that a judgement of trust is made of."""

    scale: ScoreScale | None
    """None for scores on no points, such as 0 to 100."""
    pairs: Pairs
    names: tuple[str, ...]
    """Of the responses that wait for a person."""
    links: tuple[str, ...]
    """Their addresses; empty where a response has no page."""
    waiting: Waiting
    waiting_groups: Mapping[str, tuple[str | None, ...]]
    sample: Mapping[str, Any] | None
    """The random sample that was drawn last: size, seed, author, made, items."""
    sample_left: tuple[int, ...] = ()
    """Items of the sample that still wait."""
    caution: str = ""
    """What the reader must know of how these responses came to be judged."""
