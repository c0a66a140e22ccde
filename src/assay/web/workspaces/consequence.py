"""What a decision does to a score."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Consequence:
    """What a decision replaces, and the item's score before any decision and after this one."""

    previous: Any
    system_score: float | None
    human_score: float | None
